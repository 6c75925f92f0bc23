"""Quick checks are counted by fact and day, and folded into what a child can do of each fact."""

from datetime import UTC, datetime, timedelta

import pytest

from classrooms.checks.models import Sitting
from classrooms.models import Assignment, Child
from classrooms.progress.models import (
    ChildAbility,
    ChildAssignment,
    ChildDay,
    FactDay,
    FactMastery,
    TableMastery,
)
from classrooms.progress.pipeline import answers
from classrooms.progress.pipeline import levels as mastering
from classrooms.progress.tasks import look_at_sitting, look_for_dirty
from tests.classrooms.progress.answering import answer
from tests.classrooms.progress.stored import everything
from tests.factories import AssignmentFactory, SchoolClassFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def test_both_orders_of_a_fact_are_one(dora: Child) -> None:
    answer(dora, 6, 8, at=NOON)
    answer(dora, 8, 6, at=NOON, right=False)
    look_for_dirty()
    counted = FactDay.objects.get()
    assert (counted.low, counted.high, counted.asked) == (6, 8, 2)
    assert (counted.recalled, counted.guessed) == (1, 1)


def test_an_answer_counts_by_its_time_and_how_it_was_got(dora: Child) -> None:
    answer(dora, 6, 8, net_ms=2000)
    answer(dora, 6, 8, net_ms=5000)
    answer(dora, 6, 8, net_ms=9000)
    answer(dora, 6, 8, net_ms=None)
    answer(dora, 6, 8, net_ms=1000, hinted=True)
    answer(dora, 6, 8, net_ms=1000, right=False)
    look_for_dirty()
    counted = FactDay.objects.get()
    assert (counted.fluent, counted.secure) == (1, 2)
    assert (counted.recalled, counted.derived, counted.hinted, counted.guessed) == (2, 2, 1, 1)
    assert counted.asked == 6


def test_answers_count_for_the_day_and_the_assignment_too(
    dora: Child, assignment: Assignment
) -> None:
    answer(dora, 6, 8, assignment=assignment)
    answer(dora, 6, 7, assignment=assignment, right=False)
    look_for_dirty()
    for counted in (ChildDay.objects.get(), ChildAssignment.objects.get()):
        assert (counted.checks, counted.checks_right, counted.rounds) == (2, 1, 0)


def test_a_sitting_is_dirty_until_it_was_looked_at_and_after_each_answer(dora: Child) -> None:
    sitting = answer(dora, 6, 8).sitting
    assert answers.dirty().get() == sitting
    look_at_sitting(sitting.pk)
    assert not answers.dirty().exists()
    answer(dora, 6, 9, sitting=sitting)
    assert answers.dirty().get() == sitting
    look_at_sitting(sitting.pk)
    look_at_sitting(sitting.pk)
    assert FactDay.objects.count() == 2


def test_a_sitting_that_nothing_was_answered_in_is_not_dirty(dora: Child) -> None:
    Sitting.objects.create(child=dora, round=1, questions=[["fact", [6, 8]]])
    assert not answers.dirty().exists()


def test_two_quick_days_of_three_make_a_fact_fluent(dora: Child) -> None:
    levels = []
    for number, right in enumerate((True, False, True, False, False)):
        answer(dora, 7, 8, right=right, at=NOON + number * DAY)
        look_for_dirty()
        levels.append(FactMastery.objects.get().reached)
    assert levels == ["learning", "learning", "fluent", "learning", "learning"]


def test_mastery_goes_with_the_child_to_its_next_class(dora: Child) -> None:
    answer(dora, 7, 8, at=NOON)
    look_for_dirty()
    dora.school_class = SchoolClassFactory.create()
    dora.save()
    answer(dora, 7, 8, at=NOON + DAY)
    look_for_dirty()
    assert FactDay.objects.values_list("school_class").distinct().count() == 2
    mastery = FactMastery.objects.get()
    assert mastery.known["evidence"] == mastery.recalled == 2
    assert mastery.reached == "fluent"


def test_mastery_is_stored_as_it_has_always_been(dora: Child) -> None:
    for day in range(2):
        answer(dora, 7, 8, at=NOON + day * DAY)
        look_for_dirty()
    assert FactMastery.objects.get().before == {
        "known": {
            "evidence": 1,
            "days": 1,
            "last": NOON.toordinal(),
            "weight": 1.0,
            "right": 1.0,
            "half_life": 1.0,
            "lately": [3],
        },
        "reached": "learning",
        "reached_on": "2026-03-02",
        "totals": {"recalled": 1, "derived": 0, "hinted": 0, "guessed": 0},
    }
    assert ChildAbility.objects.get().before.keys() == {"value", "answers"}


def test_an_earlier_day_that_comes_late_is_folded_in_its_place(dora: Child) -> None:
    for number in (0, 2, 1, 1, 3, 3):
        answer(dora, 7, 8, right=number != 2, at=NOON + number * DAY)
        answer(dora, 6, 8 + number % 2, right=number != 1, at=NOON + number * DAY)
        look_for_dirty()
    stepwise = everything()
    mastering.fold_all(dora.pk)
    assert everything() == stepwise
    assert ChildAbility.objects.get().ability["answers"] == 12


def test_other_tables_and_facts_never_lower_what_was_reached(dora: Child) -> None:
    for number in range(2):
        answer(dora, 2, 5, at=NOON + number * DAY)
    look_for_dirty()
    before = FactMastery.objects.get(low=2, high=5)
    AssignmentFactory.create(school_class=dora.school_class, options={"tables": [7, 8, 9]})
    for number in range(2, 6):
        answer(dora, 7, 8, right=False, at=NOON + number * DAY)
    look_for_dirty()
    after = FactMastery.objects.get(low=2, high=5)
    assert (
        (after.reached, after.known) == (before.reached, before.known) == ("fluent", before.known)
    )
    assert not TableMastery.objects.exists()
