"""Kind deals: the one of several decks that gives the children the most rows.

Where the figures come from: docs/learning.md (A game that suits the child); docs/scale.md has what
came of them.

Only the children's cards count there: their hands, and the cards that they would draw first if
everyone drew from the closed pile. Then the other cards are put in the one of several orders with
which the bots soonest have something to lay, so that they do not sit there for many turns.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from games.coach.rating import START
from games.coach.rows import all_rows, rows_of_three
from games.engine.cards import Card, cards_in, mask_of
from games.engine.ruleset import Ruleset

DRAWS: Final = 8
"""How many of a child's first draws count: about as many turns as it has in a round."""
DECKS_TIMES_ROWS: Final = 1200
"""The rarer rows of three are, the more decks: 16 for the 76 rows of tables 2–10 up to 50."""
FEWEST_DECKS: Final = 2
MOST_DECKS: Final = 64
ORDERS_FOR_A_DECK: Final = 8
MOST_ORDERS: Final = 64
"""From how many orders the one of the other cards is chosen: more where there are more decks. With
a pot there is no choice, because everyone draws two cards a turn and has something to lay."""
NO_WAIT: Final = 2
"""A bot's first row need not come before its second draw."""
DECKS_OF_THE_STRONG: Final = 16
STRONG: Final = START + 200
"""A child of this rating gets no kinder deal than that; from `START` on the number falls evenly."""


@dataclass(frozen=True, slots=True)
class Kindness:
    decks: int  # how many decks to choose from
    draws: int  # how many of a child's draws count
    tables: tuple[int, ...] = ()
    """The times tables whose rows count; empty for all rows of the rules."""
    orders: int = 1  # from how many orders the one of the other cards is chosen


PLAIN: Final = Kindness(decks=1, draws=0)


@dataclass(frozen=True, slots=True)
class Dealing:
    """What a deal needs: the rules, the number of seats, who begins, and the children's seats."""

    ruleset: Ruleset
    seats: int
    starter: int
    children: Collection[int]


def kindness_for(ruleset: Ruleset, rating: float = START, tables: Collection[int] = ()) -> Kindness:
    """How kind deals are under these rules to a child of this rating (`coach.rating`) who should
    find rows of these tables, or any rows."""
    rows = max(1, len(rows_of_three(of_tables(ruleset, tables))))
    decks = min(max(round(DECKS_TIMES_ROWS / rows), FEWEST_DECKS), MOST_DECKS)
    too_many = max(0, decks - DECKS_OF_THE_STRONG)
    strong = min(max((rating - START) / (STRONG - START), 0.0), 1.0)
    return Kindness(
        decks=round(decks - too_many * strong),
        draws=DRAWS,
        tables=tuple(sorted(tables)),
        orders=1 if ruleset.with_pot else min(ORDERS_FOR_A_DECK * decks, MOST_ORDERS),
    )


def of_tables(ruleset: Ruleset, tables: Collection[int]) -> Ruleset:
    """The rules with only rows of these times tables; unchanged if there are none."""
    if not tables:
        return ruleset
    return replace(ruleset, tables=tuple(sorted(tables)), counts_back_to=None, families=())


def kindest(dealing: Dealing, decks: Sequence[Sequence[Card]], draws: int) -> int:
    """The index of the deck that gives the children the most rows, the first among equals."""
    given = [_rows_given(dealing, cards, draws) for cards in decks]
    return given.index(max(given))


def with_rows_for_bots(
    dealing: Dealing, cards: Sequence[Card], shuffles: Sequence[Sequence[Card]], draws: int
) -> tuple[Card, ...]:
    """The deck with the same cards for the children; the others lie as in the one of the shuffles
    with which the bots have most to lay, the first among equals."""
    children = dealing.children
    given = mask_of(
        card for seat in children for card in cards_of_seat(dealing, cards, seat, draws)
    )
    bots = [seat for seat in range(dealing.seats) if seat not in children]
    decks = []
    for shuffle in shuffles:
        others = iter([card for card in shuffle if not given >> card & 1])
        decks.append(tuple([card if given >> card & 1 else next(others) for card in cards]))
    return max(decks, key=lambda deck: min(_to_lay(dealing, deck, seat) for seat in bots))


def cards_of_seat(dealing: Dealing, cards: Sequence[Card], seat: int, draws: int) -> list[Card]:
    """The hand that a deck gives to a seat (6.1, 7.1), then the cards that it draws in its first
    turns if everyone draws from the closed pile; fewer if the deck runs out."""
    ruleset, seats = dealing.ruleset, dealing.seats
    size = ruleset.hand_size(seats)
    given = list(cards[seat * size : (seat + 1) * size])
    each = 2 if ruleset.with_pot else 1
    closed = cards[size * seats + (0 if ruleset.with_pot else 1 + ruleset.market) :]
    order = (seat - dealing.starter) % seats
    for draw in range(draws):
        first = (draw * seats + order) * each
        given += closed[first : first + each]
    return given


def _rows_given(dealing: Dealing, cards: Sequence[Card], draws: int) -> int:
    """The number of rows without jokers that the children hold, added up over the deal and each
    card drawn, so that an early row counts more."""
    return sum(sum(_left_after_rows(dealing, cards, seat, draws)) for seat in dealing.children)


def _to_lay(dealing: Dealing, cards: Sequence[Card], seat: int) -> tuple[int, int]:
    """How much a bot has to lay: how early its first row is whole, then how many rows it holds."""
    left = _left_after_rows(dealing, cards, seat, DRAWS)
    return min(max(left, default=0), DRAWS + 1 - NO_WAIT), sum(left)


def _left_after_rows(dealing: Dealing, cards: Sequence[Card], seat: int, draws: int) -> list[int]:
    """For each row without jokers that a seat gets with its hand and first draws, how many of these
    moments are left once the row is whole, that one included."""
    given = cards_of_seat(dealing, cards, seat, draws)
    size = dealing.ruleset.hand_size(dealing.seats)
    nth = {card: number for number, card in enumerate(given, start=1)}
    lacking = ~mask_of(given)
    return [
        len(given) + 1 - max(size, *[nth[card] for card in cards_in(row)])
        for row in all_rows(dealing.ruleset)
        if not row & lacking
    ]
