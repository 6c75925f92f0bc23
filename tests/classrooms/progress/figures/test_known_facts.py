"""The facts that a class knows, by its short questions."""

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from classrooms.checkups.services import give
from classrooms.models import Child, SchoolClass
from classrooms.progress.child_figures import (
    LearningFact,
    answers_to,
    cells_of,
    facts_of_class,
    secure_facts,
)
from classrooms.progress.class_figures import children_of, facts_map, figures_about, figures_of
from classrooms.progress.models import FactMastery
from classrooms.progress.tasks import look_for_dirty
from games.coach.facts import fact as fact_of
from games.coach.mastery import FEWEST
from games.coach.questions.check_up_questions import QUESTIONS
from games.coach.questions.recall import SECURE_CHANCE
from tests.classrooms.checkups.answering import take
from tests.classrooms.progress.answering import answer
from tests.factories import AssignmentFactory, ChildFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
QUERIES = 5


def test_a_cell_says_how_the_answers_were_got(dora: Child, school_class: SchoolClass) -> None:
    answer(dora, 6, 8)
    answer(dora, 8, 6, net_ms=None)
    answer(dora, 8, 6, right=False)
    look_for_dirty()
    cell = cells_of([dora], school_class.today())[dora.pk][6, 8]
    assert (cell.recalled, cell.derived, cell.hinted, cell.guessed) == (1, 1, 0, 1)
    assert (cell.right, cell.evidence, cell.is_shown, cell.level) == (2, 3, True, "learning")


def test_under_three_answers_no_level_is_shown(dora: Child, school_class: SchoolClass) -> None:
    answer(dora, 6, 8)
    answer(dora, 6, 8)
    look_for_dirty()
    facts = facts_map(figures_of(school_class))
    cell = cells_of([dora], school_class.today())[dora.pk][6, 8]
    assert not cell.is_shown
    assert facts.sums[6, 8].children == 0


def test_what_was_fluent_long_ago_needs_refreshing(dora: Child, school_class: SchoolClass) -> None:
    for number in range(4):
        answer(dora, 6, 8, at=NOON - timedelta(days=1000 - number))
    look_for_dirty()
    facts = facts_map(figures_of(school_class))
    cell = cells_of([dora], school_class.today())[dora.pk][6, 8]
    assert cell.level == "needs refreshing"
    assert cell.chance < SECURE_CHANCE
    assert cell.since == (NOON - timedelta(days=998)).date()
    assert facts.sums[6, 8].levels == {"needs refreshing": 1}
    assert facts.sums[6, 8].knowing == 0


def test_the_class_and_the_child_read_the_same(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    for child in (dora, emil):
        for number in range(3):
            answer(child, 9, 8, net_ms=None)
            answer(child, 7, 8, right=child == dora)
            answer(child, 6, 8, right=child == dora, at=timezone.now() - timedelta(days=number))
    look_for_dirty()
    facts = figures_of(school_class).facts
    cells = cells_of([dora, emil], school_class.today())
    for fact, levels in facts.levels.items():
        own = Counter(cells[child.pk][fact].level for child in (dora, emil))
        assert levels == own
    for child in (dora, emil):
        assert facts.learning[child.pk] == {
            fact: LearningFact(cell.chance, cell.evidence)
            for fact, cell in cells[child.pk].items()
            if cell.level == "learning"
        }
        assert secure_facts(child) == {
            fact for fact, cell in cells[child.pk].items() if cell.level in ("secure", "fluent")
        }
    assert facts.levels[6, 8] == {"fluent": 1, "learning": 1}


def test_what_was_wrong_in_a_check_up_is_learned_next_until_it_is_asked_again(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    for child in (dora, emil):
        for number in range(4):
            answer(child, 2, 2, at=timezone.now() - timedelta(days=6 - number))
    look_for_dirty()
    assert figures_of(school_class).facts.levels[2, 2] == {"fluent": 2}
    own = take(dora, give(school_class, [2]), wrong=QUESTIONS)
    facts = figures_of(school_class).facts
    cells = cells_of([dora, emil], school_class.today())
    assert facts.levels[2, 2] == {"fluent": 1, "learning": 1}
    assert (cells[dora.pk][2, 2].level, cells[emil.pk][2, 2].level) == ("learning", "fluent")
    missed = {fact_of(*shown) for shown in own.questions}
    assert set(facts.learning[dora.pk]) == missed
    of_page = figures_about(dora, children_of(school_class), cells[dora.pk]).facts.learning
    assert of_page[dora.pk] == facts.learning[dora.pk]
    assert emil.pk not in facts.learning
    answer(dora, 2, 2)
    look_for_dirty()
    assert set(figures_of(school_class).facts.learning[dora.pk]) == missed - {(2, 2)}


def test_a_level_is_counted_up_to_the_day_until_which_it_holds(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    for number in range(4):
        answer(dora, 6, 8, at=NOON + timedelta(days=number))
        answer(emil, 6, 8, at=NOON + timedelta(days=3 * number))
    look_for_dirty()
    children = [dora, emil]
    days = list(FactMastery.objects.order_by("holds_until").values_list("holds_until", flat=True))
    first, last = days
    assert first is not None
    assert last is not None
    one_day = timedelta(days=1)
    assert facts_of_class(children, first).levels[6, 8] == {"fluent": 2}
    assert facts_of_class(children, first + one_day).levels[6, 8] == {
        "fluent": 1,
        "needs refreshing": 1,
    }
    assert facts_of_class(children, last + one_day).levels[6, 8] == {"needs refreshing": 2}


def test_before_the_day_is_filled_in_a_class_reads_the_same(
    dora: Child, school_class: SchoolClass
) -> None:
    for number in range(4):
        answer(dora, 6, 8, at=timezone.now() - timedelta(days=number))
        answer(dora, 6, 7, right=False)
    look_for_dirty()
    before = facts_of_class([dora], school_class.today())
    FactMastery.objects.update(holds_until=None)
    assert facts_of_class([dora], school_class.today()) == before
    assert before.levels[6, 8] == {"fluent": 1}


def test_of_a_fact_answered_twice_nobody_is_said_to_be_learning_it(
    dora: Child, school_class: SchoolClass
) -> None:
    for number in range(1, FEWEST + 1):
        answer(dora, 6, 8, right=False)
        look_for_dirty()
        learning = figures_of(school_class).facts.learning
        assert ((6, 8) in learning.get(dora.pk, {})) == (number == FEWEST)


def test_the_map_goes_to_ten_or_to_twelve_where_that_was_asked(
    dora: Child, school_class: SchoolClass
) -> None:
    assert facts_map(figures_of(school_class)).highest == 10
    answer(dora, 12, 7)
    look_for_dirty()
    assert facts_map(figures_of(school_class)).highest == 12
    assert len(facts_map(figures_of(school_class)).facts) == 66


def test_the_facts_of_the_assigned_tables_are_marked(school_class: SchoolClass) -> None:
    AssignmentFactory.create(school_class=school_class, options={"tables": [7]})
    assigned = facts_map(figures_of(school_class)).assigned
    assert (7, 8) in assigned
    assert (2, 7) in assigned
    assert (6, 8) not in assigned


def test_the_answers_behind_a_cell_are_those_of_both_orders_newest_first(
    dora: Child, emil: Child
) -> None:
    first = answer(dora, 6, 8, at=NOON)
    second = answer(dora, 8, 6, at=NOON + timedelta(days=1))
    answer(dora, 6, 7)
    answer(emil, 6, 8)
    assert list(answers_to([dora], (6, 8))) == [second, first]


def test_the_map_takes_the_same_few_queries_for_any_class(
    dora: Child, school_class: SchoolClass
) -> None:
    numbers = []
    for _ in range(2):
        answer(dora, 6, 8)
        look_for_dirty()
        with CaptureQueriesContext(connection) as queries:
            facts_map(figures_of(school_class))
        numbers.append(len(queries))
        for child in ChildFactory.create_batch(3, school_class=school_class):
            answer(child, 3, 4)
    assert numbers == [QUERIES, QUERIES]
