"""The findings about a class: who needs what, who stands out, and who plays unusually."""

from datetime import timedelta
from functools import partial

import pytest
from django.http import QueryDict
from django.utils import timezone
from pypdfium2 import PdfDocument

from classrooms.assignments.playing import start_guided_round
from classrooms.checkups.services import begin, give
from classrooms.models import Assignment, Child, SchoolClass, User
from classrooms.progress import words as wording
from classrooms.progress.child_page import child_page
from classrooms.progress.class_figures import figures_of
from classrooms.progress.class_page import class_page
from classrooms.progress.class_report import class_report, last_days
from classrooms.progress.given_steps import NextStep
from classrooms.progress.models import Chance, ChildDay
from classrooms.progress.needs import Needs, who_needs_what
from classrooms.progress.next_steps import everyones_steps
from classrooms.progress.periods import USUAL_PERIOD, first_day
from classrooms.progress.standing_out import Outlier, outliers, unusual_players
from classrooms.progress.tasks import look_for_dirty
from classrooms.progress.words import why_facts
from classrooms.questions.models import Check
from classrooms.reports.class_paper import class_paper
from classrooms.reports.pdf import class_pdf
from classrooms.reports.weekly_letter import paragraphs, weekly_letter
from games.coach.mastery import FEWEST_FOR_A_LEVEL
from games.coach.statements.table_levels import RECENT_DAYS
from tests.classrooms.checkups.answering import answer_all
from tests.classrooms.people import class_page_text
from tests.classrooms.progress.answering import answer, chances, play_day, rows
from tests.classrooms.reports.pdf import words
from tests.factories import AssignmentFactory, AttemptFactory, ChildFactory

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
    following = [cell.fact for cell in needs_of(school_class).facts[dora]]
    assert len(following) == 4
    assert following[-1] == (2, 7)
    assert not {(2, 5), (2, 9)} & set(following)


def test_three_wrong_of_ten_come_before_one_wrong_of_three(
    dora: Child, school_class: SchoolClass
) -> None:
    for high, right, wrong in ((6, 2, 1), (4, 7, 3)):
        for is_right in [True] * right + [False] * wrong:
            answer(dora, 3, high, right=is_right)
    look_for_dirty()
    assert [cell.fact for cell in needs_of(school_class).facts[dora]] == [(3, 4), (3, 6)]


def test_a_fact_that_was_right_lately_only_waits_until_it_is_certain(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    for ago, right in ((9, True), (7, False), (5, True), (3, True), (1, True)):
        at = timezone.now() - timedelta(days=ago)
        answer(dora, 5, 5, right=right, net_ms=9000, at=at)
        answer(dora, 5, 8, right=right and ago != 5, at=at)
        answer(emil, 5, 5, net_ms=9000, at=at)
    look_for_dirty()
    facts = needs_of(school_class).facts
    assert [cell.fact for cell in facts[dora]] == [(5, 8)]
    assert why_facts(facts[dora]) == "2 of 5 answers to this fact wrong or with a hint"
    assert why_facts(facts[emil]) == "right, but slower than 6 s in 5 of 5 answers"
    answer(dora, 5, 5, right=False)
    look_for_dirty()
    assert {cell.fact for cell in needs_of(school_class).facts[dora]} == {(5, 5), (5, 8)}


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
    fay, gus, zoe = ChildFactory.create_batch(3, school_class=school_class)
    AttemptFactory.create(child=gus, assignment__school_class=school_class)
    start_guided_round(zoe, "simplified", 1)
    for child, ago in ((dora, 6), (emil, 8)):
        ChildDay.objects.create(
            child=child,
            school_class=school_class,
            day=school_class.today() - timedelta(days=ago),
            turns=1,
            last_at=timezone.now() - timedelta(days=ago),
        )
    needs = needs_of(school_class)
    assert ([absent_child.child for absent_child in needs.absent_children], needs.never_begun) == (
        [emil],
        [fay],
    )


play_many_turns = partial(play_day, turns=20, ago=1)


def oddities_by_name(school_class: SchoolClass) -> dict[str, list[str]]:
    figures = figures_of(school_class)
    report = class_report(figures)
    odd = unusual_players(figures, report, last_days(report, school_class))
    return {
        line.child.name: [wording.oddity_text(oddity) for oddity in line.oddities] for line in odd
    }


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
    page = " ".join(class_page_text(alice, school_class).split())
    notes = page.partition("Unusual play")[2].partition("</div>")[0]
    assert "Dora</a> (not played for 20 days)" in notes
    week = notes.partition("Have not played for a week")[2]
    assert "Emil" in week
    assert "Dora" not in week


def test_not_started_differs_from_away(
    alice: User, dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    play_many_turns(dora, ago=8)
    page = " ".join(class_page_text(alice, school_class).split())
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
    (outlier,) = outliers_of(school_class)
    assert (outlier.kind, outlier.children, outlier.table) == ("change", [emil], 5)
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
    (outlier,) = outliers_of(school_class)
    assert (outlier.kind, outlier.children) == ("apart", [twelve_children[0]])
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
    assert [outlier.children for outlier in outliers_of(school_class)] == [[twelve_children[0]]]


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
    (outlier,) = outliers_of(school_class)
    assert (outlier.kind, outlier.fact) == ("fact", (6, 8))
    assert outlier.contrast.share.total > 5 * 12
