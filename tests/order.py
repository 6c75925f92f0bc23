"""A pytest plugin: in which order tests that run side by side are handed out.

A module goes to one process, which makes once what its tests share; only where tests share nothing
and take long is each handed out by itself. Tests that start servers of their own mostly wait: they
are spread over the first part of the run, between tests that compute, so that the processors have
work until its end.
"""

from collections.abc import Generator, Iterator
from typing import Final

import pytest

BY_THEMSELVES: Final = ("tests/browser/", "tests/games/screen/", "tests/test_permissions.py")
WAITING: Final = (
    "tests/browser/",
    "tests/faults/",
    "tests/fuzz/",
    "tests/load/",
    "tests/machines/",
    "tests/nmbrs_edu/",
    "tests/proxy/",
    "tests/upgrade/",
)
FIRST_PART: Final = 0.7


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Generator[None, None, None]:
    if not hasattr(config, "workerinput"):
        return (yield)
    for item in items:
        if not item.nodeid.startswith(BY_THEMSELVES):
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))
    yield
    waiting = [item for item in items if item.nodeid.startswith(WAITING)]
    others = [item for item in items if not item.nodeid.startswith(WAITING)]
    places = dict((*_spread(waiting, FIRST_PART), *_spread(others, 1)))
    items.sort(key=places.__getitem__)


def _spread(items: list[pytest.Item], part: float) -> Iterator[tuple[pytest.Item, float]]:
    return ((item, part * at / len(items)) for at, item in enumerate(items))
