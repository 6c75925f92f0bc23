"""Who needs what next: groups by table and fact, who is stuck, needs refreshing or is away."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from classrooms.models import Assignment, Child, SchoolClass
from classrooms.progress.class_figures import (
    OTHER,
    Needs,
    Report,
    Rows,
    class_report,
    figures_of,
    moves_behind,
    who_needs_what,
)
from classrooms.progress.class_page import last_days
from classrooms.progress.levels import fold_all_tables
from classrooms.progress.models import ChildDay, TableDay
from classrooms.progress.tasks import look_for_dirty
from games.coach.mastery import FEWEST_FOR_A_LEVEL
from games.coach.statements.table_levels import LASTS
from tests.classrooms.progress.answering import answer, rows
from tests.classrooms.progress.playing import Hand, begin
from tests.factories import AssignmentFactory, ChildFactory, SchoolClassFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
QUERIES = 7


def needs_of(school_class: SchoolClass) -> Needs:
    figures = figures_of(school_class)
    return who_needs_what(figures, last_days(class_report(figures), school_class))


def answers(child: Child, first: int, second: int) -> None:
    """Give as many wrong answers as a level needs."""
    for _ in range(FEWEST_FOR_A_LEVEL):
        answer(child, first, second, right=False)


def test_children_are_grouped_by_the_first_table_that_they_still_learn(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    for child in (dora, emil):
        rows(child, 7, found=1, missed=4)
    rows(dora, 3, found=2, missed=8)
    fay = ChildFactory.create(school_class=school_class, name="Fay")
    rows(fay, 7, found=0, missed=3)
    needs = needs_of(school_class)
    assert [(group.table, group.children) for group in needs.tables] == [
        (7, [emil, fay]),
        (3, [dora]),
    ]
    assert (needs.tables[0].rows.found, needs.tables[0].rows.chances) == (1, 8)


def test_a_table_of_under_three_rows_or_one_that_is_secure_groups_nobody(
    dora: Child, school_class: SchoolClass
) -> None:
    rows(dora, 2, found=0, missed=2)
    rows(dora, 5, found=3, ago=1)
    rows(dora, 5, found=3)
    assert not needs_of(school_class).tables


def test_a_table_of_which_few_chances_were_missed_groups_nobody(
    dora: Child, school_class: SchoolClass
) -> None:
    rows(dora, 7, found=2, missed=2)
    assert not needs_of(school_class).tables


def test_next_facts_are_four_of_those_not_yet_secure_the_likeliest_first(
    dora: Child, school_class: SchoolClass
) -> None:
    for high in (6, 7, 8, 9):
        answers(dora, 7, high)
    answer(dora, 2, 7, right=False)
    answer(dora, 2, 7)
    answer(dora, 2, 7)
    answer(dora, 2, 9)
    for ago in (3, 2, 1):
        answer(dora, 2, 5, at=timezone.now() - timedelta(days=ago))
    look_for_dirty()
    following = needs_of(school_class).next_facts[dora.pk]
    assert len(following) == 4
    assert following[0] == (2, 7)
    assert not {(2, 5), (2, 9)} & set(following)


def test_facts_that_several_children_have_next_are_groups(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    for child in (dora, emil):
        answers(child, 6, 8)
    answer(dora, 6, 8, right=False)
    answers(dora, 6, 7)
    look_for_dirty()
    (group,) = needs_of(school_class).facts
    assert (group.fact, group.children, group.answers) == ((6, 8), [dora, emil], 7)


def test_a_fact_that_children_answered_once_is_nobodys_next_one(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    for child in (dora, emil):
        answer(child, 6, 8)
    look_for_dirty()
    assert not needs_of(school_class).facts


def test_who_finds_certainly_less_than_half_of_many_chances_is_stuck(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    rows(dora, 8, found=3, missed=27, ago=2)
    rows(dora, 8, found=1, missed=2)
    rows(dora, 9, found=0, missed=3)
    rows(emil, 8, found=5, missed=10)
    (stuck,) = needs_of(school_class).stuck
    assert (stuck.child, stuck.cell.table) == (dora, 8)
    assert (stuck.cell.rows.found, stuck.cell.rows.chances) == (4, 33)


def test_who_finds_half_by_now_is_not_stuck_any_more(
    dora: Child, school_class: SchoolClass
) -> None:
    rows(dora, 8, found=3, missed=27)
    figures = figures_of(school_class)
    better = replace(figures.tables[dora.pk][8], late_share=0.5)
    changed = replace(figures, tables={dora.pk: {8: better}})
    assert [one.child for one in who_needs_what(figures, {}).stuck] == [dora]
    assert not who_needs_what(changed, {}).stuck


def test_what_was_secure_and_is_found_no_more_needs_refreshing(
    dora: Child, school_class: SchoolClass
) -> None:
    for ago in (40, 38):
        rows(dora, 4, found=5, ago=ago)
    assert not needs_of(school_class).refreshing
    rows(dora, 4, found=0, missed=8)
    (refreshing,) = needs_of(school_class).refreshing
    assert refreshing.child == dora
    assert [cell.table for cell in refreshing.tables] == [4]


def test_after_a_long_break_nothing_is_said_to_need_refreshing(
    dora: Child, school_class: SchoolClass
) -> None:
    for ago in (LASTS + 40, LASTS + 38):
        rows(dora, 4, found=5, ago=ago)
    rows(dora, 4, found=0, missed=8, ago=LASTS + 2)
    assert not needs_of(school_class).refreshing


def test_who_has_not_played_for_a_week_or_never_is_away(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    fay = ChildFactory.create(school_class=school_class, name="Fay")
    for child, ago in ((dora, 6), (emil, 8)):
        ChildDay.objects.create(
            child=child,
            school_class=school_class,
            day=school_class.today() - timedelta(days=ago),
            turns=1,
            last_at=timezone.now() - timedelta(days=ago),
        )
    away = needs_of(school_class).away
    assert [(one.child, one.since is None) for one in away] == [(emil, False), (fay, True)]


def test_the_needs_take_the_same_few_queries_for_any_class(
    dora: Child, school_class: SchoolClass
) -> None:
    numbers = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            needs_of(school_class)
        numbers.append(len(queries))
        for child in ChildFactory.create_batch(3, school_class=school_class):
            answer(child, 3, 4, right=False)
            rows(child, 4, found=0, missed=3)
        look_for_dirty()
    assert numbers == [QUERIES, QUERIES]


# The report of a class, and that it takes a fixed number of queries


QUERIES_OF_A_REPORT = 7


def count(child: Child, table: int, *, day: int = 20, **counted: int) -> None:
    TableDay.objects.create(
        child=child,
        school_class=child.school_class,
        table=table,
        day=date(2026, 11, day),
        last_at=timezone.now(),
        **counted,
    )
    fold_all_tables([child.pk])


def rows_of(report: Report, child: Child, table: int) -> Rows:
    line = next(line for line in report.lines if line.child == child)
    return next(cell.rows for cell in line.cells if cell.table == table)


def test_a_cell_is_what_was_found_without_help_of_all_chances(
    dora: Child, school_class: SchoolClass
) -> None:
    """Rows laid with a joker take no part."""
    count(dora, 4, at_once=2, hinted=1, tried=1, joker=4, day=19)
    count(dora, 4, later=1, missed=3, day=20)
    rows = rows_of(class_report(figures_of(school_class)), dora, 4)
    assert (rows.found, rows.chances, rows.laid) == (3, 8, 9)


@pytest.mark.parametrize(
    ("found", "missed", "step"), [(0, 3, 0), (1, 2, 0), (4, 5, 1), (4, 2, 2), (13, 2, 3), (3, 0, 3)]
)
def test_the_steps_of_the_map_go_by_the_share(found: int, missed: int, step: int) -> None:
    assert Rows(at_once=found, missed=missed).step == step


def test_under_three_rows_nothing_is_shown() -> None:
    assert not Rows(at_once=2, joker=3).is_shown
    assert Rows(later=2, missed=1).is_shown


def test_assigned_tables_come_first_and_rows_of_no_table_last(
    dora: Child, school_class: SchoolClass
) -> None:
    AssignmentFactory.create(school_class=school_class, options={"tables": [10, 5]})
    for table in (OTHER, 3, 16, 5):
        count(dora, table, at_once=3)
    report = class_report(figures_of(school_class))
    assert report.tables == [5, 10, 3, OTHER]
    assert rows_of(report, dora, OTHER).found == 6


def test_a_table_that_was_not_assigned_has_a_column_once_there_is_enough_evidence(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    count(dora, 4, at_once=3)
    for child in (dora, emil):
        count(child, 7, at_once=1, missed=1)
    report = class_report(figures_of(school_class))
    assert report.tables == [4]
    assert report.total.chances == 7
    assert [line.total.chances for line in report.lines] == [5, 2]
    assert report.has_more_rows
    count(dora, 7, day=21, missed=1)
    report = class_report(figures_of(school_class))
    assert report.tables == [4, 7]
    assert not report.has_more_rows


def test_every_child_of_the_class_has_a_line_and_no_other(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    ChildFactory.create(name="Finn")
    assert [line.child for line in class_report(figures_of(school_class)).lines] == [dora, emil]


def test_what_a_child_can_do_goes_with_it_to_its_next_class(
    dora: Child, school_class: SchoolClass
) -> None:
    count(dora, 4, at_once=5)
    dora.school_class = SchoolClassFactory.create()
    dora.save()
    assert class_report(figures_of(dora.school_class)).lines[0].total.chances == 5
    assert moves_behind(dora, 4).rows.chances == 5
    assert not class_report(figures_of(school_class)).lines


def test_a_level_comes_from_all_days_and_the_figures_from_the_days_asked_for(
    dora: Child, school_class: SchoolClass
) -> None:
    for day in (10, 12, 19):
        count(dora, 4, at_once=3, day=day)
    AssignmentFactory.create(school_class=school_class, options={"tables": [4, 7]})
    count(dora, 7, at_once=1, missed=1, day=10)
    (line,) = class_report(figures_of(school_class), since=date(2026, 11, 15)).lines
    four, seven = line.cells
    assert (four.rows.chances, four.evidence, four.is_shown) == (3, 9, True)
    assert four.level in ("fluent", "needs refreshing")
    assert (seven.rows.chances, seven.evidence, seven.is_shown) == (0, 2, False)


def test_who_played_when_and_how_much_comes_from_the_days(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    now = timezone.now()
    for days, rounds, hints in ((1, 2, 3), (0, 1, 0)):
        ChildDay.objects.create(
            child=dora,
            school_class=school_class,
            day=(now - timedelta(days=days)).date(),
            rounds=rounds,
            hints=hints,
            last_at=now - timedelta(days=days),
        )
    report = class_report(figures_of(school_class))
    first, second = report.lines
    assert (first.rounds, first.hints, first.last_at) == (3, 3, now)
    assert (second.rounds, second.hints, second.last_at) == (0, 0, None)


def test_it_says_up_to_which_move_it_goes_and_what_still_waits(
    dora: Child, assignment: Assignment, school_class: SchoolClass
) -> None:
    hand = Hand(begin(dora, assignment, seed=1))
    assert class_report(figures_of(school_class)).freshness.waiting == 1
    hand.play_turn()
    look_for_dirty()
    fresh = class_report(figures_of(school_class)).freshness
    assert fresh.waiting == 0
    assert fresh.upto == hand.look().game.moved_at
    hand.play_turn()
    assert class_report(figures_of(school_class)).freshness.waiting == 1


@override_settings(PROGRESS_IDLE_SECONDS=300)
def test_a_round_that_is_being_played_does_not_wait_to_be_counted(
    dora: Child, assignment: Assignment, school_class: SchoolClass
) -> None:
    hand = Hand(begin(dora, assignment, seed=1))
    hand.play_turn()
    assert class_report(figures_of(school_class)).freshness.waiting == 0
    hand.play_round()
    assert class_report(figures_of(school_class)).freshness.waiting == 1


def test_a_report_takes_the_same_number_of_queries_for_few_and_for_many(
    dora: Child, assignment: Assignment, school_class: SchoolClass
) -> None:
    Hand(begin(dora, assignment, seed=1)).play_round(lays=False)
    look_for_dirty()
    numbers = []
    for _ in range(2):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            class_report(figures_of(school_class))
        numbers.append(len(queries))
        for seed in range(4):
            child = ChildFactory.create(school_class=school_class)
            Hand(begin(child, assignment, seed=seed)).play_round(lays=False)
        look_for_dirty()
    assert numbers == [QUERIES_OF_A_REPORT, QUERIES_OF_A_REPORT]


def test_the_rows_behind_a_cell_add_up_to_it(dora: Child, school_class: SchoolClass) -> None:
    everything = AssignmentFactory.create(school_class=school_class, options={"offers": False})
    hand = Hand(begin(dora, everything, seed=5))
    for _ in range(4):
        hand.play_round(lays=False)
    look_for_dirty()
    report = class_report(figures_of(school_class))
    assert report.tables
    for cell in report.lines[0].cells:
        moves = moves_behind(dora, cell.table)
        assert moves.rows == cell.rows
        counted = [one for one in moves.chances if one.outcome != "with a joker"]
        assert len(counted) == cell.rows.chances
