"""Erasing: really and for good, with everything that depends on a child."""

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.db import transaction
from django.utils.crypto import salted_hmac

from classrooms.audit import What, audit
from classrooms.models import AuditEntry, Child, SchoolClass, Tombstone, User
from games.models import Game

log = structlog.get_logger(__name__)

REMOVED_IS_KEPT: Final = timedelta(days=30)
"""So long a child that was removed can be brought back; then it is erased."""


def erase_child(child: Child, by: User | None = None) -> None:
    """Erase the child and all that it played: no name stays behind in a game. What remains is a
    tombstone, by whose key the audit log then knows the child."""
    with transaction.atomic():
        audit(by, What.ERASED, child=child)
        _erase(child)


def _erase(child: Child) -> None:
    key = tombstone_key(child.pk)
    Game.objects.filter(seats__player=child.player).delete()
    AuditEntry.objects.filter(child_id=child.pk).update(child_id=key, once=None)
    child.delete()
    Tombstone.objects.create(key=key)


def tombstone_key(child_id: UUID) -> UUID:
    """The key of the child's tombstone: nobody without the site's secret can tell whose it is."""
    digest = salted_hmac("classrooms.tombstone", child_id.hex, algorithm="sha256").digest()
    return UUID(bytes=digest[:16])


def erase_class(school_class: SchoolClass, by: User | None = None) -> None:
    """Erase the class with all its children, those removed or moved away not excepted."""
    with transaction.atomic():
        audit(by, What.ERASED, school_class=school_class)
        for child in Child.everyone.filter(school_class=school_class):
            _erase(child)
        Game.objects.filter(attempt__assignment__school_class=school_class).delete()
        school_class.delete()


def erase_removed(now: datetime) -> int:
    """Erase the children that were removed too long ago, the longest first; how many that were.
    What goes wrong with one is logged, and keeps no other waiting."""
    long_ago = Child.everyone.filter(removed_at__lt=now - REMOVED_IS_KEPT)
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
