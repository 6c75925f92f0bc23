"""Changes of a class: made, renamed, new codes, closed to new devices, archived."""

from collections.abc import Sequence

from django.db import IntegrityError
from django.utils import timezone

from classrooms import bounds
from classrooms.audit import What, audit
from classrooms.locks import Changed, lock
from classrooms.models import Attempt, ChildSession, SchoolClass, Teaching, User, free_code
from classrooms.models.groups import order_names_again
from classrooms.progress.pipeline.rebuild import mark_for_rebuild


def make(school_class: SchoolClass, by: User) -> None:
    """Store a new class, with this adult as its owner. Raises `bounds.Full`."""
    make_several([school_class], by)


def make_several(classes: Sequence[SchoolClass], by: User) -> None:
    """The same for several new classes, all or none."""
    with lock(by):
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
    with lock(school_class):
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
    with lock(school_class) as (now,):
        _set(school_class, code=free_code(), former_code=now.code)
        audit(by, What.NEW_CODE, school_class=school_class)


def take_code_back(school_class: SchoolClass, by: User | None = None) -> bool:
    """Undo the last rotation; False if there is none, or another class has the code now."""
    try:
        with lock(school_class) as (now,):
            if not now.former_code:
                return False
            _set(school_class, code=now.former_code, former_code="")
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
    with lock(school_class):
        _set(school_class, is_closed=closed)
        audit(by, What.CLOSED if closed else What.OPENED, school_class=school_class)


def archive(school_class: SchoolClass, by: User | None = None, *, for_school: bool = False) -> None:
    """Archive the class: its children are signed out and its code no longer works."""
    with lock(school_class) as (now,):
        if now.archived_at:
            raise Changed
        _set(school_class, archived_at=timezone.now())
        ChildSession.objects.filter(child__school_class=school_class).delete()
        audit(by, What.ARCHIVED, school_class=school_class, for_school=for_school)


def restore(school_class: SchoolClass, by: User | None = None, *, for_school: bool = False) -> None:
    """Restore an archived class. This counts as a use, so its time until archiving starts again."""
    with lock(school_class):
        _set(school_class, archived_at=None, restored_at=timezone.now())
        audit(by, What.RESTORED, school_class=school_class, for_school=for_school)


def _set(school_class: SchoolClass, **values: object) -> None:
    """Store these fields of a locked class."""
    for field, value in values.items():
        setattr(school_class, field, value)
    school_class.save(update_fields=values)
