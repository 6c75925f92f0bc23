"""Tries are counted in sliding windows; nobody gets more of them by trying at once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from time_machine import Traveller

from classrooms.accounts.limits import OF_AN_ACCOUNT, OF_AN_ADDRESS
from classrooms.models import WrongSignIns
from classrooms.privacy.erasure import forget_old_sign_ins
from classrooms.tries import Counter, Limits, forget, give_back, take
from tests.counts import times

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

AT_ONCE = 6
ACCOUNT = Counter("an account", OF_AN_ACCOUNT)
ADDRESS = Counter("an address", OF_AN_ADDRESS)


@pytest.mark.parametrize("limits", [OF_AN_ACCOUNT, OF_AN_ADDRESS])
def test_in_no_window_are_there_more_tries_than_allowed(limits: Limits, clock: Traveller) -> None:
    """Somebody who tries whenever they may, for a month and more, and just before they may."""
    clock.shift(timedelta(seconds=0.5))
    pause = (min(window for _, window in limits) - timedelta(seconds=0.3)) / times(7, 97)
    windows = [window for _, window in limits]
    end = timezone.now() + max(windows) * times(1.2, 3)
    looked_at: list[datetime] = []
    while timezone.now() < end:
        while take([Counter("an account", limits)]):
            looked_at.append(timezone.now())
        clock.shift(pause)
    for most, window in limits:
        in_each = [sum(start <= at < start + window for at in looked_at) for start in looked_at]
        assert max(in_each) == most


def test_a_try_that_was_right_does_not_count(clock: Traveller) -> None:
    for _ in range(3 * OF_AN_ACCOUNT[0][0]):
        taken = take([ACCOUNT, ADDRESS])
        assert taken
        give_back(taken)
    assert list(WrongSignIns.objects.values_list("times", flat=True)) == [[], []]


def test_where_one_is_used_up_none_is_counted(clock: Traveller) -> None:
    for _ in range(OF_AN_ACCOUNT[0][0]):
        assert take([ACCOUNT])
    assert take([ACCOUNT, ADDRESS]) is None
    assert WrongSignIns.objects.count() == 1
    assert take([ADDRESS])


def test_what_is_forgotten_begins_anew(clock: Traveller) -> None:
    while take([ACCOUNT]):
        pass
    forget([ACCOUNT])
    assert take([ACCOUNT])


def test_what_counts_no_more_is_gone_after_the_night(clock: Traveller) -> None:
    take([ACCOUNT, ADDRESS])
    clock.shift(timedelta(hours=1, seconds=1))
    forget_old_sign_ins()
    assert WrongSignIns.objects.get().key_hash == ACCOUNT.key_hash
    clock.shift(timedelta(days=30, seconds=1))
    forget_old_sign_ins()
    assert not WrongSignIns.objects.exists()


def test_nothing_kept_says_where_or_at_whom_the_try_was() -> None:
    take([Counter("password:from:192.0.2.7", OF_AN_ADDRESS)])
    assert "192.0.2.7" not in str(list(WrongSignIns.objects.values()))


def at_once(do: Callable[[int], Any]) -> list[Any]:
    ready = Barrier(AT_ONCE)

    def in_thread(number: int) -> Any:
        try:
            connection.ensure_connection()
            ready.wait(timeout=60)
            return do(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(in_thread, range(AT_ONCE)))


def test_of_tries_at_once_only_those_that_are_left_are_looked_at() -> None:
    for _ in range(OF_AN_ACCOUNT[0][0] - 2):
        assert take([ACCOUNT])
    assert sum(taken is not None for taken in at_once(lambda _: take([ACCOUNT]))) == 2


def test_tries_at_once_at_many_accounts_from_one_address_wait_for_no_lock() -> None:
    """Each takes its account's row and the one that they share, in whatever order they come."""

    def try_many(number: int) -> list[bool]:
        accounts = [Counter(f"account {(number + i) % 3}", OF_AN_ACCOUNT) for i in range(6)]
        return [take([account, ADDRESS]) is not None for account in accounts]

    assert all(all(taken) for taken in at_once(try_many))
    row = WrongSignIns.objects.get(key_hash=ADDRESS.key_hash)
    assert len(row.times) == AT_ONCE * 6
