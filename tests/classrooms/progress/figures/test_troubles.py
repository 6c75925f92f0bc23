"""The rows whose facts a child is asked on a later day."""

from datetime import timedelta

import pytest
from django.utils import timezone

from classrooms.lesson.game_hooks import SchoolAdviser
from classrooms.models import Child
from classrooms.progress.child_figures import troubles_of
from classrooms.progress.models import Chance
from games.coach.questions.quiz import Trouble
from tests.factories import AttemptFactory

pytestmark = pytest.mark.django_db


def row_of(child: Child, numbers: list[int], outcome: str, *, ago: int, table: int = 7) -> int:
    """A chance of a table that ended this many days ago. Returns the number of its day."""
    attempt = AttemptFactory.create(child=child)
    day = child.school_class.today() - timedelta(days=ago)
    Chance.objects.create(
        game=attempt.game,
        child=child,
        school_class=child.school_class,
        assignment=attempt.assignment,
        day=day,
        round=1,
        first_turn=1,
        last_turn=1,
        entry=1,
        entries=[1],
        at=timezone.now() - timedelta(days=ago),
        table=table,
        outcome=outcome,
        row="-",
        numbers=numbers,
    )
    return day.toordinal()


def test_rows_missed_or_found_with_a_hint_are_troubles_the_last_first(
    dora: Child, emil: Child, django_assert_num_queries: object
) -> None:
    missed = row_of(dora, [14, 21, 28], "missed", ago=3)
    hinted = row_of(dora, [42, 49, 56], "with a hint", ago=1)
    row_of(dora, [35, 42, 49], "at once", ago=1)
    row_of(dora, [35, 42, 49], "after tries", ago=1)
    row_of(dora, [35, 42, 49], "missed", ago=15)
    row_of(dora, [1, 2, 3], "missed", ago=1, table=0)
    row_of(emil, [35, 42, 49], "missed", ago=1)
    with django_assert_num_queries(1):  # type: ignore[operator]
        found = troubles_of(dora.player)
    assert found == [Trouble([42, 49, 56], hinted), Trouble([14, 21, 28], missed)]
    assert SchoolAdviser().troubles(dora.player) == found
