import pytest

from tests.proxy.conftest import site
from tests.proxy.site import Site

__all__ = ["site", "whole_site"]


@pytest.fixture
def whole_site(site: Site) -> Site:
    """With the worker that counts the rounds."""
    if "worker" not in site.processes:
        site.start("worker")
    return site
