"""A round: its state, and the effects of actions (rules 5–7)."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

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
from games.engine.cards import Card, card_text, cards_in, mask_of, shuffled
from games.engine.errors import ActionRefused
from games.engine.play_application import Position, make_play
from games.engine.ruleset import Ruleset
from games.engine.table import Play, Table

Phase = Literal["draw", "offer", "redraw", "play", "knock", "round over", "match over"]
ROUND_OVER: Final = "round over"
MATCH_OVER: Final = "match over"
OVER_PHASES: Final = (ROUND_OVER, MATCH_OVER)
"""The phases between rounds and after the match."""
DRAW_PHASES: Final = ("draw", "redraw")
"""The phases in which the seat whose turn it is takes a card from a pile."""
LAST_TURN: Final = 60
"""A round ends without a winner after a seat's 60th turn (6.4)."""


@dataclass(frozen=True)
class State:
    """A match at one moment, with all hidden cards. The last card of a pile is its top."""

    ruleset: Ruleset
    seed: int
    round: int
    starter: int
    phase: Phase
    turn: int  # whose turn it is
    to_act: int | None  # the seat that must act; None when the round or the match is over
    hands: tuple[int, ...]
    table: Table
    open_pile: tuple[Card, ...]
    closed_pile: tuple[Card, ...]
    scores: tuple[int, ...]
    opened_mask: int = 0  # the mask of the seats that have opened (3.4)
    turns: tuple[int, ...] = ()  # how many turns each seat has ended in this round
    turns_without_play: tuple[int, ...] = ()  # of each seat, in a row; empty between rounds
    turns_without_change: int = 0  # in how many turns in a row nobody has taken or laid anything
    has_acted: bool = False  # whether the seat has taken or laid anything in this turn (6.4)
    passed_mask: int = 0  # the mask of the seats that do not want the block on offer
    play_count: int = 0  # how many plays were made in the current turn
    removed_cards: tuple[Card, ...] = ()  # blocks that are out of the round (7.4)
    reshuffles: int = 0
    round_winner: int | None = None
    winners: tuple[int, ...] | None = None
    market: tuple[Card, ...] = ()  # the cards that lie open beside the piles (5.5)
    scores_at_start: tuple[int, ...] = ()  # at the start of the round; empty unless earnings decide
    goal: int | None = None  # the points that all earn together in this round (9)

    @property
    def seat_count(self) -> int:
        return len(self.hands)

    @property
    def is_last_pile(self) -> bool:
        """Whether the round is over once the closed pile is used up (6.6)."""
        return self.ruleset.piles is not None and self.reshuffles + 1 >= self.ruleset.piles

    @property
    def cards_to_come(self) -> int:
        """How many cards can still come from the closed pile. In a round that ends with the pile,
        the open pile counts too while it will be shuffled into another closed pile (5.4, 6.6)."""
        counts_open_pile = self.ruleset.piles is not None and not self.is_last_pile
        return len(self.closed_pile) + (max(len(self.open_pile) - 1, 0) if counts_open_pile else 0)

    @property
    def earned(self) -> tuple[int, ...]:
        """What each seat has earned in this round; empty unless earnings decide (6.6, 9.1)."""
        pairs = zip(self.scores, self.scores_at_start, strict=False)
        return tuple([now - then for now, then in pairs])

    @property
    def earned_together(self) -> int:
        """The points that all have earned together in this round; 0 if there is no goal (9.1)."""
        return 0 if self.goal is None else sum(self.earned)

    def seats_to_act(self) -> tuple[int, ...]:
        """The seats that may act, in the order of the rules. There are several only while all may
        knock for the block on offer (7.4)."""
        if self.phase == "knock" and self.ruleset.all_may_knock:
            return _seats_asked(self)
        return () if self.to_act is None else (self.to_act,)

    def position(self, seat: int) -> Position:
        """The position that decides which plays are legal for a seat."""
        opened = bool(self.opened_mask >> seat & 1)
        return Position(self.ruleset, self.table, self.hands[seat], opened)


if TYPE_CHECKING:
    replace_fields = replace
else:

    def replace_fields(state: State, /, **fields: object) -> State:
        """`dataclasses.replace` for states, six times as fast (scripts/bench/moves.py)."""
        after = object.__new__(State)
        object.__setattr__(after, "__dict__", state.__dict__ | fields)
        return after


LEAST_GOAL: Final = 3
"""The lowest goal (9.4)."""


def goal_after(ruleset: Ruleset, goal: int | None, earned: int) -> int | None:
    """The goal of the round after one with this goal in which all together `earned` this many
    points; None if there is no goal (9.4)."""
    if goal is None:
        return None
    if earned >= goal:
        return goal + ruleset.goal_up
    return min(goal, max(goal - ruleset.goal_down, LEAST_GOAL))


def ends_turn(before: State, after: State) -> bool:
    """Whether the action between these two states ended a turn."""
    return before.phase == "play" and (
        after.turn != before.turn or after.phase in ("knock", *OVER_PHASES)
    )


def begin_round(state: State, deck: tuple[Card, ...], starter: int) -> State:
    """Deal a round (6.1, 7.1): seat 0 gets the first cards of the deck, seat 1 the next ones, and
    so on."""
    size = state.ruleset.hand_size(state.seat_count)
    seats = range(state.seat_count)
    hands = tuple(mask_of(deck[seat * size : (seat + 1) * size]) for seat in seats)
    undealt = deck[size * state.seat_count :]
    has_pot = state.ruleset.has_pot
    state = replace_fields(
        state,
        starter=starter,
        hands=hands,
        table=Table(),
        open_pile=() if has_pot else undealt[:1],
        closed_pile=tuple(reversed(undealt[0 if has_pot else 1 :])),
        market=(),
        scores_at_start=state.scores if state.ruleset.earnings_decide else (),
        opened_mask=0,
        turns=(0,) * state.seat_count,
        turns_without_play=(0,) * state.seat_count,
        turns_without_change=0,
        removed_cards=(),
        reshuffles=0,
        round_winner=None,
    )
    for _ in range(state.ruleset.market):
        state = _fill_market_place(state, len(state.market))
    return _begin_turn(state, starter)


def apply_in_round(state: State, action: Action) -> State:
    """The state after an action in a running round. If the action ends the round, the phase is
    `round over` and `round_winner` is set; `match.apply` then settles the scores. Raises
    `ActionRefused`."""
    phase = state.phase
    if phase == "play":
        if isinstance(action, Discard):
            return _discard(state, action.card)
        if isinstance(action, Play):
            return _play(state, action)
        if isinstance(action, End):
            if not state.ruleset.may_keep_all:
                raise ActionRefused("must-discard")
            return _end_turn(state)
    elif phase in DRAW_PHASES:
        if isinstance(action, DrawOpen):
            return _take_open(state, state.turn, "play")
        if isinstance(action, DrawClosed):
            return _draw_closed(state)
        if isinstance(action, Take):
            return _take_from_market(state, action.card)
    elif isinstance(action, Claim | Pass) and phase == "offer" and state.to_act is not None:
        return _answer_offer(state, action, state.to_act)
    elif isinstance(action, Knock | Pass) and phase == "knock":
        return _answer_block(state, action)
    raise ActionRefused("wrong-phase", phase)


def _begin_turn(state: State, seat: int, picked_up: bool = False) -> State:
    """Begin a turn. In a game with a pot, the seat first draws two cards, unless it has just picked
    up the block (7.4)."""
    phase: Phase = "play" if state.ruleset.has_pot else "draw"
    state = replace_fields(
        state, turn=seat, to_act=seat, passed_mask=0, play_count=0, has_acted=False, phase=phase
    )
    if phase == "play" and not picked_up:
        for _ in range(2):
            state = _take_closed(state, seat, phase)
    return state


def _take_closed(state: State, seat: int, phase: Phase) -> State:
    """Take a card from the closed pile, after a reshuffle if needed, and go to this phase. If there
    is no card, only the phase changes (5.4)."""
    state = _reshuffled_if_empty(state)
    if not state.closed_pile:
        return replace_fields(state, phase=phase)
    hands = _hands_with(state, seat, state.hands[seat] | 1 << state.closed_pile[-1])
    return replace_fields(
        state, hands=hands, closed_pile=state.closed_pile[:-1], has_acted=True, phase=phase
    )


def _reshuffled_if_empty(state: State) -> State:
    """If the closed pile is empty, shuffle the open pile without its top card and make it the
    closed pile (5.4)."""
    if state.closed_pile or len(state.open_pile) < 2 or state.ruleset.has_pot or state.is_last_pile:
        return state
    seed = (state.seed * 1009 + state.round) * 1009 + state.reshuffles + 1
    return replace_fields(
        state,
        closed_pile=shuffled(state.open_pile[:-1], seed),
        open_pile=state.open_pile[-1:],
        reshuffles=state.reshuffles + 1,
    )


def _take_open(state: State, seat: int, phase: Phase) -> State:
    if not state.open_pile:
        raise ActionRefused("pile-empty")
    hands = _hands_with(state, seat, state.hands[seat] | 1 << state.open_pile[-1])
    return replace_fields(
        state, hands=hands, open_pile=state.open_pile[:-1], has_acted=True, phase=phase
    )


def _take_from_market(state: State, card: Card) -> State:
    """Take a card from the market and put another one in its place."""
    if card not in state.market:
        raise ActionRefused("not-on-table", card_text(card))
    at = state.market.index(card)
    market = (*state.market[:at], *state.market[at + 1 :])
    hands = _hands_with(state, state.turn, state.hands[state.turn] | 1 << card)
    state = replace_fields(state, hands=hands, market=market, has_acted=True, phase="play")
    return _fill_market_place(state, at)


def _fill_market_place(state: State, at: int) -> State:
    """Put a card that some row can have, if the closed pile has one, at index `at` of the
    market."""
    state = _bury_useless_cards(state)
    closed = state.closed_pile
    market = (*state.market[:at], *closed[-1:], *state.market[at:])
    return replace_fields(state, closed_pile=closed[:-1], market=market)


def _bury_useless_cards(state: State) -> State:
    """Move cards that no row can have from the top of the closed pile under the open pile. Without
    other cards, it is empty afterwards."""
    state = _reshuffled_if_empty(state)
    closed, open_pile = state.closed_pile, state.open_pile
    while closed and not state.ruleset.fitting_mask >> closed[-1] & 1:
        closed, open_pile = closed[:-1], (closed[-1], *open_pile)
    return replace_fields(state, closed_pile=closed, open_pile=open_pile)


def _fill_up(state: State) -> State:
    """Fill up the market and the hand of the seat whose turn ends (5.5, 5.6, 9.3)."""
    ruleset, seat = state.ruleset, state.turn
    if ruleset.refill or (ruleset.is_together and not state.hands[seat]):
        for _ in range(ruleset.hand_size(state.seat_count) - state.hands[seat].bit_count()):
            state = _take_closed(state, seat, state.phase)
        state = _exchange_useless_cards(state, seat)
    for _ in range(ruleset.market - len(state.market)):
        state = _fill_market_place(state, len(state.market))
    return state


def _exchange_useless_cards(state: State, seat: int) -> State:
    """Exchange cards that no row can have, the lowest first, until enough of a hand fits (5.6)."""
    fitting, least = state.ruleset.fitting_mask, state.ruleset.least_fitting
    while (hand := state.hands[seat]) & ~fitting and (hand & fitting).bit_count() < least:
        state = _bury_useless_cards(state)
        if not state.closed_pile:
            break
        useless = cards_in(hand & ~fitting)[0]
        state = _take_closed(state, seat, state.phase)
        hands = _hands_with(state, seat, state.hands[seat] ^ 1 << useless)
        state = replace_fields(state, hands=hands, open_pile=(useless, *state.open_pile))
    return state


def _hands_with(state: State, seat: int, hand: int) -> tuple[int, ...]:
    return (*state.hands[:seat], hand, *state.hands[seat + 1 :])


def _draw_closed(state: State) -> State:
    if state.phase == "draw" and state.ruleset.offers and state.open_pile:
        return replace_fields(state, phase="offer", to_act=_next_seat(state, state.turn))
    return _take_closed(state, state.turn, "play")


def _answer_offer(state: State, action: Claim | Pass, seat: int) -> State:
    if action.seat not in (None, seat):
        raise ActionRefused("wrong-phase", "not that seat's choice")
    if isinstance(action, Claim):
        state = _take_open(state, seat, "redraw")
        return replace_fields(_take_closed(state, seat, "redraw"), to_act=state.turn)
    following = _next_seat(state, seat)
    if following != state.turn:
        return replace_fields(state, to_act=following)
    return replace_fields(_take_closed(state, state.turn, "play"), to_act=state.turn)


def _play(state: State, play: Play) -> State:
    """Make a play. If it empties the hand, the turn or the round ends (5.6, 6.3, 7.5, 9.3)."""
    seat = state.turn
    result = make_play(state.position(seat), play)
    scores = state.scores
    if result.points:
        scores = (*scores[:seat], scores[seat] + result.points, *scores[seat + 1 :])
    state = replace_fields(
        state,
        hands=_hands_with(state, seat, result.hand),
        scores=scores,
        table=result.table,
        opened_mask=state.opened_mask if play.touches_table else state.opened_mask | 1 << seat,
        play_count=state.play_count + 1,
        has_acted=True,
    )
    if result.hand:
        return state
    if state.ruleset.is_together and state.ruleset.has_pot:
        return _end_turn_with_pot(state)
    if state.ruleset.refill or state.ruleset.is_together:
        return _end_turn(state)
    return _end_round(state, seat)


def _discard(state: State, card: Card) -> State:
    seat = state.turn
    hand = state.hands[seat]
    if card < 1 or not hand >> card & 1:
        raise ActionRefused("not-in-hand", card_text(card))
    hands = _hands_with(state, seat, hand ^ 1 << card)
    if not state.ruleset.has_pot:
        open_pile = (*state.open_pile, card)
        return _end_turn(replace_fields(state, hands=hands, open_pile=open_pile, has_acted=True))
    return _end_turn_with_pot(replace_fields(state, hands=hands, open_pile=(card,)))


def _end_turn_with_pot(state: State) -> State:
    """End a turn in a game with a pot: offer the discarded block, or end the round (7.4, 7.5, 7.7,
    9.3)."""
    seat = state.turn
    state = _count_turn(state)
    if state.ruleset.is_together:
        state = _fill_up(state)
    if not state.hands[seat]:
        return _end_round(_remove_block_on_offer(state), seat)
    if state.turns[seat] >= LAST_TURN or _is_round_spent(state):
        return _end_round(_remove_block_on_offer(state), None)
    if not state.open_pile:
        return _begin_turn(state, _next_seat(state, seat))
    return replace_fields(state, phase="knock", to_act=_seats_asked(state)[0])


def _remove_block_on_offer(state: State) -> State:
    """Take the block on offer out of the round (7.4)."""
    return replace_fields(
        state, removed_cards=(*state.removed_cards, *state.open_pile), open_pile=()
    )


def _end_turn(state: State) -> State:
    """End a turn in a game with piles: begin the next turn, or end the round (6.3, 6.4, 6.6)."""
    seat = state.turn
    turns_without_change = 0 if state.has_acted else state.turns_without_change + 1
    state = _fill_up(state)
    if not state.hands[seat]:
        return _end_round(state, seat)
    state = _count_turn(state)
    state = replace_fields(
        state, turns_without_change=turns_without_change, play_count=0, has_acted=False
    )
    is_last = state.turns[seat] >= LAST_TURN or turns_without_change >= state.seat_count
    if is_last or _is_round_spent(state):
        return _end_round(state, None)
    return _begin_turn(state, _next_seat(state, seat))


def _count_turn(state: State) -> State:
    """Count the turn that ends, and whether it had a play."""
    turns, without_play = [*state.turns], [*(state.turns_without_play or (0,) * state.seat_count)]
    turns[state.turn] += 1
    without_play[state.turn] = 0 if state.play_count else without_play[state.turn] + 1
    return replace_fields(state, turns=tuple(turns), turns_without_play=tuple(without_play))


def _is_round_spent(state: State) -> bool:
    """Whether the round is over although nobody's hand is empty: the pile is used up, enough rows
    lie on the table, everyone has had their turns, or the goal is reached (6.6, 9.2)."""
    if not state.ruleset.earnings_decide:
        return False
    if state.ruleset.equal_turns and min(state.turns) < max(state.turns):
        return False
    is_reached = state.goal is not None and state.earned_together >= state.goal
    if is_reached and not state.ruleset.builds_on:
        return True
    if min(state.turns) >= (state.ruleset.most_turns or LAST_TURN):
        return True
    ends_with_pile = state.ruleset.piles is not None or state.ruleset.has_pot
    if ends_with_pile and not _reshuffled_if_empty(state).closed_pile:
        return True
    most = state.ruleset.most_rows
    return most is not None and len(state.table.lines) >= most


def _end_round(state: State, winner: int | None) -> State:
    """End the round. With a goal nobody wins. If earnings decide, the seat that earned most wins,
    or nobody if several did. Otherwise `winner` wins (6.6, 9.2)."""
    if state.goal is not None:
        winner = None
    elif state.scores_at_start:
        earned = state.earned
        winner = earned.index(max(earned)) if earned.count(max(earned)) == 1 else None
    return replace_fields(
        state, phase=ROUND_OVER, to_act=None, round_winner=winner, turns_without_play=()
    )


def _seats_asked(state: State) -> tuple[int, ...]:
    """The seats that have not yet answered about the block on offer, clockwise from the discarder;
    the youngest (seat 0) is first if the rules say so (7.4, 7.6)."""
    order = [(state.turn + place) % state.seat_count for place in range(1, state.seat_count)]
    if state.ruleset.asks_youngest_first and 0 in order:
        order.remove(0)
        order.insert(0, 0)
    return tuple([seat for seat in order if not state.passed_mask >> seat & 1])


def _answer_block(state: State, action: Knock | Pass) -> State:
    """Answer about the block on offer. A knock picks up the block and a card of the pot. If nobody
    knocks, the block leaves the round (7.4)."""
    seat = state.to_act if action.seat is None else action.seat
    if seat not in state.seats_to_act():
        raise ActionRefused("wrong-phase", "no choice of that seat")
    following = _next_seat(state, state.turn)
    if isinstance(action, Knock):
        state = _take_closed(_take_open(state, seat, "knock"), seat, "knock")
        return _begin_turn(state, following, picked_up=seat == following)
    state = replace_fields(state, passed_mask=state.passed_mask | 1 << seat)
    if seats := _seats_asked(state):
        return replace_fields(state, to_act=seats[0])
    return _begin_turn(_remove_block_on_offer(state), following, picked_up=False)


def _next_seat(state: State, seat: int) -> int:
    return (seat + 1) % state.seat_count
