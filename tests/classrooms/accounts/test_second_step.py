"""Codes of the second step, and passwords typed again, are checked a limited number of times."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
)
from django.db import connection
from django.test import Client
from django.urls import reverse
from time_machine import Traveller

from classrooms.models import User
from tests.classrooms.accounts.signing_in import STRANGERS, allow_few_tries, looked_at, sign_in
from tests.classrooms.accounts.test_lock_outs import reset_in
from tests.factories import PASSWORD, UserFactory
from tests.servers import ROOT

TRIES = STRANGERS
"""In any 24 hours, on all strange devices together and on each known one."""


@pytest.fixture(autouse=True)
def _few_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    allow_few_tries(monkeypatch)


class Person:
    """Alice, whose account has a second step."""

    def __init__(self) -> None:
        self.user = UserFactory.create(email="alice@example.org")
        EmailAddress.objects.create(
            user=self.user, email=self.user.email, verified=True, primary=True
        )
        self.secret = generate_totp_secret()
        TOTP.activate(self.user, self.secret)

    @property
    def code(self) -> str:
        """What the app shows now."""
        counter = int(time.time()) // 30
        return format_hotp_value(hotp_value(self.secret, counter))

    @property
    def wrong_code(self) -> str:
        return f"{(int(self.code) + 500_000) % 1_000_000:06}"


@pytest.fixture
def person(transactional_db: None) -> Person:
    return Person()


def tries(client: Client, code: str) -> Any:
    return client.post(reverse("mfa_authenticate"), {"code": code})


def gets_in(client: Client, person: Person) -> bool:
    sign_in(client, person.user.email)
    answer = tries(client, person.code)
    if answer.status_code != 302:
        return False
    client.post(reverse("account_logout"))
    return True


def with_the_password(person: Person) -> Client:
    """A new browser of somebody who knows the password."""
    client = Client()
    assert sign_in(client, person.user.email).headers["Location"] == reverse("mfa_authenticate")
    return client


@contextmanager
def codes_looked_at() -> Iterator[mock.Mock]:
    path = "allauth.mfa.totp.internal.auth.TOTP.validate_code"
    with mock.patch(path, autospec=True, side_effect=TOTP.validate_code) as looked:
        yield looked


def test_a_thief_of_the_password_has_so_many_guesses_at_the_second_step(
    person: Person, clock: Traveller
) -> None:
    with codes_looked_at() as looked:
        for _ in range(TRIES + 10):
            answer = tries(with_the_password(person), person.wrong_code)
            clock.shift(timedelta(minutes=31))
    assert looked.call_count == TRIES
    assert "too many wrong codes on new devices" in answer.text


def test_and_keeps_the_owner_out_of_no_device_that_the_account_knows(
    person: Person, clock: Traveller
) -> None:
    usual = Client()
    assert gets_in(usual, person)
    thief = with_the_password(person)
    for _ in range(TRIES + 10):
        tries(thief, person.wrong_code)
    clock.shift(timedelta(minutes=2))
    assert gets_in(usual, person)
    clock.shift(timedelta(minutes=2))
    assert not gets_in(thief, person)


def test_who_reads_the_mail_gets_no_more_guesses_at_the_second_step(
    person: Person, clock: Traveller
) -> None:
    with codes_looked_at() as looked:
        for number in range(TRIES // 3 + 2):
            client = Client()
            reset_in(client, person.user.email, f"another password {number}")
            sign_in(client, person.user.email, f"another password {number}")
            for _ in range(3):
                tries(client, person.wrong_code)
            clock.shift(timedelta(minutes=6))
    assert looked.call_count == TRIES


def test_a_code_lets_in_once_as_long_as_it_is_good(person: Person, clock: Traveller) -> None:
    code = person.code
    assert tries(with_the_password(person), code).status_code == 302
    clock.shift(timedelta(seconds=31))
    assert tries(with_the_password(person), code).status_code == 200


def test_a_recovery_code_is_counted_with_the_others(person: Person, clock: Traveller) -> None:
    recovery = RecoveryCodes.activate(person.user)
    thief = with_the_password(person)
    for _ in range(TRIES):
        tries(thief, "00000000")
    assert tries(thief, recovery.get_unused_codes()[0]).status_code == 200
    clock.shift(timedelta(hours=24, seconds=1))
    owner = with_the_password(person)
    assert tries(owner, recovery.get_unused_codes()[0]).status_code == 302


OTHER_PROCESS = """
import sys
import django
django.setup()
from unittest import mock
from django.test import Client
from allauth.mfa.totp.internal.auth import TOTP
email, password, code = sys.argv[1:]
client = Client()
client.post("/accounts/login/", {"login": email, "password": password})
with mock.patch.object(TOTP, "validate_code", return_value=False) as looked:
    for _ in range(21):
        client.post("/accounts/two-steps/authenticate/", {"code": code})
print("looked at", looked.call_count)
"""


def in_another_process(person: Person) -> int:
    """How many of 21 wrong codes another process of the site checks."""
    name = connection.settings_dict["NAME"]
    head, _, tail = os.environ["DATABASE_URL"].partition("?")
    url = f"{head.rpartition('/')[0]}/{name}"
    done = subprocess.run(
        [sys.executable, "-c", OTHER_PROCESS, person.user.email, PASSWORD, person.wrong_code],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": f"{url}?{tail}" if tail else url},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return int(done.stdout.rpartition("looked at")[2])


@pytest.mark.proof
def test_all_processes_count_together(person: Person) -> None:
    assert in_another_process(person) > 0
    with codes_looked_at() as looked:
        tries(with_the_password(person), person.wrong_code)
    assert looked.call_count == 0


# Who sits at a computer left signed in


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("where", "field"),
    [("account_change_password", "oldpassword"), ("account_reauthenticate", "password")],
)
def test_has_so_many_guesses_at_the_password(where: str, field: str, clock: Traveller) -> None:
    alice = UserFactory.create()
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    client = Client()
    sign_in(client, alice.email)
    new = dict.fromkeys(("password1", "password2"), "nine times six")
    with looked_at() as compared:
        for number in range(TRIES + 10):
            answer = client.post(reverse(where), {field: f"guess {number}", **new})
            clock.shift(timedelta(minutes=1))
    assert compared[alice.email] == TRIES
    assert "too many wrong tries on this device" in answer.text


@pytest.mark.django_db
def test_strangers_do_not_use_up_the_tries_of_a_signed_in_user() -> None:
    alice: User = UserFactory.create()
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    client = Client()
    client.force_login(alice)
    for _ in range(TRIES):
        sign_in(Client(), alice.email, "wrong")
    answer = client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert answer.status_code == 302
