"""A match: its rounds, scores and winners (rules 6, 7, 9)."""

from collections.abc import Sequence
from typing import Final

from games.engine.actions import Action, Deal
from games.engine.cards import Card, cards_in, is_joker, shuffled
from games.engine.errors import ActionRefused, RulesetError
from games.engine.round import (
    MATCH_OVER,
    ROUND_OVER,
    State,
    apply_in_round,
    begin_round,
    goal_after,
    replace_fields,
)
from games.engine.ruleset import Ruleset
from games.engine.table import Table

JOKER_PENALTY: Final = 3
"""The penalty points of a joker left in a hand; any other block has one (7.5)."""


def new_match(
    ruleset: Ruleset, seats: int, deck: Sequence[Card], starter: int, seed: int = 0
) -> State:
    """The state of a new match, after the first deal. `seed` decides only reshuffles (5.4).

    Raises `RulesetError` for an impossible number of seats or starter, and for a deck that is too
    short or has a card twice or a card that the ruleset does not have.
    """
    if not 2 <= seats <= ruleset.most_seats:
        raise RulesetError("seats-out-of-range")
    if not 0 <= starter < seats:
        raise RulesetError("starter-out-of-range")
    _check_deck(ruleset, seats, deck)
    blank = State(
        ruleset=ruleset,
        seed=seed,
        round=1,
        starter=starter,
        phase=ROUND_OVER,
        turn=starter,
        to_act=None,
        hands=(0,) * seats,
        table=Table(),
        open_pile=(),
        closed_pile=(),
        scores=(ruleset.start,) * seats,
        goal=ruleset.goal,
    )
    return begin_round(blank, tuple(deck), starter)


def apply(state: State, action: Action) -> State:
    """The state after an action; `state` itself never changes. Raises `ActionRefused`."""
    if isinstance(action, Deal):
        return _deal(state, action.deck)
    after = apply_in_round(state, action)
    return _settle(after) if after.phase == ROUND_OVER else after


def first_starter(ruleset: Ruleset, seats: int, seed: int) -> int:
    """The seat that begins the match: drawn by lot (6.2) or, in blocks, the seat that draws the
    highest number (7.1)."""
    if not ruleset.has_pot:
        return shuffled(range(seats), seed)[0]
    in_play = list(range(seats))
    while True:
        cards = shuffled(ruleset.cards, seed)[: len(in_play)]
        worth = [0 if is_joker(card) else card for card in cards]
        best = max(worth)
        in_play = [seat for seat, value in zip(in_play, worth, strict=True) if value == best]
        if len(in_play) == 1:
            return in_play[0]
        seed += 1


def hand_cost(ruleset: Ruleset, hand: int) -> int:
    """The points that a player loses for the cards left in their hand (6.3, 6.6, 7.5, 9.2)."""
    if ruleset.earnings_decide:
        return 0
    cards = list(cards_in(hand))
    if ruleset.fewest_wins:
        return sum(JOKER_PENALTY if is_joker(card) else 1 for card in cards)
    return ruleset.points_of(cards)


def _check_deck(ruleset: Ruleset, seats: int, cards: Sequence[Card]) -> None:
    opens_pile = 0 if ruleset.has_pot else 1
    if len(cards) < ruleset.hand_size(seats) * seats + opens_pile:
        raise RulesetError("deck-too-short")
    if len(set(cards)) < len(cards) or not set(cards) <= set(ruleset.cards):
        raise RulesetError("deck-not-of-this-edition")


def _deal(state: State, cards: tuple[Card, ...]) -> State:
    if state.phase != ROUND_OVER:
        raise ActionRefused("wrong-phase", state.phase)
    _check_deck(state.ruleset, state.seat_count, cards)
    starter = (state.starter + 1) % state.seat_count
    if state.ruleset.has_pot and state.round_winner is not None:
        starter = state.round_winner
    goal = goal_after(state.ruleset, state.goal, state.earned_together)
    return begin_round(replace_fields(state, round=state.round + 1, goal=goal), cards, starter)


def _settle(state: State) -> State:
    """Update the scores after a round (6.3, 7.5, 7.6), and end the match if it is over (6.5)."""
    winner, ruleset = state.round_winner, state.ruleset
    scores = list(state.scores)
    for seat, hand in enumerate(state.hands):
        if ruleset.counts_rounds:
            scores[seat] += seat == winner
        elif seat != winner:
            scores[seat] -= ruleset.gain(hand_cost(ruleset, hand))
    winners = _winners(ruleset, scores, state.round)
    phase = state.phase if winners is None else MATCH_OVER
    return replace_fields(state, scores=tuple(scores), phase=phase, winners=winners)


def _winners(ruleset: Ruleset, scores: Sequence[int], rounds: int) -> tuple[int, ...] | None:
    """The winners of the match, which may be none; None while the match goes on."""
    best = max(scores, key=ruleset.gain)
    leading = tuple(seat for seat, score in enumerate(scores) if score == best)
    if ruleset.rounds is not None:
        if rounds < ruleset.rounds:
            return None
        if ruleset.is_together:
            return ()
        return () if ruleset.counts_rounds and best == 0 else leading
    return leading if best >= ruleset.target and len(leading) == 1 else None
