"""Everything of a child anew, from the logs of its games and quick checks alone."""

from django.db import transaction

from classrooms.models import Attempt, Child

from . import answers, evidence, mastering
from .models import (
    ChildAbility,
    ChildAssignment,
    ChildDay,
    Evidence,
    FactDay,
    FactMastery,
    GameEvidence,
    Played,
    SittingEvidence,
    TableDay,
    TableMastery,
)

MADE = (
    Played,
    Evidence,
    TableDay,
    FactDay,
    ChildDay,
    ChildAssignment,
    TableMastery,
    FactMastery,
    ChildAbility,
)


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
        SittingEvidence.objects.filter(sitting__child=child).delete()
        for model in MADE:
            model._default_manager.filter(child=child).delete()
        evidence.store(child.pk, readings)
        answers.take_up(child.pk)
        mastering.fold_all(child.pk)
    return len(readings)
