"""The examples of docs/plays.md, notation.md and editions.md do what these pages say."""

import doctest
import re
from collections.abc import Callable, Mapping

import pytest

from games.engine.cards import card_text, laid_card_text
from games.engine.errors import CODES, ActionRefused, TextError
from games.engine.text import game_text
from games.engine.text.notation import (
    action_text,
    hand_text,
    parse_action,
    parse_card,
    parse_cards,
    parse_laid_card,
    parse_line,
    parse_ruleset,
    parse_table,
    ruleset_text,
    table_text,
)
from tests.counts import for_each
from tests.games.positions import SIMPLIFIED, position, refusal, result_of
from tests.repository import text_of


def blocks(name: str, kind: str) -> list[str]:
    """The examples of one kind on a page."""
    return re.findall(rf"^```{kind}\n(.*?)^```", page(name), re.MULTILINE | re.DOTALL)


def examples() -> list[tuple[str, str, str, str]]:
    """The table, the hand, the play and its result, from the tables of plays.md."""
    line = r"(?m)^\| (?!---)[^|]+\| (.*?) ?\| (.*?) \| (.*?) \| (.*?) \|$"
    return re.findall(line, page("plays.md"))


def page(name: str) -> str:
    return text_of(f"docs/{name}")


@for_each(examples())
def test_each_example_does_what_the_page_says(
    table: str, hand: str, play: str, result: str
) -> None:
    opened = not hand.endswith(", not opened")
    cards = hand.removesuffix(", not opened").strip("`")
    at = position(cards, *table.strip("`").split(), opened=opened)
    result, play = result.strip("`"), play.strip("`")
    if result in CODES:
        assert refusal(at, play) == result
    else:
        outcome = result_of(at, play)
        assert table_text(outcome.table) == result.split()
        assert str(outcome.play) == play


WRITTEN: Mapping[str, Callable[[str], str]] = {
    "card": lambda text: card_text(parse_card(text, SIMPLIFIED)),
    "laid": lambda text: laid_card_text(parse_laid_card(text, SIMPLIFIED)),
    "hand": lambda text: " ".join(hand_text(parse_cards(text.split(), SIMPLIFIED))),
    "line": lambda text: str(parse_line(text, SIMPLIFIED)),
    "table": lambda text: " ".join(table_text(parse_table(text.split(), SIMPLIFIED))),
    "action": lambda text: action_text(parse_action(text, SIMPLIFIED)),
    "rules": lambda text: ruleset_text(parse_ruleset(text)),
}
"""The functions that read and write back a text of the page, by its kind."""


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


@pytest.mark.parametrize("game", blocks("notation.md", "game"))
def test_each_game_is_canonical(game: str) -> None:
    assert game_text.write_game(game_text.read_game(game)) == game


def test_a_carelessly_written_game_can_be_read() -> None:
    game, *_ = blocks("notation.md", "game")
    (careless,) = blocks("notation.md", "careless")
    assert careless != game
    assert game_text.read_game(careless) == game_text.read_game(game)


def spoilt_examples() -> list[tuple[str, str, str]]:
    return re.findall(r"(?m)^\| `(.*?)` \| `(.*?)` \| (line \d.*?) \|$", page("notation.md"))


@for_each(spoilt_examples())
def test_the_error_for_a_spoilt_game_says_where_and_why(
    instead_of: str, put: str, says: str
) -> None:
    game, *_ = blocks("notation.md", "game")
    assert instead_of in game
    with pytest.raises(TextError) as problem:
        game_text.read_game(game.replace(instead_of, put))
    assert str(problem.value) == says


@pytest.mark.parametrize("name", ["notation.md", "editions.md"])
def test_the_python_of_the_page_runs(name: str) -> None:
    code = "\n".join(blocks(name, "python"))
    examples = doctest.DocTestParser().get_doctest(code, {}, name, None, 0)
    failed, tried = doctest.DocTestRunner().run(examples)
    assert tried >= 6
    assert failed == 0
