"""The tasks of every night: what comes back every week, and classes that are unused."""

from celery import shared_task
from django.utils import timezone

from classrooms.assignments.services import make_all_ahead
from classrooms.classes import closing_accounts, retention, services
from classrooms.progress.next_steps import give_due
from classrooms.reports import weekly_mail


@shared_task(name="classrooms.progress.keep_or_purge")
def keep_or_purge() -> None:
    """Archive and purge the classes that are long unused, delete the accounts that were closed long
    ago, and forget the new years that can no longer be undone. May run twice."""
    retention.carry_out(timezone.now())
    closing_accounts.delete_closed(timezone.now())
    weekly_mail.forget_old(timezone.now())
    services.forget_old(timezone.now())


@shared_task(name="classrooms.repeat_weekly")
def repeat_weekly() -> None:
    """Make the coming week of every weekly series, and give everyone's next step where a class gets
    it each Monday. May run twice, late or not at all."""
    make_all_ahead()
    give_due()
