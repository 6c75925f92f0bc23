"""Rounds that begin in the middle: the player has the wanted hand and table, and one turn ends the
round."""

import pytest

from games.coach.begun_rounds import (
    MOST_HAND_CARDS,
    BegunRound,
    begin_round,
    counts_as,
    round_from_game,
    rows_to_find,
)
from games.engine.actions import End
from games.engine.cards import cards_in
from games.engine.match import apply
from games.engine.play_application import Position
from games.engine.round import MATCH_OVER
from games.engine.ruleset import edition
from games.engine.text.notation import parse_play
from tests.games.positions import position

HAND = (1, 8, 12, 16, 22, 37)


def lines(round_: BegunRound) -> list[tuple[int, ...]]:
    return [line.numbers for line in round_.state.table.lines]


@pytest.mark.parametrize(
    "rows",
    [(), [(10, 15, 20)], [(4, 5, 6), (5, 10, 15)], [(10, 20, 30, 40, 50), (3, 6, 9), (18, 21, 24)]],
    ids=str,
)
def test_the_player_has_the_wanted_hand_and_rows(rows: list[tuple[int, ...]]) -> None:
    hand = [card for card in HAND if not any(card in row for row in rows)]
    round_ = begin_round([4], hand, rows)
    state = round_.state
    assert (state.to_act, state.phase, list(cards_in(state.hands[0]))) == (0, "play", hand)
    assert lines(round_) == list(rows)
    assert apply(state, End()).phase == MATCH_OVER
    assert BegunRound.from_data(round_.to_data()) == round_


@pytest.mark.parametrize(
    "rows",
    [
        [(3, 6, 9), (3, 6, 9)],
        [(2, 4, 6), (6, 9, 12), (12, 14, 16), (4, 10, 16)],
        [(5, 10, 15, 20, 25, 35)],
        [(2, 4, 6, 8), (5, 10, 15, 20), (7, 14, 21, 28), (3, 9, 27)],
    ],
    ids=str,
)
def test_an_illegal_position_makes_no_round(rows: list[tuple[int, ...]]) -> None:
    assert begin_round([4], [1, 8, 13, 19, 23, 31], rows) is None


RULESET = edition("simplified", tables=(2, 3, 4, 5, 7))


def game_position(hand: str, *table: str) -> Position:
    return position(hand, *table, ruleset=RULESET)


def round_from(at: Position, play: str) -> BegunRound | None:
    return round_from_game(at, parse_play(play, RULESET), [4])


def test_a_row_that_a_game_had_can_be_laid_in_the_round() -> None:
    """The round has the rows of the table that the row needs, and rows of the chosen times tables,
    but no jokers and no other rows."""
    table = ("7-14-21", "20-24-28", "30-32-34", "2-4-c=6")
    round_ = round_from(game_position("4 16 18 19 35 a", *table), "16 18 across 14")
    assert cards_in(round_.state.hands[0]) == (4, 16, 18, 19, 35)
    assert lines(round_) == [(7, 14, 21), (20, 24, 28)]
    rows = rows_to_find(round_.state.position(0))
    assert {(14, 16, 18, 20), (16, 20, 24, 28)} <= {*rows}


@pytest.mark.parametrize(
    ("hand", "table", "play"),
    [
        ("4 8 13 19", ("10-a=12-14",), "4 8 across a=12"),
        ("4 8 13 20", ("10-12-14",), "4 8 across 12 swap 12 for a"),
        ("12 16 20", (), "12 16 20"),
        (" ".join(map(str, range(1, MOST_HAND_CARDS + 2))), (), "4 8 12"),
    ],
)
def test_a_row_with_a_joker_or_a_hard_number_makes_no_round(
    hand: str, table: tuple[str, ...], play: str
) -> None:
    assert round_from(game_position(hand, *table), play) is None


def test_the_longest_rows_can_be_found() -> None:
    rows = rows_to_find(game_position("12 16 18", "20-22-24-26"))
    assert rows == [(16, 18, 20, 22, 24, 26), (12, 16, 20)]
    assert rows_to_find(game_position("12 16 20 24 28 5")) == [(12, 16, 20, 24, 28)]
    assert rows_to_find(game_position("4 8 12 16 6 5")) == [(4, 6, 8), (4, 8, 12, 16)]


@pytest.mark.parametrize(
    ("numbers", "row", "same"),
    [
        ((12, 16, 20), (12, 16, 20, 24), True),
        ((12, 16, 20, 24, 28), (12, 16, 20, 24), True),
        ((20, 24, 28), (8, 12, 16, 20), False),
        ((12, 16, 20), (12, 14, 16, 18, 20), False),
    ],
)
def test_a_part_of_a_row_stands_for_the_row(
    numbers: tuple[int, ...], row: tuple[int, ...], same: bool
) -> None:
    assert counts_as(numbers, row) is same
