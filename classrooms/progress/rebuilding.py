"""Everything of a child anew, from the logs of its games alone."""

from django.db import transaction

from classrooms.models import Attempt, Child

from . import evidence
from .models import ChildAssignment, ChildDay, Evidence, GameEvidence, Played, TableDay


def rebuild(child: Child) -> int:
    """Throw away what is stored of the child's progress and make it again; how many games.

    The games are read before anything is locked; moves made meanwhile leave them dirty.
    """
    attempts = Attempt.objects.filter(child=child).select_related(
        "child", "assignment__school_class", "game"
    )
    readings = [evidence.read(attempt) for attempt in attempts]
    with transaction.atomic():
        evidence.lock(child.pk)
        GameEvidence.objects.filter(game__attempt__child=child).delete()
        for model in (Played, Evidence, TableDay, ChildDay, ChildAssignment):
            model._default_manager.filter(child=child).delete()
        evidence.store(child.pk, readings)
    return len(readings)
