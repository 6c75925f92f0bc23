"""The market, hands that fill up and the end with the pile, or with a goal (rules 1.4, 5.5, 5.6,
6.6, 9).

`Piles` is a second implementation of where the cards go, slow and simple, which shares no code with
the engine: it is told each action and play, and keeps its own lists.
"""

from dataclasses import dataclass, field, replace
from random import Random

import pytest

from games.engine.actions import Discard, DrawClosed, DrawOpen, End, Take
from games.engine.cards import cards_in, deck, shuffled
from games.engine.errors import RulesetError
from games.engine.match import apply, new_match
from games.engine.round import State, legal_actions, view
from games.engine.ruleset import EDITIONS, Deck, Ruleset, edition
from games.engine.table import Play
from tests.counts import for_each, times
from tests.games.engine import reference
from tests.games.rounds import choice, random_ruleset, with_unseen_exchanged

CARD_EDITIONS = [name for name in EDITIONS if not EDITIONS[name].with_pot]
MORE_ROWS = edition(
    "simplified", tables=[2, 5, 10], offers=False, market=3, refill=True, piles=2, rounds=1
)


@dataclass
class Piles:
    ruleset: Ruleset
    seats: int
    seed: int
    up: list[int]  # the closed pile, its top first
    fits: set[int]  # the cards that may lie in the market
    hands: list[list[int]] = field(default_factory=list)
    market: list[int] = field(default_factory=list)
    thrown: list[int] = field(default_factory=list)
    gone_through: int = 0

    def deal(self) -> None:
        size = self.ruleset.hand_of_two if self.seats == 2 else self.ruleset.hand
        self.hands = [[self.up.pop(0) for _ in range(size)] for _ in range(self.seats)]
        self.thrown = [self.up.pop(0)]
        self.size = size
        self.fill_market()

    def top(self) -> int | None:
        """Takes the top card of the pile, reshuffled if that is due."""
        piles = self.ruleset.piles
        if (
            not self.up
            and len(self.thrown) > 1
            and (piles is None or self.gone_through + 1 < piles)
        ):
            self.gone_through += 1
            seed = (self.seed * 1009 + 1) * 1009 + self.gone_through
            self.up = list(reversed(shuffled(self.thrown[:-1], seed)))
            self.thrown = self.thrown[-1:]
        return self.up.pop(0) if self.up else None

    def fill_market(self) -> None:
        for _ in range(self.ruleset.market - len(self.market)):
            self.turn_up(len(self.market))

    def turn_up(self, place: int) -> None:
        card = self.top()
        idle = []
        while card is not None and card not in self.fits:
            idle.append(card)
            card = self.up.pop(0) if self.up else None
        self.thrown[:0] = reversed(idle)
        if card is not None:
            self.market.insert(place, card)

    def draw(self, seat: int) -> None:
        card = self.top()
        if card is not None:
            self.hands[seat].append(card)

    def end(self, seat: int) -> None:
        if self.ruleset.refill or (self.ruleset.goal and not self.hands[seat]):
            while len(self.hands[seat]) < self.size and (card := self.top()) is not None:
                self.hands[seat].append(card)
        self.fill_market()

    def is_over(self, rows: int, earned: int, turns: int) -> bool:
        if self.ruleset.most_turns is not None and turns >= self.ruleset.most_turns:
            return True
        if self.ruleset.goal is not None and earned >= self.ruleset.goal:
            return True
        if self.ruleset.piles is None:
            return False
        again = len(self.thrown) > 1 and self.gone_through + 1 < self.ruleset.piles
        enough = self.ruleset.most_rows is not None and rows >= self.ruleset.most_rows
        return enough or not (self.up or again)


def fitting(ruleset: Ruleset) -> set[int]:
    numbers = {number for row in reference.rows(reference.options_of(ruleset)) for number in row}
    return {*numbers, 101, 102, 103, 104}


def same(piles: Piles, state: State) -> bool:
    hands = [sorted(hand) for hand in piles.hands] == [list(cards_in(h)) for h in state.hands]
    closed = piles.up == list(reversed(state.closed))
    return hands and closed and piles.market == [*state.market] and piles.thrown == [*state.open]


def rules_for(seed: int) -> Ruleset:
    random = Random(f"market {seed}")
    found = random_ruleset(random, random.choice(CARD_EDITIONS))
    refill, piles = random.random() < 0.7, random.randint(1, 3)
    market, most = random.randint(0, 4), random.choice([None, None, 4])
    hand, goal = random.randint(2, found.hand), random.choice([None, None, 5, 12, 40])
    turns = random.choice([None, None, 3, 6])
    return replace(
        found,
        offers=False,
        market=market,
        refill=refill,
        piles=piles,
        most_rows=most,
        rounds=1,
        hand=hand,
        goal=goal,
        most_turns=turns,
        goal_up=0,
        goal_down=0,
    )


@for_each(range(times(12, 600)))
def test_cards_go_where_the_reference_puts_them(seed: int) -> None:
    """Every card of hands, market and piles after every action, and when the round is over."""
    ruleset, random = rules_for(seed), Random(seed)
    seats = min(random.choice([2, 3, 4]), ruleset.most_seats)
    cards = shuffled(ruleset.cards, seed)
    state = new_match(ruleset, seats, cards, 0, seed)
    piles = Piles(ruleset, seats, seed, list(cards), fitting(ruleset))
    piles.deal()
    earned, turns = [0] * seats, [0] * seats
    while state.seat is not None:
        assert same(piles, state)
        seat, action = state.seat, choice(legal_actions(state), random)
        before, state = state, apply(state, action)
        hand, ended = piles.hands[seat], False
        match action:
            case Take(card):
                place = piles.market.index(card)
                hand.append(piles.market.pop(place))
                piles.turn_up(place)
            case DrawOpen():
                hand.append(piles.thrown.pop())
            case DrawClosed():
                piles.draw(seat)
            case Play():
                earned[seat] += state.scores[seat] - before.scores[seat]
                put_in = {laid.number for laid in action.swaps}
                swapped = {laid.card for laid in action.swaps}
                gone = put_in | {laid.card for laid in action.hand} - swapped
                hand[:] = [card for card in hand if card not in gone]
                ended = not hand and (ruleset.refill or ruleset.goal is not None)
            case Discard(card):
                hand.remove(card)
                piles.thrown.append(card)
                ended = True
            case End():
                ended = True
        rows = len(state.table.lines)
        if ended:
            turns[seat] += 1
            piles.end(seat)
        finished = not hand or (ended and piles.is_over(rows, sum(earned), min(turns)))
        over = state.phase == "match over"
        assert over == finished or max(before.turns) >= 59 or before.idle >= seats - 1
    assert same(piles, state)
    best = [seat for seat in range(seats) if earned[seat] == max(earned)]
    alone = len(best) == 1 and ruleset.goal is None
    assert state.round_winner == (best[0] if alone else None)
    assert state.together == (0 if ruleset.goal is None else sum(earned))
    assert state.scores == tuple(ruleset.start + points for points in earned)


@pytest.mark.parametrize(
    ("how", "count", "lacks", "has"),
    [("whole", 54, (), (7,)), ("thinned", 40, (1, 3, 9), (7, 13)), ("fitting", 34, (7, 17), (2,))],
)
def test_a_deck_leaves_out_numbers_that_no_row_can_have(
    how: Deck, count: int, lacks: tuple[int, ...], has: tuple[int, ...]
) -> None:
    cards = replace(MORE_ROWS, deck=how).cards
    assert len(cards) == count
    assert not set(lacks) & set(cards)
    assert set(has) <= set(cards)


def test_a_small_deck_is_for_fewer_players() -> None:
    assert MORE_ROWS.most_seats == 8
    assert replace(MORE_ROWS, deck="fitting").most_seats == 5
    small = replace(MORE_ROWS, deck="fitting")
    with pytest.raises(RulesetError, match="seats-out-of-range"):
        new_match(small, 6, small.cards, 0)
    with pytest.raises(RulesetError, match="hands-larger-than-deck"):
        replace(MORE_ROWS, deck="fitting", tables=(9,))


@pytest.mark.parametrize("seed", range(times(5, 60)))
def test_a_seat_sees_the_market_and_nothing_of_what_is_to_come(seed: int) -> None:
    random = Random(seed)
    state = new_match(MORE_ROWS, 3, shuffled(deck(50), seed), 0, seed)
    while state.seat is not None:
        for seat in range(3):
            other = with_unseen_exchanged(state, seat, random)
            assert view(other, seat) == view(state, seat)
            assert view(state, seat).market == state.market
        state = apply(state, choice(legal_actions(state), random))
