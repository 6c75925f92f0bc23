"""A school made by 0.1.0 works with today's code, in a database of either kind."""

import json
import os
import subprocess
import sys

import pytest
from django.conf import settings

from tests.repository import ROOT
from tests.upgrade.after import CHECKS
from tests.upgrade.loading import Vendor, old_school

pytestmark = [pytest.mark.proof, pytest.mark.both_databases]

PRODUCTION = {"DJANGO_SETTINGS_MODULE": "nmbrs_edu.settings.production"}
AFTER = {"DJANGO_SETTINGS_MODULE": "tests.upgrade.settings"}
CHECK = "import django; django.setup(); from tests.upgrade import after; after.check_all({!r})"


def own_queue() -> str:
    """The URL of a separate queue, whose tasks neither the workers of other tests nor those of
    `tests.proxy.site` take. Of the sixteen databases of a Valkey, the latter use one that is eight
    further. No process of a parallel run has the first one to itself."""
    url, _, number = os.environ["REDIS_URL"].rpartition("host=")
    free = 0 if int(number or 0) else 4
    return f"{url}host={free}" if url else os.environ["REDIS_URL"]


@pytest.fixture(scope="module")
def vendor() -> Vendor:
    return "sqlite" if os.environ["DATABASE_URL"].startswith("sqlite") else "postgresql"


@pytest.fixture(scope="module")
def problems(vendor: Vendor, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The error of each check after the upgrade, or "" if it passed."""
    with old_school(vendor, tmp_path_factory.mktemp("upgrade")) as address:
        environment = {
            "PATH": os.environ["PATH"],
            "SECRET_KEY": settings.SECRET_KEY,
            "PICTURES_KEY": settings.PICTURES_KEY,
            "ALLOWED_HOSTS": "testserver",
            "DATABASE_URL": address,
            "REDIS_URL": own_queue(),
        }
        _run(environment | PRODUCTION, "manage.py", "migrate", "-v0")
        out = _run(environment | AFTER, "-c", CHECK.format(vendor))
    found: dict[str, str] = json.loads(out.splitlines()[-1])
    return found


def _run(environment: dict[str, str], *words: str) -> str:
    ended = subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@pytest.mark.parametrize("check", [check.__name__ for check in CHECKS])
def test_after_the_upgrade(check: str, problems: dict[str, str]) -> None:
    assert not problems[check], problems[check]
