"""The rows of numbers and their progressions, and the deck with its values and colours."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest

from games.engine.cards import VALUES, cards_in, colour, deck, mask_of, shuffled
from games.engine.ruleset import EDITIONS, Ruleset, edition
from games.engine.sequences import Sequences
from tests.counts import for_each
from tests.games.engine import reference


def valid(text: str, ruleset: Ruleset) -> bool:
    return ruleset.sequences.is_valid([int(number) for number in text.split("-")])


CLASSIC = edition("classic")
RULESETS = [
    *EDITIONS.values(),
    edition("classic", families=["squares", "primes", "triangular"]),
    edition("simplified", tables=[3, 7], families=["primes"]),
    edition("simplified", counts_back_to=[1]),
]


@pytest.fixture(params=RULESETS, ids=lambda ruleset: ruleset.edition)
def sequences(request: pytest.FixtureRequest) -> Sequences:
    ruleset: Ruleset = request.param
    return ruleset.sequences


def rows_of(ruleset: Ruleset) -> set[int]:
    """Every valid row as a mask, found by trying each first number and each continuation."""
    options = reference.options_of(ruleset)
    numbers = range(1, ruleset.highest + 1)
    runs: list[Sequence[int]] = [
        numbers[start::step] for start in range(ruleset.highest) for step in numbers
    ]
    families = [reference.family(name, ruleset.highest) for name in ruleset.families]
    runs += [run[start:] for run in families for start in range(len(run))]
    starts = [run[:size] for run in runs for size in range(3, len(run) + 1)]
    return {mask_of(row) for row in starts if reference.is_row(options, row)}


@for_each(RULESETS)
def test_the_rows_are_those_of_the_reference(ruleset: Ruleset) -> None:
    assert ruleset.sequences.rows == rows_of(ruleset)


def test_rows_of_three_are_known_by_two_of_their_numbers(sequences: Sequences) -> None:
    threes = {row for row in sequences.rows if row.bit_count() == 3}
    assert set(sequences.threes) == threes
    for a, b in combinations(range(1, sequences.highest + 1), 2):
        thirds = {c for c in range(1, sequences.highest + 1) if mask_of((a, b, c)) in threes}
        assert set(sequences.thirds[a][b]) == thirds
        assert sequences.third_masks[a][b] == sequences.third_masks[b][a] == mask_of(thirds)


def test_the_pairs_with_a_number_make_rows_of_three(sequences: Sequences) -> None:
    pairs = sequences.pairs_with(9)
    assert all(low < high for low, high in pairs)
    assert {mask_of((9, *pair)) for pair in pairs} == {
        row for row in sequences.threes if row >> 9 & 1
    }


@pytest.mark.parametrize("wild", [1, 2, 3, 4])
def test_longer_rows_are_found_once_with_their_missing_numbers(
    sequences: Sequences, wild: int
) -> None:
    reach = mask_of([2, 4, 6, 9, 10, 16, 25, 31, 46])
    pairs = list(sequences.longer_rows(reach, wild))
    assert len(dict(pairs)) == len(pairs)
    assert all(lacking == row & ~reach for row, lacking in pairs)
    assert {row for row, _ in pairs} == {
        row for row in sequences.rows if row.bit_count() > 3 and (row & ~reach).bit_count() <= wild
    }


def test_a_row_lies_in_every_progression_that_contains_it() -> None:
    places = CLASSIC.sequences.places(mask_of((10, 20, 30)))
    steps = {CLASSIC.sequences.progressions[place.progression][1:2] for place in places}
    assert len(places) == len(steps) == 4
    own = max(places, key=lambda place: -place.between.bit_count())
    assert (own.between, own.beside) == (0, mask_of((40,)))
    fives = next(place for place in places if place.between == mask_of((15, 25)))
    assert fives.beside == mask_of((5, 35))


def test_rulesets_with_the_same_rows_share_them() -> None:
    assert CLASSIC.sequences is edition("blocks").sequences


def test_the_deck_has_a_hundred_numbers_and_four_jokers() -> None:
    assert deck(100) == (*range(1, 101), 101, 102, 103, 104)
    assert len(deck(50)) == 54


def test_a_number_is_worth_more_the_fewer_rows_of_three_have_it() -> None:
    rows = edition("advanced").sequences.threes
    in_rows = Counter(number for row in rows for number in cards_in(row))
    for card in range(1, 101):
        worth = 3 if in_rows[card] <= 10 else 2 if in_rows[card] <= 17 else 1
        assert VALUES[card] == worth, card


def test_the_colours_of_each_times_table_are_balanced() -> None:
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
