"""Short questions are counted by fact and day, and folded into what a child knows."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from msgspec import to_builtins

from classrooms.models import Assignment, Child
from classrooms.privacy.erasure import erase_class
from classrooms.progress import evidence, levels
from classrooms.progress.models import (
    ChildAssignment,
    ChildDay,
    FactAbility,
    FactDay,
    FactMastery,
    ProgressLock,
)
from classrooms.progress.rebuild import rebuild
from classrooms.progress.tasks import look_at_sitting, look_for_dirty
from games.coach.questions.recall import Recall
from tests.classrooms.progress.answering import answer, everything
from tests.factories import SchoolClassFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def test_an_answer_counts_by_how_it_was_found(dora: Child) -> None:
    answer(dora, 6, 8, net_ms=2000)
    answer(dora, 6, 8, net_ms=5000)
    answer(dora, 6, 8, net_ms=9000)
    answer(dora, 6, 8, net_ms=None)
    answer(dora, 6, 8, net_ms=1000, hinted=True)
    answer(dora, 6, 8, net_ms=1000, right=False)
    look_for_dirty()
    counted = FactDay.objects.get()
    assert (counted.recalled, counted.derived, counted.hinted, counted.guessed) == (2, 2, 1, 1)
    assert counted.asked == 6


def test_answers_count_for_the_day_and_the_assignment(dora: Child, assignment: Assignment) -> None:
    answer(dora, 6, 8, assignment=assignment)
    answer(dora, 6, 7, assignment=assignment, right=False)
    look_for_dirty()
    for counted in (ChildDay.objects.get(), ChildAssignment.objects.get()):
        assert (counted.checks, counted.checks_right, counted.rounds) == (2, 1, 0)


def test_a_sitting_is_dirty_after_each_answer(dora: Child) -> None:
    sitting = answer(dora, 6, 8).sitting
    assert evidence.dirty_sittings().get() == sitting
    look_at_sitting(sitting.pk)
    assert not evidence.dirty_sittings().exists()
    answer(dora, 6, 9, sitting=sitting)
    assert evidence.dirty_sittings().get() == sitting
    look_at_sitting(sitting.pk)
    look_at_sitting(sitting.pk)
    assert FactDay.objects.count() == 2


def test_two_quick_days_of_three_make_a_fact_fluent(dora: Child) -> None:
    reached = []
    for number, right in enumerate((True, False, True, False, False)):
        answer(dora, 7, 8, right=right, at=NOON + number * DAY)
        look_for_dirty()
        fact = FactMastery.objects.get()
        reached.append((fact.reached, (fact.reached_on - NOON.date()).days))
    assert reached == [
        ("learning", 0),
        ("learning", 0),
        ("fluent", 2),
        ("learning", 3),
        ("learning", 3),
    ]


def test_an_answer_folded_after_an_erasure_is_not_folded_twice(
    dora: Child,
) -> None:
    old = dora.school_class
    answer(dora, 7, 8, at=NOON)
    look_for_dirty()
    dora.school_class = SchoolClassFactory.create()
    dora.save()
    answer(dora, 7, 8, at=NOON + DAY)
    erase_class(old)
    assert ProgressLock.objects.get().stale
    look_for_dirty()
    assert FactAbility.objects.get().answers == FactMastery.objects.get().recalled == 1
    counted = everything()
    rebuild(dora)
    assert everything() == counted


def test_each_answer_is_folded_once(dora: Child) -> None:
    first = answer(dora, 7, 8, at=NOON)
    levels.fold_all_facts([dora.pk])
    answer(dora, 6, 8, at=NOON + DAY, sitting=first.sitting)
    look_for_dirty()
    assert FactAbility.objects.get().answers == 2
    counted = everything()
    rebuild(dora)
    assert everything() == counted


def test_mastery_moves_with_a_child_to_the_next_class(dora: Child) -> None:
    answer(dora, 7, 8, at=NOON)
    look_for_dirty()
    dora.school_class = SchoolClassFactory.create()
    dora.save()
    answer(dora, 7, 8, at=NOON + DAY)
    look_for_dirty()
    assert FactDay.objects.values_list("school_class").distinct().count() == 2
    answer(dora, 7, 8, at=NOON + 2 * DAY)
    look_for_dirty()
    mastery = FactMastery.objects.get()
    assert (mastery.recalled, mastery.reached) == (3, "fluent")


def test_stored_facts_and_ability_follow_from_all_answers(dora: Child) -> None:
    given = [("7 8", True), ("6 8", False), ("8 7", True), ("7 8", False), ("6 8", True)]
    folded = Recall()
    for number, (factors, right) in enumerate(given):
        first, second = map(int, factors.split())
        check = answer(dora, first, second, right=right, at=NOON + number * DAY)
        folded.add(check.fact_answer())
        look_for_dirty()
    ability = FactAbility.objects.get()
    assert (ability.value, ability.answers) == (folded.ability.value, 5)
    for row in FactMastery.objects.all():
        known = folded.facts[row.low, row.high]
        memory = known.memory
        assert (row.stability, row.difficulty) == (memory.stability, memory.difficulty)
        assert (row.day.toordinal(), row.due_on.toordinal()) == (memory.last_day, memory.due)
        assert row.ability == known.ability
        assert row.lately == to_builtins(list(known.lately))
    assert FactMastery.objects.count() == 2


@pytest.mark.parametrize("untimed", [False, True])
def test_slow_answers_make_an_untimed_fact_fluent(dora: Child, untimed: bool) -> None:
    dora.untimed = untimed
    for day in range(3):
        answer(dora, 7, 8, net_ms=None, at=NOON + day * DAY)
    look_for_dirty()
    assert FactMastery.objects.get().reached == ("fluent" if untimed else "learning")


def test_an_answer_keeps_whether_it_was_timed(dora: Child) -> None:
    for day in range(4):
        dora.untimed = day < 3
        answer(dora, 7, 8, net_ms=None, at=NOON + day * DAY)
    look_for_dirty()
    stepwise = everything()
    dora.save()
    rebuild(dora)
    assert everything() == stepwise
    assert FactMastery.objects.get().reached == "fluent"


def test_a_late_answer_is_folded_in_its_place(dora: Child) -> None:
    for number in (0, 2, 1, 1, 3, 3):
        answer(dora, 7, 8, right=number != 2, at=NOON + number * DAY)
        answer(dora, 6, 8 + number % 2, right=number != 1, at=NOON + number * DAY)
        look_for_dirty()
    stepwise = everything()
    levels.fold_all_facts([dora.pk])
    assert everything() == stepwise
    assert FactAbility.objects.get().answers == 12


def test_old_answers_are_folded_with_the_next_one(dora: Child) -> None:
    for number in range(3):
        answer(dora, 7, 8, at=NOON + number * DAY)
    look_for_dirty()
    FactMastery.objects.all().delete()
    FactAbility.objects.all().delete()
    answer(dora, 6, 8, at=NOON + 3 * DAY)
    look_for_dirty()
    assert FactAbility.objects.get().answers == 4
    assert FactMastery.objects.get(low=7).recalled == 3


def test_the_queries_of_an_answer_do_not_grow(dora: Child, emil: Child) -> None:
    def queries_for(*children: Child) -> int:
        checks = [answer(child, 6, high) for child in children for high in (7, 8)]
        with CaptureQueriesContext(connection) as queries, transaction.atomic():
            levels.update_fact_levels(checks)
        return len(queries)

    for child in (dora, emil):
        answer(child, 6, 7, at=NOON)
    look_for_dirty()
    few = queries_for(dora)
    for number in range(20):
        answer(dora, 2 + number % 9, 9, at=timezone.now())
    look_for_dirty()
    assert queries_for(dora) == few
    assert queries_for(dora, emil) == few
