"""Tries are counted in sliding windows, and trying at once gives nobody more of them."""

from collections.abc import Callable
from datetime import datetime, timedelta
from unittest import mock
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from time_machine import Traveller

from classrooms.accounts.limits import ACCOUNT_LIMITS, NETWORK_LIMITS
from classrooms.accounts.shared_store import SharedStore
from classrooms.assignments import playing
from classrooms.models import Assignment, Child, SharedValue, WrongSignIns
from classrooms.privacy.tasks import forget_old_sign_ins
from classrooms.tries import Counter, Limits, count_tries, give_back
from tests.classrooms.people import client_of_child
from tests.counts import at_once, times

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]
AT_ONCE = 6
ACCOUNT = Counter("an account", ACCOUNT_LIMITS)
ADDRESS = Counter("an address", NETWORK_LIMITS)


@pytest.mark.parametrize("limits", [ACCOUNT_LIMITS, NETWORK_LIMITS])
def test_no_window_has_more_tries_than_allowed(limits: Limits, clock: Traveller) -> None:
    """For more than a month somebody tries whenever they may, and just before."""
    clock.shift(timedelta(seconds=0.5))
    pause = (min(window for _, window in limits) - timedelta(seconds=0.3)) / times(7, 97)
    windows = [window for _, window in limits]
    end = timezone.now() + max(windows) * times(1.2, 3)
    looked_at: list[datetime] = []
    while timezone.now() < end:
        while count_tries([Counter("an account", limits)]):
            looked_at.append(timezone.now())
        clock.shift(pause)
    for most, window in limits:
        in_each = [sum(start <= at < start + window for at in looked_at) for start in looked_at]
        assert max(in_each) == most


def test_a_try_that_was_right_does_not_count(clock: Traveller) -> None:
    for _ in range(3 * ACCOUNT_LIMITS[0][0]):
        try_count = count_tries([ACCOUNT, ADDRESS])
        assert try_count
        give_back(try_count)
    assert list(WrongSignIns.objects.values_list("times", flat=True)) == [[], []]


def test_a_try_refused_by_one_limit_counts_for_none(clock: Traveller) -> None:
    for _ in range(ACCOUNT_LIMITS[0][0]):
        assert count_tries([ACCOUNT])
    assert count_tries([ACCOUNT, ADDRESS]) is None
    assert WrongSignIns.objects.count() == 1
    assert count_tries([ADDRESS])


def test_tries_that_no_longer_count_are_deleted_at_night(clock: Traveller) -> None:
    count_tries([ACCOUNT, ADDRESS])
    clock.shift(timedelta(hours=1, seconds=1))
    forget_old_sign_ins()
    assert WrongSignIns.objects.get().key_hash == ACCOUNT.key_hash
    clock.shift(timedelta(days=30, seconds=1))
    forget_old_sign_ins()
    assert not WrongSignIns.objects.exists()


def test_nothing_stored_says_where_or_at_whom_the_try_was() -> None:
    count_tries([Counter("password:from:192.0.2.7", NETWORK_LIMITS)])
    assert "192.0.2.7" not in str(list(WrongSignIns.objects.values()))


def test_only_as_many_tries_at_once_as_are_left_are_checked() -> None:
    for _ in range(ACCOUNT_LIMITS[0][0] - 2):
        assert count_tries([ACCOUNT])
    tries = at_once(lambda _: count_tries([ACCOUNT]), AT_ONCE)
    assert sum(may_try is not None for may_try in tries) == 2


def test_tries_at_once_from_one_address_wait_for_no_lock() -> None:
    """Each try takes the row of its account and the shared row, in any order."""

    def try_many(number: int) -> list[bool]:
        accounts = [Counter(f"account {(number + i) % 3}", ACCOUNT_LIMITS) for i in range(6)]
        return [count_tries([account, ADDRESS]) is not None for account in accounts]

    assert all(all(may_try) for may_try in at_once(try_many, AT_ONCE))
    row = WrongSignIns.objects.get(key_hash=ADDRESS.key_hash)
    assert len(row.times) == AT_ONCE * 6


# Limits are counted for all processes together, and entries are never evicted


def add_in_a_transaction() -> bool:
    with transaction.atomic():
        return cache.add("lock", True, 60)


@pytest.mark.parametrize("add", [lambda: cache.add("lock", True, 60), add_in_a_transaction])
def test_of_several_simultaneous_adds_one_succeeds(add: Callable[[], bool]) -> None:
    """The first time there is no entry, later one that has ended."""
    for _ in range(times(5, 50)):
        assert sorted(at_once(lambda _: add(), AT_ONCE)) == [False] * (AT_ONCE - 1) + [True]
        SharedValue.objects.update(ends_at=timezone.now() - timedelta(seconds=1))


def test_another_process_reads_what_one_wrote() -> None:
    cache.set("tries", [1.5, 2.5], 60)
    assert SharedStore("", {}).get("tries") == [1.5, 2.5]


def test_no_valid_entry_is_evicted() -> None:
    cache.set("tries", [1.5], 3600)
    for number in range(times(400, 4000)):
        cache.set(f"a stranger's {number}", True, 3600)
    forget_old_sign_ins()
    assert cache.get("tries") == [1.5]


def test_an_entry_ends_when_its_time_is_over(clock: Traveller) -> None:
    cache.set("tries", 1, 60)
    clock.shift(timedelta(seconds=59))
    assert cache.get("tries") == 1
    assert "tries" in cache
    clock.shift(timedelta(seconds=1))
    assert cache.get("tries", "none") == "none"
    assert "tries" not in cache
    forget_old_sign_ins()
    assert not SharedValue.objects.exists()


def test_an_entry_without_an_end_is_kept(clock: Traveller) -> None:
    cache.set("tries", None, None)
    clock.shift(timedelta(days=3650))
    forget_old_sign_ins()
    assert cache.get("tries", "none") is None
    assert not cache.add("tries", 1)


def test_setting_touching_and_deleting_work_as_in_a_cache(clock: Traveller) -> None:
    assert not cache.touch("tries", 60)
    assert not cache.delete("tries")
    cache.set("tries", 1, 60)
    cache.set("tries", 2, 60)
    assert cache.touch("tries", 120)
    clock.shift(timedelta(seconds=100))
    assert cache.get("tries") == 2
    assert cache.delete("tries")
    assert cache.get("tries") is None
    assert cache.add("tries", 3, 0)
    assert cache.get("tries") is None


def test_the_table_stores_no_address() -> None:
    cache.set("allauth:rl:signup:ip:192.0.2.7", [1.5], 60)
    assert "192.0.2.7" not in str(list(SharedValue.objects.values()))


def test_no_page_or_move_of_a_child_reads_the_table(dora: Child, assignment: Assignment) -> None:
    client = client_of_child(dora)
    game = playing.continue_or_start(dora, assignment)
    cache = mock.Mock(side_effect=AssertionError("the cache was asked"))
    move = {"seen": game.version, "key": uuid4(), "move": "draw-closed"}
    with mock.patch.multiple(SharedStore, get=cache, set=cache, add=cache, delete=cache):
        pages = [
            client.get(reverse("classrooms:me")),
            client.get(reverse("games:page", args=[game.pk])),
            client.post(reverse("games:act", args=[game.pk]), move, follow=True),
        ]
    assert [page.status_code for page in pages] == [200, 200, 200]
    cache.assert_not_called()
