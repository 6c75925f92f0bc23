"""What a class goes through: codes, closed doors, the archive."""

from django.db import IntegrityError, transaction
from django.utils import timezone

from .models import ChildSession, SchoolClass, free_code


def rotate_code(school_class: SchoolClass) -> None:
    """Give the class another code. The old one opens nothing from now on; it can be taken back."""
    school_class.former_code, school_class.code = school_class.code, free_code()
    school_class.save(update_fields=("code", "former_code"))


def take_code_back(school_class: SchoolClass) -> bool:
    """Undo the last rotation; False where there is none, or the code is another class's now."""
    if not school_class.former_code:
        return False
    school_class.code, school_class.former_code = school_class.former_code, ""
    try:
        with transaction.atomic():
            school_class.save(update_fields=("code", "former_code"))
    except IntegrityError:
        return False
    return True


def close(school_class: SchoolClass) -> None:
    """Let nobody in by the code on a device on which they have not been in before."""
    _set_closed(school_class, closed=True)


def open_again(school_class: SchoolClass) -> None:
    _set_closed(school_class, closed=False)


def _set_closed(school_class: SchoolClass, *, closed: bool) -> None:
    school_class.is_closed = closed
    school_class.save(update_fields=("is_closed",))


def archive(school_class: SchoolClass) -> None:
    """Put the class away: the children are signed out and their code opens nothing."""
    with transaction.atomic():
        school_class.archived_at = timezone.now()
        school_class.save(update_fields=("archived_at",))
        ChildSession.objects.filter(child__school_class=school_class).delete()


def restore(school_class: SchoolClass) -> None:
    """Take the class up again, which is a use of it: it is not over before its time is up anew."""
    school_class.archived_at, school_class.restored_at = None, timezone.now()
    school_class.save(update_fields=("archived_at", "restored_at"))
