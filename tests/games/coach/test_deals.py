"""Kind deals: the choice of the deck, and cards that must not influence it."""

from collections.abc import Sequence
from random import Random

import pytest

from games.coach.deal_comparison import ComparedTurn, DealTurn, compare_turns, turns_of
from games.coach.deals import (
    DECKS_OF_STRONG,
    DRAWS_COUNTED,
    STRONG_RATING,
    DealSetting,
    Kindness,
    cards_of_seat,
    deck_for_bots,
    kindest_deck,
    kindest_order,
    kindness_for,
    with_tables,
)
from games.coach.hints import better_card_to_take
from games.coach.rating import START_RATING
from games.coach.rows import all_rows
from games.engine.actions import Discard, DrawClosed
from games.engine.cards import Card, cards_in, deck, mask_of, shuffled
from games.engine.match import apply, new_match
from games.engine.ruleset import EDITIONS, Ruleset, edition
from games.engine.text.notation import parse_cards
from games.engine.view import legal_actions
from tests.counts import for_each, times
from tests.games.coach.deal_oracle import slow_count, slow_turns
from tests.games.coach.random_logs import DORA, random_round
from tests.games.positions import position

FEW_TABLES = edition("simplified", tables=(2, 5, 10), offers=False)
TWO_SEATS = DealSetting(FEW_TABLES, seats=2, starter=0, children=(0,))


def cards(text: str) -> list[Card]:
    return list(parse_cards(text.split(), FEW_TABLES))


def some_decks(ruleset: Ruleset, seed: int, count: int = 8) -> list[tuple[Card, ...]]:
    return [shuffled(deck(ruleset.highest), seed * 100 + number) for number in range(count)]


def test_the_deck_that_gives_the_child_a_row_is_kindest() -> None:
    poor = cards("1 7 13 17 19 23 29  2 4 6 8 10 12 14  50 31 37 41 43")
    kind = cards("2 4 6 17 19 23 29  1 7 13 8 10 12 14  50 31 37 41 43")
    assert kindest_deck(TWO_SEATS, [poor, kind], draws=2) == 1
    assert kindest_deck(TWO_SEATS, [kind, poor], draws=2) == 0


def test_a_row_in_the_hand_is_kinder_than_a_later_one() -> None:
    later = cards("10 20 1 17 19 23 29  3 7 13 8 11 12 14  50 31 37 30 43")
    early = cards("10 20 30 17 19 23 29  3 7 13 8 11 12 14  50 31 37 1 43")
    assert kindest_deck(TWO_SEATS, [later, early], draws=2) == 1


def test_with_several_children_the_rows_of_all_count() -> None:
    dealing = DealSetting(FEW_TABLES, seats=2, starter=0, children=(0, 1))
    for_one = cards("2 4 6 17 19 23 29  1 7 13 11 27 33 39  50 31 37 41 43")
    both = cards("2 4 6 17 19 23 29  5 10 15 11 27 33 39  50 31 37 41 43")
    assert kindest_deck(dealing, [for_one, both], draws=0) == 1


@for_each(range(times(20, 1000)))
def test_each_of_several_children_is_dealt_a_row(seed: int) -> None:
    random = Random(seed)
    ruleset = edition(random.choice(list(EDITIONS)), tables=random.choice([(2, 5, 10), (6, 7, 9)]))
    seats = random.randint(2, 4)
    children = random.sample(range(seats), random.randint(2, seats))
    setting = DealSetting(ruleset, seats, random.randrange(seats), children)

    def shuffle(purpose: str, number: int) -> tuple[Card, ...]:
        return some_decks(ruleset, seed + (purpose == "order") * 1000, number + 1)[number]

    dealt = kindest_order(setting, Kindness(decks=2, draws_counted=DRAWS_COUNTED), shuffle)
    hands = [mask_of(cards_of_seat(setting, dealt, child, 0)) for child in children]
    assert all(any(not row & ~hand for row in all_rows(ruleset)) for hand in hands)
    assert sorted(dealt) == sorted(deck(ruleset.highest))


@pytest.mark.parametrize("name", EDITIONS)
def test_the_choice_reads_the_cards_that_the_child_is_dealt_and_draws(name: str) -> None:
    ruleset = edition(name, rounds=1)
    for seats, starter, child in ((2, 0, 0), (2, 1, 0), (3, 2, 1), (4, 1, 3)):
        dealing = DealSetting(ruleset, seats, starter, (child,))
        shuffle = shuffled(deck(ruleset.highest), seats)
        assert cards_of_seat(dealing, shuffle, child, 3) == cards_dealt(dealing, shuffle, child, 3)


def cards_dealt(
    dealing: DealSetting, shuffle: tuple[Card, ...], child: int, draws: int
) -> list[Card]:
    """The cards that the child gets if everyone draws from the closed pile and lays nothing."""
    state = new_match(dealing.ruleset, dealing.seats, shuffle, dealing.starter)
    cards = sorted(cards_in(state.hands[child]), key=shuffle.index)
    cards = cards if not dealing.ruleset.has_pot or state.turn != child else cards[:-2]
    while state.turns[child] < draws:
        if state.turn == child and state.phase == "play":
            new = [card for card in cards_in(state.hands[child]) if card not in cards]
            cards += sorted(new, key=shuffle.index)
        actions = legal_actions(state)
        quiet = [act for act in actions if isinstance(act, DrawClosed | Discard)]
        state = apply(state, (quiet or actions[-1:])[0])
    return cards


@for_each(range(times(10, 500)))
def test_no_card_of_other_seats_influences_the_choice(seed: int) -> None:
    random = Random(seed)
    ruleset = edition(random.choice(list(EDITIONS)), tables=(2, 3, 7), rounds=1)
    seats = random.randint(2, 4)
    children = random.sample(range(seats), random.randint(1, seats - 1))
    dealing = DealSetting(ruleset, seats, random.randrange(seats), children)
    decks = some_decks(ruleset, seed)
    decks_after = [with_the_rest_exchanged(dealing, cards, random) for cards in decks]
    assert decks_after != decks
    assert kindest_deck(dealing, decks_after, DRAWS_COUNTED) == kindest_deck(
        dealing, decks, DRAWS_COUNTED
    )


def with_the_rest_exchanged(
    dealing: DealSetting, cards: Sequence[Card], random: Random
) -> Sequence[Card]:
    """A deck with the same cards for the children. The cards that they do not get are in another
    order."""
    cards_of_children = {
        card
        for seat in dealing.children
        for card in cards_of_seat(dealing, cards, seat, DRAWS_COUNTED)
    }
    rest = [card for card in cards if card not in cards_of_children]
    random.shuffle(rest)
    others = iter(rest)
    return tuple(card if card in cards_of_children else next(others) for card in cards)


def test_more_decks_are_tried_the_rarer_the_rows_are() -> None:
    tables: list[tuple[int, ...] | None] = [None, tuple(range(2, 11)), (3, 4, 6), (6, 7, 8, 9)]
    decks = [kindness_for(edition("simplified", tables=some)).decks for some in tables]
    assert decks == [2, 16, 40, 64]


def test_a_strong_child_gets_only_some_kindness() -> None:
    hard = edition("simplified", tables=(6, 7, 8, 9))
    beginner, middle, strong = (
        kindness_for(hard, rating).decks
        for rating in (START_RATING, START_RATING + 100, STRONG_RATING + 50)
    )
    assert beginner > middle > strong == DECKS_OF_STRONG
    assert kindness_for(hard, START_RATING - 300).decks == beginner


def test_a_deal_can_be_kind_in_some_of_its_tables() -> None:
    rules = edition("simplified", counts_back_to=(0,), offers=False)
    sevens = with_tables(rules, (7,))
    assert sevens.tables == (7,)
    assert with_tables(rules, ()) is rules
    assert kindness_for(rules, tables=(7,)).tables == (7,)
    assert kindness_for(rules, tables=(7,)).decks > kindness_for(rules).decks

    def rows_of_sevens(wanted: Ruleset, number: int) -> int:
        """The number of rows of sevens that the child gets from the kindest deck under these
        rules."""
        decks = [shuffled(deck(50), 100 * number + n) for n in range(16)]
        chosen = decks[kindest_deck(DealSetting(wanted, 2, 0, (0,)), decks, 8)]
        mask = mask_of(cards_of_seat(DealSetting(rules, 2, 0, (0,)), chosen, 0, 8))
        return sum(not row & ~mask for row in all_rows(sevens))

    assert sum(rows_of_sevens(sevens, n) for n in range(20)) > 2 * sum(
        rows_of_sevens(rules, n) for n in range(20)
    )


def test_the_order_of_the_other_cards_gives_the_bot_an_early_row() -> None:
    deal = cards("2 4 6 17 19 23 29  1 7 13 11 27 33 39  50 31 37 41 43 5 10 15 35")
    late = cards("1 7 13 11 27 33 39 50 31 37 41 43 2 4 6 17 19 23 29 5 10 15 35")
    early = cards("5 10 15 11 27 33 39 50 31 37 41 43 2 4 6 17 19 23 29 1 7 13 35")
    best = deck_for_bots(TWO_SEATS, deal, [late, early], draws=0)
    assert cards_of_seat(TWO_SEATS, best, 1, 0) == [5, 10, 15, 11, 27, 33, 39]
    assert sorted(best) == sorted(deal)


@for_each(range(times(10, 500)))
def test_children_get_the_same_cards_in_any_order_of_others(seed: int) -> None:
    random = Random(seed)
    ruleset = edition(random.choice(list(EDITIONS)), rounds=1)
    seats = random.randint(2, 4)
    children = random.sample(range(seats), random.randint(1, seats - 1))
    dealing = DealSetting(ruleset, seats, random.randrange(seats), children)
    first, *orders = some_decks(ruleset, seed, 4)
    best = deck_for_bots(dealing, first, orders, DRAWS_COUNTED)
    assert sorted(best) == sorted(first)
    for child in children:
        same = [cards_of_seat(dealing, deck, child, DRAWS_COUNTED) for deck in (first, best)]
        assert same[0] == same[1]


def test_with_a_pot_there_is_no_choice_of_orders() -> None:
    assert kindness_for(edition("blocks")).orders_compared == 1
    assert (
        kindness_for(edition("classic")).orders_compared < kindness_for(FEW_TABLES).orders_compared
    )


EMPTY = DealTurn("a", (), 0)


def turn(
    *laid: tuple[int, ...], could: tuple[tuple[int, ...], ...] = (), before: str = "a"
) -> DealTurn:
    """A turn with these rows, which use all cards of the hand."""
    rows = [*map(mask_of, could), *map(mask_of, laid)]
    laid_rows = [(mask_of(row), mask_of(row)) for row in laid]
    return DealTurn(before, rows, 0, {row: row for row in rows}, laid_rows)


def compare_one(games: list[list[DealTurn]]) -> ComparedTurn:
    (compared,) = compare_turns(games)
    return compared


ROW = (24, 28, 32)


def test_rows_laid_later_or_never_could_have_been_laid() -> None:
    noticed = turn(could=(ROW,))
    (row,) = compare_one(
        [[turn(ROW)], [noticed, turn(ROW)], [noticed, EMPTY], [noticed], [EMPTY]]
    ).rows
    assert row.numbers == ROW
    assert (row.could, row.laid, row.partly, row.later, row.never) == (4, 1, 0, 1, 2)


def test_a_part_of_a_row_is_counted_apart_and_another_jump_is_not() -> None:
    longest = (20, *ROW)
    part = turn(ROW, could=(longest,))
    other = turn((24, 26, 28), could=(longest,))
    row = compare_one([[part], [other], [turn(longest)]]).rows[0]
    assert (row.numbers, row.could, row.laid, row.partly, row.never) == (longest, 3, 1, 1, 1)


def test_every_row_that_the_class_noticed_is_compared() -> None:
    """This includes a row that only one player could lay, but not a row of which others had only a
    part."""
    noticed = [(number, number + 1, number + 2) for number in range(1, 40, 7)]
    first, other = turn(could=(ROW, *noticed)), turn(could=(ROW, (3, 6, 9)), before="0")
    compared = compare_one([[first], [other]])
    assert [row.numbers for row in compared.rows] == [ROW, *noticed]
    assert [row.could for row in compared.rows] == [2, *(1 for _ in noticed)]


@pytest.mark.parametrize("seed", range(0, times(24, 240), 6))
def test_the_comparison_agrees_with_a_slow_count(seed: int) -> None:
    """The rounds are random, with jokers, rows taken back, hints and refused tries."""
    logs = [random_round(seed + other % 6) for other in range(8)]
    slow = [slow_turns(log, DORA) for log in logs]
    games = [turns_of(log, DORA) for log in logs]
    for compared in compare_turns(games):
        expected = slow_count(slow, compared.number, compared.example)
        assert len(compared.rows) == len(expected)
        for row in compared.rows:
            counts = (row.could, row.laid, row.partly, row.later, row.never)
            assert expected[frozenset(row.numbers)] == counts


TABLES = edition("simplified", tables=(2, 5, 10))


@pytest.mark.parametrize(
    ("hand", "lines", "open_card", "expected"),
    [
        ("13 20 40", (), 40, "open card"),  # 30 is the only missing card.
        ("1 13 37", (), 37, "pile"),  # In no table.
        ("13 17 a", (), 101, "open card"),  # A joker.
        ("18 20 44 48 1", (), 1, "pile"),  # 16, 22 and 46 make a row at once.
        ("1 7 11 45", ("5-10-15-20-25",), 11, "pile"),  # 30 extends the row.
    ],
)
def test_the_card_that_makes_a_row_with_more_cards_is_chosen(
    hand: str, lines: tuple[str, ...], open_card: int, expected: str
) -> None:
    assert better_card_to_take(position(hand, *lines, ruleset=TABLES), open_card) == expected


def test_without_an_open_card_the_pile_is_chosen() -> None:
    assert better_card_to_take(position("13 20", ruleset=TABLES), None) == "pile"
