"""The figures of the model children, as fixed before anything was fitted to them."""

import pytest

from classrooms.demo.model_children import CHECK_SIGMA, MIDDLE, MODEL_CHILDREN, STRONG, WEAK

FIGURES = """
       2, 5, 10 | 3, 4 | 6, 9 | 7, 8 | 11, 12 | others | tries | seconds
weak   .60      | .40  | .25  | .15  | .15    | .10    | .15   | 4
middle .80      | .65  | .50  | .40  | .35    | .30    | .08   | 2.5
strong .95      | .90  | .85  | .80  | .75    | .60    | .03   | 1.5
"""


def test_the_figures_are_those_of_the_table() -> None:
    head, *rows = FIGURES.strip().splitlines()
    groups = [[int(table) for table in group.split(",")] for group in head.split("|")[:5]]
    assert len(rows) == len(MODEL_CHILDREN)
    for row in rows:
        name, _, figures = row.partition(" ")
        *chances, others, tries, seconds = (float(figure) for figure in figures.split("|"))
        child = MODEL_CHILDREN[name]
        expected = {
            table: chance for group, chance in zip(groups, chances, strict=True) for table in group
        }
        assert dict(child.notices) == expected
        assert (child.notices_others, child.wrong_tries) == (others, tries)
        assert child.check_seconds == seconds
    assert CHECK_SIGMA == 0.4


def test_a_row_of_any_other_step_or_of_no_table_is_harder_to_see() -> None:
    assert WEAK.chance(13) == WEAK.chance(None) == 0.10
    assert STRONG.chance(1) == 0.60


def test_a_row_that_takes_from_the_table_or_needs_a_joker_is_harder_to_see() -> None:
    assert MIDDLE.chance(5) == 0.80
    assert MIDDLE.chance(5, adds=True) == pytest.approx(0.64)
    assert MIDDLE.chance(5, crosses=True) == pytest.approx(0.40)
    assert MIDDLE.chance(5, joker=True) == pytest.approx(0.40)
    assert MIDDLE.chance(5, adds=True, crosses=True, joker=True) == pytest.approx(0.16)
