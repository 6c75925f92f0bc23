"""Merging two entries of the same child: the games of both, under one name and one card."""

from django.db import transaction

from classrooms.audit import What, audit
from classrooms.checks.models import Check, Sitting, Typed
from classrooms.checkups.models import ChildCheckUp
from classrooms.models import Attempt, AuditEntry, Child, User
from classrooms.progress.models import GameEvidence, SittingEvidence
from classrooms.progress.pipeline import evidence
from games.models import Seat


def merge(child: Child, into: Child, by: User | None = None) -> None:
    """Move all that `child` played to `into`, and erase `child`. Its entries in the audit log
    become those of `into`.

    The counts of the reports are rebuilt from the logs at the next scan for dirty games.
    """
    if child.pk == into.pk:
        raise ValueError("A child cannot be merged into itself.")
    with transaction.atomic():
        evidence.lock(child.pk, into.pk)
        GameEvidence.objects.filter(game__attempt__child=child).delete()
        SittingEvidence.objects.filter(sitting__child=child).delete()
        Attempt.objects.filter(child=child).update(child=into)
        _merge_check_ups(child, into)
        for log in (Sitting, Check, Typed):
            log._default_manager.filter(child=child).update(child=into)
        into.groups.add(*child.groups.all())
        into.assignments.add(*child.assignments.all())
        Seat.objects.filter(player=child.player).update(player=into.player)
        AuditEntry.objects.filter(child_id=child.pk).update(child_id=into.pk, once=None)
        audit(by, What.MERGED, child=into)
        child.delete()


def _merge_check_ups(child: Child, into: Child) -> None:
    """Of a check-up that both have begun, the one with more answers stays."""
    kept = {own.check_up_id: own for own in ChildCheckUp.objects.filter(child=into)}
    for own in ChildCheckUp.objects.filter(child=child):
        other = kept.get(own.check_up_id)
        if other is not None and other.done >= own.done:
            continue
        if other is not None:
            other.delete()
        own.child = into
        own.save(update_fields=("child",))
