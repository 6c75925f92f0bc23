"""Which devices an account knows, and what makes it forget them."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse
from time_machine import Traveller

from classrooms.accounts import limits
from classrooms.accounts.limits import DEVICE_LASTS, DEVICES_COOKIE, MOST_IN_A_COOKIE
from classrooms.models import AdultDevice, User
from classrooms.privacy.erasure import forget_old_sign_ins
from tests.classrooms.accounts.signing_in import (
    STRANGERS,
    allow_few_tries,
    gets_in,
    known_browser,
    sign_in,
    use_up_strangers_tries,
)
from tests.classrooms.accounts.test_accounts import set_up_app, signed_in
from tests.classrooms.accounts.test_lock_outs import reset_in
from tests.factories import PASSWORD, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _few_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    allow_few_tries(monkeypatch)


def is_known(client: Client, user: User, password: str = PASSWORD) -> bool:
    """Whether this browser gets in where strange ones are refused."""
    use_up_strangers_tries(user)
    return gets_in(client, user, password)


def with_cookie(value: str) -> Client:
    client = Client()
    client.cookies[DEVICES_COOKIE] = value
    return client


def test_a_device_is_known_once_somebody_has_signed_in_on_it(alice: User) -> None:
    client = known_browser(alice)
    use_up_strangers_tries(alice)
    assert gets_in(client, alice)
    assert not gets_in(Client(), alice)


def test_signing_up_makes_it_known_too(client: Client) -> None:
    client.post(reverse("account_signup"), {"email": "bob@example.org", "password1": PASSWORD})
    client.post(reverse("account_logout"))
    assert is_known(client, User.objects.get())


def test_the_password_alone_makes_no_device_known_where_there_is_a_second_step(
    confirmed: User,
) -> None:
    set_up_app(signed_in(confirmed))
    AdultDevice.objects.all().delete()
    client = Client()
    assert sign_in(client, confirmed.email).headers["Location"] == reverse("mfa_authenticate")
    assert DEVICES_COOKIE not in client.cookies
    assert not AdultDevice.objects.exists()


@pytest.fixture
def confirmed(alice: User) -> User:
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    return alice


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(alice: User, settings: Any) -> None:
    settings.SESSION_COOKIE_SECURE = True
    cookie = known_browser(alice).cookies[DEVICES_COOKIE]
    assert (cookie["httponly"], cookie["samesite"], cookie["secure"]) == (True, "Lax", True)
    assert cookie["max-age"] == DEVICE_LASTS.total_seconds()


def test_a_forged_cookie_is_no_device(alice: User) -> None:
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


def test_a_cookie_that_somebody_put_there_before_is_not_what_becomes_known(alice: User) -> None:
    shared = known_browser(UserFactory.create())
    planted = shared.cookies[DEVICES_COOKIE].value
    assert gets_in(shared, alice)
    use_up_strangers_tries(alice)
    assert not gets_in(with_cookie(planted), alice)
    assert gets_in(shared, alice)


def test_several_accounts_share_a_device_and_nothing_in_the_database_says_so() -> None:
    client = Client()
    people = UserFactory.create_batch(MOST_IN_A_COOKIE)
    for user in people:
        assert gets_in(client, user)
    for user in people:
        assert is_known(client, user)
    assert AdultDevice.objects.count() == len(people)
    hashes = AdultDevice.objects.values_list("device_hash", flat=True)
    assert len(set(hashes)) == len(people)
    assert not any(kept in client.cookies[DEVICES_COOKIE].value for kept in hashes)


def test_the_wrong_tries_of_a_device_stay_with_it_when_its_id_changes(alice: User) -> None:
    client = known_browser(alice)
    for _ in range(STRANGERS - 1):
        sign_in(client, alice.email, "wrong")
    assert gets_in(client, alice)
    sign_in(client, alice.email, "wrong")
    assert not gets_in(client, alice)


def test_an_account_knows_so_many_devices_those_used_last(
    alice: User, clock: Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST_OF_A_USER", 3)
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


def test_who_changes_the_password_keeps_this_device_and_forgets_the_others(alice: User) -> None:
    here, elsewhere = known_browser(alice), known_browser(alice)
    sign_in(here, alice.email)
    new = {"oldpassword": PASSWORD} | dict.fromkeys(("password1", "password2"), "nine times six")
    here.post(reverse("account_change_password"), new)
    here.post(reverse("account_logout"))
    assert AdultDevice.objects.count() == 1
    assert is_known(here, alice, "nine times six")
    assert not gets_in(elsewhere, alice, "nine times six")


def test_who_resets_the_password_knows_this_device_and_forgets_the_others(alice: User) -> None:
    elsewhere, here = known_browser(alice), Client()
    reset_in(here, alice.email, "nine times six")
    assert is_known(here, alice, "nine times six")
    assert not gets_in(elsewhere, alice, "nine times six")


def test_a_new_password_gives_strange_devices_their_tries_back(alice: User) -> None:
    use_up_strangers_tries(alice)
    reset_in(Client(), alice.email, "nine times six")
    assert gets_in(Client(), alice, "nine times six")


def test_an_account_that_is_deleted_takes_its_devices_along(alice: User) -> None:
    known_browser(alice)
    alice.delete()
    assert not AdultDevice.objects.exists()
