"""Stage 1 for quick checks. Answers are stored with their day, class and result from the start, so
this only keeps track of which are counted."""

from uuid import UUID

from django.db import transaction
from django.db.models import F, Q, QuerySet

from classrooms.checks.models import Check, Sitting
from classrooms.progress.models import SittingEvidence
from classrooms.progress.pipeline import counts, evidence, fact_levels

IS_BEHIND = Q(evidence_mark=None, done__gt=0) | Q(evidence_mark__upto__lt=F("done"))
"""Condition on a sitting: more questions are answered than counted."""


def dirty() -> QuerySet[Sitting]:
    """The sittings with answers that are not counted yet, the oldest first."""
    return Sitting.objects.filter(IS_BEHIND).order_by("pk")


def look_at(sitting_id: int) -> bool:
    """Count the answers of a sitting; whether there was anything to do."""
    child_id = dirty().filter(pk=sitting_id).values_list("child", flat=True).first()
    return child_id is not None and take_up(child_id)


def take_up(child_id: UUID) -> bool:
    """Count all answers of a child that are not counted yet; whether there were any."""
    with transaction.atomic():
        evidence.lock(child_id)
        waiting = dirty().filter(child=child_id).values_list("pk", "done", "evidence_mark__upto")
        behind = {pk: done for pk, done, _ in waiting}
        counted = {pk: upto or 0 for pk, _, upto in waiting}
        fresh = [
            check
            for check in Check.objects.filter(sitting__in=behind)
            if counted[check.sitting_id] <= check.number < behind[check.sitting_id]
        ]
        assignments = {check.assignment_id for check in fresh if check.assignment_id is not None}
        counts.count_answers([child_id], {check.day for check in fresh}, assignments)
        fact_levels.take_in(fresh)
        marks = [SittingEvidence(sitting_id=pk, upto=done) for pk, done in behind.items()]
        SittingEvidence.objects.bulk_create(
            marks, update_conflicts=True, unique_fields=["sitting"], update_fields=["upto"]
        )
    return bool(behind)
