"""Kind deals: the deck, among several, that gives the children the most rows.

docs/learning.md (A game that suits the child) says where the figures come from, and docs/pacing.md
what came of them.

Only the children's cards decide: their hands, and the cards that they would draw first if everyone
drew from the closed pile. Several orders of the other cards are then compared, and the one that
gives the bots something to lay soonest is used, so that they do not wait for many turns.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from games.coach.rating import START
from games.coach.rows import all_rows, rows_of_three
from games.engine.cards import Card, cards_in, mask_of
from games.engine.ruleset import Ruleset

DRAWS_COUNTED: Final = 8
"""How many of a child's first draws count: about as many as they have turns in a round."""
DECKS_TIMES_ROWS: Final = 1200
"""The number of decks times the number of rows of three. So there are more decks if rows are rare:
16 for the 76 rows of tables 2–10 up to 50."""
FEWEST_DECKS: Final = 2
MOST_DECKS: Final = 64
ORDERS_FOR_A_DECK: Final = 8
MOST_ORDERS: Final = 64
"""How many orders of the other cards are compared: more if there are more decks. With a pot there
is no choice, because everyone draws two cards a turn and so has something to lay."""
DRAWS_WITHOUT_ROW: Final = 2
"""A bot need not have its first row before its second draw."""
DECKS_OF_STRONG: Final = 16
STRONG_RATING: Final = START + 200
"""A child with this rating or more gets at most `DECKS_OF_STRONG` decks. From `START` to here,
the number falls evenly."""


@dataclass(frozen=True, slots=True)
class Kindness:
    """How far a deal is chosen to suit the children."""

    decks: int  # how many decks there are to choose from
    draws: int  # how many of a child's draws count
    tables: tuple[int, ...] = ()
    """The times tables whose rows count; empty if all rows of the rules count."""
    orders: int = 1  # how many orders of the other cards there are to choose from


PLAIN: Final = Kindness(decks=1, draws=0)


@dataclass(frozen=True, slots=True)
class Dealing:
    """What a deal needs: the rules, the number of seats, the seat that begins, and the children's
    seats."""

    ruleset: Ruleset
    seats: int
    starter: int
    children: Collection[int]


def kindness_for(ruleset: Ruleset, rating: float = START, tables: Collection[int] = ()) -> Kindness:
    """How kind deals are, under these rules, to a child with this rating (`coach.rating`). The
    child should find rows of these tables or, without tables, any rows."""
    rows = max(1, len(rows_of_three(with_tables(ruleset, tables))))
    decks = min(max(round(DECKS_TIMES_ROWS / rows), FEWEST_DECKS), MOST_DECKS)
    too_many = max(0, decks - DECKS_OF_STRONG)
    strong = min(max((rating - START) / (STRONG_RATING - START), 0.0), 1.0)
    return Kindness(
        decks=round(decks - too_many * strong),
        draws=DRAWS_COUNTED,
        tables=tuple(sorted(tables)),
        orders=1 if ruleset.has_pot else min(ORDERS_FOR_A_DECK * decks, MOST_ORDERS),
    )


def with_tables(ruleset: Ruleset, tables: Collection[int]) -> Ruleset:
    """The rules with only the rows of these times tables; without tables, the rules as they are."""
    if not tables:
        return ruleset
    return replace(ruleset, tables=tuple(sorted(tables)), counts_back_to=None, families=())


def kindest_deck(dealing: Dealing, decks: Sequence[Sequence[Card]], draws: int) -> int:
    """The index of the deck that gives the children the most rows; among equals, the first."""
    row_counts = [_rows_given(dealing, cards, draws) for cards in decks]
    return row_counts.index(max(row_counts))


def with_rows_for_bots(
    dealing: Dealing, cards: Sequence[Card], shuffles: Sequence[Sequence[Card]], draws: int
) -> tuple[Card, ...]:
    """The deck with the other cards reshuffled: the shuffle that gives the bots most to lay and,
    among equals, the first. The children's cards stay where they are."""
    children = dealing.children
    fixed = mask_of(
        card for seat in children for card in cards_of_seat(dealing, cards, seat, draws)
    )
    bots = [seat for seat in range(dealing.seats) if seat not in children]
    decks = []
    for shuffle in shuffles:
        spare_cards = iter([card for card in shuffle if not fixed >> card & 1])
        decks.append(tuple([card if fixed >> card & 1 else next(spare_cards) for card in cards]))
    return max(decks, key=lambda deck: min(_rows_to_lay(dealing, deck, seat) for seat in bots))


def cards_of_seat(dealing: Dealing, cards: Sequence[Card], seat: int, draws: int) -> list[Card]:
    """The hand that a deck gives to a seat (6.1, 7.1), then the cards of its first turns if
    everyone draws from the closed pile; fewer if the deck runs out."""
    ruleset, seats = dealing.ruleset, dealing.seats
    size = ruleset.hand_size(seats)
    cards_of_hand = list(cards[seat * size : (seat + 1) * size])
    draws_a_turn = 2 if ruleset.has_pot else 1
    pile = cards[size * seats + (0 if ruleset.has_pot else 1 + ruleset.market) :]
    order = (seat - dealing.starter) % seats
    for draw in range(draws):
        first = (draw * seats + order) * draws_a_turn
        cards_of_hand += pile[first : first + draws_a_turn]
    return cards_of_hand


def _rows_given(dealing: Dealing, cards: Sequence[Card], draws: int) -> int:
    """How many rows without jokers the children hold after the deal and after each card drawn,
    added up, so that early rows count more."""
    return sum(sum(_moments_held(dealing, cards, seat, draws)) for seat in dealing.children)


def _rows_to_lay(dealing: Dealing, cards: Sequence[Card], seat: int) -> tuple[int, int]:
    """How much a bot has to lay: how early it has its first row, then how many rows it gets. More
    is better."""
    moments = _moments_held(dealing, cards, seat, DRAWS_COUNTED)
    return min(max(moments, default=0), DRAWS_COUNTED + 1 - DRAWS_WITHOUT_ROW), sum(moments)


def _moments_held(dealing: Dealing, cards: Sequence[Card], seat: int, draws: int) -> list[int]:
    """Returns, for each row without jokers that a seat gets with its hand and first draws, at how
    many moments (the deal and each card drawn) it holds the whole row."""
    hand = cards_of_seat(dealing, cards, seat, draws)
    size = dealing.ruleset.hand_size(dealing.seats)
    nth = {card: number for number, card in enumerate(hand, start=1)}
    lacking = ~mask_of(hand)
    return [
        len(hand) + 1 - max(size, *[nth[card] for card in cards_in(row)])
        for row in all_rows(dealing.ruleset)
        if not row & lacking
    ]
