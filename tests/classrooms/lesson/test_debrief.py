"""Three positions of the class's own games to talk about, without names."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from classrooms.assignments import services
from classrooms.lesson import debrief
from classrooms.models import Assignment, Child, SchoolClass, User
from classrooms.progress.models import Chance, ChildDay
from classrooms.progress.tasks import look_for_dirty
from games.models import Action
from tests.classrooms.people import client_of
from tests.classrooms.progress.playing import begin_with_a_row
from tests.factories import AssignmentFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def tables(school_class: SchoolClass) -> Assignment:
    return AssignmentFactory.create(
        school_class=school_class, options={"tables": [2, 3, 4], "offers": False}
    )


@pytest.fixture
def missed(dora: Child, emil: Child, tables: Assignment) -> SchoolClass:
    """Dora and Emil laid nothing of what they could."""
    for child in (dora, emil):
        begin_with_a_row(child, tables).play_round(lays=False)
    look_for_dirty()
    return dora.school_class


def test_the_tables_missed_most_come_first_one_position_each(missed: SchoolClass) -> None:
    tables = [row.table for row in debrief.chosen(missed)]
    times = [Chance.objects.filter(outcome="missed", table=table).count() for table in tables]
    assert times == sorted(times, reverse=True)
    assert len(set(tables)) == len(tables) <= debrief.POSITIONS
    assert tables


def test_rows_in_no_table_and_those_of_long_ago_are_not_talked_about(missed: SchoolClass) -> None:
    assert all(row.table for row in debrief.chosen(missed))
    old = missed.today() - timedelta(weeks=4)
    Chance.objects.update(day=old)
    assert debrief.chosen(missed) == []


def test_a_deal_that_others_still_play_is_not_talked_about(
    missed: SchoolClass, tables: Assignment
) -> None:
    Assignment.objects.filter(pk=tables.pk).update(deal_seed=5)
    assert debrief.chosen(missed) == []
    services.end(tables)
    assert debrief.chosen(missed)


def test_the_row_is_revealed_step_by_step(missed: SchoolClass) -> None:
    rows = debrief.chosen(missed)
    lit = [
        sum(card.lit for card in debrief.position(rows, 1, step).scene.hand)
        for step in range(1, debrief.STEPS + 1)
    ]
    own = len(debrief.position(rows, 1, 1).row.own)
    assert lit == [0, min(1, own), own, own]
    assert [debrief.position(rows, 1, step).is_open for step in (1, 2, 3, 4)] == [
        False,
        False,
        False,
        True,
    ]


def test_the_heading_says_which_row_of_how_many_it_is(alice: User, missed: SchoolClass) -> None:
    count = len(debrief.chosen(missed))
    page = client_of(alice).get(reverse("classrooms:talk", args=[missed.pk]))
    assert f"From our games in the last 4 weeks: row 1 of {count}<" in page.text


def test_no_child_is_named(alice: User, missed: SchoolClass) -> None:
    url = reverse("classrooms:talk", args=[missed.pk])
    for step in range(1, debrief.STEPS + 1):
        page = client_of(alice).get(f"{url}?step={step}").text
        assert "Dora" not in page
        assert "Emil" not in page
        assert "Bo:" not in page


@pytest.mark.parametrize("asked", ["?position=9", "?step=x", "?position=-1&step=99"])
def test_an_address_out_of_range_begins_at_the_beginning(
    alice: User, missed: SchoolClass, asked: str
) -> None:
    page = client_of(alice).get(reverse("classrooms:talk", args=[missed.pk]) + asked)
    assert "Can you see it?" in page.text


def test_without_a_missed_row_it_says_whether_anything_was_played_and_what_will_be_here(
    alice: User, dora: Child
) -> None:
    talk = reverse("classrooms:talk", args=[dora.school_class_id])
    nothing_yet = client_of(alice).get(talk).text
    assert "No games from the last 4 weeks have been counted yet." in nothing_yet
    played = {"child": dora, "school_class": dora.school_class, "last_at": timezone.now()}
    ChildDay.objects.create(day=dora.school_class.today(), rounds=1, **played)
    nothing_missed = client_of(alice).get(talk).text
    assert "There are no missed rows from the last 4 weeks to talk about." in nothing_missed
    for page in (nothing_yet, nothing_missed):
        assert "without names" in page


def test_a_row_that_anybody_laid_in_its_game_is_not_talked_about(missed: SchoolClass) -> None:
    row = debrief.chosen(missed)[0]
    play = Action.objects.filter(game=row.game_id, kind=Action.Kind.ACT).last()
    assert play is not None
    play.data = {"numbers": [*row.numbers, max(row.numbers) + row.table]}
    play.save(update_fields=("data",))
    assert (row.game_id, row.numbers) not in [
        (other.game_id, other.numbers) for other in debrief.chosen(missed)
    ]


def test_the_longest_row_is_shown_and_not_a_part_of_it(missed: SchoolClass) -> None:
    rows = debrief.chosen(missed)
    for number in range(1, len(rows) + 1):
        shown, numbers = debrief.position(rows, number, 4).row.numbers, rows[number - 1].numbers
        assert set(shown) >= set(numbers)
        scene = debrief.position(rows, number, 4).scene
        held = {int(card.face.value) for card in scene.hand if card.face.value.isdigit()}
        step = shown[1] - shown[0]
        assert not {shown[0] - step, shown[-1] + step} & held


def test_the_big_screen_has_no_pages_of_the_site_but_goal_and_code(
    alice: User, missed: SchoolClass
) -> None:
    page = client_of(alice).get(reverse("classrooms:talk", args=[missed.pk]), {"screen": "big"})
    assert 'class="tabs"' not in page.text
    assert 'class="way-back"' not in page.text
    assert missed.spaced_code in page.text
    assert "step=2&amp;screen=big" in page.text
