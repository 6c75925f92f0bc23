"""Mail about accounts is ours: our name, links from the settings, no words of strangers."""

import re
from pathlib import Path
from smtplib import SMTPServerDisconnected
from typing import Any

import allauth
import pytest
from django.conf import LazySettings, settings
from django.core import mail
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse

from classrooms.models import User
from tests.classrooms.accounts.test_accounts import set_up_app
from tests.classrooms.people import client_of, confirmed
from tests.factories import PASSWORD, UserFactory
from tests.servers import ROOT

pytestmark = pytest.mark.django_db
OURS = ROOT / "templates"
THEIRS = Path(allauth.__file__).parent / "templates"
CODES = re.compile("_code_|login_code")
"""Mails with a code to type: those ways are switched off."""


@pytest.fixture
def alice() -> User:
    return confirmed(UserFactory.create(email="alice@example.org"))


def everything_that_is_mailed(client: Client, alice: User) -> None:
    stranger = {"Host": "evil.example", "User-Agent": "click http://evil.example/ now"}
    reset = reverse("account_reset_password")
    Client().post(reset, {"email": alice.email}, headers=stranger)
    Client().post(reset, {"email": "nobody@example.org"}, headers=stranger)
    for email in (alice.email, "new@example.org"):
        posted = {"email": email, "password1": "seven times eight"}
        Client().post(reverse("account_signup"), posted, headers=stranger)
    client.post(
        reverse("account_email"), {"action_add": "", "email": "a@school.example"}, headers=stranger
    )
    new = dict.fromkeys(("password1", "password2"), "nine times six")
    client.post(
        reverse("account_change_password"), {"oldpassword": PASSWORD, **new}, headers=stranger
    )


def test_no_link_comes_from_the_request(alice: User, settings: LazySettings) -> None:
    settings.SITE_URL = "https://nmbrs.school.example/"
    everything_that_is_mailed(client_of(alice), alice)
    assert len(mail.outbox) == 7
    for sent in mail.outbox:
        links = re.findall(r"https?://\S+", str(sent.body))
        assert all(link.startswith("https://nmbrs.school.example/") for link in links)
        assert "//accounts" not in str(sent.body).replace("https://", "")
        assert links or "No account" in sent.subject


def test_no_mail_has_a_strangers_words_or_the_name_of_the_machine(alice: User) -> None:
    everything_that_is_mailed(client_of(alice), alice)
    for sent in mail.outbox:
        text = f"{sent.subject}\n{sent.body}".replace(settings.SITE_URL, "")
        for word in ("evil", "localhost", "testserver", "example.com", "[", "Hello from"):
            assert word not in text, sent.subject
        assert "nmbrs" in text
        assert sent.extra_headers["Auto-Submitted"] == "auto-generated"
        assert not getattr(sent, "alternatives", [])


def test_changes_of_the_second_step_are_mailed(
    alice: User, django_capture_on_commit_callbacks: Any
) -> None:
    client = client_of(alice)
    with django_capture_on_commit_callbacks(execute=True):
        set_up_app(client)
    client.post(reverse("mfa_deactivate_totp"))
    subjects = [sent.subject for sent in mail.outbox]
    assert "Your account on nmbrs now has a second step" in subjects
    assert "The authenticator app for nmbrs was switched off" in subjects
    assert all(sent.to == [alice.email] for sent in mail.outbox)


def test_every_mail_of_allauth_is_in_our_words() -> None:
    apps = ("account", "mfa", "socialaccount")
    templates = [path for app in apps for path in (THEIRS / app / "email").glob("*.txt")]
    assert len(templates) > 30
    missing = [
        str(path.relative_to(THEIRS))
        for path in templates
        if not CODES.search(path.name) and not (OURS / path.relative_to(THEIRS)).exists()
    ]
    assert missing == []


def test_a_mail_server_that_is_away_changes_no_answer(
    monkeypatch: pytest.MonkeyPatch, alice: User
) -> None:
    def away(self: EmailMessage, fail_silently: bool = False) -> int:
        raise SMTPServerDisconnected(f"550 {alice.email}")

    monkeypatch.setattr(EmailMessage, "send", away)
    for email in (alice.email, "nobody@example.org"):
        answer = Client().post(reverse("account_reset_password"), {"email": email})
        assert answer.headers["Location"] == reverse("account_reset_password_done")
