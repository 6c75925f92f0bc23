"""A round and what may be done in it: state, actions, apply, a seat's view (rules 5–7)."""

from dataclasses import dataclass, replace
from typing import Final, Literal

from .cards import Card, cards_in, shuffled
from .errors import Refused
from .forming import Position, form
from .plays import legal_plays
from .ruleset import Ruleset
from .table import Play, Table, card_text

Phase = Literal["draw", "offer", "redraw", "play", "knock", "round over", "match over"]
LAST_TURN: Final = 60
"""A round ends without a winner after a seat's 60th turn (6.4)."""


@dataclass(frozen=True, slots=True)
class DrawOpen:
    pass


@dataclass(frozen=True, slots=True)
class DrawClosed:
    """Take a card from the closed pile; in phase `draw` this declines the open card (5.1)."""


@dataclass(frozen=True, slots=True)
class Claim:
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Knock:
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Discard:
    card: Card


@dataclass(frozen=True, slots=True)
class End:
    """End a turn that owes no discard (5.3)."""


@dataclass(frozen=True, slots=True)
class Deal:
    """Begin the next round with this deck, top first."""

    deck: tuple[Card, ...]


Action = Play | DrawOpen | DrawClosed | Claim | Pass | Knock | Discard | End | Deal


@dataclass(frozen=True, slots=True)
class State:
    """A match at one moment, with all that is hidden. Piles have their top last.

    `turn`: whose turn it is. `seat`: who must act, None when a round or the match is over.
    `opened`: a mask of the seats that have opened (3.4). `passed`: a mask of the seats that do
    not want the block on offer. `out`: blocks that are out of the round (7.4).
    `turns`: turns each seat has ended in this round; `idle`: turns in a row with nothing done.
    `plays`: plays made in the turn under way.
    """

    ruleset: Ruleset
    seed: int
    round: int
    starter: int
    phase: Phase
    turn: int
    seat: int | None
    hands: tuple[int, ...]
    table: Table
    open: tuple[Card, ...]
    closed: tuple[Card, ...]
    scores: tuple[int, ...]
    opened: int = 0
    turns: tuple[int, ...] = ()
    idle: int = 0
    active: bool = False
    passed: int = 0
    plays: int = 0
    out: tuple[Card, ...] = ()
    reshuffles: int = 0
    round_winner: int | None = None
    winners: tuple[int, ...] | None = None

    @property
    def seats(self) -> int:
        return len(self.hands)

    def position(self, seat: int) -> Position:
        """What decides which plays are legal for a seat."""
        opened = bool(self.opened >> seat & 1)
        return Position(self.ruleset, self.table, self.hands[seat], opened)


@dataclass(frozen=True, slots=True)
class View:
    """All that a seat may know: its own hand, and what lies open to everyone."""

    ruleset: Ruleset
    seat: int
    hand: tuple[Card, ...]
    table: Table
    phase: Phase
    turn: int
    to_act: int | None
    scores: tuple[int, ...]
    counts: tuple[int, ...]
    open_top: Card | None
    open_count: int
    closed_count: int
    opened: tuple[bool, ...]
    passed: tuple[bool, ...]
    turns: tuple[int, ...]
    plays: int
    round: int
    starter: int
    round_winner: int | None
    winners: tuple[int, ...] | None

    @property
    def position(self) -> Position:
        hand = sum(1 << card for card in self.hand)
        return Position(self.ruleset, self.table, hand, self.opened[self.seat])


def view(state: State, seat: int) -> View:
    """What a seat may see; nothing in it depends on other hands or on the order of a pile."""
    flags = range(state.seats)
    return View(
        ruleset=state.ruleset,
        seat=seat,
        hand=tuple(cards_in(state.hands[seat])),
        table=state.table,
        phase=state.phase,
        turn=state.turn,
        to_act=state.seat,
        scores=state.scores,
        counts=tuple(hand.bit_count() for hand in state.hands),
        open_top=state.open[-1] if state.open else None,
        open_count=len(state.open),
        closed_count=len(state.closed),
        opened=tuple(bool(state.opened >> other & 1) for other in flags),
        passed=tuple(bool(state.passed >> other & 1) for other in flags),
        turns=state.turns,
        plays=state.plays,
        round=state.round,
        starter=state.starter,
        round_winner=state.round_winner,
        winners=state.winners,
    )


def legal_actions(seen: State | View) -> list[Action]:
    """Everything that whoever must act may do; for a view, what its own seat may do.

    `deal` is none of them: the next round's deck comes from outside.
    """
    if isinstance(seen, State):
        return [] if seen.seat is None else legal_actions(view(seen, seen.seat))
    if seen.phase == "knock":
        mine = not seen.passed[seen.seat] and seen.seat != seen.turn
        if seen.ruleset.drawing == "youngest first":
            mine = seen.to_act == seen.seat
        return [Knock(seen.seat), Pass(seen.seat)] if mine else []
    if seen.to_act != seen.seat:
        return []
    if seen.phase == "offer":
        return [Claim(), Pass()]
    if seen.phase in ("draw", "redraw"):
        return [*([DrawOpen()] if seen.open_count else []), DrawClosed()]
    ends: list[Action] = [End()] if seen.ruleset.ending == "free" else []
    return [*legal_plays(seen.position), *map(Discard, seen.hand), *ends]


def begin_round(state: State, deck: tuple[Card, ...], starter: int) -> State:
    """Deal a round (6.1, 7.1): seat 0 gets the first cards of the deck, then seat 1, …"""
    size = state.ruleset.hand_size(state.seats)
    hands = tuple(
        sum(1 << card for card in deck[seat * size : (seat + 1) * size])
        for seat in range(state.seats)
    )
    rest = deck[size * state.seats :]
    with_pot = state.ruleset.with_pot
    state = replace(
        state,
        starter=starter,
        hands=hands,
        table=Table(),
        open=() if with_pot else rest[:1],
        closed=tuple(reversed(rest if with_pot else rest[1:])),
        opened=0,
        turns=(0,) * state.seats,
        idle=0,
        out=(),
        reshuffles=0,
        round_winner=None,
    )
    return _begin_turn(state, starter, picked_up=False)


def apply_in_round(state: State, action: Action) -> State:
    """The state after an action of a running round. `round_winner` and phase `round over` say
    how it ended; scores and the match are the caller's. Raises `Refused`."""
    if state.phase == "knock" and isinstance(action, Knock | Pass):
        return _answer_block(state, action)
    if state.phase == "offer" and state.seat is not None and isinstance(action, Claim | Pass):
        return _answer_offer(state, action, state.seat)
    if state.phase in ("draw", "redraw") and isinstance(action, DrawOpen | DrawClosed):
        return _draw(state, action)
    if state.phase == "play":
        if isinstance(action, Play):
            return _play(state, action)
        if isinstance(action, Discard):
            return _discard(state, action.card)
        if isinstance(action, End):
            if state.ruleset.ending != "free":
                raise Refused("must-discard")
            return _end_turn(state)
    raise Refused("wrong-phase", state.phase)


def _begin_turn(state: State, seat: int, picked_up: bool) -> State:
    state = replace(state, turn=seat, seat=seat, passed=0, plays=0, active=False)
    if not state.ruleset.with_pot:
        return replace(state, phase="draw")
    if not picked_up:
        for _ in range(2):
            state = _take_closed(state, seat)
    return replace(state, phase="play")


def _take_closed(state: State, seat: int) -> State:
    """Take a card of the closed pile, if there is one to be had (5.4)."""
    if not state.closed and len(state.open) > 1 and not state.ruleset.with_pot:
        seed = (state.seed * 1009 + state.round) * 1009 + state.reshuffles + 1
        state = replace(
            state,
            closed=shuffled(state.open[:-1], seed),
            open=state.open[-1:],
            reshuffles=state.reshuffles + 1,
        )
    if not state.closed:
        return state
    state = _give(state, seat, state.closed[-1])
    return replace(state, closed=state.closed[:-1])


def _give(state: State, seat: int, card: Card) -> State:
    hands = list(state.hands)
    hands[seat] |= 1 << card
    return replace(state, hands=tuple(hands), active=True)


def _take_open(state: State, seat: int) -> State:
    if not state.open:
        raise Refused("pile-empty")
    return replace(_give(state, seat, state.open[-1]), open=state.open[:-1])


def _draw(state: State, action: DrawOpen | DrawClosed) -> State:
    if isinstance(action, DrawOpen):
        return replace(_take_open(state, state.turn), phase="play")
    if state.phase == "draw" and state.ruleset.offers and state.open:
        return replace(state, phase="offer", seat=_after(state, state.turn))
    return replace(_take_closed(state, state.turn), phase="play")


def _answer_offer(state: State, action: Claim | Pass, asked: int) -> State:
    if action.seat not in (None, asked):
        raise Refused("wrong-phase", "not that seat's choice")
    if isinstance(action, Claim):
        state = _take_closed(_take_open(state, asked), asked)
        return replace(state, phase="redraw", seat=state.turn)
    following = _after(state, asked)
    if following != state.turn:
        return replace(state, seat=following)
    return replace(_take_closed(state, state.turn), phase="play", seat=state.turn)


def _play(state: State, play: Play) -> State:
    formed = form(state.position(state.turn), play)
    hands = list(state.hands)
    hands[state.turn] = formed.hand
    scores = list(state.scores)
    scores[state.turn] += formed.points
    opens = not play.touches_table
    state = replace(
        state,
        hands=tuple(hands),
        scores=tuple(scores),
        table=formed.table,
        opened=state.opened | (1 << state.turn if opens else 0),
        plays=state.plays + 1,
        active=True,
    )
    return state if formed.hand else _end_round(state, state.turn)


def _discard(state: State, card: Card) -> State:
    hand = state.hands[state.turn]
    if card < 1 or not hand >> card & 1:
        raise Refused("not-in-hand", card_text(card))
    hands = list(state.hands)
    hands[state.turn] = hand & ~(1 << card)
    state = replace(state, hands=tuple(hands), open=(*state.open, card), active=True)
    if not state.ruleset.with_pot:
        return _end_turn(state)
    if not hands[state.turn]:
        return _end_round(_put_out(state), state.turn)
    state = _count_turn(state)
    if state.turns[state.turn] >= LAST_TURN:
        return _end_round(_put_out(state), None)
    return replace(state, phase="knock", seat=_next_asked(state))


def _put_out(state: State) -> State:
    """The block on offer leaves the round (7.4)."""
    return replace(state, out=(*state.out, *state.open), open=())


def _end_turn(state: State) -> State:
    if not state.hands[state.turn]:
        return _end_round(state, state.turn)
    state = _count_turn(state)
    if state.turns[state.turn] >= LAST_TURN or state.idle >= state.seats:
        return _end_round(state, None)
    return _begin_turn(state, _after(state, state.turn), picked_up=False)


def _count_turn(state: State) -> State:
    turns = list(state.turns)
    turns[state.turn] += 1
    return replace(state, turns=tuple(turns), idle=0 if state.active else state.idle + 1)


def _end_round(state: State, winner: int | None) -> State:
    return replace(state, phase="round over", seat=None, round_winner=winner)


def _next_asked(state: State) -> int | None:
    """Who is asked next for the block on offer: clockwise from the discarder, but with the
    youngest (seat 0) first where that is agreed (7.4, 7.6). None when all have passed."""
    order = [(state.turn + step) % state.seats for step in range(1, state.seats)]
    if state.ruleset.drawing == "youngest first" and 0 in order:
        order.remove(0)
        order.insert(0, 0)
    return next((seat for seat in order if not state.passed >> seat & 1), None)


def _answer_block(state: State, action: Knock | Pass) -> State:
    seat = state.seat if action.seat is None else action.seat
    if seat in (None, state.turn) or not 0 <= seat < state.seats or state.passed >> seat & 1:
        raise Refused("wrong-phase", "no choice of that seat")
    if state.ruleset.drawing == "youngest first" and seat != state.seat:
        raise Refused("wrong-phase", "not that seat's choice")
    following = _after(state, state.turn)
    if isinstance(action, Knock):
        state = _take_closed(_take_open(state, seat), seat)
        return _begin_turn(state, following, picked_up=seat == following)
    state = replace(state, passed=state.passed | 1 << seat)
    asked = _next_asked(state)
    if asked is not None:
        return replace(state, seat=asked)
    return _begin_turn(_put_out(state), following, picked_up=False)


def _after(state: State, seat: int) -> int:
    return (seat + 1) % state.seats
