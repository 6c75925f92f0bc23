"""What a batch of games costs: the same few statements for the games of one child and of thirty."""

from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from classrooms.models import Assignment, Attempt, Child, SchoolClass
from classrooms.progress.models import ChildDay
from classrooms.progress.pipeline import evidence
from games.lab.model_children import MIDDLE
from games.lab.model_games import ModelChooser
from games.lab.past_games import Past, play_out, store
from games.play.services import NewSeat
from tests.factories import AssignmentFactory, ChildFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

MANY = 30
MOST_QUERIES = 22


def played(child: Child, assignment: Assignment, seed: int) -> Attempt:
    """A match that the child has just played."""
    seats = [NewSeat(player=child.player), NewSeat(bot="beginner")]
    past = Past(assignment.ruleset, seats, timezone.now(), seed=seed, hint_steps=4)
    (game,) = store([play_out(past, ModelChooser(MIDDLE, Random(seed).getrandbits(32)))])
    return Attempt.objects.create(assignment=assignment, child=child, game=game)


def queries_of(attempts: list[Attempt]) -> list[str]:
    with CaptureQueriesContext(connection) as captured:
        assert evidence.take_up(attempts) == len(attempts)
    return [query["sql"] for query in captured.captured_queries]


def test_reading_and_counting_take_as_many_queries_for_one_child_as_for_thirty(
    school_class: SchoolClass, assignment: Assignment
) -> None:
    children = ChildFactory.create_batch(MANY + 1, school_class=school_class)
    other = AssignmentFactory.create(school_class=school_class)
    tasks = [(assignment, other)[number % 2] for number in range(MANY + 1)]
    attempts = [
        played(child, task, seed)
        for seed, (child, task) in enumerate(zip(children, tasks, strict=True))
    ]
    one, many = queries_of(attempts[:1]), queries_of(attempts[1:])
    assert len(one) == len(many) <= MOST_QUERIES
    assert ChildDay.objects.count() == MANY + 1


def test_a_game_that_goes_on_takes_no_more_queries_after_many_others(
    dora: Child, school_class: SchoolClass, assignment: Assignment
) -> None:
    queries_of([played(dora, assignment, 1)])
    second = queries_of([played(dora, assignment, 2)])
    for seed in range(3, 7):
        queries_of([played(dora, assignment, seed)])
    assert len(queries_of([played(dora, assignment, 7)])) == len(second)
