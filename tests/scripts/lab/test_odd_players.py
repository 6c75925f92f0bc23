"""Players who do not try are pointed out, and nothing good is said of them; others are not."""

import pytest

from classrooms.demo.model_answers import MEMORY_KINDS, ModelAnswers
from classrooms.demo.model_children import (
    MIDDLE,
    MODEL_CHILDREN,
    MemoryKind,
    ModelChild,
    school_days,
)
from games.coach.statements.odd_play import Oddity, oddities
from scripts.lab.fact_evaluation import PLANS, Plan
from scripts.lab.odd_players import (
    AnswersGiven,
    HintTaker,
    RandomTapper,
    lately_played,
    weeks_of_answers,
)
from scripts.lab.table_evaluation import ModelChildWeeks, add_statements
from scripts.lab.weeks_of_play import ChooserFor, weeks_of_play
from tests.counts import times

ODD = 100
WEEKS = 2
ORDINARY_WEEKS = 12
NOTHING_GOOD = {"not yet seen", "learning"}


def odd_weeks(chooser: ChooserFor, seed: int) -> ModelChildWeeks:
    plan: Plan = PLANS[seed % 3]
    days = weeks_of_play(
        MIDDLE, None, plan, seed, school_days(WEEKS), rounds=1, hint_steps=6, chooser=chooser
    )
    return add_statements(ModelChildWeeks("odd", None, plan), days, -1)


@pytest.mark.proof
@pytest.mark.parametrize(
    ("chooser", "kind"),
    [(RandomTapper, "tries without a row"), (HintTaker, "always asks for a hint")],
)
def test_who_does_not_try_is_pointed_out_and_never_secure(chooser: ChooserFor, kind: str) -> None:
    for seed in range(ODD):
        child = odd_weeks(chooser, seed)
        assert {one.level for one in child.statements} <= NOTHING_GOOD
        seen = oddities(lately_played(child.days, AnswersGiven(), 7 * WEEKS))
        assert kind in [one.kind for one in seen]
        assert all(0.75 * one.of < one.seen <= one.of for one in seen)


def test_who_answers_at_random_is_pointed_out_and_never_secure() -> None:
    for seed in range(times(20, 100)):
        answers = weeks_of_answers(PLANS[seed % 3][0], None, seed, WEEKS)
        assert answers.levels <= NOTHING_GOOD
        (seen,) = oddities(lately_played([], answers, 7 * WEEKS))
        assert seen.kind == "answers far off"


def ordinary(child: ModelChild, memory: MemoryKind, plan: Plan, seed: int) -> list[Oddity]:
    """What is said of a model child at the end of each week."""
    days = list(weeks_of_play(child, memory, plan, seed, school_days(ORDINARY_WEEKS)))
    tables = {table for tables in plan for table in tables}
    answers = weeks_of_answers(tables, ModelAnswers(child, seed, memory), seed, ORDINARY_WEEKS)
    ends = range(7, 7 * ORDINARY_WEEKS + 1, 7)
    return [one for day in ends for one in oddities(lately_played(days, answers, day))]


@pytest.mark.proof
def test_few_ordinary_children_are_pointed_out() -> None:
    said = [
        ordinary(child, memory, plan, seed)
        for seed in range(1, 6)
        for child in MODEL_CHILDREN.values()
        for memory in MEMORY_KINDS
        for plan in PLANS[:4]
    ]
    assert sum(map(bool, said)) <= 0.05 * len(said)
