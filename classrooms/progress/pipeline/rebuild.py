"""Rebuilding all progress of a child from the logs of games and short questions; or only the
counts, from the evidence that is left after something was erased."""

from collections.abc import Collection, Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from classrooms.models import Attempt, Child, SchoolClass
from classrooms.progress.models import (
    RULES,
    Chance,
    ChildAssignment,
    ChildDay,
    Difference,
    FactAbility,
    FactDay,
    FactMastery,
    GameEvidence,
    Played,
    ProgressLock,
    SittingEvidence,
    TableDay,
    TableMastery,
)
from classrooms.progress.pipeline import answers, counts, evidence, fact_levels, levels
from classrooms.progress.pipeline.evidence import Reading

REBUILT_MODELS = (
    Played,
    Chance,
    TableDay,
    FactDay,
    ChildDay,
    ChildAssignment,
    TableMastery,
    FactMastery,
    FactAbility,
)


def rebuild(child: Child) -> int:
    """Delete the stored progress of the child and make it again; returns how many games were read.

    The games are read before anything is locked; a game that goes on meanwhile is left dirty.
    """
    readings = read_all(child)
    with transaction.atomic():
        evidence.lock(child.pk)
        replace_all(child, readings)
    return len(readings)


def mark_for_rebuild(children: Collection[UUID]) -> None:
    """Let a worker rebuild these children soon."""
    with transaction.atomic():
        evidence.lock(*children)
        ProgressLock.objects.filter(child__in=children).update(to_rebuild=True)


def mark_counted_by_earlier_rules() -> None:
    """Let a worker rebuild the children whose evidence was counted by earlier rules. No migration
    does, since a worker of the older release that still runs would rebuild them by its own."""
    earlier = ProgressLock.objects.filter(rules__lt=RULES, to_rebuild=False)
    if children := list(earlier.values_list("child", flat=True)):
        mark_for_rebuild(children)


def child_is_rebuilding(child: Child) -> bool:
    """Whether its figures are incomplete, because its logs are to be read again."""
    return ProgressLock.objects.filter(child=child, to_rebuild=True).exists()


def class_is_rebuilding(school_class: SchoolClass) -> bool:
    """Whether any child of the class is."""
    return school_class.children.filter(progress_lock__to_rebuild=True).exists()


def read_all(child: Child) -> list[Reading]:
    """Read the whole logs of all games of the child. Writes nothing."""
    attempts = list(Attempt.objects.filter(child=child).order_by("pk"))
    return [
        reading
        for first in range(0, len(attempts), evidence.BATCH)
        for reading in evidence.read(attempts[first : first + evidence.BATCH], whole=True)
    ]


def replace_all(child: Child, readings: Sequence[Reading]) -> None:
    """Replace all stored progress with these readings and all answers. Runs under the lock."""
    ProgressLock.objects.filter(child=child).update(stale=False, to_rebuild=False, rules=RULES)
    Difference.objects.filter(child=child, what=Difference.What.REBUILD).delete()
    GameEvidence.objects.filter(game__attempt__child=child).delete()
    SittingEvidence.objects.filter(sitting__child=child).delete()
    for model in REBUILT_MODELS:
        model._default_manager.filter(child=child).delete()
    evidence.store(readings)
    answers.take_up([child.pk])


def count_all_again(child_id: UUID) -> None:
    """Rebuild the counts and the mastery of a child from its stored evidence."""
    with transaction.atomic():
        evidence.lock(child_id)
        own = Q(child=child_id)
        counts.count_days(own)
        counts.count_assignments(own)
        levels.fold_all([child_id])
        fact_levels.fold_all([child_id])
        ProgressLock.objects.filter(own).update(stale=False)
