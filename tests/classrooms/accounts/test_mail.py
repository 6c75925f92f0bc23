"""Mail about accounts has our name, links from the settings, and no words of strangers."""

import ast
import re
from pathlib import Path
from smtplib import SMTPServerDisconnected
from typing import Any, Final

import allauth
import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po
from django.apps import apps
from django.conf import LazySettings, settings
from django.core import mail
from django.core.mail import DNS_NAME, EmailMessage
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation.template import templatize

from classrooms.accounts.mail import AUTOMATIC_HEADERS, mail_from_template, send_text
from classrooms.models import User
from tests.classrooms.accounts.signing_in import set_up_app
from tests.classrooms.people import client_of, confirmed
from tests.factories import PASSWORD, SchoolClassFactory, TeachingFactory, UserFactory
from tests.repository import ROOT

pytestmark = pytest.mark.django_db
OURS = ROOT / "templates/account/mails.txt"
MAILS = re.findall(r"partialdef ([a-z]\w+) %}", OURS.read_text(encoding="utf-8"))
THEIRS = Path(allauth.__file__).parent / "templates"
CODES = re.compile("_code_|login_code")
"""Mails with a code to type. These ways to sign in are switched off."""


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
    for message in mail.outbox:
        links = re.findall(r"https?://\S+", str(message.body))
        assert all(link.startswith("https://nmbrs.school.example/") for link in links)
        assert "//accounts" not in str(message.body).replace("https://", "")
        assert links or "No account" in message.subject


def test_no_mail_has_a_strangers_words_or_the_machines_name(alice: User) -> None:
    everything_that_is_mailed(client_of(alice), alice)
    for message in mail.outbox:
        text = f"{message.subject}\n{message.body}".replace(settings.SITE_URL, "")
        for word in ("evil", "localhost", "testserver", "example.com", "[", "Hello from"):
            assert word not in text, message.subject
        assert "nmbrs" in text
        assert message.extra_headers["Auto-Submitted"] == "auto-generated"
        assert message.extra_headers["X-Auto-Response-Suppress"] == "OOF, AutoReply"
        assert not getattr(message, "alternatives", [])


def test_no_machine_answers_an_invitation() -> None:
    assert send_text("An invitation", "Hello", "bob@school.example")
    assert dict(AUTOMATIC_HEADERS).items() <= mail.outbox[0].extra_headers.items()


def test_a_class_name_cannot_carry_a_message_to_others(alice: User) -> None:
    named = SchoolClassFactory.create(name="You won: http://evil.example")
    TeachingFactory.create(user=alice, school_class=named)
    url = reverse("classrooms:invite", args=[named.pk])
    client_of(alice).post(url, {"email": "victim@example.org"})
    (message,) = mail.outbox
    assert "evil.example" not in f"{message.subject} {message.body}"


def test_the_site_introduces_itself_to_mail_servers_by_its_own_name(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(vars(DNS_NAME), "_fqdn", "3f2a77c0b1d9")
    settings.SITE_URL = "https://räknar.school.example:8443"
    apps.get_app_config("nmbrs_edu").ready()
    assert DNS_NAME.get_fqdn() == "xn--rknar-gra.school.example"
    assert EmailMessage().message()["Message-ID"].endswith("@xn--rknar-gra.school.example>")


def test_changes_of_the_second_step_are_mailed(
    alice: User, django_capture_on_commit_callbacks: Any
) -> None:
    client = client_of(alice)
    with django_capture_on_commit_callbacks(execute=True):
        set_up_app(client)
    client.post(reverse("mfa_deactivate_totp"))
    subjects = [message.subject for message in mail.outbox]
    assert "Your account on nmbrs now has a second step" in subjects
    assert "The authenticator app for nmbrs was switched off" in subjects
    assert all(message.to == [alice.email] for message in mail.outbox)


def test_every_mail_of_allauth_is_in_our_words() -> None:
    theirs = [
        path.name.removesuffix("_subject.txt")
        for app in ("account", "mfa", "socialaccount")
        for path in (THEIRS / app / "email").glob("*_subject.txt")
        if not CODES.search(path.name)
    ]
    assert len(theirs) > 15
    assert set(theirs) <= set(MAILS)


def test_a_mail_server_that_is_down_changes_no_answer(
    monkeypatch: pytest.MonkeyPatch, alice: User
) -> None:
    def away(self: EmailMessage, fail_silently: bool = False) -> int:
        raise SMTPServerDisconnected(f"550 {alice.email}")

    monkeypatch.setattr(EmailMessage, "send", away)
    for email in (alice.email, "nobody@example.org"):
        answer = Client().post(reverse("account_reset_password"), {"email": email})
        assert answer.headers["Location"] == reverse("account_reset_password_done")


# How mails and messages about accounts address a teacher, in each language


LANGUAGES: Final = tuple(code for code, _name in settings.LANGUAGES)
ALLAUTH: Final = Path(allauth.__file__).parent
ROOMS: Final = ("account/", "mfa/", "socialaccount/", "usersessions/")
DU: Final = re.compile(
    r"\b(?:[Dd](?:u|ich|ir|ein(?:e[mnrs]?)?)|hast|kannst|[Gg]ib|[Ww]ähle|versuche es|[Mm]elde)\b"
)
GETTEXT_CALL: Final = re.compile(r"gettext\(u?('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")")
GREETING: Final = {"en": "Hello,", "nl": "Hallo,", "de": "Guten Tag!", "sv": "Hej!"}
SITE: Final = "https://nmbrs.school.example"
CONTEXT: Final = {
    **dict.fromkeys(
        (
            "signup_url",
            "login_url",
            "reset_url",
            "account_url",
            "activate_url",
            "password_reset_url",
            "stop_url",
        ),
        f"{SITE}/here/",
    ),
    "ip": "192.0.2.1",
    "user_agent": "Firefox",
    "from_email": "alice@school.example",
    "to_email": "a@school.example",
    "deleted_email": "a@school.example",
    "email": "alice@school.example",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_mail_has_a_greeting_an_end_and_no_gaps(language: str) -> None:
    texts = {}
    for name in MAILS:
        for spoken in ("en", language):
            with translation.override(spoken):
                now = {**CONTEXT, "timestamp": timezone.now()}
                mail = mail_from_template(name, "alice@school.example", now)
            text = f"{mail.subject}\n{mail.body}"
            texts[spoken] = text
            assert mail.body.startswith(f"{GREETING[spoken]}\n\n"), name
            assert mail.body.endswith("\n\n-- \nnmbrs"), name
            for remnant in ("{{", "{%", "%(", "None", "localhost", "example.com", "\n\n\n\n"):
                assert remnant not in text, (name, remnant)
        assert language != "de" or not DU.search(texts["de"]), name
        assert language == "en" or texts["en"] != texts[language], name


def test_mails_and_pages_of_accounts_say_sie_in_german() -> None:
    rooms = ("account", "accounts", "mfa", "socialaccount", "usersessions", "reports/weekly_mail")
    templates = [
        path
        for room in rooms
        for path in (ROOT / "templates" / room).rglob("*.*")
        if path.suffix in (".html", ".txt")
    ]
    english = {
        ast.literal_eval(message)
        for path in templates
        for message in GETTEXT_CALL.findall(templatize(path.read_text(encoding="utf-8")))
    }
    assert len(english) > 100
    with translation.override("de"):
        for text in english:
            assert not DU.search(translation.gettext(text)), text


def test_allauths_own_messages_say_sie_in_german() -> None:
    with (ALLAUTH / "locale/de/LC_MESSAGES/django.po").open("rb") as file:
        theirs = [message for message in read_po(file) if message.id]
    messages = [message for message in theirs if any(map(may_be_read, places(message)))]
    assert len(messages) > 50
    with translation.override("de"):
        for message in messages:
            english = message.id if isinstance(message.id, str) else message.id[0]
            german = translation.gettext(english)
            assert not DU.search(german), (english, german)


def places(message: Message) -> list[str]:
    return [path.removeprefix("allauth/") for path, _line in message.locations]


def may_be_read(path: str) -> bool:
    """Whether a teacher can come across the text at this path: it is in a part of allauth that we
    use, or in one of its messages that we do not replace."""
    if path.startswith("templates/"):
        name = path.removeprefix("templates/")
        return "/messages/" in name and not (ROOT / "templates" / name).exists()
    return path.startswith(ROOMS) and path.endswith(".py") and "/providers/" not in path
