"""How long data of children are kept: an unused class is archived, then purged.

A class was last used when something was last played or assigned in it, or when it was made or
restored.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db.models import Max, QuerySet
from django.db.models.functions import Coalesce, Greatest

from classrooms.classes import lifecycle
from classrooms.models import AuditEntry, Child, SchoolClass
from classrooms.privacy import erasure

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Due:
    """The classes to archive and to purge, each with `ended_at`, the last time it was used; and how
    many entries of the audit log are too old."""

    archive: Sequence[Any]
    purge: Sequence[Any]
    entries: int = 0


def due(now: datetime) -> Due:
    """The classes and entries that are due now. Changes nothing."""
    ended = _with_end(SchoolClass.objects.all()).order_by("ended_at")
    archive = ended.filter(
        ended_at__lt=now - timedelta(days=settings.ARCHIVE_AFTER_DAYS), archived_at=None
    )
    purge = ended.filter(ended_at__lt=now - timedelta(days=settings.PURGE_AFTER_DAYS))
    return Due(
        [each for each in archive if each not in purge],
        list(purge),
        _old_entries(now).count(),
    )


def _with_end(classes: QuerySet[SchoolClass]) -> QuerySet[Any]:
    """The classes, each with `ended_at`, when it was last used."""
    return classes.annotate(
        ended_at=Greatest(
            "created_at",
            Coalesce("restored_at", "created_at"),
            Coalesce(Max("assignments__created_at"), "created_at"),
            Coalesce(Max("assignments__attempts__game__moved_at"), "created_at"),
        )
    )


def purge_days(classes: Iterable[SchoolClass]) -> Mapping[UUID, date]:
    """By class: the day, by its own clock, after which it is erased at night unless it is used
    before. In one query."""
    keys = [school_class.pk for school_class in classes]
    return {
        school_class.pk: _day(
            school_class.ended_at + timedelta(days=settings.PURGE_AFTER_DAYS), school_class
        )
        for school_class in _with_end(SchoolClass.objects.filter(pk__in=keys))
    }


def _day(at: datetime, school_class: SchoolClass) -> date:
    return at.astimezone(ZoneInfo(school_class.time_zone)).date()


def _old_entries(now: datetime) -> QuerySet[AuditEntry]:
    return AuditEntry.objects.filter(at__lt=now - timedelta(days=settings.AUDIT_DAYS))


def carry_out(now: datetime) -> Due:
    """Archive and purge what is due. May run twice. An error with one class is logged, and does not
    stop the others."""
    overdue = due(now)
    _old_entries(now).delete()
    for school_class in overdue.archive:
        _try(lifecycle.archive, school_class)
    sizes = Counter(
        Child.everyone.filter(school_class__in=overdue.purge).values_list("school_class", flat=True)
    )
    # Small classes first: one that takes longer than a night must not hold up the others.
    for school_class in sorted(overdue.purge, key=lambda each: sizes[each.pk]):
        _try(_purge, school_class)
    return overdue


def _purge(school_class: SchoolClass) -> None:
    """Child by child, so that a task that runs out of time has done a part for good."""
    for child in Child.everyone.filter(school_class=school_class):
        erasure.erase_child(child)
    # A copy: deleting clears the key, which the log message still needs.
    erasure.erase_class(copy(school_class))


def _try(do: Callable[[SchoolClass], None], school_class: SchoolClass) -> None:
    try:
        do(school_class)
    except SoftTimeLimitExceeded:
        raise
    except Exception:
        log.exception("not archived or purged", key=str(school_class.pk))
