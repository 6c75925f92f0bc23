"""Archives unused classes, and later purges them. A class is used when children play in it, when
something is assigned in it, and when it is created or restored."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Max, Q, QuerySet
from django.db.models.functions import Coalesce, Greatest

from classrooms.access import has_typed_name
from classrooms.classes import services
from classrooms.locks import Changed, lock
from classrooms.models import AuditEntry, Child, SchoolClass
from classrooms.privacy import erasure
from classrooms.publishing import try_act


@dataclass(frozen=True, slots=True)
class DueClasses:
    """The classes to archive and those to purge, each with the time of its last use as `ended_at`,
    and the number of log entries that are too old."""

    archive: Sequence[Any]
    purge: Sequence[Any]
    entries: int = 0


def due(now: datetime) -> DueClasses:
    """The classes and entries that are due now. Changes nothing."""
    purge = list(_to_purge(now))
    return DueClasses(
        [school_class for school_class in _to_archive(now) if school_class not in purge],
        purge,
        _old_entries(now).count(),
    )


def _to_archive(now: datetime) -> QuerySet[Any]:
    unused = _classes_unused_since(now - timedelta(days=settings.ARCHIVE_AFTER_DAYS))
    return unused.filter(archived_at=None)


def _to_purge(now: datetime) -> QuerySet[Any]:
    return _classes_unused_since(now - timedelta(days=settings.PURGE_AFTER_DAYS))


def _classes_unused_since(since: datetime) -> QuerySet[Any]:
    return _with_end(SchoolClass.objects.all()).filter(ended_at__lt=since).order_by("ended_at")


def _with_end(classes: QuerySet[SchoolClass]) -> QuerySet[Any]:
    """The classes, each with the time of its last use as `ended_at`."""
    return classes.annotate(
        ended_at=Greatest(
            "created_at",
            Coalesce("restored_at", "created_at"),
            Coalesce(
                Max("assignments__created_at", filter=Q(assignments__riddle_on=None)), "created_at"
            ),
            Coalesce(Max("assignments__attempts__game__moved_at"), "created_at"),
        )
    )


def purge_days(classes: Iterable[SchoolClass]) -> Mapping[UUID, date]:
    """For each class, the day (by its clock) after which it is erased at night unless it is used
    again. One query."""
    keys = [school_class.pk for school_class in classes]
    return {
        school_class.pk: school_class.day_of(
            school_class.ended_at + timedelta(days=settings.PURGE_AFTER_DAYS)
        )
        for school_class in _with_end(SchoolClass.objects.filter(pk__in=keys))
    }


def _old_entries(now: datetime) -> QuerySet[AuditEntry]:
    return AuditEntry.objects.filter(at__lt=now - timedelta(days=settings.AUDIT_DAYS))


def carry_out(now: datetime) -> DueClasses:
    """Archive and purge the classes that are due, and delete old log entries. Two simultaneous runs
    do no harm. An error with one class is logged and does not stop the others."""
    overdue = due(now)
    # A demo class with typed names must not become open again when the log entries are deleted.
    SchoolClass.objects.filter(has_typed_name(), is_demo=True).update(is_demo=False)
    _old_entries(now).delete()

    def archive(school_class: SchoolClass) -> None:
        with _lock_if_due(school_class, _to_archive(now)):
            services.archive(school_class, None)

    def purge(school_class: SchoolClass) -> None:
        """Erase the class. Each child is erased in a transaction of their own, so that the work of
        a task that runs out of time is not lost."""
        for child in Child.all_objects.filter(school_class=school_class):
            with _lock_if_due(school_class, _to_purge(now)):
                erasure.erase_child(child, None)
        with _lock_if_due(school_class, _to_purge(now)):
            # A copy, because deletion clears the key by which the command names the class.
            erasure.erase_class(copy(school_class), None)

    for school_class in overdue.archive:
        try_act(archive, school_class)
    sizes = Counter(
        Child.all_objects.filter(school_class__in=overdue.purge).values_list(
            "school_class", flat=True
        )
    )
    # Small classes come first, so that a class that takes longer than a night does not delay them.
    for school_class in sorted(overdue.purge, key=lambda each: sizes[each.pk]):
        try_act(purge, school_class)
    return overdue


@contextmanager
def _lock_if_due(school_class: SchoolClass, due: QuerySet[Any]) -> Iterator[None]:
    """Lock the class. Raises `Changed` if it is no longer due."""
    with lock(school_class):
        if not due.filter(pk=school_class.pk).exists():
            raise Changed
        yield
