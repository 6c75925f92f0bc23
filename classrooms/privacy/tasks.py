"""The nightly tasks that erase children and traces of signing in."""

from celery import shared_task
from django.utils import timezone

from classrooms.privacy import erasure


@shared_task(name="classrooms.erase_removed")
def erase_removed() -> None:
    """Erase the children that were removed long ago, what is left of merges that can no longer be
    undone, and games that are nobody's. May run twice."""
    now = timezone.now()
    erasure.finish_merges(now)
    erasure.erase_removed(now)
    erasure.erase_ownerless()


@shared_task(name="classrooms.forget_old_sign_ins")
def forget_old_sign_ins() -> None:
    """Delete what signing in no longer needs. May run twice."""
    erasure.forget_old_sign_ins()
