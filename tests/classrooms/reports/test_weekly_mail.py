"""The weekly mail: its letter, when it is sent, and its page."""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from smtplib import SMTPRecipientsRefused, SMTPServerDisconnected
from typing import Any
from unittest.mock import patch

import pytest
from allauth.account.models import EmailAddress
from django.conf import LazySettings
from django.core import mail, signing
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from classrooms.classes import services as classes
from classrooms.classes.tasks import keep_or_purge
from classrooms.models import Child, SchoolClass, Teaching, User, WeeklyMail
from classrooms.progress.facts import fact_cells
from classrooms.progress.models import ChildDay, TableDay
from classrooms.progress.rebuild import mark_for_rebuild, rebuild
from classrooms.progress.table_levels import fold_all_tables
from classrooms.progress.tasks import look_for_dirty
from classrooms.progress.words import fact_name
from classrooms.reports import weekly_mail
from classrooms.reports.tasks import look_for_weekly_mails, send_weekly_mail
from classrooms.reports.weekly_letter import Letter, paragraphs, weekly_letter
from classrooms.reports.weekly_mail import week_due
from games.coach.times_tables import FACTORS
from tests.classrooms.people import client_of, text_on, url_of
from tests.classrooms.progress.answering import answer, rows
from tests.classrooms.reports.weekly_mail import FRIDAY, due_at, play_day, wants_mail
from tests.clock import at
from tests.factories import ChildFactory, SchoolClassFactory, TeachingFactory, UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def teaching(alice: User, school_class: SchoolClass) -> Teaching:
    return wants_mail(alice, school_class)


@pytest.fixture
def now(school_class: SchoolClass) -> Iterator[datetime]:
    """A clock that says Friday, five past three, in the class's time zone."""
    now = due_at(school_class) + timedelta(minutes=5)
    with at(now):
        yield now


@pytest.fixture
def week(dora: Child, emil: Child, now: datetime) -> None:
    """Dora played this week, Emil did not."""
    play_day(dora)


def letter_text(school_class: SchoolClass) -> str:
    letter = weekly_letter(school_class, FRIDAY)
    assert letter
    return "\n".join(paragraphs(letter))


def sections_of(letter: Letter | None) -> dict[str, list[str]]:
    return {section.title: list(section.lines) for section in letter.sections}


def test_the_mail_says_how_many_played_and_who_needs_which_table(
    week: None, school_class: SchoolClass
) -> None:
    letter = weekly_letter(school_class, FRIDAY)
    assert letter.subject == "5B: this week on nmbrs"
    assert letter.days == "14 November to 20 November 2026"
    assert sections_of(letter) == {
        "This week": [
            "1 of 2 children have played.",
            "They finished 2 rounds.",
            "1 child has never played.",
            "They found 2 of 8 possible rows without help.",
        ],
        "Most useful now": [
            "7 times table: 1 child – found 2 of 8 rows without help, last 7 days."
        ],
    }


def test_a_table_that_became_secure_this_week_went_well(
    week: None, emil: Child, school_class: SchoolClass
) -> None:
    for table, weeks_ago in ((5, 0), (2, 3)):
        for ago in (2, 1):
            day = FRIDAY - timedelta(days=ago, weeks=weeks_ago)
            TableDay.objects.create(
                child=emil, school_class=school_class, table=table, day=day, at_once=9,
                last_at=due_at(school_class) - timedelta(days=ago, weeks=weeks_ago),
            )  # fmt: skip
    fold_all_tables([emil.pk])
    well = sections_of(weekly_letter(school_class, FRIDAY))["What went well"]
    assert well == ["5 times table: 1 child now finds most rows."]


def test_a_fact_that_only_became_faster_went_well_before(
    week: None, emil: Child, now: datetime, school_class: SchoolClass
) -> None:
    for ago, net_ms in ((14, 5000), (12, 5000), (10, 5000), (5, 2000), (3, 2000), (1, 2000)):
        for other in FACTORS:
            answer(emil, 5, other, net_ms=net_ms, at=now - timedelta(days=ago))
        if ago < 7:
            answer(emil, 3, 4, at=now - timedelta(days=ago))
    look_for_dirty()
    (cells,) = fact_cells([emil], school_class.today()).values()
    assert {cell.level for cell in cells.values()} == {"fluent"}
    (line,) = sections_of(weekly_letter(school_class, FRIDAY))["What went well"]
    assert line.startswith(f"{fact_name((3, 4))}: 1 more child now knows it")


def test_children_who_stopped_are_not_those_who_never_played(
    week: None, school_class: SchoolClass
) -> None:
    for ago in (8, 20):
        play_day(ChildFactory.create(school_class=school_class), FRIDAY - timedelta(days=ago))
    assert sections_of(weekly_letter(school_class, FRIDAY))["This week"][2:4] == [
        "2 children have not played for a week.",
        "1 child has never played.",
    ]


def test_stuck_children_are_counted(dora: Child, now: datetime, school_class: SchoolClass) -> None:
    for day in range(5):
        play_day(dora, FRIDAY - timedelta(days=day), found=0)
    assert (
        "7 times table: 1 child finds fewer than half of the rows."
        in sections_of(weekly_letter(school_class, FRIDAY))["Most useful now"]
    )


def test_the_mail_names_no_child_and_links_to_the_class_page(
    week: None, school_class: SchoolClass
) -> None:
    text = letter_text(school_class)
    assert "Dora" not in text
    assert "Emil" not in text
    assert f"http://localhost:8000/classes/{school_class.pk}/?period=week" in text


def test_a_first_week_without_play_is_short_and_later_ones_send_nothing(
    dora: Child, now: datetime, school_class: SchoolClass
) -> None:
    play_day(dora, FRIDAY - timedelta(days=7))
    assert sections_of(weekly_letter(school_class, FRIDAY))["This week"] == ["Nobody played."]
    assert weekly_letter(school_class, FRIDAY + timedelta(days=7)) is None


def test_there_is_no_mail_about_a_class_without_children(
    school_class: SchoolClass, now: datetime
) -> None:
    assert weekly_letter(school_class, FRIDAY) is None


def test_only_play_of_the_week_is_counted(
    dora: Child, now: datetime, school_class: SchoolClass
) -> None:
    play_day(dora)
    for ago in (7, 8):
        ChildDay.objects.create(
            child=dora,
            school_class=school_class,
            day=FRIDAY - timedelta(days=ago),
            rounds=5,
            last_at=now - timedelta(days=ago),
        )
    assert "They finished 2 rounds." in letter_text(school_class)


# By the class's clock


ZONES = ("Europe/Amsterdam", "America/New_York", "Pacific/Auckland", "Asia/Kathmandu")


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "friday", "moment"),
    [
        ("Europe/Amsterdam", FRIDAY, "2026-11-20T14:00"),
        ("America/New_York", FRIDAY, "2026-11-20T20:00"),
        ("Pacific/Auckland", FRIDAY, "2026-11-20T02:00"),
        ("Asia/Kathmandu", FRIDAY, "2026-11-20T09:15"),
        ("Europe/Amsterdam", date(2026, 3, 27), "2026-03-27T14:00"),
        ("Europe/Amsterdam", date(2026, 4, 3), "2026-04-03T13:00"),
        ("America/New_York", date(2026, 10, 30), "2026-10-30T19:00"),
        ("America/New_York", date(2026, 11, 6), "2026-11-06T20:00"),
        ("Pacific/Auckland", date(2026, 9, 25), "2026-09-25T03:00"),
        ("Pacific/Auckland", date(2026, 10, 2), "2026-10-02T02:00"),
        ("America/Santiago", date(2026, 9, 4), "2026-09-04T19:00"),
        ("America/Santiago", date(2026, 9, 11), "2026-09-11T18:00"),
        ("Africa/Cairo", date(2026, 4, 24), "2026-04-24T12:00"),  # at midnight of that day
        ("Europe/Amsterdam", date(2028, 3, 3), "2028-03-03T14:00"),  # after 29 February
    ],
)
def test_the_mail_is_due_on_friday_at_three_by_the_classs_clock(
    zone: str, friday: date, moment: str
) -> None:
    assert week_due(utc(moment), zone) == friday
    assert week_due(utc(moment) - timedelta(minutes=1), zone) is None


@pytest.mark.parametrize("zone", ZONES)
def test_each_week_of_a_year_is_due_once_and_for_two_days(zone: str) -> None:
    start = utc("2026-01-01T00:00")
    counts: dict[date, int] = {}
    for quarter in range(4 * 24 * 7 * 52):
        week = week_due(start + timedelta(minutes=15 * quarter), zone)
        if week:
            counts[week] = counts.get(week, 0) + 1
    assert len(counts) == 52
    assert all(week.isoweekday() == 5 for week in counts)
    assert set(counts.values()) == {4 * 48 + 1}


def test_day_and_hour_are_settings(settings: LazySettings) -> None:
    settings.WEEKLY_MAIL_DAY, settings.WEEKLY_MAIL_HOUR = 1, 7
    assert week_due(utc("2026-11-23T06:00"), "Europe/Amsterdam") == date(2026, 11, 23)
    assert week_due(utc("2026-11-23T05:59"), "Europe/Amsterdam") is None


# When it is sent


class Killed(BaseException):
    """Raised where a worker is killed: nothing after it is carried out."""


def send_all(now: datetime) -> list[bool]:
    return [weekly_mail.send(teaching, week, now) for teaching, week in weekly_mail.due(now)]


def recipients() -> list[Sequence[str]]:
    return [message.to for message in mail.outbox]


def test_a_mail_is_sent_once_however_many_messages_ask_for_it(
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


def test_beat_sends_a_message_for_each_mail(
    week: None, teaching: Teaching, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    send: list[tuple[Any, ...]] = []
    monkeypatch.setattr(send_weekly_mail, "delay", lambda *what: send.append(what))
    look_for_weekly_mails()
    assert send == [(teaching.pk, "2026-11-20")]
    send_weekly_mail(*send[0])
    look_for_weekly_mails()
    assert len(send) == len(mail.outbox) == 1


def test_the_mail_waits_until_a_class_is_counted_again(
    week: None, teaching: Teaching, emil: Child, now: datetime
) -> None:
    mark_for_rebuild([emil.pk])
    assert send_all(now) == [False]
    assert mail.outbox == []
    rebuild(emil)
    assert send_all(now + timedelta(hours=1)) == [True]


def test_the_mail_is_plain_text_and_html_with_nothing_from_elsewhere(
    week: None, teaching: Teaching, now: datetime
) -> None:
    send_all(now)
    (message,) = mail.outbox
    assert isinstance(message, EmailMultiAlternatives)
    ((content, kind),) = message.alternatives
    html = str(content)
    assert (message.subject, kind) == ("5B: this week on nmbrs", "text/html")
    for text in ("7 times table: 1 child", weekly_mail.stop_address(teaching), "14 November"):
        assert text in message.body
        assert text in html
    assert "<style>/* The weekly mail" in html
    for never in ("<img", "<link", "url(", "@import", "<script", "Dora", "Emil"):
        assert never not in html


def test_the_headers_of_a_mail_let_one_click_stop_it(
    week: None, teaching: Teaching, now: datetime
) -> None:
    send_all(now)
    message = mail.outbox[0].message()
    assert message["List-Unsubscribe"] == f"<{weekly_mail.stop_address(teaching)}>"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Auto-Response-Suppress"] == "OOF, AutoReply"
    assert message["Message-ID"] == f"<weekly-20261120-{teaching.pk}@localhost>"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "7 times table"),
        ("nl", "Tafel van 7"),
        ("de", "7er-Einmaleins"),
        ("sv", "7:ans tabell"),
    ],
)
def test_the_mail_is_in_the_language_of_the_class(
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
        play_day(ChildFactory.create(school_class=other))
        wants_mail(alice, other)
    send_all(now)
    assert [message.subject.split(":")[0] for message in mail.outbox] == ["5B", "Pacific/Auckland"]
    send_all(now + timedelta(hours=6))
    assert mail.outbox[2].subject.startswith("America/New_York")


def test_a_teacher_who_asks_after_the_hour_gets_the_mail_from_next_week(
    week: None, teaching: Teaching, now: datetime
) -> None:
    weekly_mail.stop_mail(teaching)
    weekly_mail.start_mail(teaching)
    assert weekly_mail.due(now) == []
    assert weekly_mail.due(now + timedelta(days=7)) == [(teaching.pk, FRIDAY + timedelta(days=7))]


@pytest.mark.parametrize("what", ["stopped", "removed", "archived", "inactive", "not shown"])
def test_only_entitled_teachers_get_the_mail(
    week: None, teaching: Teaching, now: datetime, what: str
) -> None:
    match what:
        case "stopped":
            weekly_mail.stop_mail(teaching)
        case "removed":
            Teaching.objects.filter(pk=teaching.pk).delete()
        case "archived":
            classes.archive(teaching.school_class, None)
        case "inactive":
            User.objects.update(is_active=False)
        case "not shown":
            EmailAddress.objects.update(verified=False)
    assert weekly_mail.due(now) == []
    assert not weekly_mail.send(teaching.pk, FRIDAY, now)
    assert mail.outbox == []


def test_a_teacher_who_stops_the_mail_while_it_is_made_gets_none(
    week: None, teaching: Teaching, now: datetime
) -> None:
    def stopped_meanwhile(*of: Any) -> Any:
        weekly_mail.stop_mail(teaching)
        return letter_to(*of)

    letter_to = weekly_mail.letter_to
    with patch.object(weekly_mail, "letter_to", stopped_meanwhile):
        assert send_all(now) == [False]
    assert mail.outbox == []


def test_a_mail_not_yet_handed_over_is_sent_after_the_lease(
    week: None, teaching: Teaching, now: datetime
) -> None:
    with patch.object(weekly_mail, "letter_to", side_effect=Killed), pytest.raises(Killed):
        send_all(now)
    assert weekly_mail.due(now + timedelta(minutes=9)) == []
    assert send_all(now + timedelta(minutes=11)) == [True]
    assert len(mail.outbox) == 1


def test_a_mail_interrupted_in_the_hand_over_is_never_sent_twice(
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


def test_one_bad_address_delays_no_other(
    week: None, teaching: Teaching, school_class: SchoolClass, now: datetime
) -> None:
    wants_mail(UserFactory.create(email="bob@example.org"), school_class)
    send = EmailMultiAlternatives.send

    def refuses_alice(message: EmailMultiAlternatives, fail_silently: bool = False) -> int:
        if message.to == ["alice@example.org"]:
            raise SMTPRecipientsRefused({"alice@example.org": (550, b"no such mailbox")})
        return send(message, fail_silently)

    with patch.object(EmailMultiAlternatives, "send", refuses_alice):
        assert send_all(now) == [False, True]
    assert recipients() == [["bob@example.org"]]
    refused = WeeklyMail.objects.get(teaching=teaching)
    assert (refused.state, refused.problem, refused.tries) == ("due", "refused", 1)


def test_a_refused_mail_is_retried_at_most_five_times(
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


def test_a_mail_not_accepted_at_first_is_sent_later(
    week: None, teaching: Teaching, now: datetime
) -> None:
    with patch.object(EmailMultiAlternatives, "send", side_effect=TimeoutError):
        assert send_all(now) == [False]
    assert send_all(now + timedelta(minutes=16)) == [True]
    assert WeeklyMail.objects.get().state == "sent"


def test_a_silent_mail_server_is_left_alone_for_a_while(
    week: None, teaching: Teaching, school_class: SchoolClass, now: datetime
) -> None:
    bob = wants_mail(UserFactory.create(email="bob@example.org"), school_class)
    with patch.object(EmailMultiAlternatives, "send", side_effect=ConnectionRefusedError) as send:
        assert send_all(now) == [False, False]
    assert send.call_count == 1
    assert not WeeklyMail.objects.filter(teaching=bob).exists()
    assert send_all(now + timedelta(minutes=6)) == [True]


def test_a_week_with_nothing_to_report_is_not_retried(
    dora: Child, teaching: Teaching, now: datetime
) -> None:
    assert send_all(now) == [False]
    assert WeeklyMail.objects.get().state == "silent"
    assert weekly_mail.due(now + timedelta(hours=1)) == []


def test_the_outcome_of_a_mail_is_deleted_after_some_months(
    teaching: Teaching, now: datetime
) -> None:
    for days in (89, 91):
        day = FRIDAY - timedelta(days=days)
        WeeklyMail.objects.create(teaching=teaching, week=day, state="sent")
    keep_or_purge()
    assert [letter.week for letter in WeeklyMail.objects.all()] == [FRIDAY - timedelta(days=89)]


def test_finding_due_mails_takes_as_many_queries_for_many(
    week: None, teaching: Teaching, school_class: SchoolClass, now: datetime,
    django_assert_num_queries: Any,
) -> None:  # fmt: skip
    for number in range(20):
        wants_mail(UserFactory.create(email=f"t{number}@example.org"), school_class)
    with django_assert_num_queries(2):
        assert len(weekly_mail.due(now)) == 21
    assert due_at(school_class) < now


# The page


ONE_CLICK = {"List-Unsubscribe": "One-Click"}


def stop_address(teaching: Teaching) -> str:
    return reverse("classrooms:stop_weekly_mail", args=[weekly_mail.stop_token(teaching)])


def is_wanted(teaching: Teaching) -> bool:
    return Teaching.objects.get(pk=teaching.pk).mailed_since is not None


def stranger() -> Client:
    """A client without session and CSRF token, like somebody's mailbox."""
    return Client(enforce_csrf_checks=True)


def test_the_mail_is_off_by_default(alice: User, school_class: SchoolClass) -> None:
    assert Teaching.objects.get().mailed_since is None


def test_a_teacher_starts_and_stops_the_mail(teaching: Teaching, alice: User) -> None:
    weekly_mail.stop_mail(teaching)
    client, url = client_of(alice), url_of("weekly_mail", teaching.school_class)
    assert "Send me the weekly mail" in text_on(client.get(url))
    assert "you will get the weekly mail" in text_on(client.post(url, {"do": "want"}, follow=True))
    assert is_wanted(teaching)
    assert "You will get no more e-mails" in text_on(client.post(url, {"do": "stop"}, follow=True))
    assert not is_wanted(teaching)


def test_each_teacher_chooses_for_themselves(teaching: Teaching) -> None:
    bob = TeachingFactory.create(
        user=UserFactory.create(), school_class=teaching.school_class, role="co-teacher"
    )
    client_of(bob.user).post(url_of("weekly_mail", teaching.school_class), {"do": "stop"})
    assert is_wanted(teaching)


def test_the_address_must_be_confirmed_first(alice: User, school_class: SchoolClass) -> None:
    client, url = client_of(alice), url_of("weekly_mail", school_class)
    assert "First confirm your e-mail address" in text_on(client.get(url))
    client.post(url, {"do": "want"})
    assert Teaching.objects.get().mailed_since is None


def test_the_preview_is_the_mail_of_today_and_names_another_language(
    teaching: Teaching, alice: User, dora: Child
) -> None:
    rows(dora, 7, found=1, missed=4)
    dora.days.create(
        school_class=dora.school_class, day=timezone.localdate(), last_at=timezone.now(), rounds=3
    )
    client, sentence = client_of(alice), "The e-mail is in the language of the class"
    page = text_on(client.get(url_of("weekly_mail", teaching.school_class)))
    assert "They finished 3 rounds." in page
    assert "7 times table: 1 child" in page
    assert "Dora" not in page
    assert sentence not in page
    SchoolClass.objects.update(language="sv")
    page = text_on(client.get(url_of("weekly_mail", teaching.school_class)))
    assert f"{sentence}: Swedish." in page
    assert '<div class="weekly-preview" lang="sv" ' in page


def test_without_play_there_is_no_preview(teaching: Teaching, alice: User) -> None:
    assert "there would be no e-mail this week" in text_on(
        client_of(alice).get(url_of("weekly_mail", teaching.school_class))
    )


def test_opening_the_link_does_not_stop_the_mail(teaching: Teaching) -> None:
    for ask in (stranger().get, stranger().head):
        assert ask(stop_address(teaching)).status_code == 200
    assert is_wanted(teaching)
    assert "Stop the weekly mail?" in text_on(stranger().get(stop_address(teaching)))


@pytest.mark.parametrize("body", [ONE_CLICK, {}])
def test_one_click_stops_the_mail_without_signing_in(
    teaching: Teaching, body: dict[str, str]
) -> None:
    answer = stranger().post(stop_address(teaching), body)
    assert answer.status_code == 200
    assert "You will get no more e-mails about the class 5B." in text_on(answer)
    assert not is_wanted(teaching)
    assert stranger().post(stop_address(teaching), body).status_code == 200


def test_stopping_can_be_undone_on_the_page_for_an_hour(teaching: Teaching) -> None:
    client, url = stranger(), stop_address(teaching)
    again = client.post(url).context["again"]
    assert "Weekly mail started again" in text_on(client.post(url, {"again": again}))
    assert is_wanted(teaching)
    client.post(url)
    with at(timezone.now() + timedelta(hours=1, minutes=1)):
        client.post(url, {"again": again})
    assert not is_wanted(teaching)


def test_an_old_link_does_not_restart_what_was_stopped_before(teaching: Teaching) -> None:
    weekly_mail.stop_mail(teaching)
    answer = stranger().post(stop_address(teaching))
    assert answer.context["again"] == ""
    assert "You will get no more e-mails about the class 5B." in text_on(answer)


def test_the_link_in_a_mail_of_years_ago_still_stops_the_mail(teaching: Teaching) -> None:
    with at(timezone.now() - timedelta(days=800)):
        url = stop_address(teaching)
    stranger().post(url)
    assert not is_wanted(teaching)


def test_a_link_stops_the_mail_of_its_own_teacher_only(teaching: Teaching) -> None:
    bob = wants_mail(UserFactory.create(email="bob@example.org"), teaching.school_class)
    stranger().post(stop_address(bob))
    assert (is_wanted(teaching), is_wanted(bob)) == (True, False)
    again = weekly_mail.restart_token(bob)
    weekly_mail.stop_mail(teaching)
    stranger().post(stop_address(teaching), {"again": again})
    assert not is_wanted(teaching)


def test_a_broken_or_foreign_link_stops_nothing(teaching: Teaching) -> None:
    token = weekly_mail.stop_token(teaching)
    for wrong in (
        token[:-1] + ("x" if token[-1] != "x" else "y"),
        "x" + token,
        weekly_mail.restart_token(teaching),
        signing.dumps(teaching.pk),
        str(teaching.pk),
        weekly_mail.stop_token(Teaching(pk=0)),
    ):
        url = reverse("classrooms:stop_weekly_mail", args=[wrong])
        for page in (stranger().get(url), stranger().post(url, ONE_CLICK)):
            assert page.status_code == 404
            assert "This link no longer works" in text_on(page)
    assert is_wanted(teaching)


def test_a_removed_teacher_has_nothing_to_stop(teaching: Teaching) -> None:
    url = stop_address(teaching)
    teaching.delete()
    assert stranger().post(url).status_code == 404


def test_the_settings_link_to_the_page_of_the_mail(teaching: Teaching, alice: User) -> None:
    settings = url_of("edit_class", teaching.school_class)
    assert url_of("weekly_mail", teaching.school_class) in text_on(client_of(alice).get(settings))


def test_the_operator_sees_the_outcome_of_each_mail(
    admin_client: Client, teaching: Teaching, dora: Child
) -> None:
    row = teaching.weekly_mails.create(week=timezone.localdate(), state="failed", tries=5)
    changelist = admin_client.get(
        reverse("admin:classrooms_weeklymail_changelist"), {"q": "alice@"}
    )
    assert "failed" in text_on(changelist)
    assert teaching.user.email in text_on(changelist)
    change = reverse("admin:classrooms_weeklymail_change", args=[row.pk])
    assert admin_client.get(change).status_code == 200
    assert admin_client.post(change, {"state": "due"}).status_code == 403
