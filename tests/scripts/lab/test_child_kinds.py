"""The kinds of children with which the lab tries the rules of progress."""

from random import Random
from statistics import fmean

import pytest

from scripts.lab.fact_evaluation import (
    ABLE,
    CHILD_KINDS,
    TRULY_SECURE,
    AnswersOfKind,
    ChildKind,
    random_child,
)

KINDS = {kind.name: kind for kind in CHILD_KINDS}
FACT = (6, 8)


def test_ability_is_spread_with_many_near_the_bars() -> None:
    children = [random_child("", Random(seed)) for seed in range(400)]
    chances = sorted(chance for child in children for chance in child.notices.values())
    for low, high in ((0.0, 0.3), (0.5, TRULY_SECURE), (TRULY_SECURE, 0.7), (ABLE, 1.0)):
        assert sum(low <= chance < high for chance in chances) > len(chances) / 25
    assert fmean(child.chance(2) for child in children) > fmean(one.chance(8) for one in children)


@pytest.mark.parametrize(
    ("name", "grows"), [("improves in the middle", True), ("loses in the middle", False)]
)
def test_a_change_in_the_middle_changes_the_true_chance(name: str, grows: bool) -> None:
    kind = KINDS[name]
    assert kind.true_chance(0.6, 27) == 0.6
    assert (kind.true_chance(0.6, 28) > 0.6) is grows


def test_a_power_law_keeps_more_of_what_was_learned_long_ago() -> None:
    child = random_child("", Random(2))
    chances = []
    for memory in ("spacing", "power law"):
        replies = AnswersOfKind(child, 1, memory, kind=ChildKind("", memory))
        replies.answer(FACT, 0)
        chances.append(replies.chance(FACT, 20))
    assert chances[0] < chances[1]
