"""The nightly tasks that erase children and traces of sign-ins."""

from celery import shared_task
from django.utils import timezone

from classrooms.privacy import erasure, old_sign_ins


@shared_task(name="classrooms.erase_removed")
def erase_removed() -> None:
    """Finish the merges that can no longer be undone, and erase children who were removed long ago
    and games that belong to nobody. A second run does no harm."""
    now = timezone.now()
    erasure.finish_merges(now)
    erasure.erase_removed(now)
    erasure.erase_ownerless()


@shared_task(name="classrooms.forget_old_sign_ins")
def forget_old_sign_ins() -> None:
    """Delete what sign-ins no longer need. A second run does no harm."""
    old_sign_ins.forget_old_sign_ins()
