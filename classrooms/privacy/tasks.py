"""What the workers erase and forget at night."""

from celery import shared_task
from django.utils import timezone

from classrooms.privacy import erasure, sign_in_traces


@shared_task(name="classrooms.erase_removed")
def erase_removed() -> None:
    """Erase the children that were removed long ago. It may run twice: then nobody is left."""
    erasure.erase_removed(timezone.now())


@shared_task(name="classrooms.forget_old_sign_ins")
def forget_old_sign_ins() -> None:
    """Forget what signing in no longer needs. It may run twice."""
    sign_in_traces.forget_old_sign_ins()
