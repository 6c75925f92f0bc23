"""Laws that hold in every game, tried on random ones. `NMBRS_PROOF=1` tries many more."""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, combinations, pairwise, product
from random import Random
from typing import TypeVar

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.engine.best_turn import best_points
from games.engine.cards import JOKERS, NUMBER_MASK, Laid, cards_in, is_joker, mask_of
from games.engine.errors import CODES, Refused
from games.engine.forming import Position, form, hand_after
from games.engine.layout import Layout, layout, layout_from_data, layout_to_data
from games.engine.match import apply, hand_cost
from games.engine.notation import action_text, parse_action
from games.engine.plays import legal_plays, plays_without_jokers, resolve
from games.engine.record import act_entry, deal_entry, replay
from games.engine.round import (
    LAST_TURN,
    Action,
    Claim,
    Deal,
    Discard,
    DrawClosed,
    DrawOpen,
    End,
    Knock,
    Pass,
    State,
    legal_actions,
    view,
)
from games.engine.ruleset import Ruleset, ruleset_from_data, ruleset_to_data
from games.engine.snapshot import state_from_data, state_to_data
from games.engine.table import Play, Table
from tests.counts import times
from tests.games.engine.test_layout import check
from tests.games.rounds import all_cards, random_match, random_ruleset, with_unseen_exchanged

T = TypeVar("T")
SEEDS = st.integers(0, 2**32 - 1)


def tries(small: int, full: int) -> settings:
    return settings(
        max_examples=times(small, full),
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )


@tries(20, 1000)
@given(SEEDS)
def test_the_cards_of_a_round_are_conserved(seed: int) -> None:
    match = random_match(seed)
    dealt = sorted(match.deck)
    for state, _, action in match.moments:
        assert all_cards(state) == dealt
        if isinstance(action, Deal):
            dealt = sorted(action.deck)


@tries(20, 1000)
@given(SEEDS)
def test_the_ledger_of_scores_equals_the_replay_of_the_log(seed: int) -> None:
    """The ledger is kept here: what each play formed earned, what each hand left over cost."""
    match = random_match(seed)
    ruleset = match.setting.ruleset
    ledger = [ruleset.start] * match.setting.seats
    log = [deal_entry(match.deck)]
    for (state, seat, action), after in pairwise((*match.moments, match.moments[-1])):
        if isinstance(action, Deal):
            log.append(deal_entry(action.deck))
        elif action is not None and seat is not None:
            log.append(act_entry(seat, action))
            if isinstance(action, Play):
                ledger[seat] += form(state.position(seat), action).points
            if after.state.phase in ("round over", "match over"):
                _count_round(ruleset, after.state, ledger)
        assert tuple(ledger) == after.state.scores
    assert replay(match.setting, log) == match.moments[-1].state


def _count_round(ruleset: Ruleset, over: State, ledger: list[int]) -> None:
    for seat, hand in enumerate(over.hands):
        won = over.round_winner == seat
        assert won == (not hand)
        if ruleset.scoring == "rounds won":
            ledger[seat] += won
        elif ruleset.scoring == "penalty":
            ledger[seat] += hand_cost(ruleset, hand)
        else:
            ledger[seat] -= hand_cost(ruleset, hand)


@tries(20, 1000)
@given(SEEDS)
def test_every_round_ends(seed: int) -> None:
    match = random_match(seed)
    over = match.moments[-1].state
    assert over.winners is not None
    assert over.round <= (match.setting.ruleset.rounds or 1)
    for state in match.states:
        assert max(state.turns) <= LAST_TURN
        assert (state.seat is None) == (state.phase in ("round over", "match over"))


@tries(20, 500)
@given(SEEDS)
def test_what_is_legal_is_accepted_and_all_else_is_refused_and_changes_nothing(seed: int) -> None:
    random = Random(seed)
    for state in sample_of(random_match(seed).states, random):
        legal = legal_actions(state)
        texts = {action_text(action) for action in legal}
        assert len(texts) == len(legal)
        before = state_to_data(state)
        for action in random.sample(legal, min(len(legal), 30)):
            assert refusal(state, action) is None
        for action in random_actions(state, random):
            code = refusal(state, action)
            assert code in CODES or is_known(state, action, texts), action_text(action)
        assert state_to_data(state) == before


def sample_of(states: list[State], random: Random, size: int = 8) -> list[State]:
    return random.sample(states, min(size, len(states)))


def refusal(state: State, action: Action) -> str | None:
    try:
        apply(state, action)
    except Refused as refused:
        return refused.code
    return None


def is_known(state: State, action: Action, legal: set[str]) -> bool:
    """Whether a legal action says the same; a seat may be named where it is free to act."""
    if isinstance(action, Claim | Pass | Knock):
        asked = [seat for seat in range(state.seats) if legal_actions(view(state, seat))]
        return action.seat is None or action.seat in asked
    return action_text(action) in legal


def random_actions(state: State, random: Random) -> Iterator[Action]:
    """Actions of every kind, most of them against the rules."""
    yield from (DrawOpen(), DrawClosed(), End(), Claim(), Pass(), Knock())
    yield from (kind(seat) for kind in (Claim, Pass, Knock) for seat in (-1, 0, 1, state.seats))
    yield from (Discard(random.choice((-1, 0, *range(1, 105)))) for _ in range(5))
    hand = list(cards_in(state.hands[state.turn]))
    table = state.table
    for _ in range(25):
        laid = [
            Laid(card, random.randint(0, state.ruleset.highest + 1) if is_joker(card) else card)
            for card in random.sample(hand, min(len(hand), random.randint(1, 4)))
        ]
        lines = random.sample(table.lines, min(len(table.lines), random.choice((0, 0, 1, 2))))
        on_table = list(table.laid.values())
        across = random.sample(on_table, min(len(on_table), random.choice((0, 0, 1, 2))))
        yield Play.of(laid, lines, across)
    for play in legal_plays(state.position(state.turn))[:5]:
        yield play._replace(hand=play.hand[1:])
        yield play._replace(across=(*play.across, *play.across))
        yield Play.of((*play.hand, Laid(random.randint(1, 50), 0)), play.lines, play.across)


@tries(20, 500)
@given(SEEDS)
def test_a_seat_sees_the_same_when_what_it_cannot_see_is_exchanged(seed: int) -> None:
    random = Random(seed)
    for state in sample_of(random_match(seed).states, random):
        for seat in range(state.seats):
            other = with_unseen_exchanged(state, seat, random)
            assert all_cards(other) == all_cards(state)
            assert view(other, seat) == view(state, seat)


@tries(25, 500)
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


@tries(25, 500)
@given(SEEDS)
def test_states_and_rulesets_survive_json(seed: int) -> None:
    match = random_match(seed)
    ruleset = match.setting.ruleset
    assert ruleset_from_data(json.loads(json.dumps(ruleset_to_data(ruleset)))) == ruleset
    for state in match.states:
        assert state_from_data(json.loads(json.dumps(state_to_data(state))), ruleset) == state


@tries(25, 500)
@given(SEEDS)
def test_every_table_can_be_drawn_and_what_did_not_change_stays(seed: int) -> None:
    columns = 8 + seed % 9
    placed, table = Layout(), Table()
    for state in random_match(seed).states:
        if state.table == table:
            continue
        before = {frozenset(island) for island in table.islands}
        old = {cell.laid: cell for cell in placed.cells}
        placed = layout(state.table, placed, columns)
        check(placed, state.table)
        assert (
            layout_from_data(json.loads(json.dumps(layout_to_data(placed))), state.table) == placed
        )
        new = {cell.laid: cell for cell in placed.cells}
        for island in state.table.islands:
            if frozenset(island) in before and state.table.cards & 1 << island[0].cards[0].card:
                assert all(new[laid] == old[laid] for line in island for laid in line.cards)
        table = state.table


@tries(25, 500)
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


SMALL = 14
"""The highest number of the positions in which every play is tried."""


def small_position(random: Random, jokers: int) -> Position:
    """A few cards in the hand and a few lines on the table, joined and crossed at random."""
    ruleset = replace(
        random_ruleset(random), highest=SMALL, most_players=2, hand=3, hand_of_two=3, tables=None
    )
    cards = [*range(1, SMALL + 1), *random.sample(JOKERS, jokers)]
    random.shuffle(cards)
    table = Table()
    for _ in range(random.randint(0, 3)):
        freely = Position(replace(ruleset, opening=False), table, mask_of(cards[:7]), True)
        plays = sorted(legal_plays(freely), key=str)
        if plays:
            table, _ = table.with_play(random.choice(plays))
            cards = [card for card in cards if card not in table.laid]
            random.shuffle(cards)
    hand = mask_of(cards[: random.randint(1, 4)])
    return Position(ruleset, table, hand, random.random() < 0.8)


def tried(position: Position) -> Iterator[Play]:
    """Every play that can be written at all, but for two cards crossed of one island."""
    table = position.table
    jokers = [laid for laid in table.laid.values() if is_joker(laid.card)]
    crossable = [
        [None, *{laid for line in island for laid in line.cards}] for island in table.islands
    ]
    for swaps in subsets(jokers):
        swapped = position.hand | mask_of(swap.card for swap in swaps)
        cards = [card for card in cards_in(swapped) if card not in [s.number for s in swaps]]
        for laid in subsets(cards):
            own = [range(1, SMALL + 1) if is_joker(card) else (card,) for card in laid]
            for numbers in product(*own):
                if not laid or len(set(numbers)) < len(numbers):
                    continue
                hand = [Laid(card, number) for card, number in zip(laid, numbers, strict=True)]
                for lines in subsets(list(table.lines)):
                    for across in product(*crossable):
                        yield Play.of(hand, lines, [card for card in across if card], swaps)


def subsets(items: list[T]) -> Iterator[tuple[T, ...]]:
    return chain.from_iterable(combinations(items, size) for size in range(len(items) + 1))


@tries(25, 1000)
@given(SEEDS, st.sampled_from([0, 0, 1, 1, 2]))
def test_the_legal_plays_are_those_that_trying_everything_finds(seed: int, jokers: int) -> None:
    position = small_position(Random(seed), jokers)
    found = [str(play) for play in legal_plays(position)]
    formed = {str(play) for play in tried(position) if can_form(position, play)}
    assert len(set(found)) == len(found)
    assert set(found) == formed
    own_jokers = set(cards_in(position.hand & ~NUMBER_MASK))
    assert {str(play) for play in plays_without_jokers(position)} == {
        str(play)
        for play in legal_plays(position)
        if not own_jokers & {laid.card for laid in play.hand}
    }


def can_form(position: Position, play: Play) -> bool:
    try:
        formed = form(position, play)
    except Refused:
        return False
    assert formed.hand == hand_after(position.hand, play)
    return True


@tries(25, 1000)
@given(SEEDS)
def test_the_best_turn_is_the_best_of_all_turns(seed: int) -> None:
    position = small_position(Random(seed), jokers=seed % 2)
    assert best_points(position) == best_of_all(position)


def best_of_all(position: Position) -> int:
    most = 0
    for play in legal_plays(position):
        formed = form(position, play)
        opened = position.opened or not play.touches_table
        after = Position(position.ruleset, formed.table, formed.hand, opened)
        most = max(most, formed.points + best_of_all(after))
    return most
