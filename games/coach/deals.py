"""Kind deals: the deck, among several, that gives the children the most rows, with its other cards
in the order, among several, that gives the bots a row soonest (docs/bots.md, Kind deals).

docs/learning.md (A game that suits the child) has the sources of the figures, docs/pacing.md their
effects.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from games.coach.rating import START_RATING
from games.coach.rows import all_rows, rows_of_three
from games.engine.cards import Card, cards_in, mask_of
from games.engine.ruleset import Ruleset

DRAWS_COUNTED: Final = 8
"""How many of a child's first draws count. A child has about as many turns in a round."""
DECKS_TIMES_ROWS: Final = 1200
"""The number of decks times the number of rows of three: if rows are rare, there are more decks. It
is 16 for the 76 rows of tables 2–10 up to 50."""
FEWEST_DECKS: Final = 2
MOST_DECKS: Final = 64
ORDERS_FOR_A_DECK: Final = 8
MOST_ORDERS: Final = 64
"""How many orders of the other cards are compared: more if there are more decks. In a game with a
pot there is only one, because players who draw two cards a turn have something to lay."""
DRAWS_WITHOUT_ROW: Final = 2
"""A bot need not have its first row before this draw."""
DECKS_OF_STRONG: Final = 16
STRONG_RATING: Final = START_RATING + 200
"""A child with this rating or more gets at most `DECKS_OF_STRONG` decks. From `START_RATING` to
here, the number falls evenly."""


@dataclass(frozen=True, slots=True)
class Kindness:
    """How much choice there is to make a deal suit the children."""

    decks: int  # how many decks there are to choose from
    draws_counted: int  # how many of a child's draws count
    tables: tuple[int, ...] = ()  # the times tables whose rows count; empty if all rows count
    orders_compared: int = 1  # how many orders of the other cards there are to choose from


PLAIN: Final = Kindness(decks=1, draws_counted=0)


@dataclass(frozen=True, slots=True)
class DealSetting:
    ruleset: Ruleset
    seats: int
    starter: int
    children: Collection[int]


def kindness_for(
    ruleset: Ruleset, rating: float = START_RATING, tables: Collection[int] = ()
) -> Kindness:
    """The kindness of deals for a child with this rating (`coach.rating`). The child should find
    rows of these tables or, without tables, any rows of the rules."""
    rows = max(1, len(rows_of_three(with_tables(ruleset, tables))))
    decks = min(max(round(DECKS_TIMES_ROWS / rows), FEWEST_DECKS), MOST_DECKS)
    too_many = max(0, decks - DECKS_OF_STRONG)
    strong = min(max((rating - START_RATING) / (STRONG_RATING - START_RATING), 0.0), 1.0)
    return Kindness(
        decks=round(decks - too_many * strong),
        draws_counted=DRAWS_COUNTED,
        tables=tuple(sorted(tables)),
        orders_compared=1 if ruleset.has_pot else min(ORDERS_FOR_A_DECK * decks, MOST_ORDERS),
    )


def with_tables(ruleset: Ruleset, tables: Collection[int]) -> Ruleset:
    """The rules with only the rows of these times tables, or unchanged if there are no tables."""
    if not tables:
        return ruleset
    return replace(ruleset, tables=tuple(sorted(tables)), counts_back_to=None, families=())


def kindest_order(
    setting: DealSetting, kindness: Kindness, shuffle: Callable[[str, int], tuple[Card, ...]]
) -> tuple[Card, ...]:
    """The deck of a round, chosen from numbered shuffles for two purposes: the kindest deck, with a
    row in the hand of each child, and an order of the other cards for the bots."""
    decks = [shuffle("deck", number) for number in range(kindness.decks)]
    kind_setting = replace(setting, ruleset=with_tables(setting.ruleset, kindness.tables))
    cards = decks[kindest_deck(kind_setting, decks, kindness.draws_counted)]
    if kindness.draws_counted:
        cards = deck_with_row_for_each(kind_setting, cards, shuffle("order", 0))
    if kindness.orders_compared == 1 or len(setting.children) == setting.seats:
        return cards
    orders = [shuffle("order", number) for number in range(kindness.orders_compared)]
    return deck_for_bots(setting, cards, orders, kindness.draws_counted)


def kindest_deck(setting: DealSetting, decks: Sequence[Sequence[Card]], draws: int) -> int:
    """The index of the deck that gives the children the most rows, the first among equals. Rows
    count at each moment from which they are there, so that early rows count more."""
    row_counts = [
        sum(sum(_moments_of_rows(setting, cards, seat, draws)) for seat in setting.children)
        for cards in decks
    ]
    return row_counts.index(max(row_counts))


def deck_with_row_for_each(
    setting: DealSetting, cards: tuple[Card, ...], order: Sequence[Card]
) -> tuple[Card, ...]:
    """The deck with a row in the hand of each child: who has none gets the one that comes first in
    this order, for other cards of their hand. Nobody's only row is taken for it."""
    size = setting.ruleset.hand_size(setting.seats)
    rows = [cards_in(row) for row in rows_of_three(setting.ruleset)]

    def hand_of(child: int) -> tuple[Card, ...]:
        return cards[child * size : (child + 1) * size]

    own_rows = {
        child: next((row for row in rows if {*hand_of(child)}.issuperset(row)), ())
        for child in setting.children
    }
    for child in [child for child, row in own_rows.items() if not row]:
        free = [row for row in rows if {*chain(*own_rows.values())}.isdisjoint(row)]
        row = min(free, key=lambda row: max(map(order.index, row)), default=())
        gets = [card for card in row if card not in hand_of(child)]
        gives = [card for card in hand_of(child) if card not in row][: len(gets)]
        swaps = dict(zip((*gets, *gives), (*gives, *gets), strict=True))
        cards, own_rows[child] = tuple([swaps.get(card, card) for card in cards]), row
    return cards


def rows_dealt(setting: DealSetting, cards: Sequence[Card]) -> Iterator[int]:
    """The masks of the rows of three that a deck gives to single hands."""
    size = setting.ruleset.hand_size(setting.seats)
    for seat in range(setting.seats):
        hand = mask_of(cards[seat * size : (seat + 1) * size])
        yield from (row for row in rows_of_three(setting.ruleset) if not row & ~hand)


def deck_for_bots(
    setting: DealSetting, cards: Sequence[Card], shuffles: Sequence[Sequence[Card]], draws: int
) -> tuple[Card, ...]:
    """The deck `cards` with the cards that are not the children's in the order of one of the
    `shuffles`: the one that gives the bots most to lay, the first among equals."""
    children = setting.children
    fixed = mask_of(
        card for seat in children for card in cards_of_seat(setting, cards, seat, draws)
    )
    bots = [seat for seat in range(setting.seats) if seat not in children]
    decks = []
    for shuffle in shuffles:
        other_cards = iter([card for card in shuffle if not fixed >> card & 1])
        decks.append(tuple([card if fixed >> card & 1 else next(other_cards) for card in cards]))
    return max(decks, key=lambda deck: min(_rows_to_lay(setting, deck, seat) for seat in bots))


def cards_of_seat(setting: DealSetting, cards: Sequence[Card], seat: int, draws: int) -> list[Card]:
    """The hand that a deck gives to a seat (6.1, 7.1), then the cards of its first `draws` turns if
    everyone draws from the closed pile and the deck lasts."""
    ruleset, seats = setting.ruleset, setting.seats
    size = ruleset.hand_size(seats)
    cards_of_hand = list(cards[seat * size : (seat + 1) * size])
    draws_a_turn = 2 if ruleset.has_pot else 1
    pile = cards[size * seats + (0 if ruleset.has_pot else 1 + ruleset.market) :]
    order = (seat - setting.starter) % seats
    for draw in range(draws):
        first = (draw * seats + order) * draws_a_turn
        cards_of_hand += pile[first : first + draws_a_turn]
    return cards_of_hand


def _rows_to_lay(setting: DealSetting, cards: Sequence[Card], seat: int) -> tuple[int, int]:
    """How much a bot has to lay: how early it has its first row, then how many rows it gets, both
    as numbers of which more is better."""
    moments = _moments_of_rows(setting, cards, seat, DRAWS_COUNTED)
    return min(max(moments, default=0), DRAWS_COUNTED + 1 - DRAWS_WITHOUT_ROW), sum(moments)


def _moments_of_rows(
    setting: DealSetting, cards: Sequence[Card], seat: int, draws: int
) -> list[int]:
    """For each row without jokers that a seat gets with its hand and first draws, the number of
    moments at which it has the whole row. A moment is the deal or a draw."""
    hand = cards_of_seat(setting, cards, seat, draws)
    size = setting.ruleset.hand_size(setting.seats)
    number_of = {card: number for number, card in enumerate(hand, start=1)}
    lacking = ~mask_of(hand)
    return [
        len(hand) + 1 - max(size, *[number_of[card] for card in cards_in(row)])
        for row in all_rows(setting.ruleset)
        if not row & lacking
    ]
