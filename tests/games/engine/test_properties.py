"""Laws that hold in every game, tested on random games; with `NMBRS_PROOF=1` on many more."""

import json
from collections.abc import Iterator
from itertools import count
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games.engine.actions import (
    Action,
    Claim,
    Deal,
    Discard,
    DrawClosed,
    DrawOpen,
    End,
    Knock,
    Pass,
    Take,
)
from games.engine.cards import LaidCard, cards_in, is_joker, shuffled
from games.engine.errors import CODES, ActionRefused
from games.engine.layout.table_layout import Layout, layout, layout_from_data, layout_to_data
from games.engine.match import apply, first_starter, hand_cost, new_match
from games.engine.play_application import make_play
from games.engine.plays import legal_plays, plays_of_tap
from games.engine.round import LAST_TURN, State
from games.engine.ruleset import EDITIONS, Ruleset, ruleset_from_data, ruleset_to_data
from games.engine.table import Play, Table
from games.engine.text.game_text import GameRecord, read_game, write_game
from games.engine.text.notation import action_text, parse_action
from games.engine.text.record import (
    LogEntry,
    Setting,
    act_entry,
    deal_entry,
    replay,
    take_back_entry,
)
from games.engine.text.snapshot import state_from_data, state_to_data
from games.engine.view import legal_actions, view
from tests.counts import times
from tests.games.engine.layouts import check
from tests.games.rounds import (
    SEEDS,
    all_cards,
    choice,
    random_match,
    random_ruleset,
    tries,
    with_unseen_exchanged,
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
        assert (state.to_act is None) == (state.phase in ("round over", "match over"))


def sample_of(states: list[State], random: Random, size: int = 8) -> list[State]:
    return random.sample(states, min(size, len(states)))


@tries(10, 500)
@given(SEEDS)
def test_a_written_action_is_read_as_the_same_action(seed: int) -> None:
    for state, _, action in random_match(seed).moments:
        if action is None or isinstance(action, Deal):
            continue
        text = action_text(action)
        same = parse_action(text, state.ruleset)
        if isinstance(same, Play):
            assert str(make_play(state.position(state.turn), same).play) == text
            assert apply(state, same) == apply(state, action)
        else:
            assert (same, action_text(same)) == (action, text)


@pytest.mark.parametrize("name", EDITIONS)
def test_every_table_can_be_drawn_and_unchanged_islands_stay(name: str) -> None:
    tables = 0
    for seed in count():
        tables += drawn_tables(name, seed)
        if tables >= times(20, 1000):
            break


def drawn_tables(name: str, seed: int) -> int:
    """Lay out each table of a match after the one before, and return the number of tables."""
    placed, table, tables = Layout(), Table(), 0
    for state in random_match(seed, random_ruleset(Random(seed), name)).states:
        if state.table == table:
            continue
        before = {frozenset(table.lines[at] for at in island) for island in table.islands}
        old = {cell.laid_card: cell for island in placed.islands for cell in island.cells}
        placed = layout(state.table, placed)
        check(placed, state.table)
        assert (
            layout_from_data(json.loads(json.dumps(layout_to_data(placed))), state.table) == placed
        )
        new = {cell.laid_card: cell for island in placed.islands for cell in island.cells}
        for indices in state.table.islands:
            island = frozenset(state.table.lines[at] for at in indices)
            if island in before:
                assert all(new[card] == old[card] for line in island for card in line.cards)
        table, tables = state.table, tables + 1
    return tables


@tries(10, 500)
@given(SEEDS)
def test_a_tap_on_everything_that_a_play_takes_means_that_play(seed: int) -> None:
    random = Random(seed)
    for state in sample_of(random_match(seed).states, random, 6):
        if state.to_act is None:
            continue
        position = state.position(state.to_act)
        legal = set(legal_plays(position))
        for play in random.sample(sorted(legal, key=str), min(len(legal), 8)):
            swapped_in = {swap.card for swap in play.swaps}
            cards = [card for card, _ in play.hand if card not in swapped_in]
            cards += [swap.number for swap in play.swaps]
            meant = plays_of_tap(position, cards, [*play.lines, *play.across, *play.swaps])
            assert play in meant
            assert set(meant) <= legal
            assert set(plays_of_tap(position, cards, [])) <= legal


# A table of players as a machine


class Players(RuleBasedStateMachine):
    """A match. All chance comes from seeds, so a few numbers repeat a failure."""

    state: State
    dealt: list[int]
    setting: Setting
    log: list[LogEntry]
    ledger: list[int]
    undo: list[tuple[State, list[int]]]

    @initialize(name=st.sampled_from(sorted(EDITIONS)), seed=SEEDS, short=st.booleans())
    def sit_down(self, name: str, seed: int, short: bool) -> None:
        random = Random(seed)
        ruleset = random_ruleset(random, name)
        seats = min(random.choice([2, 2, 3, 4, ruleset.most_seats]), ruleset.most_seats)
        self.setting = Setting(ruleset, seats, first_starter(ruleset, seats, seed), seed)
        cards = self._deck(seed, short)
        self.state = new_match(ruleset, seats, cards, self.setting.starter, seed)
        self.log, self.undo = [deal_entry(cards)], []
        self.dealt, self.ledger = sorted(cards), [ruleset.start] * seats

    def _deck(self, seed: int, short: bool) -> tuple[int, ...]:
        ruleset, seats = self.setting.ruleset, self.setting.seats
        cards = shuffled(ruleset.cards, seed)
        return cards[: ruleset.hand_size(seats) * seats + 1 + seed % 12] if short else cards

    @property
    def able(self) -> list[int]:
        """The seats that may act. While a block is offered, these are all that have not passed."""
        return [
            seat for seat in range(self.state.seat_count) if legal_actions(view(self.state, seat))
        ]

    @precondition(lambda self: self.state.to_act is not None)
    @rule(seed=SEEDS)
    def act(self, seed: int) -> None:
        random = Random(seed)
        seat = random.choice(self.able)
        self._do(seat, choice(legal_actions(view(self.state, seat)), random))

    @precondition(lambda self: self.state.to_act is not None)
    @rule(seed=SEEDS, count=st.integers(2, 150))
    def play_on(self, seed: int, count: int) -> None:
        for step in range(count):
            if self.state.to_act is None:
                return
            self.act(seed + step)
            self.cards_are_conserved()

    def _do(self, seat: int, action: Action) -> None:
        before = self.state
        self.state = apply(before, action)
        self.log.append(act_entry(seat, action))
        if isinstance(action, Play):
            self.undo.append((before, list(self.ledger)))
            self.ledger[seat] += make_play(before.position(seat), action).points
        else:
            self.undo = []
        if self.state.phase in ("round over", "match over"):
            count_round(self.setting.ruleset, self.state, self.ledger)

    @precondition(lambda self: self.undo and self.state.phase == "play")
    @rule()
    def take_back(self) -> None:
        self.log.append(take_back_entry(self.state.turn))
        self.state, self.ledger = self.undo.pop()

    @precondition(lambda self: self.state.phase == "round over")
    @rule(seed=SEEDS, short=st.booleans())
    def deal(self, seed: int, short: bool) -> None:
        cards = self._deck(seed, short)
        self.state = apply(self.state, Deal(cards))
        self.log.append(deal_entry(cards))
        self.dealt, self.undo = sorted(cards), []

    @rule(seed=SEEDS)
    def try_what_is_refused(self, seed: int) -> None:
        """Check that legal actions are accepted and others refused with a code, and that the old
        state never changes."""
        random, before = Random(seed), state_to_data(self.state)
        legal = legal_actions(self.state)
        texts = {action_text(action) for action in legal}
        assert len(texts) == len(legal)
        for action in random.sample(legal, min(len(legal), 10)):
            assert refusal(self.state, action) is None
        for action in random_actions(self.state, random):
            code = refusal(self.state, action)
            assert code in CODES if code else self._is_legal(action, texts), action_text(action)
        assert state_to_data(self.state) == before

    def _is_legal(self, action: Action, texts: set[str]) -> bool:
        """Whether an action is legal. If several seats may act, it can name one of them."""
        if isinstance(action, Claim | Pass | Knock):
            return bool(self.able) and action.seat in (None, *self.able)
        return action_text(action) in texts

    @invariant()
    def cards_are_conserved(self) -> None:
        assert all_cards(self.state) == self.dealt

    @invariant()
    def the_ledger_is_the_scores(self) -> None:
        assert tuple(self.ledger) == self.state.scores

    @invariant()
    def somebody_must_act_until_it_is_over(self) -> None:
        over = self.state.phase in ("round over", "match over")
        assert (self.state.to_act is None) == over
        assert over or self.state.to_act in self.able
        assert (self.state.winners is not None) == (self.state.phase == "match over")

    @invariant()
    def a_seat_sees_the_same_whatever_the_unseen_cards_are(self) -> None:
        random = Random(len(self.log))
        for seat in range(self.state.seat_count):
            other = with_unseen_exchanged(self.state, seat, random)
            assert all_cards(other) == self.dealt
            assert view(other, seat) == view(self.state, seat)

    @invariant()
    def state_and_ruleset_survive_json(self) -> None:
        ruleset = self.setting.ruleset
        assert ruleset_from_data(json.loads(json.dumps(ruleset_to_data(ruleset)))) == ruleset
        data = json.loads(json.dumps(state_to_data(self.state)))
        assert state_from_data(data, ruleset) == self.state

    def teardown(self) -> None:
        """Check that the record replays to the state that was reached, also when it is read from
        text."""
        assert replay(self.setting, self.log) == self.state
        record = GameRecord.of(self.setting, self.log)
        text = write_game(record)
        read_again = read_game(text)
        assert read_again == record
        assert write_game(read_again) == text
        assert replay(read_again.setting, read_again.entries) == self.state


def count_round(ruleset: Ruleset, over: State, ledger: list[int]) -> None:
    if ruleset.goal is not None:
        assert over.round_winner is None
        assert not over.winners
        return
    for seat, hand in enumerate(over.hands):
        won = over.round_winner == seat
        assert ruleset.earnings_decide or won == (not hand)
        if ruleset.scoring == "rounds won":
            ledger[seat] += won
        elif ruleset.scoring == "penalty":
            ledger[seat] += hand_cost(ruleset, hand)
        else:
            ledger[seat] -= hand_cost(ruleset, hand)


def refusal(state: State, action: Action) -> str | None:
    try:
        apply(state, action)
    except ActionRefused as refused:
        return refused.code
    return None


def random_actions(state: State, random: Random) -> Iterator[Action]:
    """Actions of every kind, most of them illegal."""
    yield from (DrawOpen(), DrawClosed(), End(), Claim(), Pass(), Knock())
    yield from (
        kind(seat) for kind in (Claim, Pass, Knock) for seat in (-1, 0, 1, state.seat_count)
    )
    yield from (Take(card) for card in random.choices(range(1, 105), k=5))
    yield from (Discard(random.choice((-1, 0, *range(1, 105)))) for _ in range(5))
    hand = list(cards_in(state.hands[state.turn]))
    table = state.table
    for _ in range(10):
        laid_cards = [
            LaidCard(card, random.randint(0, state.ruleset.highest + 1) if is_joker(card) else card)
            for card in random.sample(hand, min(len(hand), random.randint(1, 4)))
        ]
        lines = random.sample(table.lines, min(len(table.lines), random.choice((0, 0, 1, 2))))
        on_table = list(table.laid_cards.values())
        across = random.sample(on_table, min(len(on_table), random.choice((0, 0, 1, 2))))
        yield Play.of(laid_cards, lines, across)
    for play in legal_plays(state.position(state.turn))[:5]:
        yield Play(play.hand[1:], play.lines, play.across, play.swaps)
        yield Play(play.hand, play.lines, (*play.across, *play.across), play.swaps)
        yield Play.of((*play.hand, LaidCard(random.randint(1, 50), 0)), play.lines, play.across)


TestPlayers = Players.TestCase
TestPlayers.settings = settings(
    max_examples=times(10, 1000),
    stateful_step_count=30,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
