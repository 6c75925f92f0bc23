"""One goal for the table (rules 9). `test_market.py` follows the cards of games with piles; here is
the same for a pot: `Pot` is told what is done, and shares no code with the engine."""

import json
from dataclasses import dataclass, field, replace
from random import Random

import pytest

from games.engine.actions import Deal, Discard, DrawClosed, End, Knock, Pass
from games.engine.cards import cards_in, shuffled
from games.engine.match import apply, new_match
from games.engine.round import State, legal_actions, view
from games.engine.ruleset import Ruleset, edition, ruleset_to_data
from games.engine.table import Play
from games.engine.text.notation import parse_cards, parse_play
from games.engine.text.snapshot import state_from_data, state_to_data
from tests.counts import for_each, times
from tests.games.rounds import choice

TOGETHER = edition(
    "simplified", tables=[2, 5, 10], offers=False, opening=False, doubling=[], piles=1, rounds=2,
    goal=6, goal_up=2, goal_down=5,
)  # fmt: skip
DECK = "10 20 30 40 1 3 7 2 4 6 8 9 11 13 50 12 14 16 18"


@dataclass
class Pot:
    ruleset: Ruleset
    left: list[int]  # its top first
    hands: list[list[int]] = field(default_factory=list)
    laid: int = 0

    def deal(self, seats: int, starter: int) -> None:
        self.size = self.ruleset.hand_of_two if seats == 2 else self.ruleset.hand
        self.hands = [self.take(self.size) for _ in range(seats)]
        self.hands[starter] += self.take(2)

    def take(self, count: int) -> list[int]:
        taken, self.left = self.left[:count], self.left[count:]
        return taken

    def ends_turn(self, seat: int) -> bool:
        """Fills up an empty hand; whether the round is over with this turn."""
        if not self.hands[seat]:
            self.hands[seat] += self.take(self.size)
        return not self.left or self.laid >= (self.ruleset.goal or 0)


@for_each(range(times(12, 600)))
def test_blocks_go_where_the_reference_puts_them(seed: int) -> None:
    random = Random(seed)
    name = random.choice(["blocks", "blocks-simple"])
    ruleset = edition(name, goal=random.choice([6, 15, 60]), rounds=1)
    seats, starter = random.choice([2, 3, 4]), 0
    cards = shuffled(ruleset.cards, seed)
    state, pot = new_match(ruleset, seats, cards, starter, seed), Pot(ruleset, list(cards))
    pot.deal(seats, starter)
    over = False
    while state.seat is not None:
        assert not over
        assert [sorted(hand) for hand in pot.hands] == [list(cards_in(h)) for h in state.hands]
        assert len(pot.left) == len(state.closed)
        seat, turn, before = state.seat, state.turn, state
        action = choice(legal_actions(state), random)
        state = apply(state, action)
        following, picked = (turn + 1) % seats, False
        match action:
            case Play():
                put_in = {laid.number for laid in action.swaps}
                swapped = {laid.card for laid in action.swaps}
                gone = put_in | {laid.card for laid in action.hand} - swapped
                pot.hands[turn] = [card for card in pot.hands[turn] if card not in gone]
                pot.laid += len(action.hand)
                if pot.hands[turn]:
                    continue
                over = pot.ends_turn(turn)
            case Discard(card):
                pot.hands[turn].remove(card)
                over = pot.ends_turn(turn)
                if not over:
                    assert state.phase == "knock" or max(before.turns) >= 59
                    over = max(before.turns) >= 59
                    continue
            case Knock():
                pot.hands[seat] += [before.open[-1], *pot.take(1)]
                picked = seat == following
            case Pass() if state.phase == "knock":
                continue
        if not over and not picked:
            pot.hands[following] += pot.take(2)
    assert over or max(state.turns) >= 60
    assert state.together == pot.laid == sum(state.scores)
    assert (state.phase, state.round_winner, state.winners) == ("match over", None, ())


def begun(ruleset: Ruleset = TOGETHER, deck: str = DECK) -> State:
    return new_match(ruleset, 2, parse_cards(deck.split(), ruleset), 0)


def laid(state: State, *plays: str) -> State:
    for play in plays:
        state = apply(state, parse_play(play, state.ruleset))
    return state


def test_a_round_ends_with_the_turn_in_which_the_goal_is_reached() -> None:
    state = laid(apply(begun(), DrawClosed()), "10 20 30")
    assert (state.together, view(state, 1).is_reached) == (3, False)
    after = apply(state, Discard(1))
    assert (after.phase, after.turn) == ("draw", 1)
    after = laid(apply(after, DrawClosed()), "2 4 6 8")
    assert (after.phase, after.together, view(after, 0).is_reached) == ("play", 7, True)
    assert view(after, 0).earned == (3, 4)
    over = apply(after, Discard(9))
    assert (over.phase, over.scores, over.round_winner) == ("round over", (23, 24), None)


def test_the_goal_rises_after_a_round_that_reached_it_and_falls_after_another() -> None:
    reached = laid(apply(with_goal(3), DrawClosed()), "10 20 30")
    reached = apply(reached, Discard(1))
    deck = parse_cards(DECK.split(), TOGETHER)
    assert view(reached, 0).next_goal == 5
    assert apply(reached, Deal(deck)).goal == 5
    missed = without_a_row(with_goal(10))
    assert missed.together == 0
    assert view(missed, 0).next_goal == 5
    assert apply(missed, Deal(deck)).goal == 5
    assert view(without_a_row(with_goal(6)), 0).next_goal == 3
    assert view(without_a_row(with_goal(2)), 0).next_goal == 2


def with_goal(goal: int) -> State:
    return begun(replace(TOGETHER, goal=goal))


def without_a_row(state: State) -> State:
    """The end of a round in which everybody takes a card and puts the lowest one down."""
    while state.seat is not None:
        state = apply(state, DrawClosed())
        state = apply(state, Discard(cards_in(state.hands[state.turn])[0]))
    return state


def test_an_empty_hand_fills_up_and_nobody_goes_out() -> None:
    deck = "10 20 30 40 2 4 6 1 3 5 7 9 11 13 50 8 12 14 16 18 22 24 26 28 32"
    state = begun(replace(TOGETHER, goal=50), deck)
    state = laid(apply(state, DrawClosed()), "10 20 30 40", "2 4 6 8")
    assert (state.phase, state.turn) == ("draw", 1)
    assert (state.hands[0].bit_count(), state.turns) == (7, (1, 0))


def test_in_blocks_others_may_knock_for_the_last_block_of_a_hand() -> None:
    ruleset = edition("blocks", goal=90, rounds=1)
    deck = "10 20 30 40 50 60 70 2 4 1 3 7 9 13 17 19 23 29 6 8 31 37 41 43 47 53 59 61 67 71 73"
    state = new_match(ruleset, 2, parse_cards(deck.split(), ruleset), 0)
    state = laid(state, "10 20 30 40 50 60 70", "2 4 6")
    state = apply(state, Discard(8))
    assert (state.phase, state.hands[0].bit_count(), state.round_winner) == ("knock", 9, None)
    assert Knock(1) in legal_actions(view(state, 1))


@pytest.mark.parametrize("name", ["simplified", "classic", "blocks"])
def test_a_ruleset_without_a_goal_is_written_as_before(name: str) -> None:
    ruleset = edition(name, rounds=1)
    assert not {"goal", "goal_up", "goal_down"} & ruleset_to_data(ruleset).keys()
    state = new_match(ruleset, 2, ruleset.cards, 0)
    assert "goal" not in state_to_data(state)


def test_the_goal_of_a_round_survives_json() -> None:
    state = without_a_row(begun())
    deck = parse_cards(DECK.split(), TOGETHER)
    state = apply(state, Deal(deck))
    data = json.loads(json.dumps(state_to_data(state)))
    assert state_from_data(data, TOGETHER) == state
    assert state.goal == 3


def test_a_turn_without_a_discard_can_reach_the_goal() -> None:
    ruleset = replace(TOGETHER, ending="free", goal=3)
    state = laid(apply(begun(ruleset), DrawClosed()), "10 20 30")
    assert apply(state, End()).phase == "round over"
