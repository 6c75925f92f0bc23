from collections.abc import Iterator
from typing import Any

import pytest

from tests.proxy.site import Site, production_environment


@pytest.fixture(scope="module")
def site(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """The whole site on the test's database; see the package's own words."""
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
