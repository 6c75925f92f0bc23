"""Sending the weekly mails, each by itself and at most once.

Exactly once is not possible. A mail is marked before it is handed to the mail server, and one whose
worker was killed during that is not tried again: the class page says the same, and a mail that
comes twice looks like a fault. A mail that the server did not take is tried again after growing
waits, with the same Message-ID, so that mailboxes can drop a duplicate if only the answer was lost.
"""

from datetime import date, datetime, timedelta
from smtplib import (
    SMTPDataError,
    SMTPNotSupportedError,
    SMTPRecipientsRefused,
    SMTPSenderRefused,
)
from typing import Final
from urllib.parse import urlsplit

import structlog
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext

from classrooms.models import Teaching, WeeklyMail
from classrooms.progress.pipeline.rebuild import class_is_rebuilding
from classrooms.reports.weekly_mail import stopping
from classrooms.reports.weekly_mail.due_times import moment_of, week_due
from classrooms.reports.weekly_mail.letter import Letter, letter_for, paragraphs
from classrooms.reports.weekly_mail.mail_html import as_html

State, Problem = WeeklyMail.State, WeeklyMail.Problem

LEASE: Final = timedelta(minutes=10)
"""Longer than a task may take: a mail in the making for this long lost its worker."""
MOST_TRIES: Final = 5
FIRST_WAIT: Final = timedelta(minutes=15)
"""The wait after the first failed try; each next one is four times as long."""
SERVER_RESTS: Final = timedelta(minutes=5)
"""How long a mail server that failed is left alone."""
KEPT_FOR: Final = timedelta(days=90)

ABOUT_THIS_MAIL: Final = (
    SMTPRecipientsRefused,
    SMTPSenderRefused,
    SMTPDataError,
    SMTPNotSupportedError,
)

log = structlog.get_logger(__name__)


def teachings_with_mail() -> QuerySet[Teaching]:
    """The teachings with a weekly mail: it is wanted, the teacher may sign in and has confirmed the
    address, and the class is not archived."""
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
    """The mails that can be tried now: the id of the teaching and the week of each."""
    mails: list[tuple[int, date]] = []
    zones = teachings_with_mail().values_list("school_class__time_zone", flat=True)
    for zone in zones.order_by("school_class__time_zone").distinct():
        week = week_due(now, zone)
        if week is None:
            continue
        begun = WeeklyMail.objects.filter(teaching=OuterRef("pk"), week=week)
        waiting = teachings_with_mail().filter(
            ~Exists(begun) | Exists(begun.filter(_can_be_tried(now))),
            school_class__time_zone=zone,
            mailed_since__lte=moment_of(week, zone),
        )
        mails += [(pk, week) for pk in waiting.order_by("pk").values_list("pk", flat=True)]
    return mails


def _can_be_tried(now: datetime) -> Q:
    again = Q(state=State.DUE, at__lte=now) | Q(state=State.MAKING, at__lt=now - LEASE)
    return again & Q(tries__lt=MOST_TRIES)


def send(teaching_id: int, week: date, now: datetime | None = None) -> bool:
    """Send the mail of a week if it is due and no other worker has it; whether it was sent.

    Any number of workers may try at any time: one row of the database decides. Only the present
    week is sent, whichever week stands in the queue, and none while the figures are incomplete.
    `now`: when the mail is claimed; the present by default.
    """
    now = now or timezone.now()
    teaching = (
        teachings_with_mail().select_related("school_class", "user").filter(pk=teaching_id).first()
    )
    if teaching is None or _server_rests(now):
        return False
    if week_due(now, teaching.school_class.time_zone) != week:
        return False
    if class_is_rebuilding(teaching.school_class):
        return False
    WeeklyMail.objects.get_or_create(teaching=teaching, week=week, defaults={"at": now})
    mail = WeeklyMail.objects.filter(teaching=teaching, week=week)
    if not mail.filter(_can_be_tried(now)).update(state=State.MAKING, at=now, tries=F("tries") + 1):
        return False
    mine = mail.filter(state=State.MAKING, at=now)
    letter = letter_for(teaching.school_class, week)
    if letter is None:
        mine.update(state=State.SILENT)
        return False
    message = message_of(letter, teaching, week)
    # From here on it is only tried again if the server refuses it. A teacher who has stopped the
    # mail meanwhile gets none.
    if not mine.filter(teaching__in=teachings_with_mail()).update(state=State.HANDED, at=now):
        return False
    try:
        message.send()
    except OSError as problem:
        _failed(mail.get(state=State.HANDED, at=now), problem, now)
        return False
    mail.update(state=State.SENT, at=timezone.now())
    return True


def _server_rests(now: datetime) -> bool:
    return WeeklyMail.objects.filter(
        failed_at__gt=now - SERVER_RESTS, problem=Problem.UNREACHED
    ).exists()


def _failed(mail: WeeklyMail, problem: OSError, now: datetime) -> None:
    """Store that the server did not take it, and when to try again."""
    mail.problem = Problem.REFUSED if isinstance(problem, ABOUT_THIS_MAIL) else Problem.UNREACHED
    mail.failed_at = now
    if mail.tries < MOST_TRIES:
        mail.state, mail.at = State.DUE, now + FIRST_WAIT * 4 ** (mail.tries - 1)
    else:
        mail.state, mail.at = State.FAILED, now
    mail.save(update_fields=("problem", "failed_at", "state", "at"))
    # Not the server's message: it may hold the address.
    log.warning(
        "weekly mail not taken", mail=mail.pk, tries=mail.tries, what=type(problem).__name__
    )


def message_of(letter: Letter, teaching: Teaching, week: date) -> EmailMultiAlternatives:
    """The mail as text and HTML, with the headers to stop it with one click (RFC 8058) and to keep
    machines from answering."""
    stop = stopping.address_of(teaching)
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
            "Auto-Submitted": "auto-generated",
        },
    )
    message.attach_alternative(as_html(letter, stop), "text/html")
    return message


def forget_old(now: datetime) -> None:
    """Delete the records of mails older than `KEPT_FOR`."""
    WeeklyMail.objects.filter(week__lt=(now - KEPT_FOR).date()).delete()
