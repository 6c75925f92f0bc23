"""Several classes begin a new school year together: those of a school, or of a teacher. Each gets
its name of the new year, is archived or left as it is. For a week that can be undone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from classrooms.classes import lifecycle
from classrooms.locks import lock
from classrooms.models import NewYear, School, SchoolClass, User

UNDO_FOR: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Step:
    """What becomes of a class: its name in the new year, or it is archived."""

    class_id: UUID
    name: str
    is_archived: bool = False


def begin(
    classes: QuerySet[SchoolClass], steps: Sequence[Step], by: User, school: School | None = None
) -> int:
    """Carry out these steps for those of the classes that are not archived, as an admin of the
    `school` if there is one. Returns how many classes have changed."""
    done = []
    as_admin = school is not None
    with lock(school or by), lock(*classes.filter(archived_at=None)) as now:
        locked = {each.pk: each for each in now if not each.archived_at}
        for step in steps:
            school_class = locked.get(step.class_id)
            if school_class is None:
                continue
            before, archived = school_class.name, ""
            if step.is_archived:
                lifecycle.archive(school_class, by, for_school=as_admin)
                archived = str(school_class.archived_at and school_class.archived_at.isoformat())
            elif step.name != before:
                school_class.name = step.name
                lifecycle.change(school_class, ("name",), by, for_school=as_admin)
            else:
                continue
            done.append([str(school_class.pk), before, school_class.name, archived])
        if done:
            whose = {"school": school} if school else {"school": None, "user": by}
            what = {"at": timezone.now(), "classes": done, "user": by}
            NewYear.objects.update_or_create(**whose, defaults=what)
    return len(done)


def begun_lately(user: User, school: School | None = None) -> NewYear | None:
    """The new year of the school, or of this teacher's own classes, that can still be undone."""
    whose = NewYear.objects.filter(school=school)
    if school is None:
        whose = whose.filter(user=user)
    return whose.filter(at__gt=timezone.now() - UNDO_FOR).select_related("user").first()


def take_back(
    begun: NewYear, classes: QuerySet[SchoolClass], by: User, school: School | None = None
) -> int:
    """Undo a new year: each class gets its name before, and archived ones are restored. One that
    was changed again since stays as it is. Returns how many classes have changed."""
    back = 0
    as_admin = school is not None
    with lock(school or by), lock(*classes) as now:
        if not NewYear.objects.filter(pk=begun.pk).exists():
            return 0
        locked = {each.pk: each for each in now}
        for class_id, before, after, archived in begun.classes:
            school_class = locked.get(UUID(class_id))
            if school_class is None:
                continue
            archived_at = school_class.archived_at
            if archived and archived_at and archived_at.isoformat() == archived:
                lifecycle.restore(school_class, by, for_school=as_admin)
            elif not archived and archived_at is None and school_class.name == after:
                school_class.name = before
                lifecycle.change(school_class, ("name",), by, for_school=as_admin)
            else:
                continue
            back += 1
        begun.delete()
    return back


def forget_old(now: datetime) -> int:
    """Delete what is kept of new years that can no longer be undone; returns how many."""
    return NewYear.objects.filter(at__lte=now - UNDO_FOR).delete()[0]


def names_after(classes: Iterable[SchoolClass], steps: Iterable[Step]) -> dict[UUID, str]:
    """The names that the classes have then, without those that are archived."""
    changed = {step.class_id: step for step in steps}
    return {
        each.pk: changed[each.pk].name if each.pk in changed else each.name
        for each in classes
        if each.pk not in changed or not changed[each.pk].is_archived
    }
