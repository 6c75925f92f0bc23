"""The tasks for the weekly mails."""

from datetime import date

from celery import shared_task
from django.utils import timezone

from classrooms.reports import weekly_mail


@shared_task(name="classrooms.progress.look_for_weekly_mails")
def look_for_weekly_mails() -> None:
    """Queue a task for each due weekly mail, so that none waits until another is sent."""
    for teaching_id, week in weekly_mail.due(timezone.now()):
        send_weekly_mail.delay(teaching_id, week.isoformat())


@shared_task(name="classrooms.progress.send_weekly_mail")
def send_weekly_mail(teaching_id: int, week: str) -> None:
    """Send one weekly mail, unless another worker does."""
    weekly_mail.send(teaching_id, date.fromisoformat(week))
