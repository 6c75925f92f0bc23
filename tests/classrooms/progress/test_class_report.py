"""The report of a class, from its counts and levels."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from classrooms.models import Assignment, Child, SchoolClass
from classrooms.progress.class_figures import figures_of
from classrooms.progress.class_report import Report, cell_moves, class_report, counted_chances
from classrooms.progress.models import ChildDay, TableDay
from classrooms.progress.rows import OTHER_TABLES, RowCounts
from classrooms.progress.table_levels import fold_all_tables
from classrooms.progress.tasks import look_for_dirty
from tests.classrooms.progress.playing import Hand, begin
from tests.factories import AssignmentFactory, SchoolClassFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def count(child: Child, table: int, *, day: int = 20, **more: int) -> None:
    TableDay.objects.create(
        child=child,
        school_class=child.school_class,
        table=table,
        day=date(2026, 11, day),
        last_at=timezone.now(),
        **more,
    )
    fold_all_tables([child.pk])


def rows_of(report: Report, child: Child, table: int) -> RowCounts:
    line = next(line for line in report.lines if line.child == child)
    return next(cell.rows for cell in line.cells if cell.table == table)


def test_a_cell_is_the_share_of_chances_found_without_help(
    dora: Child, school_class: SchoolClass
) -> None:
    """Rows laid with a joker do not count."""
    count(dora, 4, at_once=2, hinted=1, tried=1, joker=4, day=19)
    count(dora, 4, later=1, missed=3, day=20)
    rows = rows_of(class_report(figures_of(school_class)), dora, 4)
    assert (rows.found, rows.chances, rows.laid) == (3, 8, 9)


def test_assigned_tables_come_first_and_rows_of_no_table_last(
    dora: Child, school_class: SchoolClass
) -> None:
    AssignmentFactory.create(school_class=school_class, options={"tables": [10, 5]})
    for table in (OTHER_TABLES, 3, 16, 5):
        count(dora, table, at_once=3)
    report = class_report(figures_of(school_class))
    assert report.tables == [3, 5, 10, OTHER_TABLES]
    assert rows_of(report, dora, OTHER_TABLES).found == 6


def test_an_unassigned_table_gets_a_column_with_enough_evidence(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    count(dora, 4, at_once=3)
    for child in (dora, emil):
        count(child, 7, at_once=1, missed=1)
    report = class_report(figures_of(school_class))
    assert report.tables == [4]
    assert report.total.chances == 7
    assert [line.total.chances for line in report.lines] == [5, 2]
    count(dora, 7, day=21, missed=1)
    report = class_report(figures_of(school_class))
    assert report.tables == [4, 7]


def test_levels_move_with_a_child_to_the_next_class(dora: Child, school_class: SchoolClass) -> None:
    count(dora, 4, at_once=5)
    dora.school_class = SchoolClassFactory.create()
    dora.save()
    assert class_report(figures_of(dora.school_class)).lines[0].total.chances == 5
    assert cell_moves(dora, 4).rows.chances == 5
    assert not class_report(figures_of(school_class)).lines


def test_levels_use_all_days_and_figures_the_period(dora: Child, school_class: SchoolClass) -> None:
    for day in (10, 12, 19):
        count(dora, 4, at_once=4, day=day)
    AssignmentFactory.create(school_class=school_class, options={"tables": [4, 7]})
    count(dora, 7, at_once=1, missed=1, day=10)
    (line,) = class_report(figures_of(school_class), since=date(2026, 11, 15)).lines
    four, seven = line.cells
    assert (four.rows.chances, four.evidence, four.is_shown) == (4, 12, True)
    assert four.level in ("fluent", "needs refreshing")
    assert (seven.rows.chances, seven.evidence, seven.is_shown) == (0, 2, False)


def test_days_and_amount_of_play_come_from_the_stored_days(
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


def test_the_report_says_what_it_includes_and_what_still_waits(
    dora: Child, assignment: Assignment, school_class: SchoolClass
) -> None:
    hand = Hand(begin(dora, assignment, seed=1))
    assert class_report(figures_of(school_class)).freshness.waiting_matches == 1
    hand.play_turn()
    look_for_dirty()
    fresh = class_report(figures_of(school_class)).freshness
    assert fresh.waiting_matches == 0
    assert fresh.last_move_at == hand.look().game.moved_at
    hand.play_turn()
    assert class_report(figures_of(school_class)).freshness.waiting_matches == 1


def test_the_rows_behind_a_cell_add_up_to_it(dora: Child, school_class: SchoolClass) -> None:
    everything = AssignmentFactory.create(school_class=school_class, options={"offers": False})
    hand = Hand(begin(dora, everything, seed=5))
    for _ in range(4):
        hand.play_round(lays=False)
    look_for_dirty()
    report = class_report(figures_of(school_class))
    assert report.tables
    for cell in report.lines[0].cells:
        moves = cell_moves(dora, cell.table)
        assert moves.rows == cell.rows
        chances = [chance for chance in moves.chances if chance.outcome != "with a joker"]
        assert len(chances) == cell.rows.chances
        assert [*counted_chances(dora, cell.table, None)] == chances
