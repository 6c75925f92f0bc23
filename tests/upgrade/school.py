"""The old code's school as the checks meet it: its people's browsers, and what they see there."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from time import time
from typing import Any
from unittest import mock

from allauth.mfa import app_settings
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.test import Client
from django.urls import reverse

from classrooms.models import SchoolClass
from games.models import Game


@dataclass
class School:
    """What is known of it, and the browsers that stay open from one check to the next."""

    facts: dict[str, Any]
    alice: Client = field(init=False)
    dora: Client = field(init=False)
    emil: Client = field(init=False)

    def __post_init__(self) -> None:
        self.alice = browser(sessionid=self.facts["session"])
        dora = self.facts["dora"]
        self.dora = browser(True, child=dora["token"], csrftoken=dora["csrf"])
        self.emil = browser(device=self.facts["emil"]["device"])

    @property
    def game(self) -> Game:
        return Game.objects.get(pk=self.facts["game"]["id"])

    @property
    def school_class(self) -> SchoolClass:
        return SchoolClass.objects.get(pk=self.facts["class"])


def browser(is_strict: bool = False, /, **cookies: str) -> Client:
    """With the cookies as the old code named them. `is_strict`: its posts need a CSRF token."""
    headers = {
        "X-Forwarded-Proto": "https",
        "X-Forwarded-For": "192.0.2.7",
        "Referer": "https://testserver/",
    }
    client = Client(is_strict, headers=headers)
    for name, value in cookies.items():
        client.cookies[name] = value
    return client


def see(answer: Any, status: int, words: str = "") -> None:
    assert answer.status_code == status, f"{answer.status_code} {answer.headers}"
    assert words in answer.text, answer.text


def go_to(answer: Any, address: str) -> None:
    see(answer, 302)
    assert answer.headers["Location"] == address, answer.headers["Location"]


def sign_in(client: Client, email: str, password: str) -> Any:
    return client.post(reverse("account_login"), {"login": email, "password": password})


def code_of(secret: str, later: int = 0) -> str:
    """What an authenticator app shows now, or `later` half-minutes later."""
    counter = int(time()) // app_settings.TOTP_PERIOD + later
    return format_hotp_value(hotp_value(secret, counter))


@contextmanager
def clock_of_cookies(made_at: str) -> Iterator[None]:
    """Signed cookies are as old as when the old code had just run: they last two years."""
    now = (datetime.fromisoformat(made_at) + timedelta(minutes=1)).timestamp()
    with mock.patch("django.core.signing.time") as clock:
        clock.time.return_value = now
        yield
