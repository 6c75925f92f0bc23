from collections.abc import Sequence
from itertools import combinations

import pytest

from games.engine.cards import mask_of
from games.engine.ruleset import EDITIONS, Ruleset, edition
from games.engine.sequences import Sequences, members, step_of
from tests.counts import for_each
from tests.games.engine import reference


def valid(text: str, ruleset: Ruleset) -> bool:
    return ruleset.sequences.is_valid([int(number) for number in text.split("-")])


CLASSIC = edition("classic")
ADVANCED = edition("advanced")


def test_a_row_has_three_cards_and_one_difference() -> None:
    assert valid("10-20-30", CLASSIC)
    assert valid("14-20-26-32", CLASSIC)
    assert not valid("10-20", CLASSIC)
    assert not valid("10-20-31", CLASSIC)


def test_the_difference_is_not_zero() -> None:
    assert not valid("7-7-7", CLASSIC)
    assert step_of([7, 7, 7]) is None


def test_sums_are_no_sequences() -> None:
    assert not valid("13-17-30", CLASSIC)


@pytest.mark.parametrize("row", ["10-20-30", "11-16-21", "1-3-5-7", "1-2-3"])
def test_advanced_rows_count_back_to_nought_or_one(row: str) -> None:
    assert valid(row, ADVANCED)


def test_a_row_that_counts_back_to_two_is_not_advanced() -> None:
    assert not valid("14-20-26", ADVANCED)


def test_counting_back_to_nought_and_to_one_are_agreed_separately() -> None:
    assert valid("10-20-30", edition("classic", counts_back_to=[0]))
    assert not valid("11-16-21", edition("classic", counts_back_to=[0]))
    assert valid("11-16-21", edition("classic", counts_back_to=[1]))
    assert not valid("10-20-30", edition("classic", counts_back_to=[1]))


def test_families_count_only_where_agreed() -> None:
    assert not valid("4-9-16", CLASSIC)
    assert valid("4-9-16", edition("classic", families=["squares"]))
    assert valid("1-3-6", edition("classic", families=["triangular"]))
    assert valid("2-3-5-7", edition("classic", families=["primes"]))


def test_a_family_row_leaves_none_out_and_stays_in_its_family() -> None:
    families = edition("classic", families=["primes", "squares"])
    assert not valid("2-5-7", families)
    assert not valid("3-4-5-7", families)
    assert not valid("4-9", families)


def test_families_begin_where_the_rules_say() -> None:
    assert members("squares", 50) == (1, 4, 9, 16, 25, 36, 49)
    assert members("primes", 20) == (2, 3, 5, 7, 11, 13, 17, 19)
    assert members("triangular", 30) == (1, 3, 6, 10, 15, 21, 28)


def test_a_row_can_fit_a_family_and_a_step() -> None:
    sequences = edition("classic", families=["primes", "squares"]).sequences
    assert sequences.families_of([3, 5, 7]) == ["primes"]
    assert sequences.families_of([2, 4, 6]) == []
    assert sequences.families_of([3, 5]) == []
    assert edition("classic").sequences.is_valid([3, 5, 7])


def test_a_chosen_table_must_be_the_rows_own_step() -> None:
    chosen = edition("simplified", tables=[2, 5])
    assert valid("10-15-20", chosen)
    assert not valid("10-20-30", chosen)
    assert not valid("11-16-21", chosen)


def test_families_stay_as_agreed_beside_chosen_tables() -> None:
    assert valid("1-4-9", edition("simplified", tables=[2], families=["squares"]))


def test_numbers_above_the_editions_highest_make_no_row() -> None:
    assert not valid("40-50-60", edition("simplified"))


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
    """Every valid row, found by trying where it may start and how it may go on."""
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
        assert set(sequences.thirds_of[a][b]) == thirds
        assert sequences.thirds[a][b] == sequences.thirds[b][a] == mask_of(thirds)


def test_the_pairs_with_a_number_make_rows_of_three(sequences: Sequences) -> None:
    pairs = sequences.pairs_with(9)
    assert all(low < high for low, high in pairs)
    assert {mask_of((9, *pair)) for pair in pairs} == {
        row for row in sequences.threes if row >> 9 & 1
    }


@pytest.mark.parametrize("wild", [1, 2, 3, 4])
def test_longer_rows_are_found_each_once_with_so_many_numbers_lacking(
    sequences: Sequences, wild: int
) -> None:
    reach = mask_of([2, 4, 6, 9, 10, 16, 25, 31, 46])
    pairs = list(sequences.longer_within(reach, wild))
    assert len(dict(pairs)) == len(pairs)
    assert all(lacking == row & ~reach for row, lacking in pairs)
    assert {row for row, _ in pairs} == {
        row for row in sequences.rows if row.bit_count() > 3 and (row & ~reach).bit_count() <= wild
    }


def test_a_row_lies_in_every_progression_that_holds_its_numbers() -> None:
    places = CLASSIC.sequences.places(mask_of((10, 20, 30)))
    steps = {CLASSIC.sequences.progressions[place.progression][1:2] for place in places}
    assert len(places) == len(steps) == 4
    own = max(places, key=lambda place: -place.between.bit_count())
    assert (own.between, own.beside) == (0, mask_of((40,)))
    fives = next(place for place in places if place.between == mask_of((15, 25)))
    assert fives.beside == mask_of((5, 35))


def test_rulesets_that_agree_on_rows_share_them() -> None:
    assert CLASSIC.sequences is edition("blocks").sequences
