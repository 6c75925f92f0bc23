"""A whole site for each module."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest

from tests.proxy.conftest import running_site
from tests.proxy.site import Site

T = TypeVar("T")

# Each module has a site of its own, because its tests may leave the site damaged.
site = pytest.fixture(running_site, scope="module", name="site")


@pytest.fixture
def whole_site(site: Site) -> Site:
    """A site with the worker that counts the rounds."""
    if "worker" not in site.processes:
        site.start("worker")
    return site


def run_apart(work: Coroutine[Any, Any, T]) -> T:
    """Do this in a separate thread, and return or raise its result. After a test with a browser,
    the main thread already has an event loop."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(asyncio.run, work).result()
