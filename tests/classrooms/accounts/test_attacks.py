"""Attacks on adults' accounts through the pages, which used to work and no longer do."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from classrooms.models import SchoolClass, User
from tests.classrooms.people import client_of_operator
from tests.clock import at
from tests.factories import PASSWORD, TeachingFactory, UserFactory

pytestmark = pytest.mark.django_db
Shift = Callable[[float], None]


@pytest.fixture
def shift() -> Iterator[Shift]:
    """Puts the clock forward to this many minutes from now."""
    began = timezone.now()
    with at(began) as clock:
        yield lambda minutes: clock.move_to(began + timedelta(minutes=minutes))


@pytest.fixture
def alice(alice: User) -> User:
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    return alice


@pytest.fixture
def left_open(alice: User) -> Client:
    """The school's computer on which Alice is signed in."""
    client = Client()
    client.post(reverse("account_login"), {"login": alice.email, "password": PASSWORD})
    return client


def sign_up(client: Client, email: str) -> str:
    posted = {"email": email, "password1": "seven times eight"}
    return str(client.post(reverse("account_signup"), posted).headers.get("Location"))


class TestTheOperatorsPages:
    @pytest.fixture
    def operator(self) -> User:
        operator = UserFactory.create(is_staff=True, is_superuser=True)
        EmailAddress.objects.create(user=operator, email=operator.email, verified=True)
        Authenticator.objects.create(user=operator, type="totp", data={"secret": ""})
        return operator

    def test_nor_does_a_session_without_the_second_step(self, operator: User) -> None:
        client = Client()
        client.force_login(operator)
        assert client.get("/admin/classrooms/user/").status_code == 302


class TestAComputerLeftSignedIn:
    def test_nobody_takes_the_address_without_the_password(
        self, left_open: Client, shift: Shift
    ) -> None:
        shift(20)
        left_open.post(reverse("account_email"), {"action_add": "", "email": "thief@example.org"})
        assert not EmailAddress.objects.filter(email="thief@example.org").exists()
        assert mail.outbox == []

    def test_nobody_asks_a_friend_in_or_erases_the_class(
        self, left_open: Client, shift: Shift, school_class: SchoolClass
    ) -> None:
        shift(20)
        url = reverse("classrooms:invite", args=[school_class.pk])
        left_open.post(url, {"email": "thief@example.org"})
        assert not school_class.invitations.exists()
        url = reverse("classrooms:year_end", args=[school_class.pk])
        left_open.post(url, {"what": "erase", "name": school_class.name})
        assert SchoolClass.objects.exists()


class TestOfStrangers:
    def test_a_link_in_mail_never_comes_from_the_request(self, alice: User) -> None:
        reset = reverse("account_reset_password")
        Client().post(reset, {"email": alice.email}, HTTP_HOST="evil.example")
        assert "evil.example" not in f"{mail.outbox[0].subject} {mail.outbox[0].body}"

    def test_a_new_account_sends_mail_to_nobody(self) -> None:
        client = Client()
        sign_up(client, "nobody@example.org")
        mail.outbox.clear()
        school_class = TeachingFactory.create(user=User.objects.get()).school_class
        url = reverse("classrooms:invite", args=[school_class.pk])
        client.post(url, {"email": "victim@example.org"})
        assert mail.outbox == []

    def test_a_class_name_is_no_way_to_write_to_others(
        self, left_open: Client, school_class: SchoolClass
    ) -> None:
        school_class.name = "You won: http://evil.example"
        school_class.save()
        url = reverse("classrooms:invite", args=[school_class.pk])
        left_open.post(url, {"email": "victim@example.org"})
        (sent,) = mail.outbox
        assert "evil.example" not in f"{sent.subject} {sent.body}"


@pytest.mark.parametrize(
    ("leads_to", "followed"),
    [
        ("http://testserver/account/", False),
        ("https://testserver/account/", True),
        ("/account/", True),
    ],
)
def test_signing_in_leads_down_to_no_plain_http(alice: User, leads_to: str, followed: bool) -> None:
    data = {"login": alice.email, "password": PASSWORD, "next": leads_to}
    answer = Client().post(reverse("account_login"), data, secure=True)
    assert answer.status_code == 302
    assert (answer.headers["Location"] == leads_to) == followed


def test_an_operator_is_led_down_to_no_plain_http() -> None:
    olga = client_of_operator(UserFactory.create(is_staff=True))
    data = {"next": "http://testserver/admin/"}
    answer = olga.get(reverse("admin:login"), data, secure=True)
    assert answer.headers["Location"] == reverse("admin:index")
