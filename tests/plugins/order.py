"""A pytest plugin that orders the tests for processes that run side by side.

A module goes to one process, which makes the objects that its tests share once. Only tests that
share nothing and take long are handed out one by one. The tests of the proxy share one site and go
to one process together. Tests that start servers of their own mostly wait, so they are spread over
the first part of the run, between tests that compute, and the processors have work until the end.
In both groups the longest come first.
"""

from collections.abc import Generator, Iterator
from typing import Any, Final

import pytest
from xdist.scheduler.loadscope import LoadScopeScheduling
from xdist.workermanage import WorkerController

BY_THEMSELVES: Final = ("tests/browser/", "tests/test_pairs.py")
ONE_SITE: Final = "tests/proxy/"
LONGEST: Final = (ONE_SITE, "tests/load/", "tests/test_pairs.py", "tests/test_permissions.py")
WAITING: Final = (
    "tests/browser/",
    "tests/scripts/test_fuzz.py",
    "tests/load/",
    "tests/nmbrs_edu/",
    "tests/proxy/",
)
FIRST_PART: Final = 0.7


class ByModule(LoadScopeScheduling):
    """Hands out modules. xdist's own groups do not work under pytest 9.2, whose test names they
    cannot change."""

    def _split_scope(self, nodeid: str) -> str:
        if nodeid.startswith(ONE_SITE):
            return ONE_SITE
        return nodeid if nodeid.startswith(BY_THEMSELVES) else nodeid.partition("::")[0]

    def remove_node(self, node: WorkerController) -> str | None:
        """Count a test that ends its process as failed. xdist's own method would run it again,
        endlessly if it always ends its process."""
        under_way = [
            (name, module)
            for module in self.assigned_work[node].values()
            for name, is_done in module.items()
            if not is_done
        ]
        for name, module in under_way[:1]:
            module[name] = True
        super().remove_node(node)
        return under_way[0][0] if under_way else None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByModule:
    return ByModule(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Generator[None, None, None]:
    yield
    if not hasattr(config, "workerinput"):
        return
    waiting = [item for item in items if item.nodeid.startswith(WAITING)]
    others = [item for item in items if not item.nodeid.startswith(WAITING)]
    for group in (waiting, others):
        group.sort(key=lambda item: not item.nodeid.startswith(LONGEST))
    places = dict((*_spread(waiting, FIRST_PART), *_spread(others, 1)))
    items.sort(key=places.__getitem__)


def _spread(items: list[pytest.Item], part: float) -> Iterator[tuple[pytest.Item, float]]:
    return ((item, part * at / len(items)) for at, item in enumerate(items))
