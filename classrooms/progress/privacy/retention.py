"""How long what is known of children is kept: a class that is over is archived, then purged.

A class is over on the last day on which something was played, or made, in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Max
from django.db.models.functions import Coalesce, Greatest

from classrooms import class_changes, erasing
from classrooms.models import SchoolClass


@dataclass(frozen=True, slots=True)
class Due:
    """The classes that it is time to archive, and those to purge."""

    archive: Sequence[SchoolClass]
    purge: Sequence[SchoolClass]


def due(now: datetime) -> Due:
    """What is due at this moment. Changes nothing."""
    ended = SchoolClass.objects.annotate(
        ended_at=Greatest(
            "created_at",
            Coalesce(Max("assignments__created_at"), "created_at"),
            Coalesce(Max("assignments__attempts__game__moved_at"), "created_at"),
        )
    ).order_by("ended_at")
    archive = ended.filter(
        ended_at__lt=now - timedelta(days=settings.ARCHIVE_AFTER_DAYS), archived_at=None
    )
    purge = ended.filter(ended_at__lt=now - timedelta(days=settings.PURGE_AFTER_DAYS))
    return Due(
        [each for each in archive if each not in purge],
        list(purge),
    )


def carry_out(now: datetime) -> Due:
    """Archive and purge what is due. May run twice: then nothing is due any more."""
    found = due(now)
    for school_class in found.archive:
        class_changes.archive(school_class)
    for school_class in found.purge:
        erasing.erase_class(school_class)
    return found
