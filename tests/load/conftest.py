import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest

from tests.proxy.conftest import running_site
from tests.proxy.site import Site

T = TypeVar("T")

# A site for each module: what they do to it is too much for the others.
site = pytest.fixture(running_site, scope="module", name="site")


@pytest.fixture
def whole_site(site: Site) -> Site:
    """With the worker that counts the rounds."""
    if "worker" not in site.processes:
        site.start("worker")
    return site


def run_apart(work: Coroutine[Any, Any, T]) -> T:
    """Do this in a thread of its own, and return or raise its result. Where a browser was driven
    before, this thread already has an event loop."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(asyncio.run, work).result()
