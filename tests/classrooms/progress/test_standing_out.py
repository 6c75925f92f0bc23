"""Outliers of a class come first, compare only equal games, and are the same on every page."""

from datetime import timedelta

import pytest
from django.http import QueryDict
from django.utils import timezone
from pypdfium2 import PdfDocument

from classrooms.checkups.services import begin, give
from classrooms.models import Assignment, Child, SchoolClass
from classrooms.progress.child_page import child_page
from classrooms.progress.class_figures import figures_of
from classrooms.progress.class_page import class_page
from classrooms.progress.given_steps import NextStep
from classrooms.progress.models import Chance
from classrooms.progress.next_steps import everyones_steps
from classrooms.progress.periods import USUAL_PERIOD, first_day
from classrooms.progress.standing_out import Outlier, outliers
from classrooms.progress.tasks import look_for_dirty
from classrooms.reports.class_paper import class_paper
from classrooms.reports.pdf import class_pdf
from classrooms.reports.weekly_letter import paragraphs, weekly_letter
from tests.classrooms.checkups.answering import answer_all
from tests.classrooms.progress.answering import answer, play_day
from tests.classrooms.reports.pdf import words
from tests.factories import AssignmentFactory, AttemptFactory, ChildFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
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
    """Store a game in which the child found this many of their chances, on three days, the last of
    them this many days ago."""
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


def outliers_of(school_class: SchoolClass, period: str = USUAL_PERIOD) -> list[Outlier]:
    figures = figures_of(school_class)
    return outliers(figures, first_day(figures.today, period))


@pytest.fixture
def twelve_children(school_class: SchoolClass) -> list[Child]:
    return ChildFactory.create_batch(12, school_class=school_class)


def test_a_child_who_fell_is_the_first_card_with_both_periods(
    twelve_children: list[Child], school_class: SchoolClass, assignment: Assignment
) -> None:
    for child in twelve_children:
        chances(child, assignment, found=8, of=14, ago=30)
        chances(child, assignment, found=9, of=15, ago=5)
    emil = twelve_children[0]
    Chance.objects.filter(child=emil).delete()
    chances(emil, assignment, found=14, of=14, ago=30)
    chances(emil, assignment, found=18, of=47, ago=5)
    (one,) = outliers_of(school_class)
    assert (one.kind, one.children, one.table) == ("change", [emil], 5)
    first = class_page(school_class, QueryDict()).cards[0]
    assert first.title == "Fewer rows found than before, most of all in the 5 times table"
    assert first.reason == (
        "all tables in the same games: 18 of 47 possible rows in the last 3 weeks, 14 of 14 in the "
        "3 weeks before"
    )
    assert (first.step, first.children) == (NextStep(5), [emil])
    assert [card.reason for card in child_page(emil).cards] == [first.reason]
    assert {card.kind for card in child_page(twelve_children[1]).cards} <= {"guess", "next"}
    plan = {line.child: line.first for line in everyones_steps(school_class).lines}
    suggested = plan[emil]
    assert suggested.step == NextStep(5)
    assert suggested.reason == first.reason
    assert plan[twelve_children[1]] != suggested


def test_a_fall_is_printed_and_mailed_and_the_mail_names_nobody(
    twelve_children: list[Child], school_class: SchoolClass, assignment: Assignment
) -> None:
    for child in twelve_children:
        chances(child, assignment, found=20, of=24, ago=30)
        chances(child, assignment, found=20, of=24, ago=2)
        play_day(child, turns=20, ago=1)
    Chance.objects.filter(
        child=twelve_children[0], day__gt=school_class.today() - timedelta(days=9)
    ).delete()
    chances(twelve_children[0], assignment, found=4, of=40, ago=2)
    title = "Fewer rows found than"
    paper = class_paper(school_class, USUAL_PERIOD)
    assert title in paper["needs"]["cards"][0]["title"]
    assert title in words(PdfDocument(class_pdf(school_class, paper)))
    letter = weekly_letter(school_class, school_class.today())
    assert letter
    text = "\n".join(paragraphs(letter))
    assert title in text
    assert twelve_children[0].name not in text


def test_a_rise_is_shown_and_assigns_nothing(
    dora: Child, school_class: SchoolClass, assignment: Assignment
) -> None:
    chances(dora, assignment, found=4, of=30, ago=30)
    chances(dora, assignment, found=30, of=36, ago=5)
    (card,) = class_page(school_class, QueryDict()).cards
    assert (card.title, card.step) == ("More rows found than before", None)


@pytest.mark.parametrize("other", ["tables", "hints", "days"])
def test_other_games_hints_and_days_are_not_compared(
    twelve_children: list[Child], school_class: SchoolClass, assignment: Assignment, other: str
) -> None:
    hard = AssignmentFactory.create(school_class=school_class, options={"tables": [5, 7]})
    for place, child in enumerate(twelve_children):
        is_low = place >= 6
        chances(
            child,
            hard if is_low and other == "tables" else assignment,
            found=8 if is_low else 36,
            of=40,
            ago=60 if is_low and other == "days" else 2,
            hint_steps=0 if is_low and other == "hints" else 6,
        )
    assert outliers_of(school_class) == []


def test_fewer_finds_in_the_same_games_stand_out(
    twelve_children: list[Child], school_class: SchoolClass, assignment: Assignment
) -> None:
    for child in twelve_children[1:]:
        chances(child, assignment, found=30, of=40)
    chances(twelve_children[0], assignment, found=6, of=40)
    (one,) = outliers_of(school_class)
    assert (one.kind, one.children) == ("apart", [twelve_children[0]])
    (card,) = class_page(school_class, QueryDict()).cards
    assert card.reason == (
        "all tables in the same games: found 6 of 40 possible rows; of these the others would "
        "find 30, last 4 weeks"
    )


def test_the_weeks_of_a_repeated_assignment_are_one_game(
    twelve_children: list[Child], school_class: SchoolClass, assignment: Assignment
) -> None:
    again = AssignmentFactory.create(school_class=school_class, options=assignment.options)
    for child in twelve_children[1:]:
        chances(child, assignment, found=30, of=40)
    chances(twelve_children[0], again, found=6, of=40)
    assert [one.children for one in outliers_of(school_class)] == [[twelve_children[0]]]


def test_a_table_weak_in_all_children_concerns_the_class(
    twelve_children: list[Child], school_class: SchoolClass, assignment: Assignment
) -> None:
    for child in twelve_children:
        chances(child, assignment, found=14, of=20, table=4)
        chances(child, assignment, found=5, of=15, table=10)
    (card,) = class_page(school_class, QueryDict("period=all")).cards
    assert card.title == "The class finds fewer rows of the 10 times table than of other tables"
    assert card.reason == "found 60 of 180 possible rows, of other tables 168 of 240, all time"
    assert set(card.children) == set(twelve_children)
    assert card.names == "The whole class"
    assert {card.kind for card in child_page(twelve_children[0]).cards} <= {"guess", "next"}


def test_short_questions_and_check_ups_show_a_weak_fact(
    twelve_children: list[Child], school_class: SchoolClass
) -> None:
    check_up = give(school_class, [6])
    for child in twelve_children:
        for other in (2, 3, 4, 5, 7):
            answer(child, 6, other)
            answer(child, 6, 8, right=False)
        answer_all(begin(child, check_up, has_script=False))
    look_for_dirty()
    (one,) = outliers_of(school_class)
    assert (one.kind, one.fact) == ("fact", (6, 8))
    assert one.contrast.share.total > 5 * 12
