from threading import Lock

import pytest

from scripts.lab.processes import mapped

LOCK = Lock()


def square(number: int) -> int:
    return number * number


def locked(_: int) -> bool:
    return LOCK.locked()


@pytest.mark.parametrize("processes", [1, 2])
def test_results_come_in_the_order_of_the_items(processes: int) -> None:
    assert list(mapped(square, range(7), processes, chunk=2)) == [0, 1, 4, 9, 16, 25, 36]


def test_a_process_inherits_no_lock() -> None:
    with LOCK:
        assert list(mapped(locked, range(2), 2)) == [False, False]
