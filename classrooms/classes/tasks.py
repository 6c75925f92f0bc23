"""The tasks for unused classes."""

from celery import shared_task
from django.utils import timezone

from classrooms.classes import retention
from classrooms.reports.weekly_mail import sending


@shared_task(name="classrooms.progress.keep_or_purge")
def keep_or_purge() -> None:
    """Archive and purge the classes that are long unused. May run twice."""
    retention.carry_out(timezone.now())
    sending.forget_old(timezone.now())
