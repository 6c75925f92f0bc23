from itertools import combinations

import pytest

from games.engine.cards import mask_of
from games.engine.ruleset import EDITIONS, Ruleset, edition
from games.engine.sequences import members, sequences_of, step_of


def valid(text: str, ruleset: Ruleset) -> bool:
    return sequences_of(ruleset).is_valid([int(number) for number in text.split("-")])


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
    sequences = sequences_of(edition("classic", families=["primes", "squares"]))
    assert sequences.families_of([3, 5, 7]) == ["primes"]
    assert sequences.families_of([2, 4, 6]) == []
    assert sequences.families_of([3, 5]) == []
    assert sequences.is_even_row([3, 5, 7])


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


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.edition)
@pytest.mark.parametrize("wild", [0, 1, 2, 3, 4])
def test_all_sequences_are_found_each_once_with_up_to_four_numbers_lacking(
    ruleset: Ruleset, wild: int
) -> None:
    at_hand = [2, 4, 6, 9, 10, 16, 25, 31, 46]
    sequences = sequences_of(ruleset)
    found = [tuple(row) for row, _ in sequences.within(mask_of(at_hand), wild)]
    assert len(set(found)) == len(found)
    assert all(sequences.is_valid(row) for row in found)
    assert all(len(set(row) - set(at_hand)) <= wild for row in found)
    assert {row for row in found if set(row) <= set(at_hand)} == {
        row
        for size in range(3, len(at_hand) + 1)
        for row in combinations(at_hand, size)
        if sequences.is_valid(row)
    }


def test_with_three_numbers_lacking_every_row_of_three_is_found() -> None:
    rows = {tuple(row) for row, _ in sequences_of(CLASSIC).within(0, 3)}
    assert rows == {
        (start, start + d, start + 2 * d) for d in range(1, 50) for start in range(1, 101 - 2 * d)
    }


def test_rulesets_that_agree_on_rows_share_them() -> None:
    assert sequences_of(CLASSIC) is sequences_of(edition("blocks"))
