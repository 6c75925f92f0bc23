"""The figures of the model children, as fixed before anything was fitted to them."""

from random import Random
from statistics import fmean

import pytest

from classrooms.demo.model_answers import ModelAnswers
from classrooms.demo.model_children import (
    CHECK_SIGMA,
    CHILD_KINDS,
    MODEL_CHILDREN,
    ChildKind,
    drawn,
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


KINDS = {kind.name: kind for kind in CHILD_KINDS}
FACT = (6, 8)


def test_ability_is_drawn_from_low_to_high_with_many_near_the_bars() -> None:
    children = [drawn("", Random(seed)) for seed in range(400)]
    chances = sorted(chance for child in children for chance in child.notices.values())
    for low, high in ((0.0, 0.3), (0.5, TRULY_SECURE), (TRULY_SECURE, 0.7), (ABLE, 1.0)):
        assert sum(low <= chance < high for chance in chances) > len(chances) / 25
    assert fmean(child.chance(2) for child in children) > fmean(one.chance(8) for one in children)


@pytest.mark.parametrize(
    ("name", "grows"), [("improves in the middle", True), ("loses in the middle", False)]
)
def test_what_changes_in_the_middle_is_the_true_chance(name: str, grows: bool) -> None:
    kind = KINDS[name]
    assert kind.true_chance(0.6, 27) == 0.6
    assert (kind.true_chance(0.6, 28) > 0.6) is grows


def test_a_power_law_keeps_more_of_what_was_learned_long_ago() -> None:
    child = drawn("", Random(2))
    chances = []
    for memory in ("spacing", "power law"):
        replies = ModelAnswers(child, 1, memory, ChildKind("", memory))
        replies.answer(FACT, 0)
        chances.append(replies.chance(FACT, 20))
    assert chances[0] < chances[1]
