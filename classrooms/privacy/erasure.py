"""Erasing children and classes for good, with everything that depends on them."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.db import transaction
from django.utils.crypto import salted_hmac

from classrooms.audit import What, audit
from classrooms.models import AuditEntry, Child, Merge, SchoolClass, Tombstone, User
from classrooms.progress.pipeline import evidence
from games.models import Game

log = structlog.get_logger(__name__)

REMOVED_KEPT_FOR: Final = timedelta(days=30)
"""How long a removed child can be brought back; then it is erased."""
MERGE_KEPT_FOR: Final = timedelta(days=7)
"""How long a merge can be undone; then nothing is left of the merged child's entry."""


def erase_child(child: Child, by: User | None = None) -> None:
    """Erase the child and all its games, so that its name is in none. A tombstone remains; its key
    replaces the child's id in the audit log."""
    with transaction.atomic():
        if not Child.everyone.filter(pk=child.pk).exists():
            return  # It was merged into a child that has just been erased.
        audit(by, What.ERASED, child=child)
        _erase(child)


def _erase(child: Child) -> None:
    for merge in Merge.objects.filter(into=child).select_related("child"):
        _erase(merge.child)
    key = tombstone_key(child.pk)
    Game.objects.filter(seats__player=child.player).delete()
    AuditEntry.objects.filter(child_id=child.pk).update(child_id=key, once=None)
    child.delete()
    Tombstone.objects.create(key=key)


def tombstone_key(erased_id: UUID, secret: str | None = None) -> UUID:
    """The key of the tombstone of a child or a class: without the site's secret it cannot be traced
    to them. `secret`: a former one of the site."""
    digest = salted_hmac("classrooms.tombstone", erased_id.hex, secret, algorithm="sha256").digest()
    return UUID(bytes=digest[:16])


def erase_class(
    school_class: SchoolClass, by: User | None = None, *, for_school: bool = False
) -> None:
    """Erase the class with all its children, the removed ones too, and all games played in it;
    `for_school`: as an admin of the school."""
    with transaction.atomic():
        # All at once and in order, as workers do: otherwise they could wait for each other forever.
        evidence.lock_class(school_class)
        audit(by, What.ERASED, school_class=school_class, for_school=for_school)
        for child in Child.everyone.filter(school_class=school_class):
            if Child.everyone.filter(pk=child.pk).exists():
                _erase(child)
        Game.objects.filter(attempt__assignment__school_class=school_class).delete()
        Tombstone.objects.create(key=tombstone_key(school_class.pk))
        school_class.delete()


def erase_again(was_erased: Callable[[UUID], bool]) -> int:
    """Erase the classes and children of a restored backup that had been erased after it; returns
    how many."""
    erased = 0
    for school_class in SchoolClass.objects.all():
        if was_erased(school_class.pk):
            erase_class(school_class)
            erased += 1
    for pk in list(Child.everyone.values_list("pk", flat=True)):
        # A merged child may have been erased with another one.
        if was_erased(pk) and (child := Child.everyone.filter(pk=pk).first()):
            erase_child(child)
            erased += 1
    return erased


def erase_removed(now: datetime) -> int:
    """Erase the children that were removed too long ago, oldest first; returns how many. An error
    with one is logged, and does not stop the others."""
    long_ago = Child.everyone.filter(removed_at__lt=now - REMOVED_KEPT_FOR, merge=None)
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


def finish_merges(now: datetime) -> int:
    """Delete what is kept of merges that can no longer be undone, oldest first; returns how many.
    In the audit log the two children are one from now on."""
    long_ago = Merge.objects.filter(at__lt=now - MERGE_KEPT_FOR).order_by("at")
    finished = 0
    for merge in list(long_ago.select_related("child")):
        with transaction.atomic():
            own = AuditEntry.objects.filter(child_id=merge.child_id)
            own.update(child_id=merge.into_id, once=None)
            merge.child.delete()
        finished += 1
    return finished
