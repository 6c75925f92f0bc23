"""The facts in which a child is secure today; hints and quick checks derive others from them."""

from typing import cast

from classrooms.models import Child
from classrooms.progress.models import FactMastery
from games.coach.facts import Fact
from games.coach.mastery import Knowledge, Reached, level
from games.engine.json_values import read_as


def secure_facts(child: Child) -> frozenset[Fact]:
    """The facts that the child is secure or fluent in, without those that are fading."""
    today = child.school_class.today().toordinal()
    reached = FactMastery.objects.filter(child=child).exclude(reached="learning")
    return frozenset(
        (low, high)
        for low, high, mark, known in reached.values_list("low", "high", "reached", "known")
        if level(cast(Reached, mark), read_as(Knowledge, known), today) != "fading"
    )
