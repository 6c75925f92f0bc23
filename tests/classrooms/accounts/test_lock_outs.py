"""Guessing adults' passwords neither succeeds nor locks anybody out. The arithmetic:
docs/signing-in.md."""

import re
from datetime import timedelta
from io import StringIO
from random import Random
from typing import Any

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from time_machine import Traveller

from classrooms.accounts import limits
from classrooms.models import User
from tests.classrooms.accounts.signing_in import (
    FROM_ONE_ADDRESS,
    STRANGERS,
    WRONG,
    allow_few_tries,
    behind_a_proxy,
    browser,
    gets_in,
    known_browser,
    looked_at,
    sign_in,
    use_up_strangers_tries,
)
from tests.counts import times
from tests.factories import PASSWORD, UserFactory

pytestmark = pytest.mark.django_db

A_DAY = timedelta(hours=24)


@pytest.fixture(autouse=True)
def _site(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    behind_a_proxy(settings)
    allow_few_tries(monkeypatch)


def guess(email: str, times: int, password: str = WRONG) -> list[Any]:
    """Each time from another address and in a fresh browser."""
    return [sign_in(browser(f"198.51.100.{n}"), email, password) for n in range(times)]


def reset_in(client: Client, email: str, password: str) -> None:
    """Choose a new password by the link in the mail."""
    mail.outbox.clear()
    client.post(reverse("account_reset_password"), {"email": email})
    (link,) = re.findall(r"https?://[^/]+(/\S+)", str(mail.outbox[0].body))
    form = client.get(link, follow=True)
    passwords = dict.fromkeys(("password1", "password2"), password)
    client.post(form.request["PATH_INFO"], passwords)


# Nobody is kept out


def test_wrong_tries_from_anywhere_do_not_touch_a_device_that_the_account_knows(
    alice: User,
) -> None:
    usual = known_browser(alice)
    guess(alice.email, STRANGERS + 4)
    guess(alice.email, STRANGERS + 4, PASSWORD + "!")
    assert gets_in(usual, alice)


def test_nor_do_wrong_tries_from_the_same_school(alice: User) -> None:
    usual = known_browser(alice)
    pupil = browser("192.0.2.7")
    for number in range(FROM_ONE_ADDRESS + 5):
        sign_in(pupil, f"teacher{number}@example.org", WRONG)
    sign_in(pupil, alice.email, WRONG)
    assert gets_in(usual, alice)


def test_who_is_refused_on_a_strange_device_gets_in_by_mail(alice: User) -> None:
    guess(alice.email, STRANGERS)
    phone = browser("203.0.113.5")
    refused = sign_in(phone, alice.email)
    assert "too many wrong tries on new devices" in refused.text
    assert "Forgot your password?" in refused.text
    reset_in(phone, alice.email, "nine times six")
    guess(alice.email, 2 * STRANGERS)
    assert gets_in(phone, alice, "nine times six")


def test_right_passwords_are_not_counted(alice: User) -> None:
    for number in range(STRANGERS + 5):
        assert gets_in(browser(f"198.51.100.{number}"), alice)


def test_a_pupil_at_the_teachers_own_computer_uses_up_that_computer_alone(alice: User) -> None:
    usual, at_home = known_browser(alice), known_browser(alice, "203.0.113.5")
    for _ in range(STRANGERS):
        sign_in(usual, alice.email, WRONG)
    assert "too many wrong tries on this device" in sign_in(usual, alice.email).text
    assert gets_in(at_home, alice)
    assert gets_in(browser(), alice)
    reset_in(usual, alice.email, "nine times six")
    assert gets_in(usual, alice, "nine times six")


def test_the_operator_lets_a_teacher_in_where_no_mail_is_sent(alice: User) -> None:
    use_up_strangers_tries(alice)
    assert not gets_in(browser(), alice)
    call_command("let_in", alice.email, stdout=StringIO())
    assert gets_in(browser(), alice)
    with pytest.raises(CommandError):
        call_command("let_in", "nobody@example.org")


# Nobody gets in


def test_a_stranger_has_so_many_guesses_at_an_account_in_24_hours(
    alice: User, clock: Traveller
) -> None:
    with looked_at() as compared:
        guess(alice.email, STRANGERS + 10)
        guess(alice.email.upper(), 5)
        assert compared[alice.email] == STRANGERS
        assert not gets_in(browser(), alice)
        clock.shift(A_DAY + timedelta(seconds=1))
        assert gets_in(browser(), alice)


def test_one_address_has_so_many_wrong_tries_in_an_hour(clock: Traveller) -> None:
    """One password tried at everybody."""
    teachers = UserFactory.create_batch(times(FROM_ONE_ADDRESS, 1000) // 2)
    sprayer = browser("198.51.100.9")
    with looked_at() as compared:
        for teacher in [*teachers, *teachers, *teachers[:10]]:
            sign_in(sprayer, teacher.email, WRONG)
        assert compared.total() == FROM_ONE_ADDRESS
        assert not gets_in(browser("198.51.100.9"), teachers[0])
        assert gets_in(browser("198.51.100.8"), teachers[0])
        clock.shift(timedelta(hours=1, seconds=1))
        assert gets_in(browser("198.51.100.9"), teachers[0])


def test_what_a_client_says_of_its_address_does_not_matter(alice: User) -> None:
    with looked_at() as compared:
        for number in range(FROM_ONE_ADDRESS + 10):
            liar = browser(f"203.0.113.{number}, 198.51.100.9")
            sign_in(liar, f"teacher{number}@example.org", WRONG)
        sign_in(browser("198.51.100.9"), alice.email)
    assert compared[alice.email] == 0


# Nothing is given away


def shape(answer: Any, queries: CaptureQueriesContext, email: str) -> tuple[Any, ...]:
    text = answer.text.replace(email, "").replace(email.lower(), "")
    return (
        answer.status_code,
        re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "", text),
        [re.sub(r'"s\d+_x\d+"', "", query["sql"])[:60] for query in queries],
    )


@pytest.mark.parametrize("before", [0, 3, STRANGERS])
def test_an_address_of_nobody_is_answered_alike_and_with_the_same_steps(
    alice: User, before: int
) -> None:
    shapes = []
    for email in (alice.email, "nobody@example.org"):
        guess(email, before)
        client = browser("203.0.113.5")
        client.get(reverse("account_login"))
        with CaptureQueriesContext(connection) as queries:
            answer = sign_in(client, email, WRONG)
        shapes.append(shape(answer, queries, email))
    assert shapes[0] == shapes[1]


# The mail for a new password


def test_one_reset_mail_in_five_minutes_goes_to_an_address(alice: User, clock: Traveller) -> None:
    url = reverse("account_reset_password")
    for number in range(10):
        client = browser(f"198.51.100.{number}")
        answer = client.post(url, {"email": alice.email.upper() if number % 2 else alice.email})
        assert answer.headers["Location"] == reverse("account_reset_password_done")
        clock.shift(timedelta(seconds=29))
    assert len(mail.outbox) == 1
    clock.shift(timedelta(seconds=10))
    client.post(url, {"email": alice.email})
    assert len(mail.outbox) == 2


def test_made_up_addresses_keep_nobody_at_the_school_from_a_new_password(
    alice: User, clock: Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAILS_TO_STRANGERS", ((3, timedelta(hours=1)),))
    url = reverse("account_reset_password")
    emails = [*(f"nobody{number}@example.org" for number in range(6)), alice.email]
    answers = [browser("198.51.100.1").post(url, {"email": email}) for email in emails]
    assert {answer.headers.get("Location") for answer in answers} == {
        reverse("account_reset_password_done")
    }
    assert [sent.to for sent in mail.outbox] == [[email] for email in (*emails[:3], alice.email)]
    browser("198.51.100.2").post(url, {"email": "colleague@example.org"})
    assert mail.outbox[-1].to == ["colleague@example.org"]


def test_many_sign_ups_cost_others_in_the_network_only_a_mail(
    clock: Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAILS_TO_STRANGERS", ((2, timedelta(hours=24)),))
    for number in range(4):
        email = f"teacher{number}@example.org"
        data = {"email": email, "password1": "a fine long passphrase"}
        browser("198.51.100.1").post(reverse("account_signup"), data)
        assert User.objects.filter(email=email).exists()
    assert len(mail.outbox) == 2


def test_who_must_wait_is_told_how_long(settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"signup": "1/m/ip"}
    answers = [browser().post(reverse("account_signup"), {}) for _ in range(2)]
    assert (answers[1].status_code, answers[1]["Retry-After"]) == (429, "60")
    assert "Wait a minute" in answers[1].text


# The whole attack


@pytest.mark.proof
def test_10_000_wrong_sign_ins_at_50_teachers_guess_nobody_and_keep_nobody_out(
    clock: Traveller,
) -> None:
    """A dictionary that has every teacher's password, but none among its first entries, tried in
    order from 100 addresses within a day, while the teachers go on signing in."""
    random = Random(13)
    how_many, tries, addresses = times((3, 30, 6), (50, 10_000, 100))
    dictionary = [f"likely password {number}" for number in range(tries // how_many)]
    teachers = {}
    for number in range(how_many):
        password = random.choice(dictionary[STRANGERS:])
        user = UserFactory.create(email=f"teacher{number}@school.example")
        user.set_password(password)
        user.save()
        teachers[user] = password
    usual = {user: browser() for user in teachers}
    for user, password in teachers.items():
        assert gets_in(usual[user], user, password)

    devices = [browser(f"198.51.100.{number}") for number in range(addresses)]
    refused = guessed = 0
    with looked_at() as compared:
        for number in range(tries):
            clock.shift(timedelta(hours=20) / tries)
            user = list(teachers)[number % how_many]
            device = random.choice(devices)
            guessed += gets_in(device, user, dictionary[number // how_many])
            if number % 7 == 0:
                user = random.choice(list(teachers))
                refused += not gets_in(usual[user], user, teachers[user])
                compared[user.email] -= 1
    assert (guessed, refused) == (0, 0)
    assert set(compared.values()) == {STRANGERS}
