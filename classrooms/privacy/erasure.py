"""Erasing children and classes for good, with everything that depends on them."""

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.db import transaction
from django.utils.crypto import salted_hmac

from classrooms.audit import What, audit
from classrooms.checks.models import Check
from classrooms.models import Attempt, AuditEntry, Child, SchoolClass, Tombstone, User
from classrooms.progress.pipeline import evidence
from games.models import Game

log = structlog.get_logger(__name__)

REMOVED_KEPT_FOR: Final = timedelta(days=30)
"""How long a removed child can be brought back; then it is erased."""


def erase_child(child: Child, by: User | None = None) -> None:
    """Erase the child and all its games, so that its name is in none. A tombstone remains; its key
    replaces the child's id in the audit log."""
    with transaction.atomic():
        evidence.lock(child.pk)
        audit(by, What.ERASED, child=child)
        _erase(child)


def _erase(child: Child) -> None:
    key = tombstone_key(child.pk)
    Game.objects.filter(seats__player=child.player).delete()
    AuditEntry.objects.filter(child_id=child.pk).update(child_id=key, once=None)
    child.delete()
    Tombstone.objects.create(key=key)


def tombstone_key(child_id: UUID) -> UUID:
    """The key of the child's tombstone: without the site's secret it cannot be traced to the
    child."""
    digest = salted_hmac("classrooms.tombstone", child_id.hex, algorithm="sha256").digest()
    return UUID(bytes=digest[:16])


def erase_class(school_class: SchoolClass, by: User | None = None) -> None:
    """Erase the class with all its children, the removed ones too, and all games played in it."""
    with transaction.atomic():
        # At once and in the workers' order: taken one by one, they could wait for each other.
        evidence.lock(*_counted_in(school_class))
        audit(by, What.ERASED, school_class=school_class)
        for child in Child.everyone.filter(school_class=school_class):
            _erase(child)
        Game.objects.filter(attempt__assignment__school_class=school_class).delete()
        school_class.delete()


def _counted_in(school_class: SchoolClass) -> set[UUID]:
    """The children of the class, and those who played or answered in it before they moved on."""
    children = Child.everyone.filter(school_class=school_class).values_list("pk", flat=True)
    played = Attempt.objects.filter(assignment__school_class=school_class)
    answered = Check.objects.filter(school_class=school_class)
    return {
        *children,
        *played.values_list("child", flat=True).distinct(),
        *answered.values_list("child", flat=True).distinct(),
    }


def erase_removed(now: datetime) -> int:
    """Erase the children that were removed too long ago, oldest first; returns how many. An error
    with one is logged, and does not stop the others."""
    long_ago = Child.everyone.filter(removed_at__lt=now - REMOVED_KEPT_FOR)
    erased = 0
    for child in list(long_ago.order_by("removed_at")):
        try:
            erase_child(child)
            erased += 1
        except SoftTimeLimitExceeded:
            raise
        except Exception:
            log.exception("removed child not erased", key=str(child.pk))
    return erased
