"""Creates and changes classes: names and settings, codes, archiving, and new school years."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db import IntegrityError
from django.db.models import QuerySet
from django.utils import timezone

from classrooms import bounds
from classrooms.audit import What, audit
from classrooms.locks import Changed, lock
from classrooms.models import (
    Attempt,
    ChildSession,
    NewYear,
    School,
    SchoolClass,
    Teaching,
    User,
    free_code,
)
from classrooms.models.children import update_name_orders
from classrooms.progress.rebuild import mark_for_rebuild


def create_classes(classes: Sequence[SchoolClass], by: User) -> None:
    """Store all of these new classes, with this adult as their owner. Raises
    `bounds.LimitReached`; then none is stored."""
    with lock(by):
        bounds.ensure_room_for_class(by, len(classes))
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
    """Store the changed fields, such as the name. A new time zone can move games to other days, so
    the progress of each child who has played is computed again."""
    if not fields:
        return
    with lock(school_class):
        if "time_zone" in fields:
            attempts = Attempt.objects.filter(assignment__school_class=school_class)
            mark_for_rebuild(set(attempts.values_list("child", flat=True)))
        school_class.save(update_fields=fields)
        if "language" in fields:
            update_name_orders(school_class)
        audit(
            by,
            What.CHANGED,
            school_class=school_class,
            as_operator=as_operator,
            for_school=for_school,
            fields=list(fields),
        )


def rotate_code(school_class: SchoolClass, by: User | None) -> None:
    """Give the class a new code. The old one no longer works; `take_code_back` restores it."""
    with lock(school_class) as (now,):
        _set(school_class, code=free_code(), former_code=now.code)
        audit(by, What.NEW_CODE, school_class=school_class)


def take_code_back(school_class: SchoolClass, by: User | None) -> bool:
    """Make the earlier class code valid again. Return False if there is none, or if another class
    has it now."""
    try:
        with lock(school_class) as (now,):
            if not now.former_code:
                return False
            _set(school_class, code=now.former_code, former_code="")
            audit(by, What.FORMER_CODE, school_class=school_class)
    except IntegrityError:
        return False
    return True


def set_closed(school_class: SchoolClass, closed: bool, by: User | None) -> None:
    """Close or open the class. While it is closed, its code lets children in only on devices on
    which they have signed in before."""
    with lock(school_class):
        _set(school_class, is_closed=closed)
        audit(by, What.CLOSED if closed else What.OPENED, school_class=school_class)


def archive(school_class: SchoolClass, by: User | None, *, for_school: bool = False) -> None:
    """Archive the class. Its children are signed out, and its code no longer works. Raises
    `Changed` if it is archived already."""
    with lock(school_class) as (now,):
        if now.archived_at:
            raise Changed
        _set(school_class, archived_at=timezone.now())
        ChildSession.objects.filter(child__school_class=school_class).delete()
        audit(by, What.ARCHIVED, school_class=school_class, for_school=for_school)


def restore(school_class: SchoolClass, by: User | None, *, for_school: bool = False) -> None:
    """Restore an archived class. This counts as use, so the time until it is archived as unused
    begins again."""
    with lock(school_class):
        _set(school_class, archived_at=None, restored_at=timezone.now())
        audit(by, What.RESTORED, school_class=school_class, for_school=for_school)


def _set(school_class: SchoolClass, **values: object) -> None:
    """Store these fields of a locked class."""
    for field, value in values.items():
        setattr(school_class, field, value)
    school_class.save(update_fields=values)


# Several classes of a school, or of a teacher, begin a new school year together. Each gets a new
# name, is archived, or stays as it is. This can be undone for a week.

UNDO_FOR: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class YearStep:
    """What happens to a class in a new school year: it gets the name, or it is archived."""

    class_id: UUID
    name: str
    is_archived: bool = False


def begin_year(
    classes: QuerySet[SchoolClass],
    steps: Sequence[YearStep],
    by: User,
    school: School | None = None,
) -> int:
    """Carry out these steps for the classes that are not archived, and return how many have
    changed. With a `school`, `by` acts as its admin."""
    records = []
    as_admin = school is not None
    with lock(school or by), lock(*classes.filter(archived_at=None)) as now:
        locked = {
            school_class.pk: school_class for school_class in now if not school_class.archived_at
        }
        for step in steps:
            school_class = locked.get(step.class_id)
            if school_class is None:
                continue
            before, archived_at = school_class.name, ""
            if step.is_archived:
                archive(school_class, by, for_school=as_admin)
                archived_at = str(school_class.archived_at and school_class.archived_at.isoformat())
            elif step.name != before:
                school_class.name = step.name
                change(school_class, ("name",), by, for_school=as_admin)
            else:
                continue
            records.append([str(school_class.pk), before, school_class.name, archived_at])
        if records:
            owner = {"school": school} if school else {"school": None, "user": by}
            values = {"at": timezone.now(), "classes": records, "user": by}
            NewYear.objects.update_or_create(**owner, defaults=values)
    return len(records)


def year_to_undo(user: User, school: School | None = None) -> NewYear | None:
    """The new year that can still be undone: that of the school, or without a school, that of this
    teacher's own classes."""
    new_years = NewYear.objects.filter(school=school)
    if school is None:
        new_years = new_years.filter(user=user)
    return new_years.filter(at__gt=timezone.now() - UNDO_FOR).select_related("user").first()


def undo_year(
    new_year: NewYear, classes: QuerySet[SchoolClass], by: User, school: School | None = None
) -> int:
    """Undo a new year: the classes get their earlier names, and archived ones are restored. A class
    that was renamed, archived or restored since stays as it is. Return how many have changed."""
    restored_count = 0
    as_admin = school is not None
    with lock(school or by), lock(*classes) as now:
        if not NewYear.objects.filter(pk=new_year.pk).exists():
            return 0
        locked = {school_class.pk: school_class for school_class in now}
        for class_id, before, after, archived in new_year.classes:
            school_class = locked.get(UUID(class_id))
            if school_class is None:
                continue
            archived_at = school_class.archived_at
            if archived and archived_at and archived_at.isoformat() == archived:
                restore(school_class, by, for_school=as_admin)
            elif not archived and archived_at is None and school_class.name == after:
                school_class.name = before
                change(school_class, ("name",), by, for_school=as_admin)
            else:
                continue
            restored_count += 1
        new_year.delete()
    return restored_count
