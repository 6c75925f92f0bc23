"""The needs of a class: groups of children by table and fact, and children who are stuck, need
refreshing or are away."""

from datetime import timedelta

import pytest
from django.utils import timezone

from classrooms.models import Child, SchoolClass
from classrooms.progress.class_figures import figures_of
from classrooms.progress.class_report import class_report, last_days
from classrooms.progress.models import ChildDay
from classrooms.progress.needs import Needs, who_needs_what
from classrooms.progress.tasks import look_for_dirty
from classrooms.progress.words import why_facts
from games.coach.mastery import FEWEST_FOR_A_LEVEL
from games.coach.statements.table_levels import RECENT_DAYS
from tests.classrooms.progress.answering import answer, rows
from tests.factories import AttemptFactory, ChildFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def needs_of(school_class: SchoolClass) -> Needs:
    figures = figures_of(school_class)
    return who_needs_what(figures, last_days(class_report(figures), school_class))


def answers(child: Child, first: int, second: int) -> None:
    """Store as many wrong answers as a level needs."""
    for _ in range(FEWEST_FOR_A_LEVEL):
        answer(child, first, second, right=False)


def test_children_are_grouped_by_their_first_table(
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


def test_the_weakest_of_four_near_facts_comes_first(dora: Child, school_class: SchoolClass) -> None:
    for high in (6, 7, 8, 9):
        answers(dora, 7, high)
    answer(dora, 2, 7)
    answer(dora, 2, 7)
    answer(dora, 2, 7, right=False)
    answer(dora, 2, 9)
    for ago in (3, 2, 1):
        answer(dora, 2, 5, at=timezone.now() - timedelta(days=ago))
    look_for_dirty()
    following = [one.fact for one in needs_of(school_class).facts[dora]]
    assert len(following) == 4
    assert following[-1] == (2, 7)
    assert not {(2, 5), (2, 9)} & set(following)


def test_a_fact_that_was_right_lately_only_waits_until_it_is_certain(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    for ago, right in ((9, True), (7, False), (5, False), (3, True), (1, True)):
        at = timezone.now() - timedelta(days=ago)
        answer(dora, 5, 5, right=right, at=at)
        answer(emil, 5, 5, net_ms=9000, at=at)
    look_for_dirty()
    facts = needs_of(school_class).facts
    assert dora not in facts
    assert why_facts(facts[emil]) == "right, but slower than 6 s in 5 of 5 answers"
    answer(dora, 5, 5, right=False)
    look_for_dirty()
    facts = needs_of(school_class).facts
    assert why_facts(facts[dora]) == "3 of 6 answers so far wrong or with a hint"


def test_less_than_half_of_many_chances_is_stuck(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    rows(dora, 8, found=3, missed=27, ago=2)
    rows(dora, 8, found=1, missed=2)
    rows(dora, 9, found=0, missed=3)
    rows(emil, 8, found=5, missed=10)
    (stuck,) = needs_of(school_class).stuck_children
    assert (stuck.child, stuck.cell.table) == (dora, 8)
    assert (stuck.cell.rows.found, stuck.cell.rows.chances) == (4, 33)


def test_a_secure_table_that_is_no_longer_found_needs_refreshing(
    dora: Child, school_class: SchoolClass
) -> None:
    for ago in (40, 38):
        rows(dora, 4, found=6, ago=ago)
    assert not figures_of(school_class).tables[dora.pk][4].needs_refreshing
    rows(dora, 4, found=0, missed=8)
    assert figures_of(school_class).tables[dora.pk][4].needs_refreshing


def test_a_table_missed_only_weeks_ago_needs_no_refreshing(
    dora: Child, school_class: SchoolClass
) -> None:
    for ago in (RECENT_DAYS + 40, RECENT_DAYS + 38):
        rows(dora, 4, found=6, ago=ago)
    rows(dora, 4, found=0, missed=8, ago=RECENT_DAYS)
    assert not figures_of(school_class).tables[dora.pk][4].needs_refreshing


def test_only_a_child_who_has_played_before_is_away(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    fay, gus = ChildFactory.create_batch(2, school_class=school_class)
    AttemptFactory.create(child=gus, assignment__school_class=school_class)
    for child, ago in ((dora, 6), (emil, 8)):
        ChildDay.objects.create(
            child=child,
            school_class=school_class,
            day=school_class.today() - timedelta(days=ago),
            turns=1,
            last_at=timezone.now() - timedelta(days=ago),
        )
    needs = needs_of(school_class)
    assert ([one.child for one in needs.absent_children], needs.never_begun) == ([emil], [fay])
