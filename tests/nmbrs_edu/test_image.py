"""What goes into the image: .dockerignore, read as Docker reads it."""

import re

import pytest

from tests.documents import text_of
from tests.servers import ROOT

SECRET = [
    ".env",
    ".env.production",
    "deploy/certificates/site.key",
    "deploy/certificates/site.crt",
    "deploy/certificates/old/site.pem",
    "certificates/site.key",
    "var/db.sqlite3",
    "db.sqlite3-wal",
    ".git/config",
]
NOT_FOR_A_SCHOOL = [
    "tests/conftest.py",
    "scripts/load/crowd.py",
    ".devcontainer/devcontainer.json",
    ".github/workflows/ci.yml",
    "docs/rules.md",
    ".venv/bin/python",
    "games/__pycache__/log.cpython-311.pyc",
    "node_modules/lighthouse/index.js",
    "staticfiles/staticfiles.json",
]
NEEDED = [
    "manage.py",
    "requirements/run.txt",
    "nmbrs_edu/wsgi.py",
    "locale/nl/LC_MESSAGES/django.po",
    "templates/base.html",
    "static/css/nmbrs.css",
]


def as_pattern(line: str) -> re.Pattern[str]:
    """A line of .dockerignore: `*` stays in a folder, `**` does not, and a folder is all in it."""
    parts = [
        ".*" if part == "**" else re.escape(part).replace(r"\*", "[^/]*")
        for part in line.strip("/").split("/")
    ]
    return re.compile("/".join(parts).replace(".*/", "(?:.*/)?") + "(?:/.*)?")


def is_left_out(path: str) -> bool:
    left_out = False
    for line in text_of(".dockerignore").splitlines():
        if (
            line.strip()
            and not line.startswith("#")
            and as_pattern(line.lstrip("!")).fullmatch(path)
        ):
            left_out = not line.startswith("!")
    return left_out


@pytest.mark.parametrize("path", SECRET + NOT_FOR_A_SCHOOL)
def test_it_is_left_out_of_the_image(path: str) -> None:
    assert is_left_out(path)


@pytest.mark.parametrize("path", NEEDED)
def test_it_is_in_the_image(path: str) -> None:
    assert (ROOT / path).exists()
    assert not is_left_out(path)


@pytest.mark.parametrize("folder", ["classrooms", "games", "nmbrs_edu", "templates", "static"])
def test_all_of_the_sites_code_is_in_the_image(folder: str) -> None:
    files = [path for path in (ROOT / folder).rglob("*.*") if "__pycache__" not in path.parts]
    assert files
    assert [path for path in files if is_left_out(str(path.relative_to(ROOT)))] == []
