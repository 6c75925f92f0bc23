"""Unusual play is reported as a count, without a reason."""

from functools import partial

import pytest

from classrooms.checks.models import Check
from classrooms.models import Child, SchoolClass, User
from classrooms.progress import words as wording
from classrooms.progress.class_figures import figures_of
from classrooms.progress.class_report import class_report, last_days
from classrooms.progress.standing_out import unusual_players
from tests.classrooms.people import page_of
from tests.classrooms.progress.answering import answer, play_day, rows
from tests.factories import ChildFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
play_many_turns = partial(play_day, turns=20, ago=1)


def oddities_by_name(school_class: SchoolClass) -> dict[str, list[str]]:
    figures = figures_of(school_class)
    report = class_report(figures)
    odd = unusual_players(figures, report, last_days(report, school_class))
    return {one.child.name: [wording.oddity_text(each) for each in one.oddities] for one in odd}


def test_many_tries_with_hardly_a_row_are_counted(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    play_many_turns(dora, tries=60)
    rows(dora, 4, found=2, missed=9)
    play_many_turns(emil, tries=60, ago=30)
    assert oddities_by_name(school_class) == {"Dora": ["60 of 62 tries made no row, last 4 weeks"]}


def test_wrong_answers_far_off_are_counted(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    for child in (dora, emil):
        for second in range(2, 10):
            for first in (6, 7):
                answer(child, first, second, right=False)
    Check.objects.filter(child=dora).update(answer=139)
    assert oddities_by_name(school_class) == {
        "Dora": ["16 of 16 answers wrong, most of them far off, last 4 weeks"]
    }


def test_a_child_away_for_weeks_is_named_once(
    alice: User, dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    play_many_turns(dora, ago=20)
    for ago in (9, 8):
        play_many_turns(emil, ago=ago)
    assert oddities_by_name(school_class) == {"Dora": ["not played for 20 days"]}
    page = " ".join(page_of(alice, school_class).split())
    notes = page.partition("Unusual play")[2].partition("</div>")[0]
    assert "Dora</a> (not played for 20 days)" in notes
    week = notes.partition("Have not played for a week")[2]
    assert "Emil" in week
    assert "Dora" not in week


def test_not_started_differs_from_away(
    alice: User, dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    play_many_turns(dora, ago=8)
    page = " ".join(page_of(alice, school_class).split())
    week, _, never = page.partition("Have not played for a week")[2].partition(
        "has not started yet"
    )
    assert "Dora" in week
    assert "Emil" not in week
    assert "Emil" in never.partition("</p>")[0]


def test_no_one_is_away_if_the_whole_class_is(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    for child in (dora, emil):
        play_many_turns(child, ago=20)
    assert oddities_by_name(school_class) == {}


def test_a_child_with_one_table_is_odd_among_others(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    fay, _ = ChildFactory.create_batch(2, school_class=school_class)
    for child in (dora, emil, fay):
        play_many_turns(child)
        rows(child, 4, found=20, missed=5)
    assert oddities_by_name(school_class) == {}
    rows(emil, 7, found=2)
    assert oddities_by_name(school_class) == {}
    rows(fay, 3, found=1)
    assert oddities_by_name(school_class) == {
        "Dora": ["has met only the 4 times table so far: 25 possible rows"]
    }


def test_a_row_laid_with_a_joker_shows_that_its_table_was_met(
    dora: Child, school_class: SchoolClass
) -> None:
    for child in (dora, *ChildFactory.create_batch(2, school_class=school_class)):
        play_many_turns(child)
        rows(child, 4, found=20, missed=5)
        if child != dora:
            rows(child, 7, found=2)
    assert list(oddities_by_name(school_class)) == ["Dora"]
    rows(dora, 5, found=0, joker=1)
    assert oddities_by_name(school_class) == {}


def test_rows_outside_the_tables_are_named(dora: Child, school_class: SchoolClass) -> None:
    for child in (dora, *ChildFactory.create_batch(2, school_class=school_class)):
        play_many_turns(child)
        rows(child, 0, found=20, missed=5)
        if child != dora:
            rows(child, 7, found=2)
    assert oddities_by_name(school_class) == {
        "Dora": ["has met only rows outside the 2 to 12 times tables so far: 25 possible rows"]
    }
