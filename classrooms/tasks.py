"""What the workers do for classes: the weeks to come of what is repeated, and at night erasing."""

from celery import shared_task
from django.utils import timezone

from classrooms.assignments import weekly_series
from classrooms.privacy import erasure, sign_in_traces


@shared_task(name="classrooms.repeat_weekly")
def repeat_weekly() -> None:
    """See to it that whatever is repeated has its week to come. May run twice, late or not."""
    weekly_series.make_all_ahead()


@shared_task(name="classrooms.erase_removed")
def erase_removed() -> None:
    """Erase the children that were removed long ago. It may run twice: then nobody is left."""
    erasure.erase_removed(timezone.now())


@shared_task(name="classrooms.forget_old_sign_ins")
def forget_old_sign_ins() -> None:
    """Forget what signing in no longer needs. It may run twice."""
    sign_in_traces.forget_old_sign_ins()
