"""A whole site behind nginx, and nginx alone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nmbrs_edu.run.processes import StopFlag, collect_static
from tests.proxy.site import Site, production_environment
from tests.proxy.stand_in import Proxy, proxy_alone


def running_site(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """The whole site on the test's database (see the docstring of `site.py`)."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "mail").mkdir()
    with django_db_blocker.unblock():
        environment = production_environment(EMAIL_URL=f"filemail:///{folder}/mail")
    running = Site(folder, environment)
    try:
        running.come_up()
        yield running
    finally:
        running.stop()


# One site for all tests here that a process runs.
site = pytest.fixture(running_site, scope="session", name="site")


@pytest.fixture
def proxy(tmp_path: Path, django_db_setup: None) -> Iterator[Proxy]:
    """nginx alone, in front of servers that do what the test wants."""
    collect_static(production_environment(), StopFlag())
    with proxy_alone(tmp_path) as running:
        yield running
