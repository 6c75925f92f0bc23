"""A child's last weeks and personal bests, and the rows that they found of those that their cards
offered."""

from datetime import timedelta

import pytest
from django.utils import timezone

from classrooms.lesson.game_hooks import SchoolHost
from classrooms.models import Assignment, Child, User
from classrooms.progress.facts import secure_facts, troubles_of
from classrooms.progress.models import Chance
from classrooms.progress.rows import table_cells
from classrooms.progress.story import child_story, table_questions_of
from classrooms.progress.tasks import look_for_dirty
from classrooms.questions.models import Check
from games.coach.questions.short_questions import Trouble
from tests.classrooms.people import client_of, text_on, url_of
from tests.classrooms.progress.answering import answer, play_day, rows
from tests.classrooms.progress.playing import begin_with_a_row
from tests.factories import ChanceFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_weeks_begin_on_monday_and_none_is_left_out(dora: Child) -> None:
    today = dora.school_class.today()
    play_day(dora, turns=5)
    play_day(dora, turns=7, ago=today.weekday() + 8)
    rows(dora, 4, found=2, missed=1, ago=today.weekday() + 8)
    weeks = child_story(dora).weeks[-3:]
    assert [week.monday.weekday() for week in weeks] == [0, 0, 0]
    assert [(week.days, week.turns) for week in weeks] == [(1, 7), (0, 0), (1, 5)]
    assert (weeks[0].rows.found, weeks[0].rows.chances) == (2, 3)


def test_a_fluent_table_is_secure_since_it_became_fluent_or_secure(dora: Child) -> None:
    for ago in (5, 3, 1):
        rows(dora, 5, found=9, ago=ago)
    today = dora.school_class.today()
    cell = table_cells([dora], today)[dora.pk][5]
    assert (cell.level, cell.since) == ("fluent", today - timedelta(days=3))


def test_a_level_needs_rows_of_the_last_weeks(dora: Child) -> None:
    for table, ago in ((5, 1), (7, 38)):
        rows(dora, table, found=9, ago=40)
        rows(dora, table, found=3, ago=ago)
    today = dora.school_class.today()
    cells = table_cells([dora], today)[dora.pk]
    assert (cells[5].level, cells[7].level) == ("secure", "learning")
    assert (cells[5].since, cells[7].since) == (today - timedelta(days=1), None)


def test_bests_belong_to_the_child_alone(dora: Child, emil: Child, assignment: Assignment) -> None:
    assert child_story(dora).bests.round is None
    begin_with_a_row(dora, assignment).play_round()
    begin_with_a_row(emil, assignment).play_round()
    look_for_dirty()
    bests = child_story(dora).bests
    count = Chance.objects.filter(child=dora).exclude(outcome="missed").count()
    assert bests.round.rows == bests.rows_on_a_day == count > 0


def days_ago(days: int) -> dict[str, object]:
    return {"at": timezone.now() - timedelta(days=days)}


def test_other_facts_are_derived_from_a_secure_fact(dora: Child) -> None:
    for days in (41, 21):
        for _ in range(2):
            answer(dora, 7, 6, **days_ago(days))  # type: ignore[arg-type]
    look_for_dirty()
    assert secure_facts(dora) == frozenset()
    answer(dora, 6, 7, **days_ago(1))  # type: ignore[arg-type]
    answer(dora, 6, 8, right=False, **days_ago(1))  # type: ignore[arg-type]
    look_for_dirty()
    assert secure_facts(dora) == {(6, 7)}
    assert SchoolHost().secure_facts(dora.player) == {(6, 7)}


# The tables that a child named for their own rows


def name_table(child: Child, step: int, name: int) -> None:
    """Store an answer to “Which table do the third to fifth multiples come from?”"""
    check = answer(child, step, step)
    check.kind = Check.Kind.TABLE
    check.first = check.second = None
    check.numbers, check.step = [step * times for times in (3, 4, 5)], step
    check.answer, check.right = name, step % name == 0
    check.save()


def test_any_table_that_has_all_the_numbers_is_right(dora: Child, emil: Child) -> None:
    for step, name in ((4, 4), (4, 2), (6, 4)):
        name_table(dora, step, name)
    name_table(emil, 7, 7)
    naming = table_questions_of(dora, None)
    assert (naming.right, naming.asked, naming.is_shown) == (2, 3, True)
    assert naming.latest[0].answer == 4
    assert not table_questions_of(emil, None).is_shown


def test_the_teacher_reads_the_named_tables_on_the_childs_page(alice: User, dora: Child) -> None:
    for step, name in ((4, 4), (7, 8), (6, 3)):
        name_table(dora, step, name)
    answer(dora, 6, 7)
    look_for_dirty()
    words = " ".join(text_on(client_of(alice).get(url_of("progress", dora))).split())
    assert "Named the times table of their own row: 2 of 3 right" in words
    assert "21-28-35: answered 8 times table, but it is in the 7 times table" in words
    assert "18-24-30: 3 times table, right" in words


# Rows about whose facts a child is asked on a later day


def store_chance(
    child: Child, numbers: list[int], outcome: str, *, ago: int, table: int = 7
) -> int:
    """Store a chance of a table that ended this many days ago, and return the number of its day."""
    chance = ChanceFactory.create(
        attempt__child=child, numbers=numbers, outcome=outcome, ago=ago, table=table
    )
    return chance.day.toordinal()


def test_troubles_are_hard_rows_newest_first(
    dora: Child, emil: Child, django_assert_num_queries: object
) -> None:
    missed = store_chance(dora, [14, 21, 28], "missed", ago=3)
    hinted = store_chance(dora, [42, 49, 56], "with a hint", ago=1)
    store_chance(dora, [35, 42, 49], "at once", ago=1)
    store_chance(dora, [35, 42, 49], "after tries", ago=1)
    store_chance(dora, [35, 42, 49], "missed", ago=15)
    store_chance(dora, [1, 2, 3], "missed", ago=1, table=0)
    store_chance(emil, [35, 42, 49], "missed", ago=1)
    with django_assert_num_queries(1):  # type: ignore[operator]
        hard_rows = troubles_of(dora.player)
    assert hard_rows == [Trouble([42, 49, 56], hinted), Trouble([14, 21, 28], missed)]
    assert SchoolHost().troubles(dora.player) == hard_rows
