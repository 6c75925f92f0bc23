"""What files cite is in the repository: every `*.md` that is named anywhere exists."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.documents import text_of
from tests.servers import ROOT

SUFFIXES = (".py", ".html", ".js", ".css", ".md")
NAMED = re.compile(r"(?<![\w./*{-])((?:\.{1,2}/|[\w-]+/)*[\w-]+\.md)\b")
ELSEWHERE = "shared" + "/"
"""A folder beside the repository, which no reader of it has."""


def tracked() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split("\0")
    return [path for path in listed if path.endswith(SUFFIXES) and (ROOT / path).is_file()]


def cited_in(text: str) -> set[str]:
    return set(NAMED.findall(text))


def exists(cited: str, citing: Path) -> bool:
    """Beside the file that cites it, from the root, or in docs/ where it is named alone."""
    places = [citing.parent / cited, ROOT / cited]
    if "/" not in cited:
        places.append(ROOT / "docs" / cited)
    return any(place.is_file() for place in places)


def cites_elsewhere(text: str) -> bool:
    return re.search(rf"(?<![\w-]){ELSEWHERE}", text) is not None


def test_every_document_that_is_named_exists() -> None:
    files = tracked()
    assert len(files) > 500
    missing = {
        path: sorted(wrong)
        for path in files
        if path != "tests/test_citations.py"
        and (text := text_of(path))
        and (wrong := {name for name in cited_in(text) if not exists(name, ROOT / path)})
    }
    assert missing == {}


def test_nothing_is_cited_that_stands_beside_the_repository() -> None:
    texts = {path: text_of(path) for path in tracked()}
    assert [path for path, text in texts.items() if cites_elsewhere(text)] == []


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("# Elo (docs/learning.md, Models).", {"docs/learning.md"}),
        ("of at least three (learning.md)", {"learning.md"}),
        ("see [SECURITY.md](../SECURITY.md)", {"SECURITY.md", "../SECURITY.md"}),
        ("every `*.md` of docs/", set()),
        ("the file rules.mdx", set()),
    ],
)
def test_names_of_documents_are_found(text: str, cited: set[str]) -> None:
    assert cited_in(text) == cited


def test_a_document_that_is_not_there_is_missed() -> None:
    assert exists("learning.md", ROOT / "games/coach/questions/quiz.py")
    assert exists("../SECURITY.md", ROOT / "docs/security.md")
    assert not exists("no-such-page.md", ROOT / "games/coach/questions/quiz.py")
    assert not exists("docs/no-such-page.md", ROOT / "README.md")
    assert cites_elsewhere(f"as {ELSEWHERE}learning says")
    assert not cites_elsewhere("templates/unshared/page.html")
