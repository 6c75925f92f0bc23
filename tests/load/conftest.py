from collections.abc import Iterator
from typing import Any

import pytest

from tests.proxy.conftest import site_in
from tests.proxy.site import Site

__all__ = ["site", "whole_site"]


@pytest.fixture(scope="module")
def site(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """One for each module: what they do to it is too much for the others."""
    with site_in(tmp_path_factory.mktemp("site"), django_db_blocker) as running:
        yield running


@pytest.fixture
def whole_site(site: Site) -> Site:
    """With the worker that counts the rounds."""
    if "worker" not in site.processes:
        site.start("worker")
    return site
