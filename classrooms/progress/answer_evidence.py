"""Stage 1 of 3 for short questions. An answer already has its day, class and result, so only the
number of answers counted is stored here."""

from collections.abc import Collection
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from classrooms.progress import counts, fact_levels
from classrooms.progress.evidence import BATCH, PICKUP_WINDOW, lock_progress
from classrooms.progress.models import SittingEvidence
from classrooms.questions.models import Check, Sitting

SITTING_IS_BEHIND = Q(evidence_mark=None, done__gt=0) | Q(evidence_mark__upto__lt=F("done"))
"""The condition that a sitting has more answers than are counted."""


def dirty_sittings() -> QuerySet[Sitting]:
    """The sittings with answers that are not counted yet, oldest first."""
    return Sitting.objects.filter(SITTING_IS_BEHIND).order_by("pk")


def children_due(sitting_id: int) -> list[UUID]:
    """The children to count when a worker is asked to count a sitting: its own child, and those of
    sittings that recently ended. Empty if that sitting is already counted. The other sittings have
    higher ids, so that two workers seldom take the same child."""
    children = list(_children_of(dirty_sittings().filter(pk=sitting_id)))
    if not children:
        return []
    lately = timezone.now() - PICKUP_WINDOW
    sittings = dirty_sittings().filter(pk__gt=sitting_id, closed_at__gte=lately)
    other_children = _children_of(sittings[: BATCH - 1])
    return list(dict.fromkeys([*children, *other_children]))


def _children_of(sittings: QuerySet[Sitting]) -> QuerySet[Sitting, UUID]:
    return sittings.values_list("child", flat=True)


def process_answers(children: Collection[UUID]) -> bool:
    """Count all uncounted answers of these children, and return whether there were any. The number
    of queries does not depend on the number of children."""
    if not children:
        return False
    with transaction.atomic():
        lock_progress(*children)
        sittings = list(
            dirty_sittings()
            .filter(child__in=children)
            .values_list("pk", "child", "done", "evidence_mark__upto")
        )
        if not sittings:
            return False
        uncounted = {pk: range(upto or 0, count) for pk, _, count, upto in sittings}
        checks = Check.objects.filter(sitting__in=uncounted)
        new_checks = [check for check in checks if check.number in uncounted[check.sitting_id]]
        assignments = {check.assignment_id for check in new_checks if check.assignment_id}
        days = {check.day for check in new_checks}
        counted = {child for _, child, _, _ in sittings}
        counts.count_again(counts.count_facts, counted, days, assignments)
        fact_levels.update_fact_levels(new_checks)
        SittingEvidence.objects.bulk_create(
            [
                SittingEvidence(sitting_id=pk, upto=numbers.stop)
                for pk, numbers in uncounted.items()
            ],
            update_conflicts=True,
            unique_fields=["sitting"],
            update_fields=["upto"],
        )
    return True
