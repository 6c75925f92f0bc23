"""Changes of a class: made, renamed, new codes, closed to new devices, archived."""

from collections.abc import Sequence

from django.db import IntegrityError, transaction
from django.utils import timezone

from classrooms import bounds
from classrooms.audit import What, audit
from classrooms.models import Attempt, ChildSession, SchoolClass, Teaching, User, free_code
from classrooms.models.groups import order_names_again
from classrooms.progress.pipeline.rebuild import mark_for_rebuild


def make(school_class: SchoolClass, by: User) -> None:
    """Store a new class, with this adult as its owner. Raises `bounds.Full`."""
    make_several([school_class], by)


def make_several(classes: Sequence[SchoolClass], by: User) -> None:
    """The same for several new classes, all or none."""
    with transaction.atomic():
        bounds.room_for_class(by, len(classes))
        for school_class in classes:
            school_class.save()
            Teaching.objects.create(school_class=school_class, user=by)
            audit(by, What.MADE, school_class=school_class)


def change(
    school_class: SchoolClass,
    fields: Sequence[str],
    by: User,
    *,
    as_operator: bool = False,
    for_school: bool = False,
) -> None:
    """Store the changed fields, such as the name. By another clock its games may be of other days,
    so whoever played in it is rebuilt."""
    if not fields:
        return
    with transaction.atomic():
        if "time_zone" in fields:
            played = Attempt.objects.filter(assignment__school_class=school_class)
            mark_for_rebuild(set(played.values_list("child", flat=True)))
        school_class.save(update_fields=fields)
        if "language" in fields:
            order_names_again(school_class)
        audit(
            by,
            What.CHANGED,
            school_class=school_class,
            as_operator=as_operator,
            for_school=for_school,
            fields=list(fields),
        )


def rotate_code(school_class: SchoolClass, by: User | None = None) -> None:
    """Give the class a new code. The old one no longer works; `take_code_back` restores it."""
    with transaction.atomic():
        school_class.former_code, school_class.code = school_class.code, free_code()
        school_class.save(update_fields=("code", "former_code"))
        audit(by, What.NEW_CODE, school_class=school_class)


def take_code_back(school_class: SchoolClass, by: User | None = None) -> bool:
    """Undo the last rotation; False if there is none, or another class has the code now."""
    if not school_class.former_code:
        return False
    school_class.code, school_class.former_code = school_class.former_code, ""
    try:
        with transaction.atomic():
            school_class.save(update_fields=("code", "former_code"))
            audit(by, What.FORMER_CODE, school_class=school_class)
    except IntegrityError:
        return False
    return True


def close(school_class: SchoolClass, by: User | None = None) -> None:
    """Let the code work only on devices where the child has signed in before."""
    _set_closed(school_class, by, closed=True)


def open_again(school_class: SchoolClass, by: User | None = None) -> None:
    _set_closed(school_class, by, closed=False)


def _set_closed(school_class: SchoolClass, by: User | None, *, closed: bool) -> None:
    with transaction.atomic():
        school_class.is_closed = closed
        school_class.save(update_fields=("is_closed",))
        audit(by, What.CLOSED if closed else What.OPENED, school_class=school_class)


def archive(school_class: SchoolClass, by: User | None = None, *, for_school: bool = False) -> None:
    """Archive the class: its children are signed out and its code no longer works."""
    with transaction.atomic():
        school_class.archived_at = timezone.now()
        school_class.save(update_fields=("archived_at",))
        ChildSession.objects.filter(child__school_class=school_class).delete()
        audit(by, What.ARCHIVED, school_class=school_class, for_school=for_school)


def restore(school_class: SchoolClass, by: User | None = None, *, for_school: bool = False) -> None:
    """Restore an archived class. This counts as a use, so its time until archiving starts again."""
    with transaction.atomic():
        school_class.archived_at, school_class.restored_at = None, timezone.now()
        school_class.save(update_fields=("archived_at", "restored_at"))
        audit(by, What.RESTORED, school_class=school_class, for_school=for_school)
