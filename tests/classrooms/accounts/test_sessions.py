"""An adult's session ends: an hour after the last thing done, and after twelve hours in all."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from classrooms.accounts import sessions
from classrooms.models import SchoolClass, User
from tests.classrooms.people import client_of, client_of_operator, time_passes
from tests.factories import PASSWORD, UserFactory

pytestmark = pytest.mark.django_db
CLASSES = "/classes/"


def is_in(client: Client) -> bool:
    return client.get(CLASSES).status_code == 200


def test_an_hour_without_doing_anything_ends_it_and_says_why(alice: User) -> None:
    client = client_of(alice)
    time_passes(client, minutes=settings.ADULT_IDLE_MINUTES - 1)
    assert is_in(client)
    time_passes(client, minutes=settings.ADULT_IDLE_MINUTES + 1)
    answer = client.get(f"{CLASSES}?archived=1", follow=True)
    assert "You have been signed out because you were inactive" in answer.text
    sign_in = urlsplit(answer.redirect_chain[-1][0])
    assert sign_in.path == reverse("account_login")
    assert parse_qs(sign_in.query)["next"] == [f"{CLASSES}?archived=1"]


def test_twelve_hours_end_it_whatever_was_done(alice: User) -> None:
    client = client_of(alice)
    time_passes(client, minutes=settings.ADULT_SESSION_HOURS * 60 - 1, seen=True)
    assert is_in(client)
    time_passes(client, minutes=2, seen=True)
    assert not is_in(client)


def test_an_operator_is_out_after_a_quarter_of_an_hour() -> None:
    client = client_of_operator(UserFactory.create(is_staff=True))
    time_passes(client, minutes=settings.OPERATOR_IDLE_MINUTES + 1)
    assert not is_in(client)


def test_a_session_of_which_nobody_knows_when_it_began_is_over(alice: User) -> None:
    client = client_of(alice)
    session = client.session
    del session[sessions.BEGAN]
    session.save()
    assert not is_in(client)


def test_the_session_of_the_server_is_gone_too(alice: User) -> None:
    client = client_of(alice)
    time_passes(client, minutes=settings.ADULT_IDLE_MINUTES + 1)
    key = client.session.session_key
    client.get(CLASSES)
    assert not Session.objects.filter(session_key=key).exists()


def test_nobody_is_remembered_when_the_browser_closes(alice: User, client: Client) -> None:
    page = client.get(reverse("account_login"))
    assert "remember" not in page.context["form"].fields
    client.post(
        reverse("account_login"), {"login": alice.email, "password": PASSWORD, "remember": "on"}
    )
    assert client.cookies[settings.SESSION_COOKIE_NAME]["max-age"] == ""


@pytest.mark.parametrize("name", ["live_part", "downloads_part"])
def test_a_page_that_asks_by_itself_keeps_no_session_open(
    alice: User, school_class: SchoolClass, name: str
) -> None:
    client = client_of(alice)
    part = reverse(f"classrooms:{name}", args=[school_class.pk])
    time_passes(client, minutes=40)
    assert client.get(part, headers={"HX-Request": "true"}).status_code == 200
    time_passes(client, minutes=21)
    page = f"http://testserver{reverse('classrooms:live', args=[school_class.pk])}"
    polled = client.get(part, headers={"HX-Request": "true", "HX-Current-URL": page})
    to = urlsplit(polled.headers["HX-Redirect"])
    assert to.path == reverse("account_login")
    assert parse_qs(to.query)["next"] == [urlsplit(page).path]
    assert "You have been signed out because you were inactive" in client.get(to.geturl()).text


def test_a_page_whose_address_cannot_be_read_leads_to_signing_in_all_the_same(
    alice: User, school_class: SchoolClass
) -> None:
    client = client_of(alice)
    time_passes(client, minutes=61)
    part = reverse("classrooms:live_part", args=[school_class.pk])
    polled = client.get(part, headers={"HX-Request": "true", "HX-Current-URL": "http://["})
    assert polled.headers["HX-Redirect"] == reverse("account_login")


def test_opening_the_page_itself_does(alice: User, school_class: SchoolClass) -> None:
    client = client_of(alice)
    for _hour in range(3):
        time_passes(client, minutes=40)
        assert client.get(reverse("classrooms:live", args=[school_class.pk])).status_code == 200


def test_what_is_done_is_written_at_most_once_a_minute(alice: User) -> None:
    client = client_of(alice)
    client.get(CLASSES)
    with CaptureQueriesContext(connection) as queries:
        client.get(CLASSES)
    assert [each["sql"] for each in queries if "UPDATE" in each["sql"]] == []


def test_pages_for_everybody_go_on_without_the_adult(alice: User) -> None:
    client = client_of(alice)
    time_passes(client, minutes=settings.ADULT_IDLE_MINUTES + 1)
    page = client.get("/")
    assert page.status_code == 200
    assert alice.short_name not in page.text


class TestWhatWasTyped:
    TYPED = {"name": "Kingfishers", "language": "en", "csrfmiddlewaretoken": "old"}

    @pytest.fixture
    def away(self, alice: User) -> Client:
        client = client_of(alice)
        time_passes(client, minutes=settings.ADULT_IDLE_MINUTES + 1)
        return client

    def back(self, client: Client, user: User) -> str:
        answer = client.post(reverse("classrooms:new_class"), self.TYPED)
        posted = {"login": user.email, "password": PASSWORD}
        return client.post(answer.headers["Location"], posted, follow=True).text

    def test_it_is_there_after_signing_in_again_and_nothing_is_done_unasked(
        self, away: Client, alice: User
    ) -> None:
        page = self.back(away, alice)
        assert '<input type="hidden" name="name" value="Kingfishers">' in page
        assert f'action="{reverse("classrooms:new_class")}"' in page
        assert 'value="old"' not in page
        assert not SchoolClass.objects.exists()

    def test_it_is_forgotten_after_an_hour(self, away: Client) -> None:
        away.post(reverse("classrooms:new_class"), self.TYPED)
        assert away.session.get_expiry_age() <= sessions.TYPED_KEPT_SECONDS

    def test_signed_in_again_the_session_goes_with_the_browser(
        self, away: Client, alice: User
    ) -> None:
        self.back(away, alice)
        assert away.session.get_expire_at_browser_close()

    def test_it_is_shown_once(self, away: Client, alice: User) -> None:
        self.back(away, alice)
        assert away.get(reverse("classrooms:typed")).status_code == 302

    def test_nobody_else_gets_it(self, away: Client) -> None:
        assert "Kingfishers" not in self.back(away, UserFactory.create())

    def test_no_password_is_kept(self, away: Client) -> None:
        away.post(reverse("account_change_password"), {"oldpassword": PASSWORD})
        assert PASSWORD not in str(dict(away.session))

    def test_no_book_is_kept(self, away: Client) -> None:
        away.post(reverse("classrooms:new_class"), {"name": "x" * 200_000})
        assert sessions.TYPED not in away.session
