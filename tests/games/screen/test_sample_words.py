"""The sample rows of some rules, in words."""

import pytest

from games.engine.ruleset import EDITIONS, edition
from games.screen.sample_words import samples


@pytest.mark.parametrize("name", sorted(EDITIONS))
def test_every_edition_has_samples_of_both_kinds(name: str) -> None:
    shown = samples(EDITIONS[name])
    assert shown.allowed
    assert shown.refused
    assert all(sample.row and sample.why for sample in (*shown.allowed, *shown.refused))


def test_a_row_that_counts_names_its_table_and_one_that_does_not_says_why() -> None:
    shown = samples(edition("simplified", tables=(4, 5)))
    assert ("12, 16, 20", "4 times table: 3 × 4, 4 × 4, 5 × 4") in [
        (sample.row, sample.why) for sample in shown.allowed
    ]
    assert (
        "11, 16, 21",
        "11, 16 and 21: your jumps are 5, but these numbers are not in the 5 times table.",
    ) in [(sample.row, sample.why) for sample in shown.refused]


def test_rows_that_count_back_elsewhere_say_where() -> None:
    refused = samples(EDITIONS["advanced"]).refused
    assert "14, 20 and 26: count back in jumps of 6. You land on 2, not on 0 or 1." in [
        sample.why for sample in refused
    ]


def test_agreed_families_are_named() -> None:
    allowed = samples(edition("classic", families=("squares",))).allowed
    assert ("9, 16, 25", "square numbers: 3 × 3, 4 × 4, 5 × 5") in [
        (sample.row, sample.why) for sample in allowed
    ]
