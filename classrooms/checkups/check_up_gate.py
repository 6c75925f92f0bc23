"""Access to check-ups: one's own, or 404. `classrooms.access` does this for everything else."""

from uuid import UUID

from django.shortcuts import get_object_or_404

from classrooms.access import Adult, classes_of
from classrooms.checkups.models import CheckUp
from classrooms.models import Child


def check_up_for(user: Adult, class_id: UUID, check_up_id: UUID) -> CheckUp:
    """A check-up of one of this adult's classes, with its class."""
    check_ups = CheckUp.objects.select_related("school_class")
    return get_object_or_404(
        check_ups,
        pk=check_up_id,
        school_class=class_id,
        school_class__in=classes_of(user),
    )


def check_up_for_child(child: Child, check_up_id: UUID) -> CheckUp:
    """A check-up of the child's class, also one that is over."""
    return get_object_or_404(CheckUp, pk=check_up_id, school_class=child.school_class_id)
