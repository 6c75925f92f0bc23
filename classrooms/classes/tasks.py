"""The nightly tasks for unused classes, closed accounts and weekly assignments."""

from celery import shared_task
from django.utils import timezone

from classrooms.assignments.services import create_all_coming_weeks
from classrooms.classes import closing_accounts, expiry
from classrooms.classes.services import UNDO_FOR
from classrooms.models import KeptAct, NewYear
from classrooms.progress.next_steps import give_due_steps
from classrooms.reports import weekly_mail
from classrooms.undo import ACT_KEPT_FOR


@shared_task(name="classrooms.progress.keep_or_purge")
def keep_or_purge() -> None:
    """Archive and purge unused classes. Delete accounts that were closed long ago, old mails, and
    the data of new years and acts that can no longer be undone. A second run does no harm."""
    now = timezone.now()
    expiry.carry_out(now)
    closing_accounts.delete_closed(now)
    weekly_mail.delete_old_mails(now)
    NewYear.objects.filter(at__lte=now - UNDO_FOR).delete()
    KeptAct.objects.filter(at__lt=now - ACT_KEPT_FOR).delete()


@shared_task(name="classrooms.repeat_weekly")
def repeat_weekly() -> None:
    """Create the coming week of each weekly series. In classes that get next steps on Mondays, give
    all children theirs. A second, late or missing run does no harm."""
    create_all_coming_weeks()
    give_due_steps()
