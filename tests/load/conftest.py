import pytest

from tests.proxy.conftest import running_site
from tests.proxy.site import Site

__all__ = ["site", "whole_site"]

# One for each module: what they do to it is too much for the others.
site = pytest.fixture(running_site, scope="module", name="site")


@pytest.fixture
def whole_site(site: Site) -> Site:
    """With the worker that counts the rounds."""
    if "worker" not in site.processes:
        site.start("worker")
    return site
