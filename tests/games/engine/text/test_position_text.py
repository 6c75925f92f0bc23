"""A position as text: one line with everything that decides which plays are legal."""

from contextlib import suppress
from random import Random

import pytest

from games.engine.cards import mask_of
from games.engine.errors import RulesetError, TextError
from games.engine.play_application import Position
from games.engine.plays import legal_plays
from games.engine.ruleset import Ruleset, edition
from games.engine.table import Table
from games.engine.text.position_text import parse_position, position_text
from tests.counts import times
from tests.games.positions import BLOCKS, position
from tests.games.rounds import random_match

LENIENT = edition("simplified", offers=False)


def refused(text: str) -> tuple[int, str, str]:
    with pytest.raises(TextError) as problem:
        parse_position(text)
    return problem.value.line, problem.value.word, problem.value.reason


def test_a_position_is_written_in_one_line() -> None:
    at = position("40 b 7", "12-20-28", "10-20-30", ruleset=LENIENT)
    text = "simplified offers=no | table 10-20-30 12-20-28 | hand 7 40 b | opened yes"
    assert position_text(at) == text
    assert position_text(parse_position(text)) == text


def test_an_empty_table_and_hand_are_written_as_none() -> None:
    empty = Position(BLOCKS, Table(), 0, False)
    assert position_text(empty) == "blocks | table none | hand none | opened no"
    assert parse_position(position_text(empty)) == empty


def test_parts_left_out_are_as_a_round_begins() -> None:
    assert parse_position("classic hand 7") == position(
        "7", ruleset=edition("classic"), opened=False
    )


@pytest.mark.parametrize(
    "text",
    [
        "SIMPLIFIED Offers = No | TABLE 12-20-28 10-20-30 | Hand B 40 7 | Opened",
        "opened yes\nhand 40 7 b\ntable 30-20-10\n  12 - 20 - 28\nsimplified offers=no",
        "\ufeff| edition simplified\r\noffers=no;x\nhand 7, 40,b\rtable 10-20-30, 28-20-12 opened",
        "; Dora's\nsimplified offers=no |; hand 8\n|hand 7 40 b|table 10-20-30 12-20-28|opened yes",
    ],
)
def test_case_spaces_line_breaks_and_order_make_no_difference(text: str) -> None:
    written = "simplified offers=no | table 10-20-30 12-20-28 | hand 7 40 b | opened yes"
    assert position_text(parse_position(text)) == written


@pytest.mark.parametrize(
    ("text", "where_and_why"),
    [
        ("", (1, "edition", "part-missing")),
        ("simplified | table none", (1, "hand", "part-missing")),
        ("hand 7", (1, "edition", "part-missing")),
        ("edition | hand 7", (1, "", "edition-unknown")),
        ("chess | hand 7", (1, "chess", "edition-unknown")),
        ("\nsimplified colour=red | hand 7", (2, "colour", "option-unknown")),
        ("simplified tables=none | hand 7", (1, "tables=none", "no-tables")),
        ("simplified | hand 7 | hand 8", (1, "hand", "part-twice")),
        ("simplified | hand 7\nclassic", (2, "classic", "part-twice")),
        ("simplified | hand 7 x", (1, "x", "no-card")),
        ("simplified | hand a=7", (1, "a=7", "number-not-wanted")),
        ("simplified\nhand 51", (2, "51", "not-in-edition")),
        ("simplified | hand 7 7", (1, "7", "card-twice")),
        ("simplified | table 7-8-9 | hand 7", (1, "7", "card-twice")),
        ("simplified | hand 7 | table 1-2", (1, "1-2", "not-a-sequence")),
        ("simplified | hand 7 | table 1-2-4", (1, "1-2-4", "not-a-sequence")),
        ("simplified | hand 7 | table 1-a=1-2-3", (1, "1-a=1-2-3", "not-a-sequence")),
        ("simplified | hand 7 | table 49-50-a=51", (1, "49-50-a=51", "not-a-sequence")),
        ("simplified | hand 7 | table a-b-c", (1, "a", "number-missing")),
        ("simplified | hand 7 |\n\ntable 1-2-3 1-3-5-x", (3, "x", "no-card")),
        ("simplified | hand 7 | table a=1-2-3 4-5-a=6", (1, "a", "card-twice")),
        ("simplified | hand 8 | table 1-2-3 3-6-9 3-5-7", (1, "3", "card-twice")),
        ("simplified | hand 7 | table 1-2-3 1-3-5", (1, "1-3-5", "same-island")),
        ("simplified | hand 8 | table 1-2-3 1-4-7 3-7-11", (1, "3-7-11", "same-island")),
        ("simplified | hand 8 | opened perhaps", (1, "perhaps", "opened-unreadable")),
    ],
)
def test_what_cannot_be_read_or_cannot_be_says_where_and_why(
    text: str, where_and_why: tuple[int, str, str]
) -> None:
    assert refused(text) == where_and_why


def test_a_ruleset_of_no_known_edition_has_no_text() -> None:
    with pytest.raises(RulesetError, match="edition-unknown"):
        position_text(Position(Ruleset("own"), Table(), mask_of([7]), False))


@pytest.mark.parametrize("seed", range(times(20, 500)))
def test_a_position_and_its_text_mean_the_same(seed: int) -> None:
    random = Random(seed)
    for state in random.sample(random_match(seed).states, 4):
        at = state.position(state.turn)
        text = position_text(at)
        read = parse_position(text)
        assert position_text(read) == text
        assert (read.ruleset, read.hand, read.opened) == (at.ruleset, at.hand, at.opened)
        assert sorted(map(str, legal_plays(read))) == sorted(map(str, legal_plays(at)))


@pytest.mark.parametrize("seed", range(times(20, 500)))
def test_however_it_is_written_a_position_is_the_same(seed: int) -> None:
    random = Random(seed)
    at = random.choice(random_match(seed).states).position(0)
    parts = position_text(at).split(" | ")
    random.shuffle(parts)
    shuffled = []
    for part in parts:
        first, *rest = part.split()
        if first in ("table", "hand"):
            random.shuffle(rest)
        shuffled.append(random.choice([" ", "\n", "  "]).join((first, *rest)))
    text = random.choice(["\n", " | ", "|", "\r\n"]).join(shuffled)
    text = "".join(random.choice([c.lower(), c.upper()]) for c in text)
    assert position_text(parse_position(text)) == position_text(at)


@pytest.mark.parametrize("seed", range(times(20, 500)))
def test_of_spoilt_text_nothing_is_raised_but_the_one_error(seed: int) -> None:
    random = Random(seed)
    text = position_text(random.choice(random_match(seed).states).position(0))
    for _ in range(20):
        spoilt = list(text)
        for _ in range(random.randint(1, 4)):
            at = random.randrange(len(spoilt))
            spoilt[at] = random.choice(
                ["", "-", "=", "a", "9", "٣", "|", "\x85", "\n", spoilt[at] * 2]
            )
        with suppress(TextError):
            read = position_text(parse_position("".join(spoilt)))
            assert position_text(parse_position(read)) == read
