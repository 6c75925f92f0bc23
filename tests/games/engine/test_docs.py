"""The examples of docs/plays.md do what the page says."""

import doctest
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from games.coach import times_tables
from games.engine.errors import CODES
from games.engine.notation import table_text
from games.engine.ruleset import EDITIONS, OPTIONS
from tests.games.positions import formed, position, refusal

DOCS = Path(__file__).parents[3] / "docs"


class Example(NamedTuple):
    table: str
    hand: str
    opened: bool
    play: str
    makes: str
    fails: str


def examples() -> list[Example]:
    blocks = re.findall(r"^```play\n(.*?)^```", page("plays.md"), re.MULTILINE | re.DOTALL)
    return [example(block) for block in blocks]


def example(block: str) -> Example:
    told = dict(re.findall(r"^(\w+):[ ]*(.*?)[ ]*$", block, re.MULTILINE))
    return Example(
        told.pop("table"),
        told.pop("hand"),
        told.pop("opened", "yes") == "yes",
        told.pop("play"),
        told.pop("makes", ""),
        told.pop("fails", ""),
    )


def page(name: str) -> str:
    return DOCS.joinpath(name).read_text(encoding="utf-8")


@pytest.mark.parametrize("shown", examples(), ids=lambda shown: shown.play)
def test_each_example_does_what_the_page_says(shown: Example) -> None:
    at = position(shown.hand, *shown.table.split(), opened=shown.opened)
    if shown.fails:
        assert refusal(at, shown.play) == shown.fails
    else:
        made = formed(at, shown.play)
        assert table_text(made.table) == shown.makes.split()
        assert str(made.play) == shown.play


def test_the_page_shows_plays_of_every_kind() -> None:
    shown = examples()
    assert len(shown) >= 16
    for word in (" to ", " across ", " swap "):
        assert any(word in one.play and one.makes for one in shown)
    assert all(bool(one.makes) != bool(one.fails) for one in shown)


def test_the_rules_tell_of_every_refusal_edition_and_option() -> None:
    rules = page("rules.md")
    for code in CODES:
        assert f"`{code}`" in rules
    for name in EDITIONS:
        assert f" {name} |" in rules
    for option in OPTIONS:
        assert f"`{option}`" in rules


def test_the_rules_have_every_section_that_the_code_refers_to() -> None:
    told = set(re.findall(r"^\*\*(\d\.\d)|^## (\d)\.", page("rules.md"), re.MULTILINE))
    sections = {section or chapter for section, chapter in told}
    referred = set()
    for path in (DOCS.parent / "games" / "engine").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        for told_of in re.findall(
            r"\((?:rules )?([1-8](?:\.\d)?(?:(?:, |–)[1-8](?:\.\d)?)*)\)", text
        ):
            referred |= set(re.split(", |–", told_of))
    assert referred
    assert referred <= sections


def test_the_examples_in_docstrings_run() -> None:
    failed, tried = doctest.testmod(times_tables)
    assert tried >= 3
    assert failed == 0
