"""What a seat may see of a round, and what it may do (rules 5–7)."""

from dataclasses import dataclass
from typing import Final

from games.engine.actions import (
    Action,
    Claim,
    Discard,
    DrawClosed,
    DrawOpen,
    End,
    Knock,
    Pass,
    Take,
)
from games.engine.cards import JOKERS, Card, cards_in, mask_of
from games.engine.play_application import Position
from games.engine.plays import legal_plays
from games.engine.round import Phase, State, goal_after
from games.engine.ruleset import Ruleset
from games.engine.table import Table

_DRAWS: Final = (DrawOpen(), DrawClosed())
_OFFERED: Final = (Claim(), Pass())
_TAKES: Final = tuple(Take(card) for card in range(JOKERS[-1] + 1))
_DISCARDS: Final = tuple(Discard(card) for card in range(JOKERS[-1] + 1))
_END: Final = End()


@dataclass(frozen=True, slots=True)
class View:
    """Everything that a seat may know: its own hand, and what everybody can see."""

    ruleset: Ruleset
    seat: int
    hand: tuple[Card, ...]
    table: Table
    phase: Phase
    turn: int
    to_act: int | None
    may_act: bool  # whether the seat may act now (`State.seats_to_act`)
    scores: tuple[int, ...]
    hand_sizes: tuple[int, ...]  # how many cards each hand has
    open_top: Card | None
    open_count: int
    closed_count: int
    opened: tuple[bool, ...]
    passed: tuple[bool, ...]
    turns: tuple[int, ...]
    turns_without_play: int  # how many turns in a row the seat has now ended without a play
    play_count: int
    round: int
    starter: int
    round_winner: int | None
    winners: tuple[int, ...] | None
    market: tuple[Card, ...] = ()
    earned: tuple[int, ...] = ()  # by each seat in this round; empty without a goal
    goal: int | None = None
    cards_to_come: int = 0  # from the closed pile (`State.cards_to_come`)
    is_last_pile: bool = False

    @property
    def earned_together(self) -> int:
        return sum(self.earned)

    @property
    def is_goal_reached(self) -> bool:
        """Whether the goal of this round is reached (9.2)."""
        return self.goal is not None and self.earned_together >= self.goal

    @property
    def turns_after_goal(self) -> int:
        """How many turns, with the current one, a round still has whose goal is reached (9.2)."""
        last = min(self.turns) + 1
        if self.ruleset.builds_on:
            last = self.ruleset.most_turns or last
        return sum(last - turns for turns in self.turns) if self.ruleset.equal_turns else 1

    @property
    def turns_left(self) -> int | None:
        """How many turns the seat has left in this round, including the current one; None if they
        are not limited (6.6)."""
        most = self.ruleset.most_turns
        return None if most is None else max(0, most - self.turns[self.seat])

    @property
    def next_goal(self) -> int | None:
        """The goal of the next round if this one ends now (9.4)."""
        return goal_after(self.ruleset, self.goal, self.earned_together)

    @property
    def open_cards(self) -> tuple[Card, ...]:
        """The open cards that may be taken: the top of the open pile, then the market."""
        return self.market if self.open_top is None else (self.open_top, *self.market)

    def action_to_take(self, card: Card | None) -> Action:
        """The action that takes this open card or what is offered. If `card` is None, it draws from
        the closed pile or declines."""
        if self.phase == "offer":
            return Claim() if card else Pass()
        if self.phase == "knock":
            return Knock(self.seat) if card else Pass(self.seat)
        if card is None:
            return DrawClosed()
        return DrawOpen() if card == self.open_top else Take(card)

    @property
    def position(self) -> Position:
        hand = mask_of(self.hand)
        return Position(self.ruleset, self.table, hand, self.opened[self.seat])


def view(state: State, seat: int) -> View:
    """What a seat may see. Nothing in it depends on other hands or on the order of a pile."""
    seats = range(state.seat_count)
    return View(
        ruleset=state.ruleset,
        seat=seat,
        hand=tuple(cards_in(state.hands[seat])),
        table=state.table,
        phase=state.phase,
        turn=state.turn,
        to_act=state.to_act,
        may_act=seat in state.seats_to_act(),
        scores=state.scores,
        hand_sizes=tuple(hand.bit_count() for hand in state.hands),
        open_top=state.open_pile[-1] if state.open_pile else None,
        open_count=len(state.open_pile),
        closed_count=len(state.closed_pile),
        opened=tuple(bool(state.opened_mask >> other & 1) for other in seats),
        passed=tuple(bool(state.passed_mask >> other & 1) for other in seats),
        turns=state.turns,
        turns_without_play=state.turns_without_play[seat] if state.turns_without_play else 0,
        play_count=state.play_count,
        round=state.round,
        starter=state.starter,
        round_winner=state.round_winner,
        winners=state.winners,
        market=state.market,
        earned=() if state.goal is None else state.earned,
        goal=state.goal,
        cards_to_come=state.cards_to_come,
        is_last_pile=state.is_last_pile,
    )


def legal_actions(state: State | View) -> list[Action]:
    """All legal actions of the seat that must act, or of the seat of a view. A deal is not among
    them, because the deck of the next round comes from outside."""
    if isinstance(state, View):
        return _legal(state, state.seat, state.open_count > 0) if state.may_act else []
    return [] if state.to_act is None else _legal(state, state.to_act, bool(state.open_pile))


def _legal(state: State | View, seat: int, has_open_card: bool) -> list[Action]:
    """The legal actions of this seat. `has_open_card` is whether the open pile has a card."""
    if state.phase == "play":
        position = state.position if isinstance(state, View) else state.position(seat)
        actions: list[Action] = [*legal_plays(position)]
        actions += [_DISCARDS[card] for card in cards_in(position.hand)]
        if state.ruleset.may_keep_all:
            actions.append(_END)
        return actions
    if state.phase == "offer":
        return [*_OFFERED]
    if state.phase == "knock":
        return [Knock(seat), Pass(seat)]
    draws: list[Action] = [*_DRAWS] if has_open_card else [DrawClosed()]
    return draws + [_TAKES[card] for card in state.market]
