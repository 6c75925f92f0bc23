"""What players found in the same deal, turn by turn."""

import pytest

from games.coach.deal_comparison import MOST_ROWS, ComparedTurn, DealTurn, compared, turns_of
from games.engine.cards import mask_of
from tests.counts import times
from tests.games.coach.deal_oracle import slow_count, slow_turns
from tests.games.coach.random_logs import DORA, random_round

EMPTY = DealTurn("a", {}, (), 0)


def turn(
    *laid: tuple[int, ...], could: tuple[tuple[int, ...], ...] = (), before: str = "a"
) -> DealTurn:
    """A turn with these rows, all cards of the hand."""
    rows = [*map(mask_of, could), *map(mask_of, laid)]
    return DealTurn(
        before, {row: row for row in rows}, tuple((mask_of(row),) * 2 for row in laid), 0
    )


def only(games: list[list[DealTurn]]) -> ComparedTurn:
    (made,) = compared(games)
    return made


ROW = (24, 28, 32)


def test_who_laid_it_later_or_never_is_counted_among_those_who_could() -> None:
    seen = turn(could=(ROW,))
    (row,) = only([[turn(ROW)], [seen, turn(ROW)], [seen, EMPTY], [seen], [EMPTY]]).rows
    assert row.numbers == ROW
    assert (row.could, row.laid, row.partly, row.later, row.never) == (4, 1, 0, 1, 2)


def test_a_longer_row_that_holds_it_counts_as_laid() -> None:
    longer = (20, *ROW)
    rows = only([[turn(longer, could=(ROW,))], [turn(could=(ROW,))]]).rows
    assert [(row.numbers, row.could, row.laid) for row in rows] == [(ROW, 2, 1)]


def test_a_part_of_it_is_counted_apart_and_other_jumps_are_no_part() -> None:
    longest = (20, *ROW)
    part = turn(ROW, could=(longest,))
    other = turn((24, 26, 28), could=(longest,))
    row = only([[part], [other], [turn(longest)]]).rows[0]
    assert (row.numbers, row.could, row.laid, row.partly, row.never) == (longest, 3, 1, 1, 1)


def test_it_says_how_many_began_the_turn_alike() -> None:
    same, another = turn(could=(ROW,)), turn(could=(ROW,), before="b")
    made = only([[another], [same], [same]])
    assert (made.players, made.alike, made.example) == (3, 2, 1)


def test_a_turn_that_was_not_ended_counts_for_nothing() -> None:
    assert compared([[turn(ROW)], []]) == []


@pytest.mark.parametrize("seed", range(0, times(24, 240), 6))
def test_the_comparison_is_that_of_a_slow_count(seed: int) -> None:
    """The rounds are random, with jokers, rows taken back, hints and refused tries."""
    logs = [random_round(seed + other % 6) for other in range(8)]
    slow = [slow_turns(log, DORA) for log in logs]
    games = [turns_of(log, DORA) for log in logs]
    for made in compared(games):
        expected = slow_count(slow, made.number)
        assert len(made.rows) == min(MOST_ROWS, len(expected))
        for row in made.rows:
            counted = (row.could, row.laid, row.partly, row.later, row.never)
            assert expected[frozenset(row.numbers)] == counted
