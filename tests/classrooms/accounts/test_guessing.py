"""Guessing adults' passwords and codes lets nobody in and locks nobody out. The arithmetic is in
docs/signing-in.md."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from io import StringIO
from random import Random
from typing import Any
from unittest import mock

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from time_machine import Traveller

from classrooms.accounts import known_devices, limits
from classrooms.accounts.known_devices import DEVICE_LASTS, DEVICES_COOKIE, MOST_ACCOUNTS_ON_DEVICE
from classrooms.models import AdultDevice, User
from classrooms.privacy.tasks import forget_old_sign_ins
from tests.classrooms.accounts.signing_in import (
    ADDRESS_TRIES,
    STRANGERS_TRIES,
    TRIES,
    WRONG,
    Person,
    allow_few_tries,
    behind_a_proxy,
    browser,
    compared_passwords,
    gets_in,
    known_browser,
    set_up_app,
    sign_in,
    signed_in,
    use_up_strangers_tries,
)
from tests.classrooms.people import confirmed, text_on
from tests.counts import times
from tests.factories import PASSWORD, UserFactory

pytestmark = pytest.mark.django_db

A_DAY = timedelta(hours=24)


@pytest.fixture(autouse=True)
def _site(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    behind_a_proxy(settings)
    allow_few_tries(monkeypatch)


def guess(email: str, times: int, password: str = WRONG) -> list[Any]:
    """Each guess comes from another address and a fresh browser."""
    return [sign_in(browser(f"198.51.100.{n}"), email, password) for n in range(times)]


def reset_in(client: Client, email: str, password: str) -> None:
    """Choose a new password through the link in the mail."""
    mail.outbox.clear()
    client.post(reverse("account_reset_password"), {"email": email})
    (link,) = re.findall(r"https?://[^/]+(/\S+)", str(mail.outbox[0].body))
    form = client.get(link, follow=True)
    passwords = dict.fromkeys(("password1", "password2"), password)
    client.post(form.request["PATH_INFO"], passwords)


# Nobody is locked out


def test_wrong_tries_elsewhere_do_not_affect_a_known_device(alice: User) -> None:
    usual = known_browser(alice)
    guess(alice.email, STRANGERS_TRIES + 4)
    guess(alice.email, STRANGERS_TRIES + 4, PASSWORD + "!")
    assert gets_in(usual, alice)


def test_wrong_tries_at_the_same_school_do_not_affect_a_known_device(alice: User) -> None:
    usual = known_browser(alice)
    pupil = browser("192.0.2.7")
    for number in range(ADDRESS_TRIES + 5):
        sign_in(pupil, f"teacher{number}@example.org", WRONG)
    sign_in(pupil, alice.email, WRONG)
    assert gets_in(usual, alice)


def test_an_owner_refused_on_an_unknown_device_gets_in_by_mail(alice: User) -> None:
    guess(alice.email, STRANGERS_TRIES)
    phone = browser("203.0.113.5")
    refused = sign_in(phone, alice.email)
    assert "too many wrong tries on new devices" in text_on(refused)
    assert "Forgot your password?" in text_on(refused)
    reset_in(phone, alice.email, "nine times six")
    guess(alice.email, 2 * STRANGERS_TRIES)
    assert gets_in(phone, alice, "nine times six")


def test_right_passwords_are_not_counted(alice: User) -> None:
    for number in range(STRANGERS_TRIES + 5):
        assert gets_in(browser(f"198.51.100.{number}"), alice)


def test_a_pupil_uses_up_the_tries_of_that_computer_only(alice: User) -> None:
    usual, at_home = known_browser(alice), known_browser(alice, "203.0.113.5")
    for _ in range(STRANGERS_TRIES):
        sign_in(usual, alice.email, WRONG)
    assert "too many wrong tries on this device" in text_on(sign_in(usual, alice.email))
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


def test_a_strangers_guesses_in_24_hours_are_limited(alice: User, clock: Traveller) -> None:
    with compared_passwords() as compared:
        guess(alice.email, STRANGERS_TRIES + 10)
        guess(alice.email.upper(), 5)
        assert compared[alice.email] == STRANGERS_TRIES
        assert not gets_in(browser(), alice)
        clock.shift(A_DAY + timedelta(seconds=1))
        assert gets_in(browser(), alice)


def test_an_addresss_wrong_tries_in_an_hour_are_limited(clock: Traveller) -> None:
    """One password is tried on many accounts."""
    teachers = UserFactory.create_batch(times(ADDRESS_TRIES, 1000) // 2)
    sprayer = browser("198.51.100.9")
    with compared_passwords() as compared:
        for teacher in [*teachers, *teachers, *teachers[:10]]:
            sign_in(sprayer, teacher.email, WRONG)
        assert compared.total() == ADDRESS_TRIES
        assert not gets_in(browser("198.51.100.9"), teachers[0])
        assert gets_in(browser("198.51.100.8"), teachers[0])
        clock.shift(timedelta(hours=1, seconds=1))
        assert gets_in(browser("198.51.100.9"), teachers[0])


def test_a_clients_own_claim_about_its_address_does_not_matter(alice: User) -> None:
    with compared_passwords() as compared:
        for number in range(ADDRESS_TRIES + 10):
            liar = browser(f"203.0.113.{number}, 198.51.100.9")
            sign_in(liar, f"teacher{number}@example.org", WRONG)
        sign_in(browser("198.51.100.9"), alice.email)
    assert compared[alice.email] == 0


# Nothing is revealed


def comparable_answer(answer: Any, queries: CaptureQueriesContext, email: str) -> tuple[Any, ...]:
    text = text_on(answer).replace(email, "").replace(email.lower(), "")
    return (
        answer.status_code,
        re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "", text),
        [re.sub(r'"s\d+_x\d+"', "", query["sql"])[:60] for query in queries],
    )


@pytest.mark.parametrize("before", [0, 3, STRANGERS_TRIES])
def test_an_unknown_address_gets_the_same_answers_as_a_known_one(alice: User, before: int) -> None:
    shapes = []
    for email in (alice.email, "nobody@example.org"):
        guess(email, before)
        client = browser("203.0.113.5")
        client.get(reverse("account_login"))
        with CaptureQueriesContext(connection) as queries:
            answer = sign_in(client, email, WRONG)
        shapes.append(comparable_answer(answer, queries, email))
    assert shapes[0] == shapes[1]


# The mail for a new password


def test_an_address_gets_one_reset_mail_in_five_minutes(alice: User, clock: Traveller) -> None:
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


def test_invented_addresses_keep_no_colleague_from_a_password(
    alice: User, clock: Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "STRANGER_MAIL_LIMITS", ((3, timedelta(hours=1)),))
    url = reverse("account_reset_password")
    emails = [*(f"nobody{number}@example.org" for number in range(6)), alice.email]
    answers = [browser("198.51.100.1").post(url, {"email": email}) for email in emails]
    assert {answer.headers.get("Location") for answer in answers} == {
        reverse("account_reset_password_done")
    }
    assert [message.to for message in mail.outbox] == [
        [email] for email in (*emails[:3], alice.email)
    ]
    browser("198.51.100.2").post(url, {"email": "colleague@example.org"})
    assert mail.outbox[-1].to == ["colleague@example.org"]


def test_many_sign_ups_cost_others_in_the_network_only_a_mail(
    clock: Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "STRANGER_MAIL_LIMITS", ((2, timedelta(hours=24)),))
    for number in range(4):
        email = f"teacher{number}@example.org"
        data = {"email": email, "password1": "a fine long passphrase"}
        browser("198.51.100.1").post(reverse("account_signup"), data)
        assert User.objects.filter(email=email).exists()
    assert len(mail.outbox) == 2


def test_a_blocked_user_is_told_how_long_to_wait(settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"signup": "1/m/ip"}
    answers = [browser().post(reverse("account_signup"), {}) for _ in range(2)]
    assert (answers[1].status_code, answers[1]["Retry-After"]) == (429, "60")
    assert "Wait a minute" in text_on(answers[1])


# The whole attack


@pytest.mark.proof
def test_10_000_wrong_sign_ins_guess_nobody_and_lock_nobody_out(clock: Traveller) -> None:
    """The guesses follow a dictionary with every teacher's password, none of them among its first
    entries, from 100 addresses within a day, while the teachers go on signing in."""
    random = Random(13)
    how_many, tries, addresses = times((3, 30, 6), (50, 10_000, 100))
    dictionary = [f"likely password {number}" for number in range(tries // how_many)]
    teachers = {}
    for number in range(how_many):
        password = random.choice(dictionary[STRANGERS_TRIES:])
        user = UserFactory.create(email=f"teacher{number}@school.example")
        user.set_password(password)
        user.save()
        teachers[user] = password
    usual = {user: browser() for user in teachers}
    for user, password in teachers.items():
        assert gets_in(usual[user], user, password)

    devices = [browser(f"198.51.100.{number}") for number in range(addresses)]
    refused = guessed = 0
    with compared_passwords() as compared:
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
    assert set(compared.values()) == {STRANGERS_TRIES}


# Codes of the second step, and passwords typed again


@pytest.fixture
def person(transactional_db: None) -> Person:
    return Person()


def answer_to_code(client: Client, code: str) -> Any:
    return client.post(reverse("mfa_authenticate"), {"code": code})


def gets_in_by_code(client: Client, person: Person) -> bool:
    sign_in(client, person.user.email)
    answer = answer_to_code(client, person.code)
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
def compared_codes() -> Iterator[mock.Mock]:
    path = "allauth.mfa.totp.internal.auth.TOTP.validate_code"
    with mock.patch(path, autospec=True, side_effect=TOTP.validate_code) as looked:
        yield looked


def test_a_password_thiefs_guesses_at_the_code_are_limited(
    person: Person, clock: Traveller
) -> None:
    with compared_codes() as looked:
        for _ in range(TRIES + 10):
            answer = answer_to_code(with_the_password(person), person.wrong_code)
            clock.shift(timedelta(minutes=31))
    assert looked.call_count == TRIES
    assert "too many wrong codes on new devices" in text_on(answer)


def test_a_password_thief_locks_the_owner_out_of_no_known_device(
    person: Person, clock: Traveller
) -> None:
    usual = Client()
    assert gets_in_by_code(usual, person)
    thief = with_the_password(person)
    for _ in range(TRIES + 10):
        answer_to_code(thief, person.wrong_code)
    clock.shift(timedelta(minutes=2))
    assert gets_in_by_code(usual, person)
    clock.shift(timedelta(minutes=2))
    assert not gets_in_by_code(thief, person)


def test_reading_the_mail_brings_no_more_guesses_at_the_code(
    person: Person, clock: Traveller
) -> None:
    with compared_codes() as looked:
        for number in range(TRIES // 3 + 2):
            client = Client()
            reset_in(client, person.user.email, f"another password {number}")
            sign_in(client, person.user.email, f"another password {number}")
            for _ in range(3):
                answer_to_code(client, person.wrong_code)
            clock.shift(timedelta(minutes=6))
    assert looked.call_count == TRIES


def test_a_code_works_only_once(person: Person, clock: Traveller) -> None:
    code = person.code
    assert answer_to_code(with_the_password(person), code).status_code == 302
    clock.shift(timedelta(seconds=31))
    assert answer_to_code(with_the_password(person), code).status_code == 200


def test_a_recovery_code_is_counted_with_the_others(person: Person, clock: Traveller) -> None:
    recovery = RecoveryCodes.activate(person.user)
    thief = with_the_password(person)
    for _ in range(TRIES):
        answer_to_code(thief, "00000000")
    assert answer_to_code(thief, recovery.get_unused_codes()[0]).status_code == 200
    clock.shift(timedelta(hours=24, seconds=1))
    owner = with_the_password(person)
    assert answer_to_code(owner, recovery.get_unused_codes()[0]).status_code == 302


# A computer that was left signed in


@pytest.mark.parametrize(
    ("where", "field"),
    [("account_change_password", "oldpassword"), ("account_reauthenticate", "password")],
)
def test_a_signed_in_computer_gives_limited_guesses_at_the_password(
    where: str, field: str, clock: Traveller
) -> None:
    alice = confirmed(UserFactory.create())
    client = Client()
    sign_in(client, alice.email)
    new = dict.fromkeys(("password1", "password2"), "nine times six")
    with compared_passwords() as compared:
        for number in range(TRIES + 10):
            answer = client.post(reverse(where), {field: f"guess {number}", **new})
            clock.shift(timedelta(minutes=1))
    assert compared[alice.email] == TRIES
    assert "too many wrong tries on this device" in text_on(answer)


def test_strangers_do_not_use_up_the_tries_of_a_signed_in_user() -> None:
    alice: User = confirmed(UserFactory.create())
    client = Client()
    client.force_login(alice)
    for _ in range(TRIES):
        sign_in(Client(), alice.email, "wrong")
    answer = client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert answer.status_code == 302


# Which devices an account knows, and what makes it forget them


def is_known(client: Client, user: User, password: str = PASSWORD) -> bool:
    """Whether this browser gets in where unknown ones are refused."""
    use_up_strangers_tries(user)
    return gets_in(client, user, password)


def with_cookie(value: str) -> Client:
    client = Client()
    client.cookies[DEVICES_COOKIE] = value
    return client


def test_a_device_is_known_after_somebody_has_signed_in_on_it(alice: User) -> None:
    client = known_browser(alice)
    use_up_strangers_tries(alice)
    assert gets_in(client, alice)
    assert not gets_in(Client(), alice)


def test_signing_up_makes_a_device_known(client: Client) -> None:
    client.post(reverse("account_signup"), {"email": "bob@example.org", "password1": PASSWORD})
    client.post(reverse("account_logout"))
    assert is_known(client, User.objects.get())


def test_the_password_without_the_code_makes_no_device_known(confirmed_alice: User) -> None:
    set_up_app(signed_in(confirmed_alice))
    AdultDevice.objects.all().delete()
    client = Client()
    assert sign_in(client, confirmed_alice.email).headers["Location"] == reverse("mfa_authenticate")
    assert DEVICES_COOKIE not in client.cookies
    assert not AdultDevice.objects.exists()


@pytest.fixture
def confirmed_alice(alice: User) -> User:
    confirmed(alice)
    return alice


def test_scripts_and_other_sites_cannot_reach_the_cookie(alice: User, settings: Any) -> None:
    settings.SESSION_COOKIE_SECURE = True
    cookie = known_browser(alice).cookies[DEVICES_COOKIE]
    assert (cookie["httponly"], cookie["samesite"], cookie["secure"]) == (True, "Lax", True)
    assert cookie["max-age"] == DEVICE_LASTS.total_seconds()


def test_a_forged_cookie_does_not_make_a_device_known(alice: User) -> None:
    cookie = known_browser(alice).cookies[DEVICES_COOKIE].value
    use_up_strangers_tries(alice)
    for forged in ("", "x", cookie[:-1], cookie + "x", "a:b:c", "é", "." * 5000):
        assert not gets_in(with_cookie(forged), alice)


def test_a_copied_cookie_is_worth_nothing_after_the_next_sign_in(alice: User) -> None:
    client = known_browser(alice)
    copied = client.cookies[DEVICES_COOKIE].value
    assert gets_in(client, alice)
    use_up_strangers_tries(alice)
    assert not gets_in(with_cookie(copied), alice)
    assert gets_in(client, alice)


def test_a_cookie_set_beforehand_does_not_become_known(alice: User) -> None:
    shared = known_browser(UserFactory.create())
    planted = shared.cookies[DEVICES_COOKIE].value
    assert gets_in(shared, alice)
    use_up_strangers_tries(alice)
    assert not gets_in(with_cookie(planted), alice)
    assert gets_in(shared, alice)


def test_accounts_that_share_a_device_are_not_connected() -> None:
    client = Client()
    people = UserFactory.create_batch(MOST_ACCOUNTS_ON_DEVICE)
    for user in people:
        assert gets_in(client, user)
    for user in people:
        assert is_known(client, user)
    assert AdultDevice.objects.count() == len(people)
    hashes = AdultDevice.objects.values_list("device_hash", flat=True)
    assert len(set(hashes)) == len(people)
    assert not any(value in client.cookies[DEVICES_COOKIE].value for value in hashes)


def test_a_device_keeps_its_wrong_tries_when_its_id_changes(alice: User) -> None:
    client = known_browser(alice)
    for _ in range(STRANGERS_TRIES - 1):
        sign_in(client, alice.email, "wrong")
    assert gets_in(client, alice)
    sign_in(client, alice.email, "wrong")
    assert not gets_in(client, alice)


def test_an_account_knows_only_the_devices_last_used(
    alice: User, clock: Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known_devices, "MOST_DEVICES", 3)
    first = known_browser(alice)
    for _ in range(3):
        clock.shift(timedelta(minutes=1))
        last = known_browser(alice)
    assert AdultDevice.objects.count() == 3
    assert not is_known(first, alice)
    assert gets_in(last, alice)


def test_a_device_unseen_for_two_years_is_forgotten(alice: User, clock: Traveller) -> None:
    known_browser(alice)
    clock.shift(DEVICE_LASTS - timedelta(days=1))
    forget_old_sign_ins()
    assert AdultDevice.objects.exists()
    clock.shift(timedelta(days=1))
    forget_old_sign_ins()
    assert not AdultDevice.objects.exists()


def test_a_changed_password_keeps_only_this_device_known(alice: User) -> None:
    here, elsewhere = known_browser(alice), known_browser(alice)
    sign_in(here, alice.email)
    new = {"oldpassword": PASSWORD} | dict.fromkeys(("password1", "password2"), "nine times six")
    here.post(reverse("account_change_password"), new)
    here.post(reverse("account_logout"))
    assert AdultDevice.objects.count() == 1
    assert is_known(here, alice, "nine times six")
    assert not gets_in(elsewhere, alice, "nine times six")


def test_a_reset_password_makes_only_this_device_known(alice: User) -> None:
    elsewhere, here = known_browser(alice), Client()
    reset_in(here, alice.email, "nine times six")
    assert is_known(here, alice, "nine times six")
    assert not gets_in(elsewhere, alice, "nine times six")


def test_a_new_password_gives_unknown_devices_their_tries_back(alice: User) -> None:
    use_up_strangers_tries(alice)
    reset_in(Client(), alice.email, "nine times six")
    assert gets_in(Client(), alice, "nine times six")


def test_an_account_that_is_deleted_takes_its_devices_along(alice: User) -> None:
    known_browser(alice)
    alice.delete()
    assert not AdultDevice.objects.exists()
