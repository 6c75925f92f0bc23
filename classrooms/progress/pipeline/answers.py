"""Stage 1 for short questions. Answers are stored with day, class and result from the start, so
this only keeps track of which are counted."""

from collections.abc import Collection
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from classrooms.checks.models import Check, Sitting
from classrooms.progress.models import SittingEvidence
from classrooms.progress.pipeline import counts, evidence, fact_levels

IS_BEHIND = Q(evidence_mark=None, done__gt=0) | Q(evidence_mark__upto__lt=F("done"))
"""Condition on a sitting: more questions are answered than counted."""


def dirty() -> QuerySet[Sitting]:
    """The sittings with answers that are not counted yet, the oldest first."""
    return Sitting.objects.filter(IS_BEHIND).order_by("pk")


def asked_for(sitting_id: int) -> list[UUID]:
    """The children to count when a worker is asked for a sitting: its own, and those whose sittings
    ended lately. None if this sitting is counted already.

    The others are those with higher numbers, so that two workers seldom take the same.
    """
    asked = list(_children_of(dirty().filter(pk=sitting_id)))
    if not asked:
        return []
    ended = dirty().filter(pk__gt=sitting_id, closed_at__gte=timezone.now() - evidence.TAKES_ALONG)
    others = _children_of(ended[: evidence.BATCH - 1])
    return list(dict.fromkeys([*asked, *others]))


def look_at(sitting_id: int) -> bool:
    """Count the answers of a sitting; whether there was anything to do."""
    return take_up(list(_children_of(dirty().filter(pk=sitting_id))))


def _children_of(sittings: QuerySet[Sitting]) -> QuerySet[Sitting, UUID]:
    return sittings.values_list("child", flat=True)


def take_up(children: Collection[UUID]) -> bool:
    """Count all answers of these children that are not counted yet; whether there were any. It
    takes as many queries for one child as for many."""
    if not children:
        return False
    with transaction.atomic():
        evidence.lock(*children)
        waiting = list(
            dirty()
            .filter(child__in=children)
            .values_list("pk", "child", "done", "evidence_mark__upto")
        )
        if not waiting:
            return False
        behind = {pk: range(upto or 0, done) for pk, _, done, upto in waiting}
        checks = Check.objects.filter(sitting__in=behind)
        fresh = [check for check in checks if check.number in behind[check.sitting_id]]
        assignments = {check.assignment_id for check in fresh if check.assignment_id is not None}
        days = {check.day for check in fresh}
        counts.count_answers({child for _, child, _, _ in waiting}, days, assignments)
        fact_levels.take_in(fresh)
        marks = [
            SittingEvidence(sitting_id=pk, upto=numbers.stop) for pk, numbers in behind.items()
        ]
        SittingEvidence.objects.bulk_create(
            marks, update_conflicts=True, unique_fields=["sitting"], update_fields=["upto"]
        )
    return True
