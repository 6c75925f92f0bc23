"""A teacher's switch for the weekly mail, its preview, and the link that stops it."""

from datetime import timedelta

import pytest
from django.core import signing
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from classrooms.models import Child, SchoolClass, Teaching, User
from classrooms.reports import weekly_mail
from tests.classrooms.people import client_of
from tests.classrooms.progress.answering import rows
from tests.classrooms.reports.weekly_mail.people import wants_mail
from tests.clock import at
from tests.factories import TeachingFactory, UserFactory

pytestmark = pytest.mark.django_db

ONE_CLICK = {"List-Unsubscribe": "One-Click"}


@pytest.fixture
def teaching(alice: User, school_class: SchoolClass) -> Teaching:
    return wants_mail(alice, school_class)


def address(school_class: SchoolClass) -> str:
    return reverse("classrooms:weekly_mail", args=[school_class.pk])


def stop_address(teaching: Teaching) -> str:
    return reverse("classrooms:stop_weekly_mail", args=[weekly_mail.token_of(teaching)])


def is_wanted(teaching: Teaching) -> bool:
    return Teaching.objects.get(pk=teaching.pk).mailed_since is not None


def stranger() -> Client:
    """Somebody's mailbox: it has no session and no token against forgery."""
    return Client(enforce_csrf_checks=True)


def test_it_is_off_until_it_is_asked_for(alice: User, school_class: SchoolClass) -> None:
    assert Teaching.objects.get().mailed_since is None


def test_a_teacher_asks_for_it_and_stops_it(teaching: Teaching, alice: User) -> None:
    weekly_mail.stop(teaching)
    client, url = client_of(alice), address(teaching.school_class)
    assert "Send me the weekly mail" in client.get(url).text
    assert "you will get the weekly mail" in client.post(url, {"do": "want"}, follow=True).text
    assert is_wanted(teaching)
    assert "You will get no more e-mails" in client.post(url, {"do": "stop"}, follow=True).text
    assert not is_wanted(teaching)


def test_each_teacher_chooses_for_themselves(teaching: Teaching) -> None:
    bob = TeachingFactory.create(
        user=UserFactory.create(), school_class=teaching.school_class, role="co-teacher"
    )
    client_of(bob.user).post(address(teaching.school_class), {"do": "stop"})
    assert is_wanted(teaching)


def test_an_address_is_first_shown_to_be_ones_own(alice: User, school_class: SchoolClass) -> None:
    client, url = client_of(alice), address(school_class)
    assert "First confirm your e-mail address" in client.get(url).text
    client.post(url, {"do": "want"})
    assert Teaching.objects.get().mailed_since is None


def test_the_preview_is_the_mail_as_it_would_be_today(
    teaching: Teaching, alice: User, dora: Child
) -> None:
    rows(dora, 7, found=1, missed=4)
    dora.days.create(
        school_class=dora.school_class, day=timezone.localdate(), last_at=timezone.now(), rounds=3
    )
    page = client_of(alice).get(address(teaching.school_class)).text
    assert "They finished 3 rounds." in page
    assert "7 times table: 1 child" in page
    assert "Dora" not in page


def test_a_mail_in_another_language_than_the_page_says_so(
    teaching: Teaching, alice: User, dora: Child
) -> None:
    rows(dora, 7, found=1, missed=4)
    dora.days.create(
        school_class=dora.school_class, day=timezone.localdate(), last_at=timezone.now(), rounds=3
    )
    client = client_of(alice)
    said = "The e-mail is in the language of the class"
    assert said not in client.get(address(teaching.school_class)).text
    SchoolClass.objects.update(language="sv")
    page = client.get(address(teaching.school_class)).text
    assert f"{said}: Swedish." in page
    assert '<div class="weekly-preview" lang="sv" ' in page


def test_without_play_there_is_no_preview(teaching: Teaching, alice: User) -> None:
    assert (
        "there would be no e-mail this week"
        in client_of(alice).get(address(teaching.school_class)).text
    )


def test_opening_the_link_stops_nothing_since_programs_open_it_too(teaching: Teaching) -> None:
    for ask in (stranger().get, stranger().head):
        assert ask(stop_address(teaching)).status_code == 200
    assert is_wanted(teaching)
    assert "Stop the weekly mail?" in stranger().get(stop_address(teaching)).text


@pytest.mark.parametrize("body", [ONE_CLICK, {}])
def test_one_click_stops_it_without_signing_in(teaching: Teaching, body: dict[str, str]) -> None:
    answer = stranger().post(stop_address(teaching), body)
    assert answer.status_code == 200
    assert "You will get no more e-mails about the class 5B." in answer.text
    assert not is_wanted(teaching)
    assert stranger().post(stop_address(teaching), body).status_code == 200


def test_it_can_be_taken_back_on_the_page_for_an_hour(teaching: Teaching) -> None:
    client, url = stranger(), stop_address(teaching)
    again = client.post(url).context["again"]
    assert "Weekly mail started again" in client.post(url, {"again": again}).text
    assert is_wanted(teaching)
    client.post(url)
    with at(timezone.now() + timedelta(hours=1, minutes=1)):
        client.post(url, {"again": again})
    assert not is_wanted(teaching)


def test_an_old_link_does_not_switch_on_what_was_stopped_before(teaching: Teaching) -> None:
    weekly_mail.stop(teaching)
    answer = stranger().post(stop_address(teaching))
    assert answer.context["again"] == ""
    assert "You will get no more e-mails about the class 5B." in answer.text


def test_the_link_in_a_mail_of_years_ago_still_stops_it(teaching: Teaching) -> None:
    with at(timezone.now() - timedelta(days=800)):
        url = stop_address(teaching)
    stranger().post(url)
    assert not is_wanted(teaching)


def test_a_link_stops_the_mail_of_its_own_teacher_only(teaching: Teaching) -> None:
    bob = wants_mail(UserFactory.create(email="bob@example.org"), teaching.school_class)
    stranger().post(stop_address(bob))
    assert (is_wanted(teaching), is_wanted(bob)) == (True, False)
    again = weekly_mail.again_token(bob)
    weekly_mail.stop(teaching)
    stranger().post(stop_address(teaching), {"again": again})
    assert not is_wanted(teaching)


def test_a_link_that_is_not_whole_or_was_made_for_something_else_stops_nothing(
    teaching: Teaching,
) -> None:
    token = weekly_mail.token_of(teaching)
    for wrong in (
        token[:-1] + ("x" if token[-1] != "x" else "y"),
        "x" + token,
        weekly_mail.again_token(teaching),
        signing.dumps(teaching.pk),
        str(teaching.pk),
        weekly_mail.token_of(Teaching(pk=0)),
    ):
        url = reverse("classrooms:stop_weekly_mail", args=[wrong])
        for answer in (stranger().get(url), stranger().post(url, ONE_CLICK)):
            assert answer.status_code == 404
            assert "This link no longer works" in answer.text
    assert is_wanted(teaching)


def test_who_was_taken_off_the_class_finds_that_there_is_nothing_to_stop(
    teaching: Teaching,
) -> None:
    url = stop_address(teaching)
    teaching.delete()
    assert stranger().post(url).status_code == 404


def test_the_settings_lead_to_it(teaching: Teaching, alice: User) -> None:
    settings = reverse("classrooms:edit_class", args=[teaching.school_class_id])
    assert address(teaching.school_class) in client_of(alice).get(settings).text


def test_the_operator_sees_what_became_of_each_mail_and_nothing_of_what_it_says(
    admin_client: Client, teaching: Teaching, dora: Child
) -> None:
    sent = teaching.weekly_mails.create(week=timezone.localdate(), state="failed", tries=5)
    changelist = admin_client.get(
        reverse("admin:classrooms_weeklymail_changelist"), {"q": "alice@"}
    )
    assert "failed" in changelist.text
    assert teaching.user.email in changelist.text
    change = reverse("admin:classrooms_weeklymail_change", args=[sent.pk])
    assert admin_client.get(change).status_code == 200
    assert admin_client.post(change, {"state": "due"}).status_code == 403
