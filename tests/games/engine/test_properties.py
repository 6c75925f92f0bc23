"""Laws that hold in every game, tried on random ones. `NMBRS_PROOF=1` tries many more.

Laws for each single action are in test_machine.py, tests of legality in test_reference.py.
"""

import json
from itertools import count
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.engine.actions import Deal
from games.engine.layout.table_layout import Layout, layout, layout_from_data, layout_to_data
from games.engine.match import apply
from games.engine.play_application import form
from games.engine.plays import legal_plays, resolve
from games.engine.round import LAST_TURN, State
from games.engine.ruleset import EDITIONS
from games.engine.table import Play, Table
from games.engine.text.notation import action_text, parse_action
from tests.counts import times
from tests.games.engine.test_table_layout import check
from tests.games.rounds import random_match, random_ruleset

SEEDS = st.integers(0, 2**32 - 1)


def tries(small: int, full: int) -> settings:
    return settings(
        max_examples=times(small, full),
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )


@tries(10, 500)
@given(SEEDS)
def test_every_round_ends(seed: int) -> None:
    match = random_match(seed)
    over = match.moments[-1].state
    assert over.winners is not None
    assert over.round <= (match.setting.ruleset.rounds or 1)
    for state in match.states:
        assert max(state.turns) <= LAST_TURN
        assert (state.seat is None) == (state.phase in ("round over", "match over"))


def sample_of(states: list[State], random: Random, size: int = 8) -> list[State]:
    return random.sample(states, min(size, len(states)))


@tries(10, 500)
@given(SEEDS)
def test_what_is_written_reads_as_the_same_action(seed: int) -> None:
    for state, _, action in random_match(seed).moments:
        if action is None or isinstance(action, Deal):
            continue
        text = action_text(action)
        read = parse_action(text, state.ruleset)
        if isinstance(read, Play):
            assert str(form(state.position(state.turn), read).play) == text
            assert apply(state, read) == apply(state, action)
        else:
            assert (read, action_text(read)) == (action, text)


@pytest.mark.parametrize("name", EDITIONS)
def test_every_table_can_be_drawn_and_what_did_not_change_stays(name: str) -> None:
    tables = 0
    for seed in count():
        tables += drawn_tables(name, seed)
        if tables >= times(20, 1000):
            break


def drawn_tables(name: str, seed: int) -> int:
    """Draws each table of a match after the one before; how many there were."""
    placed, table, tables = Layout(), Table(), 0
    for state in random_match(seed, random_ruleset(Random(seed), name)).states:
        if state.table == table:
            continue
        before = {frozenset(island) for island in table.islands}
        old = {cell.laid: cell for island in placed.islands for cell in island.cells}
        placed = layout(state.table, placed)
        check(placed, state.table)
        assert (
            layout_from_data(json.loads(json.dumps(layout_to_data(placed))), state.table) == placed
        )
        new = {cell.laid: cell for island in placed.islands for cell in island.cells}
        for island in state.table.islands:
            if frozenset(island) in before:
                assert all(new[laid] == old[laid] for line in island for laid in line.cards)
        table, tables = state.table, tables + 1
    return tables


@tries(10, 500)
@given(SEEDS)
def test_a_tap_on_what_a_play_takes_means_that_play(seed: int) -> None:
    random = Random(seed)
    for state in sample_of(random_match(seed).states, random, 6):
        if state.seat is None:
            continue
        position = state.position(state.seat)
        legal = set(legal_plays(position))
        for play in random.sample(sorted(legal, key=str), min(len(legal), 8)):
            swapped_in = {swap.card for swap in play.swaps}
            cards = [laid.card for laid in play.hand if laid.card not in swapped_in]
            cards += [swap.number for swap in play.swaps]
            meant = resolve(position, cards, [*play.lines, *play.across, *play.swaps])
            assert play in meant
            assert set(meant) <= legal
            assert set(resolve(position, cards, [])) <= legal
