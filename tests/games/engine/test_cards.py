from collections import Counter

from games.engine.cards import cards_in, colour, deck, shuffled, value
from games.engine.ruleset import edition


def test_the_deck_has_a_hundred_numbers_and_four_jokers() -> None:
    assert deck(100) == (*range(1, 101), 101, 102, 103, 104)
    assert len(deck(50)) == 54


def test_a_number_is_worth_more_the_fewer_rows_of_three_it_is_in() -> None:
    rows = edition("advanced").sequences.threes
    in_rows = Counter(number for row in rows for number in cards_in(row))
    for card in range(1, 101):
        worth = 3 if in_rows[card] <= 10 else 2 if in_rows[card] <= 17 else 1
        assert value(card) == worth, card


def test_each_times_table_is_spread_over_the_colours() -> None:
    for table in range(2, 11):
        counts = Counter(colour(card) for card in range(table, 101, table))
        assert max(counts.values()) - min(counts.values()) <= 2, table


def test_a_shuffle_depends_on_its_seed_alone() -> None:
    cards = deck(50)
    assert shuffled(cards, 7) == shuffled(cards, 7)
    assert shuffled(cards, 7) != shuffled(cards, 8)
    assert sorted(shuffled(cards, 7)) == list(cards)


def test_a_shuffle_never_changes_between_versions() -> None:
    assert shuffled(range(1, 8), 1) == (1, 4, 6, 5, 7, 3, 2)
