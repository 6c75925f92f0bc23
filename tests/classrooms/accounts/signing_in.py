"""Helpers for tests of adults' sign-in: browsers, addresses, wrong and right passwords."""

import re
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, Final
from unittest import mock

import pytest
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.test import Client
from django.urls import reverse

from classrooms.accounts import limits
from classrooms.models import User
from classrooms.tries import count_tries
from tests.classrooms.people import confirmed, text_on
from tests.counts import PROOF, times
from tests.factories import PASSWORD, UserFactory

WRONG = "not the password"
STRANGERS_TRIES: Final = times(4, 20)
"""The limit of wrong passwords for an account in any 24 hours, for all unknown devices together."""
ADDRESS_TRIES: Final = times(12, 100)
"""The limit of wrong passwords from an address in any hour."""


def allow_few_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set `STRANGERS_TRIES` and `ADDRESS_TRIES` as limits. In the proof they are the site's own
    limits."""
    of_an_account = (
        (STRANGERS_TRIES, timedelta(hours=24)),
        (5 * STRANGERS_TRIES, timedelta(days=30)),
    )
    of_an_address = ((ADDRESS_TRIES, timedelta(hours=1)),)
    assert not PROOF or of_an_account == limits.ACCOUNT_LIMITS
    assert not PROOF or of_an_address == limits.NETWORK_LIMITS
    monkeypatch.setattr(limits, "ACCOUNT_LIMITS", of_an_account)
    monkeypatch.setattr(limits, "NETWORK_LIMITS", of_an_address)


def browser(address: str = "192.0.2.7", cookies: Client | None = None) -> Client:
    """A browser at this address, behind the site's proxy."""
    client = Client(REMOTE_ADDR="10.0.0.2", HTTP_X_FORWARDED_FOR=address)
    if cookies is not None:
        client.cookies = cookies.cookies
    return client


def behind_a_proxy(settings: Any) -> None:
    settings.TRUSTED_PROXIES = 1
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1


def sign_in(client: Client, email: str, password: str = PASSWORD) -> Any:
    return client.post(reverse("account_login"), {"login": email, "password": password})


def signed_in(user: User) -> Client:
    """A browser in which the user has signed in and has just typed the password again."""
    client = Client()
    sign_in(client, user.email)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    return client


def gets_in(client: Client, user: User, password: str = PASSWORD) -> bool:
    """Whether this password signs in. Afterwards the user is signed out, but the browser keeps its
    cookies."""
    answer = sign_in(client, user.email, password)
    if answer.status_code != 302:
        return False
    client.post(reverse("account_logout"))
    return True


def known_browser(user: User, address: str = "192.0.2.7") -> Client:
    """A browser in which the user has signed in before."""
    client = browser(address)
    assert gets_in(client, user)
    return client


def use_up_strangers_tries(user: User) -> None:
    """Use up the wrong passwords that unknown devices have for an account in a day."""
    while count_tries([limits.strange_devices_counter("password", str(user.pk))]):
        pass


@contextmanager
def compared_passwords(by: str = "email") -> Iterator[Counter[Any]]:
    """Count how often a password is really compared, by this field of the account."""
    compared: Counter[Any] = Counter()
    compare = User.check_password

    def counting(user: User, password: str) -> bool:
        compared[getattr(user, by)] += 1
        return compare(user, password)

    with mock.patch.object(User, "check_password", counting):
        yield compared


KEYS = {
    "GOOGLE_CLIENT_ID": "id-of-google",
    "GOOGLE_CLIENT_SECRET": "secret",
    "MICROSOFT_CLIENT_ID": "id-of-microsoft",
    "MICROSOFT_CLIENT_SECRET": "secret",
}


TRIES = STRANGERS_TRIES
"""The limit in any 24 hours, on all unknown devices together and on each known device."""


class Person:
    """Alice, whose account has a second step."""

    def __init__(self) -> None:
        self.user = UserFactory.create(email="alice@example.org")
        confirmed(self.user)
        self.secret = generate_totp_secret()
        TOTP.activate(self.user, self.secret)

    @property
    def code(self) -> str:
        """The code that the app shows now."""
        counter = int(time.time()) // 30
        return format_hotp_value(hotp_value(self.secret, counter))

    @property
    def wrong_code(self) -> str:
        return f"{(int(self.code) + 500_000) % 1_000_000:06}"


SECRETS = re.compile('class="secret">([A-Z2-7]+)<')


def code_of(secret: str) -> str:
    """The code that an authenticator app shows now."""
    return format_hotp_value(hotp_value(secret, next(yield_hotp_counters_from_time())))


def set_up_app(client: Client) -> str:
    url = reverse("mfa_activate_totp")
    (secret,) = SECRETS.findall(text_on(client.get(url)))
    answer = client.post(url, {"code": code_of(secret)})
    assert answer.headers["Location"] == reverse("mfa_view_recovery_codes")
    return str(secret)
