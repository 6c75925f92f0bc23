"""A batch of games or answers takes the same few statements for one child and for thirty. SQLite
takes more, because it splits inserts of many rows."""

from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from classrooms.demo.model_children import MIDDLE, ModelChooser
from classrooms.demo.past_games import PastGame, play_out, store_games
from classrooms.models import Assignment, Attempt, Child, SchoolClass
from classrooms.progress import answer_evidence, evidence, fact_levels
from classrooms.progress.models import ChildDay, FactMastery
from classrooms.progress.tasks import look_at_sitting, look_for_dirty
from classrooms.questions.models import Check, Sitting
from games.play.starting import NewSeat
from tests.classrooms.progress.answering import answer
from tests.factories import AssignmentFactory, ChildFactory

pytestmark = pytest.mark.django_db

MANY = 30
MOST_QUERIES = 22


def play_match(child: Child, assignment: Assignment, seed: int) -> Attempt:
    seats = [NewSeat(player=child.player), NewSeat(bot="beginner")]
    past = PastGame(assignment.ruleset, seats, timezone.now(), seed=seed, hint_steps=4)
    (game,) = store_games([play_out(past, ModelChooser(MIDDLE, Random(seed).getrandbits(32)))])
    return Attempt.objects.create(assignment=assignment, child=child, game=game)


def queries_of_answers(children: list[Child]) -> list[str]:
    with CaptureQueriesContext(connection) as captured:
        assert answer_evidence.process_answers([child.pk for child in children])
    return [query["sql"] for query in captured.captured_queries]


def queries_of(attempts: list[Attempt]) -> list[str]:
    with CaptureQueriesContext(connection) as captured:
        assert evidence.process_games([attempt.game_id for attempt in attempts]) == len(attempts)
    return [query["sql"] for query in captured.captured_queries]


@pytest.mark.usefixtures("clock")  # Around midnight a match would have two days.
def test_the_queries_of_games_do_not_grow(
    school_class: SchoolClass, assignment: Assignment
) -> None:
    children = ChildFactory.create_batch(MANY + 1, school_class=school_class)
    other = AssignmentFactory.create(school_class=school_class)
    tasks = [(assignment, other)[number % 2] for number in range(MANY + 1)]
    attempts = [
        play_match(child, task, seed)
        for seed, (child, task) in enumerate(zip(children, tasks, strict=True))
    ]
    of_one, many = queries_of(attempts[:1]), queries_of(attempts[1:])
    assert len(of_one) == len(many) <= MOST_QUERIES
    assert ChildDay.objects.count() == MANY + 1


@pytest.mark.both_databases
def test_the_queries_of_answers_do_not_grow(
    school_class: SchoolClass, assignment: Assignment
) -> None:
    children = ChildFactory.create_batch(MANY + 1, school_class=school_class)
    for child in children:
        answer(child, 6, 8, assignment=assignment)
        answer(child, 2, 9, assignment=assignment, right=False)
    of_one, many = queries_of_answers(children[:1]), queries_of_answers(children[1:])
    split = connection.vendor == "sqlite"  # This stores the sixty facts in two inserts.
    assert len(of_one) == len(many) - split
    assert len(many) <= MOST_QUERIES
    assert not answer_evidence.dirty_sittings().exists()
    assert list(FactMastery.objects.values_list("low", "high").distinct().order_by("low")) == [
        (2, 9),
        (6, 8),
    ]
    assert FactMastery.objects.count() == 2 * (MANY + 1)


@pytest.mark.both_databases
def test_a_worker_also_counts_sittings_that_ended(school_class: SchoolClass) -> None:
    first, ended, open_one, early = ChildFactory.create_batch(4, school_class=school_class)
    now = timezone.now()
    sittings = {child: answer(child, 6, 8).sitting for child in (first, ended, open_one, early)}
    for child, at in ((ended, now), (early, now - 2 * evidence.PICKUP_WINDOW)):
        Sitting.objects.filter(pk=sittings[child].pk).update(closed_at=at)
    look_at_sitting(sittings[first].pk)
    assert {sitting.child for sitting in answer_evidence.dirty_sittings()} == {open_one, early}
    look_at_sitting(sittings[first].pk)
    assert answer_evidence.children_due(sittings[first].pk) == []
    look_for_dirty()
    assert not answer_evidence.dirty_sittings().exists()


@pytest.mark.both_databases
def test_a_broken_answer_stops_no_other(
    school_class: SchoolClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    children = ChildFactory.create_batch(3, school_class=school_class)
    for child in children:
        answer(child, 6, 8)
    take_in = fact_levels.update_fact_levels

    def refuse(fresh: list[Check]) -> None:
        assert all(check.child_id != children[1].pk for check in fresh)
        take_in(fresh)

    monkeypatch.setattr(fact_levels, "update_fact_levels", refuse)
    look_for_dirty()
    assert {sitting.child for sitting in answer_evidence.dirty_sittings()} == {children[1]}


@pytest.mark.both_databases
def test_a_long_game_takes_no_more_queries(
    dora: Child, school_class: SchoolClass, assignment: Assignment
) -> None:
    queries_of([play_match(dora, assignment, 1)])
    second = queries_of([play_match(dora, assignment, 2)])
    for seed in range(3, 7):
        queries_of([play_match(dora, assignment, seed)])
    assert len(queries_of([play_match(dora, assignment, 7)])) == len(second)
