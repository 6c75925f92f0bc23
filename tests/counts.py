"""The number of cases that a test tries (few in `make test`, many with NMBRS_PROOF=1 in `make
proof`), the number of queries that a call makes, and several calls at once."""

import inspect
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any, Final, ParamSpec, TypeVar

import pytest
from django.db import connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

P = ParamSpec("P")
T = TypeVar("T")
PROOF: Final = os.environ.get("NMBRS_PROOF") == "1"


def times(small: T, full: T) -> T:
    """`small` in `make test`, `full` in `make proof`."""
    return full if PROOF else small


def for_each(cases: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make one test of all these cases, each a subtest. Separate tests would mostly take ten times
    as long."""

    case_list = tuple(cases)

    def of_all(test: Callable[..., None]) -> Callable[..., None]:
        has_one = len(inspect.signature(test).parameters) == 1

        def run(subtests: pytest.Subtests) -> None:
            for case in case_list:
                with subtests.test(repr(case)):
                    test(*((case,) if has_one else case))

        run.__doc__, run.__module__ = test.__doc__, test.__module__
        return run

    return of_all


def queries_of(do: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> int:
    """The number of queries that this call makes."""
    with CaptureQueriesContext(connection) as captured:
        do(*args, **kwargs)
    return len(captured)


def queries_of_page(client: Client, url: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(url).status_code == 200
    return len(captured)


def at_once(work: Callable[[int], T], threads: int) -> list[T]:
    """The results of these threads, which begin together, each on its own connection."""
    barrier = Barrier(threads)

    def run(number: int) -> T:
        try:
            connection.ensure_connection()
            barrier.wait(timeout=120)
            return work(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(run, range(threads)))
