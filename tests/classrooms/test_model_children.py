"""The figures of the model children, as fixed before anything was fitted to them."""

from random import Random
from statistics import fmean

import pytest

from classrooms.demo.model_answers import ModelAnswers
from classrooms.demo.model_children import (
    CHECK_SIGMA,
    CHILD_KINDS,
    MIDDLE,
    MODEL_CHILDREN,
    STRONG,
    WEAK,
    ChildKind,
    drawn,
    moved,
)
from scripts.lab.fact_evaluation import (
    ABLE,
    TRULY_SECURE,
)

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


KINDS = {kind.name: kind for kind in CHILD_KINDS}
FACT = (6, 8)


def test_there_are_twelve_kinds_and_each_is_unlike_the_others() -> None:
    assert len(KINDS) == len(set(CHILD_KINDS)) == 12


def test_ability_is_drawn_from_low_to_high_with_many_near_the_bars() -> None:
    children = [drawn("", Random(seed)) for seed in range(400)]
    chances = sorted(chance for child in children for chance in child.notices.values())
    for low, high in ((0.0, 0.3), (0.5, TRULY_SECURE), (TRULY_SECURE, 0.7), (ABLE, 1.0)):
        assert sum(low <= chance < high for chance in chances) > len(chances) / 25
    assert fmean(child.chance(2) for child in children) > fmean(one.chance(8) for one in children)


def test_to_move_a_chance_there_and_back_changes_nothing() -> None:
    assert moved(moved(0.3, 1.5), -1.5) == pytest.approx(0.3)
    assert moved(0.5, 0) == 0.5


@pytest.mark.parametrize(
    ("name", "grows"), [("improves in the middle", True), ("loses in the middle", False)]
)
def test_what_changes_in_the_middle_is_the_true_chance(name: str, grows: bool) -> None:
    kind = KINDS[name]
    assert kind.true_chance(0.6, 27) == 0.6
    assert (kind.true_chance(0.6, 28) > 0.6) is grows


def test_the_form_of_a_day_is_no_part_of_the_true_chance() -> None:
    kind = KINDS["good and bad days"]
    assert kind.true_chance(0.6, 3) == 0.6
    assert kind.chance_today(0.6, -1, 0) < 0.6 < kind.chance_today(0.6, 1, 0)


def test_who_tires_is_right_less_often_at_the_end_of_a_sitting() -> None:
    replies = ModelAnswers(drawn("", Random(1)), 1, None, ChildKind("", tires=0.1))
    rights = [[replies.answer(FACT, day).right for _ in range(8)] for day in range(200)]
    assert sum(one[0] for one in rights) > 2 * sum(one[-1] for one in rights)


def test_a_power_law_keeps_more_of_what_was_learned_long_ago() -> None:
    child = drawn("", Random(2))
    chances = []
    for memory in ("spacing", "power law"):
        replies = ModelAnswers(child, 1, memory, ChildKind("", memory))
        replies.answer(FACT, 0)
        chances.append(replies.chance(FACT, 20))
    assert chances[0] < chances[1]
