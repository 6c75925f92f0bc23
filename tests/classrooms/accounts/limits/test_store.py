"""Limits are counted for all processes together, and entries are never evicted."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any
from unittest import mock
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.urls import reverse
from django.utils import timezone
from time_machine import Traveller

from classrooms.accounts.limits import SharedStore
from classrooms.assignments import services
from classrooms.models import Assignment, Child, SharedValue
from classrooms.privacy.erasure import forget_old_sign_ins
from tests.classrooms.people import client_of_child
from tests.clock import at
from tests.counts import times

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

AT_ONCE = 6


def at_once(do: Callable[[], Any]) -> list[Any]:
    ready = Barrier(AT_ONCE)

    def in_thread() -> Any:
        try:
            connection.ensure_connection()
            ready.wait(timeout=60)
            return do()
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return [taken.result() for taken in [pool.submit(in_thread) for _ in range(AT_ONCE)]]


def add_in_a_transaction() -> bool:
    with transaction.atomic():
        return cache.add("lock", True, 60)


@pytest.mark.parametrize("add", [lambda: cache.add("lock", True, 60), add_in_a_transaction])
def test_of_several_who_add_at_once_one_does(add: Callable[[], bool]) -> None:
    for _ in range(times(5, 50)):
        assert sorted(at_once(add)) == [False] * (AT_ONCE - 1) + [True]
        cache.delete("lock")


def test_what_has_ended_is_taken_over_by_one() -> None:
    for _ in range(times(5, 50)):
        with at(timezone.now() - timedelta(seconds=60)):
            cache.set("lock", True, 60)
        assert sorted(at_once(lambda: cache.add("lock", 2, 60))) == [False] * (AT_ONCE - 1) + [True]


def test_another_process_reads_what_one_wrote() -> None:
    cache.set("tries", [1.5, 2.5], 60)
    assert SharedStore("", {}).get("tries") == [1.5, 2.5]


def test_nothing_that_is_still_good_is_pushed_out() -> None:
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


def test_an_entry_for_ever_is_kept(clock: Traveller) -> None:
    cache.set("tries", None, None)
    clock.shift(timedelta(days=3650))
    forget_old_sign_ins()
    assert cache.get("tries", "none") is None
    assert not cache.add("tries", 1)


def test_setting_touching_and_deleting_do_what_a_cache_does(clock: Traveller) -> None:
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


def test_no_address_is_kept_in_it() -> None:
    cache.set("allauth:rl:signup:ip:192.0.2.7", [1.5], 60)
    assert "192.0.2.7" not in str(list(SharedValue.objects.values()))


def test_no_childs_page_and_no_move_reads_it(dora: Child, assignment: Assignment) -> None:
    client = client_of_child(dora)
    game = services.go_on_or_start(dora, assignment)
    asked = mock.Mock(side_effect=AssertionError("the cache was asked"))
    move = {"seen": game.version, "key": uuid4(), "move": "draw-closed"}
    with mock.patch.multiple(SharedStore, get=asked, set=asked, add=asked, delete=asked):
        pages = [
            client.get(reverse("classrooms:me")),
            client.get(reverse("games:page", args=[game.pk])),
            client.post(reverse("games:act", args=[game.pk]), move, follow=True),
        ]
    assert [page.status_code for page in pages] == [200, 200, 200]
    asked.assert_not_called()
