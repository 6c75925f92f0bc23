"""A child's last weeks and own bests; what the cards offered and what was found of it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from classrooms.models import Assignment, Child
from classrooms.progress.child_figures import child_story
from classrooms.progress.models import Chance, ChildDay
from classrooms.progress.tasks import look_for_dirty
from tests.classrooms.progress.figures.test_needs import rows
from tests.classrooms.progress.playing import begin_with_a_row

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def played(child: Child, *, turns: int, ago: int = 0, rounds: int = 1) -> None:
    at = timezone.now() - timedelta(days=ago)
    ChildDay.objects.create(
        child=child,
        school_class=child.school_class,
        day=child.school_class.today() - timedelta(days=ago),
        turns=turns,
        rounds=rounds,
        last_at=at,
    )


def test_the_weeks_go_from_monday_and_those_without_play_are_there_too(dora: Child) -> None:
    today = dora.school_class.today()
    played(dora, turns=5)
    played(dora, turns=7, ago=today.weekday() + 8)
    rows(dora, 4, found=2, missed=1, ago=today.weekday() + 8)
    weeks = child_story(dora, weeks=3).weeks
    assert [week.monday.weekday() for week in weeks] == [0, 0, 0]
    assert [(week.days, week.turns) for week in weeks] == [(1, 7), (0, 0), (1, 5)]
    assert (weeks[0].rows.found, weeks[0].rows.chances) == (2, 3)


def test_a_level_reached_in_these_weeks_is_part_of_the_story(dora: Child) -> None:
    for ago in (90, 88):
        rows(dora, 2, found=4, ago=ago)
    for ago in (3, 1):
        rows(dora, 5, found=4, ago=ago)
    (cell,) = child_story(dora).tables
    assert (cell.table, cell.level) == (5, "secure")
    assert cell.since == dora.school_class.today() - timedelta(days=1)


def test_a_drop_to_secure_is_no_level_reached(dora: Child) -> None:
    for ago in (90, 88, 86):
        rows(dora, 2, found=2, ago=ago)
    (before,) = child_story(dora, weeks=20).tables
    assert before.level == "fluent"
    rows(dora, 2, found=0, missed=1, ago=1)
    (after,) = child_story(dora, weeks=20).tables
    assert (after.level, after.since) == ("secure", before.since)
    assert not child_story(dora).tables
    rows(dora, 2, found=0, missed=4)
    assert child_story(dora).every_table[2].since == dora.school_class.today()


def test_the_bests_are_the_childs_own(dora: Child, emil: Child, assignment: Assignment) -> None:
    assert child_story(dora).bests.round is None
    begin_with_a_row(dora, assignment).play_round()
    begin_with_a_row(emil, assignment).play_round()
    look_for_dirty()
    bests = child_story(dora).bests
    found = Chance.objects.filter(child=dora).exclude(outcome="missed").count()
    assert bests.round
    assert bests.round.rows == bests.rows_on_a_day == found > 0
