"""The mail to teachers who want it, weekly or before lessons: when it is due, how a teacher stops
it, and how it is sent once."""

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from smtplib import SMTPDataError, SMTPNotSupportedError, SMTPRecipientsRefused, SMTPSenderRefused
from typing import Final
from urllib.parse import urlsplit
from uuid import UUID
from zoneinfo import ZoneInfo

import structlog
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.core.mail import EmailMultiAlternatives
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone, translation
from django.utils.translation import gettext

from classrooms.access import Adult
from classrooms.accounts.mail import AUTOMATIC_HEADERS
from classrooms.links import link
from classrooms.models import Teaching, WeeklyMail
from classrooms.progress.rebuild import class_is_rebuilding
from classrooms.reports.weekly_letter import Letter, as_html, letter_to, paragraphs

# When a mail is due, in the time zone of the class.


def moment_of(week: date, time_zone: str) -> datetime:
    """The moment at which the mail of this day is due in a time zone."""
    return datetime.combine(week, time(settings.WEEKLY_MAIL_HOUR), tzinfo=ZoneInfo(time_zone))


LESSON_HOURS: Final = range(7, 12)
"""The hours, by the class's clock, in which mails before a lesson are sent."""


def day_due(teaching: Teaching, now: datetime) -> date | None:
    """The day whose mail to this teacher is due now; None if no mail is due."""
    zone = teaching.school_class.time_zone
    if not teaching.mail_days:
        return week_due(now, zone)
    day = lesson_due(now, zone)
    return day if day and str(day.isoweekday()) in teaching.mail_days else None


def lesson_due(now: datetime, time_zone: str) -> date | None:
    """Today, while mails about its lessons are due (`LESSON_HOURS`); None at other hours."""
    local = now.astimezone(ZoneInfo(time_zone))
    return local.date() if local.hour in LESSON_HOURS else None


def week_due(now: datetime, time_zone: str) -> date | None:
    """The day whose weekly mail is due now in a time zone; None if it was due more than
    `WEEKLY_MAIL_LATE_HOURS` ago. A change of the clocks does not change the day."""
    local = now.astimezone(ZoneInfo(time_zone))
    days_back = (local.isoweekday() - settings.WEEKLY_MAIL_DAY) % 7
    week = local.date() - timedelta(days=days_back)
    if moment_of(week, time_zone) > now:
        week -= timedelta(days=7)
    delay = now - moment_of(week, time_zone)
    return week if delay <= timedelta(hours=settings.WEEKLY_MAIL_LATE_HOURS) else None


# Stopping a mail and starting it again, by the link in the mail or as a teacher of the class.

STOP: Final = "classrooms.weekly mail.stop"
RESTART: Final = "classrooms.weekly mail.again"
RESTART_SPAN: Final = timedelta(hours=1)
"""How long anyone who stopped the mail by its link can undo that on the same page."""


def stop_address(teaching: Teaching) -> str:
    """The full address at which the mail of this teaching can be stopped. It never expires, because
    the link in an old mail must still work."""
    return link("classrooms:stop_weekly_mail", stop_token(teaching))


def stop_token(teaching: Teaching) -> str:
    return signing.dumps(teaching.pk, salt=STOP)


def teaching_of(token: str) -> Teaching:
    """The teaching whose mail the token stops; 404 if there is none."""
    try:
        teaching_id = int(signing.loads(token, salt=STOP))
    except (signing.BadSignature, ValueError):
        raise Http404 from None
    return get_object_or_404(Teaching.objects.select_related("school_class"), pk=teaching_id)


def stop_mail(teaching: Teaching) -> bool:
    """Stop the mail. Returns False if it was stopped already."""
    teachings = Teaching.objects.filter(pk=teaching.pk, mailed_since__isnull=False)
    return bool(teachings.update(mailed_since=None))


def choose_mail(teaching: Teaching, days: Iterable[str], naming: str) -> None:
    """Choose the days of the mail, and how it names children."""
    row = Teaching.objects.filter(pk=teaching.pk)
    row.update(mail_days="".join(sorted(days)), mail_names=naming)


def start_mail(teaching: Teaching) -> None:
    """Send the mail from now on. Changes nothing if the teacher already gets it."""
    Teaching.objects.filter(pk=teaching.pk, mailed_since=None).update(mailed_since=timezone.now())


def restart_token(teaching: Teaching) -> str:
    return signing.dumps(teaching.pk, salt=RESTART)


def may_restart(teaching: Teaching, token: str) -> bool:
    try:
        return bool(signing.loads(token, salt=RESTART, max_age=RESTART_SPAN) == teaching.pk)
    except signing.BadSignature:
        return False


def teaching_for(user: Adult, class_id: UUID) -> Teaching:
    """This adult's teaching of a class; 404 if there is none."""
    teachings = Teaching.objects.select_related("school_class", "user")
    user_id = user.pk if user.is_authenticated else None
    return get_object_or_404(teachings, user=user_id, school_class=class_id)


# Sending the mails, each separately and at most once; exactly once is not possible. A mail is
# marked before it is handed to the mail server. If the worker is killed then, the mail is not tried
# again, because the class page says the same and a mail that comes twice looks like a fault. A mail
# that the server refused is tried again after growing waits, with the same Message-ID. If only the
# server's answer was lost, mailboxes can then drop the duplicate.

State, Problem = WeeklyMail.State, WeeklyMail.Problem

LEASE: Final = timedelta(minutes=10)
"""Longer than a task may take. The worker of a mail that has been claimed for this long is dead."""
MOST_TRIES: Final = 5
FIRST_WAIT: Final = timedelta(minutes=15)
"""The wait after the first failed try. Each next wait is four times as long."""
SERVER_REST: Final = timedelta(minutes=5)
"""How long a mail server that failed is left alone."""
MAIL_KEPT_FOR: Final = timedelta(days=90)

REFUSALS_OF_A_MAIL: Final = (
    SMTPRecipientsRefused,
    SMTPSenderRefused,
    SMTPDataError,
    SMTPNotSupportedError,
)

log = structlog.get_logger(__name__)


def teachings_with_mail() -> QuerySet[Teaching]:
    """The teachings whose teacher gets mail: the teacher wants it, may sign in and has confirmed
    the address, and the class is not archived."""
    confirmed = EmailAddress.objects.filter(
        user=OuterRef("user"), email__iexact=OuterRef("user__email"), verified=True
    )
    return Teaching.objects.filter(
        Exists(confirmed),
        mailed_since__isnull=False,
        user__is_active=True,
        school_class__archived_at=None,
    )


def due(now: datetime) -> list[tuple[int, date]]:
    """The mails to send now, each as the id of its teaching and its day."""
    mails: list[tuple[int, date]] = []
    zones = teachings_with_mail().values_list("school_class__time_zone", flat=True)
    for zone in zones.order_by("school_class__time_zone").distinct():
        if week := week_due(now, zone):
            weekly = Q(mail_days="", mailed_since__lte=moment_of(week, zone))
            mails += _due_mails(now, zone, week, weekly)
        if day := lesson_due(now, zone):
            mails += _due_mails(now, zone, day, Q(mail_days__contains=str(day.isoweekday())))
    return mails


def _due_mails(now: datetime, zone: str, day: date, condition: Q) -> list[tuple[int, date]]:
    mails = WeeklyMail.objects.filter(teaching=OuterRef("pk"), week=day)
    teachings = teachings_with_mail().filter(
        condition,
        ~Exists(mails) | Exists(mails.filter(_can_be_tried(now))),
        school_class__time_zone=zone,
    )
    return [(pk, day) for pk in teachings.order_by("pk").values_list("pk", flat=True)]


def _can_be_tried(now: datetime) -> Q:
    is_retry = Q(state=State.DUE, at__lte=now) | Q(state=State.MAKING, at__lt=now - LEASE)
    return is_retry & Q(tries__lt=MOST_TRIES)


def send(teaching_id: int, week: date, now: datetime | None = None) -> bool:
    """Send the mail of this day if it is due and no other worker has it. Returns whether it was
    sent.

    Any number of workers may try at any time; one row of the database decides. A mail of an earlier
    day is no longer sent, and none is sent while figures are incomplete. `now` is the time at which
    the mail is claimed, by default the present.
    """
    now = now or timezone.now()
    teaching = (
        teachings_with_mail().select_related("school_class", "user").filter(pk=teaching_id).first()
    )
    unreached = WeeklyMail.objects.filter(problem=Problem.UNREACHED)
    if teaching is None or unreached.filter(failed_at__gt=now - SERVER_REST).exists():
        return False
    if day_due(teaching, now) != week or class_is_rebuilding(teaching.school_class):
        return False
    WeeklyMail.objects.get_or_create(teaching=teaching, week=week, defaults={"at": now})
    mail = WeeklyMail.objects.filter(teaching=teaching, week=week)
    if not mail.filter(_can_be_tried(now)).update(state=State.MAKING, at=now, tries=F("tries") + 1):
        return False
    claimed_mail = mail.filter(state=State.MAKING, at=now)
    letter = letter_to(teaching, week)
    if letter is None:
        claimed_mail.update(state=State.SILENT)
        return False
    message = message_of(letter, teaching, week)
    # From here on the mail is tried again only if the server refuses it. A teacher who has just
    # stopped the mail gets none.
    wanted_mail = claimed_mail.filter(teaching__in=teachings_with_mail())
    if not wanted_mail.update(state=State.HANDED, at=now):
        return False
    try:
        message.send()
    except OSError as problem:
        _store_failure(mail.get(state=State.HANDED, at=now), problem, now)
        return False
    mail.update(state=State.SENT, at=timezone.now())
    return True


def _store_failure(mail: WeeklyMail, problem: OSError, now: datetime) -> None:
    """Store that the server refused the mail, and when to try again."""
    mail.problem = Problem.REFUSED if isinstance(problem, REFUSALS_OF_A_MAIL) else Problem.UNREACHED
    mail.failed_at = now
    if mail.tries < MOST_TRIES:
        mail.state = State.DUE
        mail.at = now + FIRST_WAIT * 4 ** (mail.tries - 1)
    else:
        mail.state = State.FAILED
        mail.at = now
    mail.save(update_fields=("problem", "failed_at", "state", "at"))
    # The server's message is not logged: it may contain the address.
    log.warning(
        "weekly mail not taken", mail=mail.pk, tries=mail.tries, what=type(problem).__name__
    )


def message_of(letter: Letter, teaching: Teaching, week: date) -> EmailMultiAlternatives:
    """The mail as text and HTML. Its headers let mail programs stop it with one click (RFC 8058),
    and keep machines from answering it."""
    stop = stop_address(teaching)
    host = urlsplit(settings.SITE_URL).hostname
    with translation.override(letter.language):
        ending = gettext("Stop these e-mails with one click, without signing in.")
    message = EmailMultiAlternatives(
        letter.subject,
        "\n\n".join([*paragraphs(letter), f"{ending}\n{stop}"]) + "\n",
        settings.DEFAULT_FROM_EMAIL,
        [teaching.user.email],
        headers={
            "Message-ID": f"<weekly-{week:%Y%m%d}-{teaching.pk}@{host}>",
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            **AUTOMATIC_HEADERS,
        },
    )
    message.attach_alternative(as_html(letter, stop), "text/html")
    return message


def delete_old_mails(now: datetime) -> None:
    """Delete the records of mails older than `MAIL_KEPT_FOR`."""
    WeeklyMail.objects.filter(week__lt=(now - MAIL_KEPT_FOR).date()).delete()
