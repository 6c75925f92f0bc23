"""Several accounts may claim one address. Whoever makes accounts with a stranger's address learns
nothing about the stranger's account, and gets no more guesses at its password."""

import re
from itertools import pairwise
from typing import Any
from unittest import mock

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.test import Client
from django.urls import reverse

from classrooms.accounts import backends
from classrooms.audit import What
from classrooms.models import AuditEntry, User
from tests.classrooms.accounts.signing_in import (
    STRANGERS_TRIES,
    WRONG,
    allow_few_tries,
    behind_a_proxy,
    browser,
    compared_passwords,
    gets_in,
    sign_in,
)
from tests.classrooms.people import confirmed, text_on
from tests.counts import times
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db

MOST_ACCOUNTS_OF_ADDRESS = times(3, backends.MOST_ACCOUNTS)
"""The limit of accounts with one address that can sign in."""
KNOWN, UNKNOWN = "alice@example.org", "nobody@example.org"
ANOTHER = "seven times eight"


@pytest.fixture(autouse=True)
def _site(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    behind_a_proxy(settings)
    allow_few_tries(monkeypatch)


@pytest.fixture
def alice() -> User:
    alice = UserFactory.create(email=KNOWN)
    EmailAddress.objects.create(user=alice, email=KNOWN, verified=True, primary=True)
    return alice


def make_account(email: str, password: str = ANOTHER) -> Client:
    client = browser("203.0.113.9")
    posted = {"email": email, "password1": password}
    assert client.post(reverse("account_signup"), posted).status_code == 302
    return client


def change_password(client: Client, old: str, new: str) -> None:
    posted = {"oldpassword": old, "password1": new, "password2": new}
    assert client.post(reverse("account_change_password"), posted).status_code == 302


def guesses(email: str, times: int) -> list[str]:
    """The answers to wrong passwords, each from its own device and address."""
    answers = [sign_in(browser(f"198.51.100.{n}"), email, WRONG) for n in range(times)]
    return ["too many" if "too many" in text_on(answer) else "wrong" for answer in answers]


def answers_to_a_new_account_after_guessing(email: str) -> list[str]:
    before = guesses(email, STRANGERS_TRIES + 1)
    make_account(email)
    return before + guesses(email, STRANGERS_TRIES + 1)


def test_used_up_tries_do_not_show_which_addresses_are_known(alice: User) -> None:
    answers = answers_to_a_new_account_after_guessing(KNOWN)
    assert answers == answers_to_a_new_account_after_guessing(UNKNOWN)


def answers_around_a_new_password(email: str) -> list[str]:
    client = make_account(email)
    before = guesses(email, STRANGERS_TRIES + 1)
    change_password(client, ANOTHER, "nine times six")
    return before + guesses(email, STRANGERS_TRIES + 1)


def test_a_new_password_does_not_show_which_addresses_are_known(alice: User) -> None:
    assert answers_around_a_new_password(KNOWN) == answers_around_a_new_password(UNKNOWN)


def accounts_that_let_in(email: str) -> list[bool]:
    passwords = [f"{ANOTHER} {number}" for number in range(MOST_ACCOUNTS_OF_ADDRESS + 2)]
    for password in passwords:
        make_account(email, password)
    return [
        sign_in(browser("203.0.113.9"), email, password).status_code == 302
        for password in passwords
    ]


def test_the_number_of_accounts_does_not_show_known_addresses(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backends, "MOST_ACCOUNTS", MOST_ACCOUNTS_OF_ADDRESS)
    assert accounts_that_let_in(KNOWN) == accounts_that_let_in(UNKNOWN)


def test_a_guess_at_an_own_account_counts_for_the_others_of_the_address(alice: User) -> None:
    mine = UserFactory.create(email=KNOWN)
    with compared_passwords("pk") as compared:
        for number in range(STRANGERS_TRIES + 5):
            mine.set_password(f"guess {number}")
            mine.save()
            assert gets_in(browser(f"198.51.100.{number}"), mine, f"guess {number}")
    assert compared[alice.pk] == STRANGERS_TRIES
    assert AuditEntry.objects.filter(what=What.WRONG_PASSWORD, account=alice).exists()


def test_a_new_password_of_an_own_account_brings_no_more_guesses() -> None:
    mine = make_account(KNOWN)
    alice = UserFactory.create(email=KNOWN)
    passwords = [ANOTHER, "nine times six", "four times eight", "six times seven"]
    with compared_passwords("pk") as compared:
        for old, new in pairwise(passwords):
            guesses(KNOWN, STRANGERS_TRIES)
            change_password(mine, old, new)
    assert compared[alice.pk] == STRANGERS_TRIES


def test_a_wrong_password_is_logged_for_the_confirmed_owner() -> None:
    UserFactory.create(email=KNOWN)
    alice = UserFactory.create(email=KNOWN)
    EmailAddress.objects.create(user=alice, email=KNOWN, verified=True, primary=True)
    guesses(KNOWN, 1)
    entries = AuditEntry.objects.filter(what=What.WRONG_PASSWORD)
    assert [entry.account for entry in entries] == [alice]


def link_in_the_mail(email: str) -> str:
    mail.outbox.clear()
    Client().post(reverse("account_reset_password"), {"email": email})
    (link,) = re.findall(r"https?://[^/]+(/\S+)", str(mail.outbox[0].body))
    return link


def choose_password(link: str, password: str) -> None:
    client = Client()
    form = client.get(link, follow=True).request["PATH_INFO"]
    client.post(form, dict.fromkeys(("password1", "password2"), password))


def test_an_unconfirmed_account_takes_nobodys_mail() -> None:
    mallory = confirmed(UserFactory.create(email="mallory@example.com"))
    EmailAddress.objects.create(user=mallory, email=KNOWN)
    alice = UserFactory.create(email=KNOWN)
    choose_password(link_in_the_mail(KNOWN), ANOTHER)
    assert gets_in(browser(), alice, ANOTHER)


def ways_beside_the_password(user: User) -> int:
    return SocialAccount.objects.filter(user=user).count() + (
        Authenticator.objects.filter(user=user).count()
    )


@pytest.mark.parametrize(("is_confirmed", "stay"), [(False, 0), (True, 2)])
def test_a_squatter_is_out_when_the_owner_confirms_the_address(
    is_confirmed: bool, stay: int
) -> None:
    """A stranger makes an account, connects it to one at Google, and waits."""
    user: User = UserFactory.create(email=KNOWN)
    EmailAddress.objects.create(user=user, email=KNOWN, verified=is_confirmed, primary=True)
    SocialAccount.objects.create(user=user, provider="google", uid="66")
    Authenticator.objects.create(user=user, type="recovery_codes", data={})
    choose_password(link_in_the_mail(KNOWN), ANOTHER)
    assert ways_beside_the_password(user) == stay
    entries = AuditEntry.objects.filter(what=What.DISCONNECTED, account=user)
    assert entries.exists() is not is_confirmed


@pytest.mark.parametrize("password", [WRONG, ANOTHER])
def test_signing_up_hashes_as_much_for_a_known_address(alice: User, password: str) -> None:
    """So does signing in to it from an unknown device."""
    encode = MD5PasswordHasher.encode
    counts = []
    for email in (KNOWN, UNKNOWN):
        make_account(email)
        with mock.patch.object(MD5PasswordHasher, "encode", autospec=True) as hashed:
            hashed.side_effect = encode
            sign_in(browser(), email, password)
        counts.append(hashed.call_count)
    assert counts[0] == counts[1]
