"""Merging two entries of the same child: the games of both, under one name and one card."""

from django.db import transaction

from classrooms.audit import What, audit
from classrooms.checks.models import Check, Sitting, Typed
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
        for log in (Sitting, Check, Typed):
            log._default_manager.filter(child=child).update(child=into)
        into.groups.add(*child.groups.all())
        into.assignments.add(*child.assignments.all())
        Seat.objects.filter(player=child.player).update(player=into.player)
        AuditEntry.objects.filter(child_id=child.pk).update(child_id=into.pk, once=None)
        audit(by, What.MERGED, child=into)
        child.delete()
