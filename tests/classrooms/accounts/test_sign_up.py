"""Who may make an account, and that nobody learns from it whose address is known."""

import re
import subprocess
import sys
from typing import Any
from unittest import mock

import pytest
from allauth.account.models import EmailAddress
from django.conf import LazySettings, settings
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from classrooms.classes import teachers
from classrooms.models import Invitation, User
from tests.classrooms.people import client_of, confirmed
from tests.factories import PASSWORD, InvitationFactory, UserFactory
from tests.servers import ROOT

pytestmark = pytest.mark.django_db
NEW = "seven times eight"
KNOWN = ("confirmed", "not confirmed", "unknown")


@pytest.fixture(params=KNOWN)
def address(request: pytest.FixtureRequest) -> str:
    """An address; a stranger wants to know whether it has an account."""
    if request.param != "unknown":
        user = UserFactory.create(email="alice@example.org")
        if request.param == "confirmed":
            confirmed(user)
    return "alice@example.org"


def sign_up(email: str, password: str = NEW, **fields: str) -> tuple[Client, Any]:
    client = Client()
    fields = {"email": email, "password1": password, **fields}
    return client, client.post(reverse("account_signup"), fields)


def without_tokens(page: str) -> str:
    return re.sub(r'(name="csrfmiddlewaretoken" value|nonce)="[^"]+"', "", page)


class TestOfAKnownAddress:
    def test_signing_up_answers_the_same(self, address: str) -> None:
        client, answer = sign_up(address)
        assert answer.headers["Location"] == reverse("classrooms:classes")
        seen = [client.get(reverse(name)).text for name in ("classrooms:classes", "account_email")]
        stranger, _answer = sign_up("else@example.org")
        other = [
            stranger.get(reverse(name)).text for name in ("classrooms:classes", "account_email")
        ]
        other = [page.replace("else@", "alice@").replace("Else", "Alice") for page in other]
        assert [without_tokens(page) for page in seen] == [without_tokens(page) for page in other]

    def test_the_account_of_its_owner_stays_as_it_is(self) -> None:
        alice = confirmed(UserFactory.create(email="alice@example.org"))
        before = User.objects.filter(pk=alice.pk).values().get()
        thief, _answer = sign_up(alice.email)
        assert User.objects.filter(pk=alice.pk).values().get() == before
        assert int(thief.session["_auth_user_id"]) != alice.pk

    def test_its_owner_gets_a_mail_that_says_so(self) -> None:
        confirmed(UserFactory.create(email="alice@example.org"))
        sign_up("alice@example.org")
        (sent,) = mail.outbox
        assert sent.subject == "You have an account on nmbrs"
        assert "confirm-email" not in sent.body

    def test_a_new_account_signs_in_again_alike(self, address: str) -> None:
        """A new password that worked only for unknown addresses would show which are known."""
        sign_up(address)
        client = Client()
        client.post(reverse("account_login"), {"login": address, "password": NEW})
        assert client.get(reverse("classrooms:classes")).status_code == 200

    def test_new_accounts_never_push_the_old_one_out(self) -> None:
        bob = UserFactory.create(email="bob@example.org")
        UserFactory.create_batch(8, email=bob.email, password="!")
        client = Client()
        client.post(reverse("account_login"), {"login": bob.email, "password": PASSWORD})
        assert int(client.session["_auth_user_id"]) == bob.pk

    def test_a_reset_is_one_mail_and_for_the_account_that_confirmed_it(self) -> None:
        UserFactory.create_batch(3, email="alice@example.org")
        alice = confirmed(UserFactory.create(email="alice@example.org"))
        Client().post(reverse("account_reset_password"), {"email": alice.email})
        (sent,) = mail.outbox
        link = re.findall(rf"{re.escape(settings.SITE_URL)}(\S+)", str(sent.body))[0]
        form = Client().get(link, follow=True)
        assert form.context["form"].user == alice

    def test_a_reset_answers_the_same(self, address: str) -> None:
        known = Client().post(reverse("account_reset_password"), {"email": address}, follow=True)
        unknown = Client().post(
            reverse("account_reset_password"), {"email": "else@example.org"}, follow=True
        )
        assert known.redirect_chain == unknown.redirect_chain
        assert without_tokens(known.text) == without_tokens(unknown.text)
        assert [len(sent.to) for sent in mail.outbox] == [1, 1]

    def test_a_wrong_password_answers_the_same_and_costs_the_same_hashing(
        self, address: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        encode = mock.Mock(return_value="md5$a$b")
        monkeypatch.setattr("django.contrib.auth.hashers.MD5PasswordHasher.encode", encode)
        posted = {"login": address, "password": "a wrong one"}
        answer = Client().post(reverse("account_login"), posted)
        assert "not correct" in answer.text
        assert encode.call_count == 2

    def test_another_address_for_an_account_answers_the_same(self, address: str) -> None:
        bob = client_of(confirmed(UserFactory.create(email="bob@example.org")))
        url = reverse("account_email")
        answer = bob.post(url, {"action_add": "", "email": address})
        assert answer.headers["Location"] == url
        assert EmailAddress.objects.filter(email=address, verified=False).exists()


def test_a_stranger_who_names_my_address_cannot_stop_me_from_having_an_account() -> None:
    sign_up("alice@example.org", "the password of a thief")
    thiefs = User.objects.get()
    alice, _answer = sign_up("alice@example.org")
    (sent,) = mail.outbox  # No more go to an address in some minutes: it is about the thief's.
    (link,) = re.findall(r"/accounts/confirm-email/\S+", str(sent.body))
    alice.post(link)
    assert EmailAddress.objects.get(verified=True).user != thiefs
    client = Client()
    client.post(reverse("account_login"), {"login": "alice@example.org", "password": NEW})
    assert int(client.session["_auth_user_id"]) != thiefs.pk


def test_the_link_alone_gives_nobody_my_address() -> None:
    """The mail about a thief's account comes to me; opening it there is no help to the thief."""
    sign_up("alice@example.org", "the password of a thief")
    link = _confirm_link_of(User.objects.get())
    answer = Client().post(link)
    assert answer.headers["Location"].startswith(reverse("account_login"))
    assert not EmailAddress.objects.filter(verified=True).exists()


def test_the_mail_to_a_known_and_to_an_unknown_address_has_one_limit(
    settings: LazySettings,
) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"reset_password": "1/5m/key"}
    confirmed(UserFactory.create(email="alice@example.org"))
    for email in ("alice@example.org", "ALICE@example.org", "no@example.org", "no@example.org"):
        Client().post(reverse("account_reset_password"), {"email": email})
    assert [sent.to for sent in mail.outbox] == [["alice@example.org"], ["no@example.org"]]


class TestTheSwitch:
    def test_closed_is_closed(self, settings: LazySettings, client: Client) -> None:
        settings.SIGN_UP = "closed"
        sign_up("alice@example.org")
        assert not User.objects.exists()
        assert reverse("account_signup") not in client.get(reverse("account_login")).text

    def test_only_an_open_invitation_lets_invited_people_sign_up(
        self, settings: LazySettings
    ) -> None:
        settings.SIGN_UP = "invited"
        invitation = InvitationFactory.create()
        link = reverse("classrooms:invitation", args=[teachers.token(invitation)])
        for leads_to in ("", "/classes/", "/invitations/x:y:z/", "https://evil.example/"):
            sign_up("alice@example.org", next=leads_to)
            assert not User.objects.filter(email="alice@example.org").exists()
        page = Client().get(link)
        assert f"{reverse('account_signup')}?next=" in page.text
        _client, answer = sign_up("alice@example.org", next=link)
        assert answer.headers["Location"] == link
        assert User.objects.filter(email="alice@example.org").exists()

    def test_a_used_invitation_lets_nobody_in(self, settings: LazySettings) -> None:
        settings.SIGN_UP = "invited"
        invitation = InvitationFactory.create()
        link = reverse("classrooms:invitation", args=[teachers.token(invitation)])
        Invitation.objects.all().delete()
        sign_up("alice@example.org", next=link)
        assert not User.objects.filter(email="alice@example.org").exists()

    def test_anything_else_does_not_start(self) -> None:
        done = subprocess.run(
            [sys.executable, "manage.py", "check"],
            cwd=ROOT,
            env={"DJANGO_SETTINGS_MODULE": "nmbrs_edu.settings.local", "SIGN_UP": "shut"},
            capture_output=True,
            text=True,
        )
        assert "SIGN_UP is open, invited or closed" in done.stderr


class TestDomains:
    @pytest.fixture(autouse=True)
    def _of_one_school(self, settings: LazySettings) -> None:
        settings.SIGN_UP_DOMAINS = ["school.example"]
        settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"

    @pytest.mark.parametrize(
        "email",
        [
            "alice@example.org",
            "alice@evil.school.example",
            "alice@school.example.org",
            "alice@notschool.example",
            '"a@school.example"@example.org',
        ],
    )
    def test_an_address_elsewhere_is_refused(self, email: str) -> None:
        _client, answer = sign_up(email)
        assert answer.context["form"].errors
        assert not User.objects.exists()

    @pytest.mark.parametrize("email", ["alice@school.example", "Alice@School.Example"])
    def test_one_of_the_school_gets_in_when_it_is_confirmed(self, email: str) -> None:
        client, _answer = sign_up(email)
        assert client.get(reverse("classrooms:classes")).status_code == 302
        client.post(_confirm_link_of(User.objects.get()))
        client.post(reverse("account_login"), {"login": email, "password": NEW})
        assert client.get(reverse("classrooms:classes")).status_code == 200


def test_a_known_address_costs_the_same_work() -> None:
    """Within two queries, because queries take most of the time."""
    confirmed(UserFactory.create(email="alice@example.org"))
    counts = []
    for email in ("alice@example.org", "else@example.org"):
        with CaptureQueriesContext(connection) as queries:
            sign_up(email)
        counts.append(len(queries))
    assert abs(counts[0] - counts[1]) <= 1


def _confirm_link_of(user: User) -> str:
    from allauth.account.models import EmailConfirmationHMAC

    key = EmailConfirmationHMAC(EmailAddress.objects.get(user=user)).key
    return reverse("account_confirm_email", args=[key])
