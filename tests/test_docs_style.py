"""Documents wrap at 100 columns, so that a change of a word is a change of few lines."""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Final

import pytest

from tests.servers import ROOT

WIDEST: Final = 100
DOCUMENTS: Final = sorted(chain(ROOT.glob("*.md"), (ROOT / "docs").rglob("*.md")))
ONLY_A_LINK: Final = re.compile(r"\s*(?:[-*] |\d+\. )?!?(?:\[[^\]]*\]\S+|<?https?://\S+)")


def too_long(text: str) -> Iterator[int]:
    """The numbers of lines that are too long. What cannot wrap may be: a table, a code block, and
    a line that is nothing but a link."""
    in_code = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            in_code = not in_code
        elif in_code or line.lstrip().startswith("|") or ONLY_A_LINK.fullmatch(line):
            continue
        elif len(line) > WIDEST:
            yield number


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_document_wraps_at_100_columns(path: Path) -> None:
    assert list(too_long(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "line",
    [
        "word " * 20 + "end",
        "- " + "word " * 20,
        "    " + "word " * 20,
        "See [a page](https://example.org/) " + "word " * 20,
    ],
)
def test_a_long_line_is_found(line: str) -> None:
    assert list(too_long(f"short\n\n{line}\n")) == [3]


@pytest.mark.parametrize(
    "text",
    [
        "x" * 100,
        "| " + "cell " * 30 + "|",
        "```\n" + "code " * 30 + "\n```",
        "![" + "what is to be seen " * 6 + "](docs/game.png)",
        "- [a page](https://example.org/" + "x" * 100 + ")",
        "https://example.org/" + "x" * 100,
    ],
)
def test_what_cannot_wrap_may_be_long(text: str) -> None:
    assert list(too_long(text)) == []
