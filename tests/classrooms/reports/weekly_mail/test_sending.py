"""Once per week, teacher and class; whatever is killed, late, refused or stopped."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from smtplib import SMTPRecipientsRefused, SMTPServerDisconnected
from typing import Any
from unittest.mock import patch

import pytest
from allauth.account.models import EmailAddress
from django.conf import LazySettings
from django.core import mail
from django.core.mail import EmailMessage, EmailMultiAlternatives

from classrooms.classes import services
from classrooms.classes.tasks import keep_or_purge
from classrooms.models import Child, SchoolClass, Teaching, User, WeeklyMail
from classrooms.progress.rebuild import mark_for_rebuild, rebuild
from classrooms.reports import weekly_mail
from classrooms.reports.tasks import look_for_weekly_mails, send_weekly_mail
from tests.classrooms.reports.weekly_mail.people import FRIDAY, due_at, played, wants_mail
from tests.factories import ChildFactory, SchoolClassFactory, UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


class Killed(BaseException):
    """The end of a worker: nothing after it is done."""


def send_all(now: datetime) -> list[bool]:
    return [weekly_mail.send(teaching, week, now) for teaching, week in weekly_mail.due(now)]


def recipients() -> list[Sequence[str]]:
    return [each.to for each in mail.outbox]


def test_it_goes_once_however_often_it_is_asked_for(
    week: None, teaching: Teaching, now: datetime
) -> None:
    mails = weekly_mail.due(now)
    assert mails == [(teaching.pk, FRIDAY)]
    for _ in range(2):
        weekly_mail.send(teaching.pk, FRIDAY, now)
    assert send_all(now + timedelta(hours=1)) == []
    assert recipients() == [["alice@example.org"]]


def test_no_message_brings_a_mail_of_another_week(
    week: None, teaching: Teaching, now: datetime
) -> None:
    for weeks in (-1, 1, 50):
        assert not weekly_mail.send(teaching.pk, FRIDAY + timedelta(weeks=weeks), now)
    assert not weekly_mail.send(teaching.pk, FRIDAY + timedelta(days=1), now)
    assert mail.outbox == []


def test_beat_asks_for_each_by_itself(
    week: None, teaching: Teaching, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[Any, ...]] = []
    monkeypatch.setattr(send_weekly_mail, "delay", lambda *what: asked.append(what))
    look_for_weekly_mails()
    assert asked == [(teaching.pk, "2026-11-20")]
    send_weekly_mail(*asked[0])
    look_for_weekly_mails()
    assert len(asked) == len(mail.outbox) == 1


def test_it_waits_until_a_class_is_counted_again(
    week: None, teaching: Teaching, emil: Child, now: datetime
) -> None:
    mark_for_rebuild([emil.pk])
    assert send_all(now) == [False]
    assert mail.outbox == []
    rebuild(emil)
    assert send_all(now + timedelta(hours=1)) == [True]


def test_it_is_plain_text_and_html_with_nothing_from_elsewhere(
    week: None, teaching: Teaching, now: datetime
) -> None:
    send_all(now)
    (message,) = mail.outbox
    assert isinstance(message, EmailMultiAlternatives)
    ((content, kind),) = message.alternatives
    html = str(content)
    assert (message.subject, kind) == ("5B: this week on nmbrs", "text/html")
    for text in ("7 times table: 1 child", weekly_mail.address_of(teaching), "14 November"):
        assert text in message.body
        assert text in html
    assert "<style>/* The weekly mail" in html
    for never in ("<img", "<link", "url(", "@import", "<script", "Dora", "Emil"):
        assert never not in html


def test_one_click_stops_it_by_its_headers(week: None, teaching: Teaching, now: datetime) -> None:
    send_all(now)
    sent = mail.outbox[0].message()
    assert sent["List-Unsubscribe"] == f"<{weekly_mail.address_of(teaching)}>"
    assert sent["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert sent["Auto-Submitted"] == "auto-generated"
    assert sent["X-Auto-Response-Suppress"] == "OOF, AutoReply"
    assert sent["Message-ID"] == f"<weekly-20261120-{teaching.pk}@localhost>"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "7 times table"),
        ("nl", "Tafel van 7"),
        ("de", "7er-Einmaleins"),
        ("sv", "7:ans tabell"),
    ],
)
def test_it_is_in_the_language_of_the_class(
    week: None, teaching: Teaching, now: datetime, language: str, text: str
) -> None:
    SchoolClass.objects.update(language=language)
    send_all(now)
    message = mail.outbox[0]
    assert isinstance(message, EmailMultiAlternatives)
    assert text in message.body
    assert f'<html lang="{language}">' in str(message.alternatives[0][0])


def test_each_class_has_its_own_clock(
    week: None, teaching: Teaching, alice: User, now: datetime
) -> None:
    for zone in ("America/New_York", "Pacific/Auckland"):
        other = SchoolClassFactory.create(name=zone, time_zone=zone)
        played(ChildFactory.create(school_class=other))
        wants_mail(alice, other)
    send_all(now)
    assert [each.subject.split(":")[0] for each in mail.outbox] == ["5B", "Pacific/Auckland"]
    send_all(now + timedelta(hours=6))
    assert mail.outbox[2].subject.startswith("America/New_York")


def test_who_asks_for_it_after_the_hour_begins_next_week(
    week: None, teaching: Teaching, now: datetime
) -> None:
    weekly_mail.stop(teaching)
    weekly_mail.want(teaching)
    assert weekly_mail.due(now) == []
    assert weekly_mail.due(now + timedelta(days=7)) == [(teaching.pk, FRIDAY + timedelta(days=7))]


def test_a_delayed_mail_is_sent_late_but_not_after_two_days(
    week: None, teaching: Teaching, now: datetime
) -> None:
    assert weekly_mail.due(now + timedelta(hours=30)) == [(teaching.pk, FRIDAY)]
    assert weekly_mail.due(now + timedelta(hours=48)) == []


@pytest.mark.parametrize("what", ["stopped", "removed", "archived", "inactive", "not shown"])
def test_there_is_no_mail_to_whom_it_is_not_for(
    week: None, teaching: Teaching, now: datetime, what: str
) -> None:
    match what:
        case "stopped":
            weekly_mail.stop(teaching)
        case "removed":
            Teaching.objects.filter(pk=teaching.pk).delete()
        case "archived":
            services.archive(teaching.school_class)
        case "inactive":
            User.objects.update(is_active=False)
        case "not shown":
            EmailAddress.objects.update(verified=False)
    assert weekly_mail.due(now) == []
    assert not weekly_mail.send(teaching.pk, FRIDAY, now)
    assert mail.outbox == []


def test_who_stops_it_while_it_is_made_gets_none(
    week: None, teaching: Teaching, now: datetime
) -> None:
    def stopped_meanwhile(*of: Any) -> Any:
        weekly_mail.stop(teaching)
        return made(*of)

    made = weekly_mail.letter_for
    with patch.object(weekly_mail, "letter_for", stopped_meanwhile):
        assert send_all(now) == [False]
    assert mail.outbox == []


def test_killed_before_it_was_handed_over_it_goes_after_the_lease(
    week: None, teaching: Teaching, now: datetime
) -> None:
    with patch.object(weekly_mail, "letter_for", side_effect=Killed), pytest.raises(Killed):
        send_all(now)
    assert weekly_mail.due(now + timedelta(minutes=9)) == []
    assert send_all(now + timedelta(minutes=11)) == [True]
    assert len(mail.outbox) == 1


def test_killed_while_it_is_handed_over_it_never_goes_twice(
    week: None, teaching: Teaching, now: datetime
) -> None:
    def taken_then_killed(message: EmailMessage) -> None:
        mail.outbox.append(message)
        raise Killed

    with patch.object(EmailMultiAlternatives, "send", taken_then_killed), pytest.raises(Killed):
        send_all(now)
    for hours in range(48):
        assert send_all(now + timedelta(hours=hours)) == []
    assert len(mail.outbox) == 1
    assert WeeklyMail.objects.get().state == "handed"


def test_one_bad_address_keeps_no_other_waiting(
    week: None, teaching: Teaching, school_class: SchoolClass, now: datetime
) -> None:
    wants_mail(UserFactory.create(email="bob@example.org"), school_class)
    sent = EmailMultiAlternatives.send

    def refuses_alice(message: EmailMultiAlternatives, fail_silently: bool = False) -> int:
        if message.to == ["alice@example.org"]:
            raise SMTPRecipientsRefused({"alice@example.org": (550, b"no such mailbox")})
        return sent(message, fail_silently)

    with patch.object(EmailMultiAlternatives, "send", refuses_alice):
        assert send_all(now) == [False, True]
    assert recipients() == [["bob@example.org"]]
    refused = WeeklyMail.objects.get(teaching=teaching)
    assert (refused.state, refused.problem, refused.tries) == ("due", "refused", 1)


def test_what_was_not_taken_is_tried_again_ever_later_and_at_most_five_times(
    week: None, teaching: Teaching, now: datetime
) -> None:
    tried = []
    with patch.object(EmailMultiAlternatives, "send", side_effect=SMTPServerDisconnected):
        for quarter in range(4 * 48):
            at = now + timedelta(minutes=15 * quarter)
            if send_all(at):
                tried.append(at - now)
    waits = [second - first for first, second in pairwise(tried)]
    assert waits == [timedelta(minutes=15 * 4**time) for time in range(4)]
    assert WeeklyMail.objects.get().state == "failed"
    assert mail.outbox == []


def test_what_was_not_taken_at_first_goes_later(
    week: None, teaching: Teaching, now: datetime
) -> None:
    with patch.object(EmailMultiAlternatives, "send", side_effect=TimeoutError):
        assert send_all(now) == [False]
    assert send_all(now + timedelta(minutes=16)) == [True]
    assert WeeklyMail.objects.get().state == "sent"


def test_a_mail_server_that_does_not_answer_is_left_alone_for_a_while(
    week: None, teaching: Teaching, school_class: SchoolClass, now: datetime
) -> None:
    bob = wants_mail(UserFactory.create(email="bob@example.org"), school_class)
    with patch.object(EmailMultiAlternatives, "send", side_effect=ConnectionRefusedError) as asked:
        assert send_all(now) == [False, False]
    assert asked.call_count == 1
    assert not WeeklyMail.objects.filter(teaching=bob).exists()
    assert send_all(now + timedelta(minutes=6)) == [True]


def test_mail_does_not_wait_for_a_server_for_ever(settings: LazySettings) -> None:
    assert 0 < settings.EMAIL_TIMEOUT < settings.CELERY_TASK_SOFT_TIME_LIMIT


def test_a_week_with_nothing_to_report_is_not_tried_again(
    dora: Child, teaching: Teaching, now: datetime
) -> None:
    assert send_all(now) == [False]
    assert WeeklyMail.objects.get().state == "silent"
    assert weekly_mail.due(now + timedelta(hours=1)) == []


def test_what_became_of_it_is_forgotten_after_some_months(
    teaching: Teaching, now: datetime
) -> None:
    for days in (89, 91):
        day = FRIDAY - timedelta(days=days)
        WeeklyMail.objects.create(teaching=teaching, week=day, state="sent")
    keep_or_purge()
    assert [each.week for each in WeeklyMail.objects.all()] == [FRIDAY - timedelta(days=89)]


def test_finding_what_is_due_takes_as_many_queries_for_many_teachers(
    week: None, teaching: Teaching, school_class: SchoolClass, now: datetime,
    django_assert_num_queries: Any,
) -> None:  # fmt: skip
    for number in range(20):
        wants_mail(UserFactory.create(email=f"t{number}@example.org"), school_class)
    with django_assert_num_queries(2):
        assert len(weekly_mail.due(now)) == 21
    assert due_at(school_class) < now
