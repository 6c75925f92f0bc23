"""Riddles are boards of real rounds. Each can be solved, and is as hard as it should be."""

from functools import cache

import pytest

from classrooms.demo.model_children import ADDING_FACTOR, CROSSING_FACTOR, MODEL_CHILDREN
from games.bots import riddles
from games.bots.riddles import CARDS_DEALT, NOTICE_CHANCES, Riddle, find_riddle, solver_share
from games.engine.actions import End
from games.engine.match import apply
from games.engine.plays import best_points
from games.engine.round import MATCH_OVER
from tests.counts import times
from tests.games.players import best_plays

FIRST = (2, 5, 10)
TABLES = times((FIRST,), (FIRST, (3, 4, 6), (2, 6, 7, 8, 9)))


@cache
def sure_riddle(tables: tuple[int, ...], seed: int) -> Riddle:
    riddle = find_riddle(tables, seed)
    assert riddle
    return riddle


@pytest.mark.parametrize("tables", TABLES, ids=str)
def test_a_riddle_is_a_round_that_one_turn_of_the_player_ends(tables: tuple[int, ...]) -> None:
    riddle = sure_riddle(tables, 1)
    state = riddle.round.state
    assert (state.to_act, state.phase, state.hands[0].bit_count()) == (0, "play", CARDS_DEALT + 1)
    assert state.table.lines
    assert apply(state, End()).phase == MATCH_OVER
    for play in best_plays(state.position(0)):
        state = apply(state, play)
    over = state if state.to_act is None else apply(state, End())
    assert over.phase == MATCH_OVER
    assert over.scores[0] == riddle.most_cards == CARDS_DEALT + 1 - over.hands[0].bit_count()


def test_a_riddle_follows_its_seed() -> None:
    assert find_riddle(FIRST, seed=1) == sure_riddle(FIRST, 1) != sure_riddle(FIRST, 0)


def test_tables_without_enough_rows_have_no_riddle() -> None:
    assert find_riddle((13, 16), seed=1) is None


def test_riddles_are_graded_by_what_model_children_notice() -> None:
    for chances, child in zip(NOTICE_CHANCES, MODEL_CHILDREN.values(), strict=True):
        for table in (2, 3, 4, 5, 6, 7, 8, 9, 10):
            group = next((n for n, of in enumerate(riddles.TABLE_GROUPS) if table in of), -1)
            assert chances[group] == child.notices[table]
    assert (riddles.FACTOR_ADDING, riddles.FACTOR_ACROSS) == (ADDING_FACTOR, CROSSING_FACTOR)


def test_most_children_but_not_all_solve_each_riddle() -> None:
    days = times(2, 365)
    boards, solved = set(), []
    for seed in range(days):
        riddle = sure_riddle(FIRST, seed)
        position = riddle.round.state.position(0)
        boards.add((position.hand, position.table))
        assert best_points(position) == riddle.most_cards >= 4
        solved.append(solver_share(position, riddle.most_cards, 200, seed="others "))
    assert len(boards) == days
    assert 0.6 <= min(solved) <= max(solved) <= 0.85
