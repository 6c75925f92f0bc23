"""The examples of docs/plays.md, notation.md and editions.md do what the pages say."""

import doctest
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

import pytest

from games.engine.cards import card_text, laid_text
from games.engine.errors import ActionRefused, TextError
from games.engine.text import game_text
from games.engine.text.notation import (
    action_text,
    hand_text,
    parse_action,
    parse_card,
    parse_cards,
    parse_laid,
    parse_line,
    parse_table,
    table_text,
)
from games.engine.text.ruleset_text import parse_ruleset, ruleset_text
from tests.counts import for_each
from tests.games.positions import SIMPLIFIED, formed, position, refusal
from tests.repository import text_of


class DocExample(NamedTuple):
    table: str
    hand: str
    opened: bool
    play: str
    makes: str
    fails: str


def blocks(name: str, kind: str) -> list[str]:
    """The examples of a kind on a page."""
    return re.findall(rf"^```{kind}\n(.*?)^```", page(name), re.MULTILINE | re.DOTALL)


def examples() -> list[DocExample]:
    return [example(block) for block in blocks("plays.md", "play")]


def example(block: str) -> DocExample:
    fields = dict(re.findall(r"^(\w+):[ ]*(.*?)[ ]*$", block, re.MULTILINE))
    return DocExample(
        fields.pop("table"),
        fields.pop("hand"),
        fields.pop("opened", "yes") == "yes",
        fields.pop("play"),
        fields.pop("makes", ""),
        fields.pop("fails", ""),
    )


def page(name: str) -> str:
    return text_of(f"docs/{name}")


@for_each(examples())
def test_each_example_does_what_the_page_says(shown: DocExample) -> None:
    at = position(shown.hand, *shown.table.split(), opened=shown.opened)
    if shown.fails:
        assert refusal(at, shown.play) == shown.fails
    else:
        made = formed(at, shown.play)
        assert table_text(made.table) == shown.makes.split()
        assert str(made.play) == shown.play


WRITTEN: Mapping[str, Callable[[str], str]] = {
    "card": lambda text: card_text(parse_card(text, SIMPLIFIED)),
    "laid": lambda text: laid_text(parse_laid(text, SIMPLIFIED)),
    "hand": lambda text: " ".join(hand_text(parse_cards(text.split(), SIMPLIFIED))),
    "line": lambda text: str(parse_line(text, SIMPLIFIED)),
    "table": lambda text: " ".join(table_text(parse_table(text.split(), SIMPLIFIED))),
    "action": lambda text: action_text(parse_action(text, SIMPLIFIED)),
    "rules": lambda text: ruleset_text(parse_ruleset(text)),
}
"""What is written for a text of each kind."""


def notations() -> list[tuple[str, str, str, str]]:
    lines = "".join(blocks("notation.md", "notation")).splitlines()
    return re.findall(r"(?m)^(\w+) +(.*?) +(is|fails) (.*)$", "\n".join(lines))


@for_each(notations())
def test_each_notation_is_read_and_written_as_the_page_says(
    kind: str, text: str, verb: str, expected: str
) -> None:
    if verb == "is":
        assert WRITTEN[kind](text) == expected
        assert WRITTEN[kind](expected) == expected
    else:
        with pytest.raises((ActionRefused, TextError)) as problem:
            WRITTEN[kind](text)
        assert isinstance(problem.value, ActionRefused | TextError)
        assert problem.value.reason == expected


@pytest.mark.parametrize("shown", blocks("notation.md", "game"))
def test_each_game_is_canonical(shown: str) -> None:
    assert game_text.write(game_text.read(shown)) == shown


def test_a_game_may_be_written_carelessly() -> None:
    game, *_ = blocks("notation.md", "game")
    (careless,) = blocks("notation.md", "careless")
    assert careless != game
    assert game_text.read(careless) == game_text.read(game)


@pytest.mark.parametrize("shown", blocks("notation.md", "spoilt"))
def test_a_spoilt_game_says_where_and_why(shown: str) -> None:
    put, instead_of, says = re.findall(r"^\w+: +(.*)$", shown, re.MULTILINE)
    game, *_ = blocks("notation.md", "game")
    assert instead_of in game
    with pytest.raises(TextError) as problem:
        game_text.read(game.replace(instead_of, put))
    assert str(problem.value) == says


@pytest.mark.parametrize("name", ["notation.md", "editions.md"])
def test_the_python_of_the_page_runs(name: str) -> None:
    shown = "\n".join(blocks(name, "python"))
    examples = doctest.DocTestParser().get_doctest(shown, {}, name, None, 0)
    failed, tried = doctest.DocTestRunner().run(examples)
    assert tried >= 6
    assert failed == 0
