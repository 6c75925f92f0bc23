"""How mails and messages about accounts speak to a teacher, in each language."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import allauth
import pytest
from allauth.account.adapter import get_adapter
from babel.messages.catalog import Message
from babel.messages.pofile import read_po
from django.conf import settings
from django.test import RequestFactory
from django.utils import timezone, translation
from django.utils.translation.template import templatize

from scripts.translations import ROOT

LANGUAGES: Final = tuple(code for code, _name in settings.LANGUAGES)
THEIRS: Final = Path(allauth.__file__).parent
ROOMS: Final = ("account/", "mfa/", "socialaccount/", "usersessions/")
DU: Final = re.compile(
    r"\b(?:[Dd](?:u|ich|ir|ein(?:e[mnrs]?)?)|hast|kannst|[Gg]ib|[Ww]ähle|versuche es|[Mm]elde)\b"
)
SPOKEN: Final = re.compile(r"gettext\(u?('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")")
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


def mails() -> Iterator[str]:
    """All mails of accounts: what their templates begin with."""
    for room in ("account", "mfa", "socialaccount"):
        for subject in sorted((ROOT / "templates" / room / "email").glob("*_subject.txt")):
            yield f"{room}/email/{subject.name.removesuffix('_subject.txt')}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_mail_of_accounts_has_a_greeting_an_end_and_nothing_left_open(language: str) -> None:
    adapter = get_adapter(RequestFactory().get("/"))
    texts = {}
    found = list(mails())
    assert len(found) > 15
    for name in found:
        for spoken in ("en", language):
            with translation.override(spoken):
                now = {**CONTEXT, "timestamp": timezone.now()}
                mail = adapter.render_mail(name, "alice@school.example", now)
            text = f"{mail.subject}\n{mail.body}"
            texts[spoken] = text
            assert mail.body.startswith(f"{GREETING[spoken]}\n\n"), name
            assert mail.body.endswith("\n\n-- \nnmbrs"), name
            for left in ("{{", "{%", "%(", "None", "localhost", "example.com", "\n\n\n\n"):
                assert left not in text, (name, left)
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
        ast.literal_eval(found)
        for path in templates
        for found in SPOKEN.findall(templatize(path.read_text(encoding="utf-8")))
    }
    assert len(english) > 100
    with translation.override("de"):
        for text in english:
            assert not DU.search(translation.gettext(text)), text


def test_what_allauth_says_itself_says_sie_in_german() -> None:
    with (THEIRS / "locale/de/LC_MESSAGES/django.po").open("rb") as file:
        theirs = [message for message in read_po(file) if message.id]
    said = [message for message in theirs if any(map(may_be_read, places(message)))]
    assert len(said) > 50
    with translation.override("de"):
        for message in said:
            english = message.id if isinstance(message.id, str) else message.id[0]
            german = translation.gettext(english)
            assert not DU.search(german), (english, german)


def places(message: Message) -> list[str]:
    return [path.removeprefix("allauth/") for path, _line in message.locations]


def may_be_read(path: str) -> bool:
    """Whether a teacher of ours may read what is written there: in the code of allauth's rooms, and
    in its messages where ours has no others."""
    if path.startswith("templates/"):
        name = path.removeprefix("templates/")
        return "/messages/" in name and not (ROOT / "templates" / name).exists()
    return path.startswith(ROOMS) and path.endswith(".py") and "/providers/" not in path
