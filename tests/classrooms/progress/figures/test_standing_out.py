"""What stands out in a class: said first, of like games only, and by every page alike."""

from datetime import timedelta

import pytest
from django.db import connection
from django.http import QueryDict
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pypdfium2 import PdfDocument

from classrooms.checks.models import Check
from classrooms.checkups.services import begin, give
from classrooms.models import Assignment, Child, SchoolClass, User
from classrooms.progress import words as wording
from classrooms.progress.child_figures import EVER, USUAL, first_day
from classrooms.progress.child_page import child_page
from classrooms.progress.class_figures import (
    StandsOut,
    class_report,
    figures_of,
    stands_out,
    unusual_players,
)
from classrooms.progress.class_page import class_page, last_days
from classrooms.progress.models import Chance, ChildDay
from classrooms.progress.next_steps import Step
from classrooms.progress.rebuild import mark_for_rebuild
from classrooms.progress.tasks import look_for_dirty
from classrooms.reports.paper import class_paper, class_pdf
from classrooms.reports.weekly_mail import letter_for, paragraphs
from tests.classrooms.checkups.answering import answer_all
from tests.classrooms.progress.answering import answer, played, rows
from tests.classrooms.progress.pages.test_class_page import page_of
from tests.classrooms.reports.paper.reading import words
from tests.factories import AssignmentFactory, AttemptFactory, ChildFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
QUERIES = 3
Outcome = Chance.Outcome


def chances(
    child: Child,
    task: Assignment,
    *,
    found: int,
    of: int,
    table: int = 5,
    ago: int = 1,
    hint_steps: int = 6,
    days: int = 3,
) -> None:
    """A game in which the child found this many of its chances, on three days, the last of them
    this many days ago."""
    attempt = AttemptFactory.create(child=child, assignment=task)
    attempt.game.hint_steps = hint_steps
    attempt.game.save()
    Chance.objects.bulk_create(
        Chance(
            child=child,
            school_class=child.school_class,
            assignment=task,
            game=attempt.game,
            entry=number,
            entries=[number],
            round=1,
            first_turn=1,
            last_turn=1,
            day=child.school_class.today() - timedelta(days=ago + number % days),
            at=timezone.now() - timedelta(days=ago + number % days),
            table=table,
            outcome=Outcome.AT_ONCE if number < found else Outcome.MISSED,
            row="5 10 15",
            numbers=[5, 10, 15],
        )
        for number in range(of)
    )


def out(school_class: SchoolClass, period: str = USUAL) -> list[StandsOut]:
    figures = figures_of(school_class)
    return stands_out(figures, first_day(figures.today, period))


@pytest.fixture
def twelve(school_class: SchoolClass) -> list[Child]:
    return ChildFactory.create_batch(12, school_class=school_class)


def test_a_child_who_fell_is_the_first_card_with_both_periods(
    twelve: list[Child], school_class: SchoolClass, assignment: Assignment
) -> None:
    for child in twelve:
        chances(child, assignment, found=8, of=14, ago=30)
        chances(child, assignment, found=9, of=15, ago=5)
    emil = twelve[0]
    Chance.objects.filter(child=emil).delete()
    chances(emil, assignment, found=14, of=14, ago=30)
    chances(emil, assignment, found=18, of=47, ago=5)
    (one,) = out(school_class)
    assert (one.kind, one.children, one.table) == ("change", [emil], 5)
    first = class_page(school_class, QueryDict()).cards[0]
    assert first.title == "Fewer rows found than before, most of all in the 5 times table"
    assert first.why == (
        "in the same games 18 of 47 possible rows in the last 3 weeks, 14 of 14 in the 3 weeks "
        "before"
    )
    assert (first.step, first.children) == (Step(5), [emil])
    assert [card.why for card in child_page(emil).cards] == [first.why]
    assert child_page(twelve[1]).cards == []


def test_one_bad_day_is_no_change_and_no_comparison(
    twelve: list[Child], school_class: SchoolClass, assignment: Assignment
) -> None:
    for child in twelve:
        chances(child, assignment, found=20, of=24, ago=30)
        chances(child, assignment, found=20, of=24, ago=5)
    Chance.objects.filter(
        child=twelve[0], day__gt=school_class.today() - timedelta(days=20)
    ).delete()
    chances(twelve[0], assignment, found=0, of=30, ago=5, days=2)
    assert out(school_class) == []
    chances(twelve[0], assignment, found=0, of=1, ago=2, days=1)
    assert {one.kind for one in out(school_class)} == {"change", "apart"}


def test_it_is_printed_and_mailed_and_the_mail_names_nobody(
    twelve: list[Child], school_class: SchoolClass, assignment: Assignment
) -> None:
    for child in twelve:
        chances(child, assignment, found=20, of=24, ago=30)
        chances(child, assignment, found=20, of=24, ago=2)
        played(child, turns=20, ago=1)
    Chance.objects.filter(
        child=twelve[0], day__gt=school_class.today() - timedelta(days=9)
    ).delete()
    chances(twelve[0], assignment, found=4, of=40, ago=2)
    title = "Fewer rows found than"
    paper = class_paper(school_class, USUAL)
    assert title in paper["needs"]["cards"][0]["title"]
    assert title in words(PdfDocument(class_pdf(school_class, paper)))
    letter = letter_for(school_class, school_class.today())
    assert letter
    text = "\n".join(paragraphs(letter))
    assert title in text
    assert twelve[0].name not in text


def test_who_rose_is_said_too_and_assigns_nothing(
    dora: Child, school_class: SchoolClass, assignment: Assignment
) -> None:
    chances(dora, assignment, found=4, of=30, ago=30)
    chances(dora, assignment, found=30, of=36, ago=5)
    (card,) = class_page(school_class, QueryDict()).cards
    assert (card.title, card.step) == ("More rows found than before", None)


@pytest.mark.parametrize("other", ["tables", "hints", "days"])
def test_other_games_other_hints_and_other_days_are_not_compared(
    twelve: list[Child], school_class: SchoolClass, assignment: Assignment, other: str
) -> None:
    hard = AssignmentFactory.create(school_class=school_class, options={"tables": [5, 7]})
    for place, child in enumerate(twelve):
        is_low = place >= 6
        chances(
            child,
            hard if is_low and other == "tables" else assignment,
            found=8 if is_low else 36,
            of=40,
            ago=60 if is_low and other == "days" else 2,
            hint_steps=0 if is_low and other == "hints" else 6,
        )
    assert out(school_class) == []


def test_who_finds_fewer_than_the_others_in_the_same_games_is_said(
    twelve: list[Child], school_class: SchoolClass, assignment: Assignment
) -> None:
    for child in twelve[1:]:
        chances(child, assignment, found=30, of=40)
    chances(twelve[0], assignment, found=6, of=40)
    (one,) = out(school_class)
    assert (one.kind, one.children) == ("apart", [twelve[0]])
    (card,) = class_page(school_class, QueryDict()).cards
    assert card.why == (
        "found 6 of 40 possible rows in the same games; of these the others would find 30, last "
        "4 weeks"
    )


def test_the_weeks_of_a_repeated_assignment_are_one_game(
    twelve: list[Child], school_class: SchoolClass, assignment: Assignment
) -> None:
    again = AssignmentFactory.create(school_class=school_class, options=assignment.options)
    for child in twelve[1:]:
        chances(child, assignment, found=30, of=40)
    chances(twelve[0], again, found=6, of=40)
    assert [one.children for one in out(school_class)] == [[twelve[0]]]


def test_a_table_of_which_the_class_finds_fewer_is_for_the_whole_class(
    twelve: list[Child], school_class: SchoolClass, assignment: Assignment
) -> None:
    for child in twelve:
        chances(child, assignment, found=14, of=20, table=4)
        chances(child, assignment, found=5, of=15, table=10)
    (card,) = class_page(school_class, QueryDict("period=all")).cards
    assert card.title == "The class finds fewer rows of the 10 times table than of other tables"
    assert card.why == "found 60 of 180 possible rows, of other tables 168 of 240, all time"
    assert set(card.children) == set(twelve)
    assert child_page(twelve[0]).cards == []


def test_a_fact_that_the_class_knows_less_is_said_from_short_questions_and_check_ups(
    twelve: list[Child], school_class: SchoolClass
) -> None:
    check_up = give(school_class, [6])
    for child in twelve:
        for other in (2, 3, 4, 5, 7):
            answer(child, 6, other)
            answer(child, 6, 8, right=False)
        answer_all(begin(child, check_up, has_script=False))
    look_for_dirty()
    (one,) = out(school_class)
    assert (one.kind, one.fact) == ("fact", (6, 8))
    assert one.contrast.looked_at.of > 5 * 12


def test_while_figures_are_counted_again_nothing_is_said(
    dora: Child, school_class: SchoolClass, assignment: Assignment
) -> None:
    chances(dora, assignment, found=14, of=14, ago=30)
    chances(dora, assignment, found=10, of=60, ago=5)
    assert out(school_class)
    mark_for_rebuild([dora.pk])
    assert out(school_class) == []


def test_it_takes_as_many_queries_for_few_and_for_many(
    twelve: list[Child], school_class: SchoolClass, assignment: Assignment
) -> None:
    for number in (1, 12):
        for child in twelve[:number]:
            chances(child, assignment, found=3, of=9)
        figures = figures_of(school_class)
        with CaptureQueriesContext(connection) as captured:
            stands_out(figures, first_day(figures.today, EVER))
        assert len(captured) == QUERIES


# Unusual play:


QUERIES_OF_A_LOOK = 2


def played_oddly(
    child: Child, *, ago: int = 1, turns: int = 20, tries: int = 0, hints: int = 0
) -> None:
    at = timezone.now() - timedelta(days=ago)
    ChildDay.objects.create(
        child=child,
        school_class=child.school_class,
        day=child.school_class.today() - timedelta(days=ago),
        rounds=1,
        turns=turns,
        tries=tries,
        hint_turns=hints,
        last_at=at,
    )


def said(school_class: SchoolClass) -> dict[str, list[str]]:
    figures = figures_of(school_class)
    report = class_report(figures)
    odd = unusual_players(figures, report, last_days(report, school_class))
    return {one.child.name: [wording.oddity(each) for each in one.oddities] for one in odd}


def test_of_ordinary_children_nothing_is_said(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    for child in (dora, emil):
        played_oddly(child, tries=6, hints=4)
        rows(child, 4, found=4, missed=6)
        rows(child, 5, found=4, missed=6)
        for second in range(2, 10):
            answer(child, 7, second, right=second < 6)
    assert said(school_class) == {}


def test_many_tries_and_hardly_a_row_are_taps_at_random(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    played_oddly(dora, tries=60)
    rows(dora, 4, found=2, missed=9)
    played_oddly(emil, tries=60, ago=30)
    assert said(school_class) == {
        "Dora": ["60 of 62 tries made no row, last 4 weeks"],
    }


def test_a_hint_in_nearly_every_turn_is_always(dora: Child, school_class: SchoolClass) -> None:
    played_oddly(dora, hints=19)
    assert said(school_class) == {"Dora": ["asks for a hint in 19 of 20 turns, last 4 weeks"]}


def test_wrong_answers_far_off_are_random(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    for child in (dora, emil):
        for second in range(2, 10):
            for first in (6, 7):
                answer(child, first, second, right=False)
    Check.objects.filter(child=dora).update(answer=139)
    assert said(school_class) == {
        "Dora": ["16 of 16 answers wrong, most of them far off, last 4 weeks"],
    }


def test_who_is_away_for_weeks_while_the_class_plays_is_not_named_twice(
    alice: User, dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    played_oddly(dora, ago=20)
    for ago in (9, 8):
        played_oddly(emil, ago=ago)
    assert said(school_class) == {"Dora": ["not played for 20 days"]}
    page = " ".join(page_of(alice, school_class).split())
    notes = page.partition("Unusual play")[2].partition("</div>")[0]
    assert "Dora</a> (not played for 20 days)" in notes
    week = notes.partition("Have not played for a week")[2]
    assert "Emil" in week
    assert "Dora" not in week


def test_who_has_not_started_is_named_apart_from_who_has_not_played_for_a_week(
    alice: User, dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    played_oddly(dora, ago=8)
    page = " ".join(page_of(alice, school_class).split())
    week, _, never = page.partition("Have not played for a week")[2].partition(
        "has not started yet"
    )
    assert "Dora" in week
    assert "Emil" not in week
    assert "Emil" in never.partition("</p>")[0]


def test_a_class_that_is_away_together_has_nobody_away(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    for child in (dora, emil):
        played_oddly(child, ago=20)
    assert said(school_class) == {}


def test_who_has_met_one_table_only_is_odd_where_most_have_met_more(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    fay, _ = ChildFactory.create_batch(2, school_class=school_class)
    for child in (dora, emil, fay):
        played_oddly(child)
        rows(child, 4, found=20, missed=5)
    assert said(school_class) == {}
    rows(emil, 7, found=2)
    assert said(school_class) == {}
    rows(fay, 3, found=1)
    assert said(school_class) == {
        "Dora": ["has met only the 4 times table so far: 25 possible rows"],
    }


def test_who_has_met_only_rows_in_no_table_has_met_rows_outside_the_tables(
    dora: Child, school_class: SchoolClass
) -> None:
    for child in (dora, *ChildFactory.create_batch(2, school_class=school_class)):
        played_oddly(child)
        rows(child, 0, found=20, missed=5)
        if child != dora:
            rows(child, 7, found=2)
    assert said(school_class) == {
        "Dora": [
            "has met only rows outside the 2 to 12 times tables so far: 25 possible rows",
        ],
    }


def test_a_row_laid_with_a_joker_is_of_a_table_that_was_met(
    dora: Child, school_class: SchoolClass
) -> None:
    for child in (dora, *ChildFactory.create_batch(2, school_class=school_class)):
        played_oddly(child)
        rows(child, 4, found=20, missed=5)
        if child != dora:
            rows(child, 7, found=2)
    assert list(said(school_class)) == ["Dora"]
    rows(dora, 5, found=0, joker=1)
    assert said(school_class) == {}


def test_it_takes_the_same_few_queries_for_any_class(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    numbers = []
    for ago in (1, 2):
        figures = figures_of(school_class)
        report = class_report(figures)
        last = last_days(report, school_class)
        with CaptureQueriesContext(connection) as queries:
            unusual_players(figures, report, last)
        numbers.append(len(queries))
        for child in (dora, emil, *ChildFactory.create_batch(2, school_class=school_class)):
            played_oddly(child, hints=20, ago=ago)
            rows(child, 4, found=20, ago=ago)
            answer(child, 6, 7, right=False)
    assert numbers == [QUERIES_OF_A_LOOK, QUERIES_OF_A_LOOK]
