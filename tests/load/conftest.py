import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest

from tests.proxy.conftest import running_site
from tests.proxy.site import Site

T = TypeVar("T")

# One for each module: what they do to it is too much for the others.
site = pytest.fixture(running_site, scope="module", name="site")


@pytest.fixture
def whole_site(site: Site) -> Site:
    """With the worker that counts the rounds."""
    if "worker" not in site.processes:
        site.start("worker")
    return site


def run_apart(work: Coroutine[Any, Any, T]) -> T:
    """What the work returns or raises, in a thread of its own: where a browser was driven before,
    this thread has a loop already."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(asyncio.run, work).result()
