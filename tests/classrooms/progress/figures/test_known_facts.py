"""The facts that a class knows, by its short questions."""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import get_args

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from classrooms.checkups.services import give
from classrooms.models import Child, SchoolClass
from classrooms.progress import words
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
from games.coach.mastery import FEWEST_FOR_A_LEVEL
from games.coach.questions import recall
from games.coach.questions.check_up_questions import QUESTIONS
from games.coach.questions.recall import SECURE_CHANCE, Answered, chance_now, recall_after
from games.coach.statements import table_levels
from games.coach.statements.table_levels import KnownTable, TableChances, after_table_day
from tests.classrooms.checkups.answering import take
from tests.classrooms.progress.answering import answer
from tests.counts import times
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
    for number in range(1, FEWEST_FOR_A_LEVEL + 1):
        answer(dora, 6, 8, right=False)
        look_for_dirty()
        learning = figures_of(school_class).facts.learning
        assert ((6, 8) in learning.get(dora.pk, {})) == (number == FEWEST_FOR_A_LEVEL)


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


# The line under a level follows from the answers and chances beside it, whatever they were


HISTORIES = times(500, 10_000)
SIX_BY_EIGHT = (6, 8)


def answers(random: Random) -> list[Answered]:
    """Answers to one fact over days, of a child as it may be."""
    knows, slow, helped, timed = (random.random() for _ in range(4))
    days = sorted(random.choices(range(random.choice([2, 5, 60])), k=random.randint(1, 9)))
    return [
        Answered(
            random.choice([(6, 8), (8, 6)]),
            random.random() < knows,
            day,
            helped=random.random() < helped / 4,
            net_ms=random.choice([None, 7000, 4000]) if random.random() < slow else 2000,
            timed=timed < 0.8,
        )
        for day in days
    ]


def days_with(given: Sequence[Answered], seconds: int | None) -> tuple[int, int]:
    """How many of the last three days had more than half right alone, and fast where time counts;
    and how many days there were."""
    days = sorted({one.day for one in given})[-3:]
    good = 0
    for day in days:
        of_day = [one for one in given if one.day == day]
        right = [
            one
            for one in of_day
            if one.right
            and not one.helped
            and (
                seconds is None
                or not one.timed
                or (one.net_ms is not None and one.net_ms <= seconds * 1000)
            )
        ]
        good += len(right) > len(of_day) / 2
    return good, len(days)


def check_fact(given: Sequence[Answered], today: int) -> str:
    """Holds a level and its line against the answers; returns the line without its figures."""
    known = recall_after(given)
    level, fact = known.level(SIX_BY_EIGHT, today), known.facts[SIX_BY_EIGHT]
    able = max(fact.ability, known.ability.value)
    chance = chance_now(SIX_BY_EIGHT, fact.memory, able, today)
    line = words.why_fact(recall.reason_of(level, fact.lately, fact.asked, chance))
    alone = given[-1].right and not given[-1].helped
    assert level in ("learning", "needs refreshing") or (alone and len(given) >= 3)
    said = [int(number) for number in re.findall(r"\d+", line)]
    right, days = days_with(given, None)
    secure, _ = days_with(given, 6)
    match line.split()[0:4]:
        case ["There", *_]:
            assert len(given) < 3
        case ["The", "last", *_]:
            assert not alone
        case ["Right", "without", "help", "and"]:
            assert said == [said[0], days_with(given, said[0])[0], days]
            assert said[:2] in ([6, said[1]], [3, said[1]])
            assert (level == "fluent") == (said[0] == 3)
            assert alone
            assert said[1] >= 2
        case ["Right", "without", "help", "on"] if "last answer" in line:
            assert level in ("secure", "fluent")
            assert said == [days_with(given, 3 if level == "fluent" else 6)[0], days]
            assert not all(one.timed for one in given)
        case ["Right,", "but", *_]:
            assert said == [6, right, days, 6, secure]
            assert right >= 2 > secure
        case ["Right", "without", "help", "on"]:
            assert said == [right, days]
            assert right < 2
        case ["Right", "on", "two", *_]:
            assert secure >= 2
            assert (level, said) == ("learning", [int(100 * chance), 70])
            assert chance < 0.7
        case ["It", "was", *_]:
            assert secure >= 2
            assert alone
            assert (level, said) == ("needs refreshing", [int(100 * chance), 70])
            assert chance < 0.7
        case _:
            pytest.fail(line)
    return re.sub(r"\d+", "N", line)


def test_the_line_under_a_fact_follows_from_its_answers() -> None:
    lines: Counter[str] = Counter()
    for seed in range(HISTORIES):
        random = Random(seed)
        given = answers(random)
        lines[check_fact(given, given[-1].day + random.choice([0, 1, 5, 40, 200]))] += 1
    assert len(lines) == len(get_args(recall.Why)) + 1, lines
    assert min(lines.values()) >= HISTORIES // 500, lines


def days_of_rows(random: Random) -> list[TableChances]:
    finds, sees, gap = random.random(), random.random(), random.choice([2, 2, 120])
    day, days = 0, []
    for _ in range(random.randint(1, 8)):
        day += random.randint(1, gap)
        if random.random() < 0.2:
            finds = random.random()
        of = random.randint(1, 9)
        found = sum(random.random() < finds for _ in range(of))
        at_once = sum(random.random() < sees for _ in range(found))
        days.append(TableChances(day, at_once, found - at_once, of - found))
    return days


def lower_end(came: float, of: float) -> float:
    """Wilson's, wrong in one case of ten."""
    share, z = came / of, 1.2816
    half = z * (share * (1 - share) / of + z * z / (4 * of * of)) ** 0.5
    return float((share + z * z / (2 * of) - half) / (1 + z * z / of))


def check_table(days: Sequence[TableChances], today: int) -> str:
    weight = found = at_once = 0.0
    last = days[0].day
    known, was_secure = KnownTable(), False
    for one in days:
        keeps = 0.25 if one.day - last > 91 else 0.9
        weight = weight * keeps + one.chances
        found, at_once, last = found * keeps + one.found, at_once * keeps + one.at_once, one.day
        known = after_table_day(known, one)
        was_secure = was_secure or known.reached in ("secure", "fluent")
    line, level = words.why_table(table_levels.reason_of(known, today)), known.level(today)
    said = [int(number) for number in re.findall(r"\d+", line)]
    share, lower, lower_at_once = (
        found / weight,
        lower_end(found, weight),
        lower_end(at_once, weight),
    )
    assert "found before" not in line or was_secure
    match level, line.split()[-3:]:
        case "fluent", _:
            assert said == [int(100 * lower_at_once), 65]
            assert said[0] >= 65
            assert len(days) >= 3
        case "secure", ["stays", "so."] | [_, "stays", "so."]:
            assert said == [int(100 * share), 80]
            assert share >= 0.8
        case "secure", _:
            assert said == [int(100 * lower), 65]
            assert said[0] >= 65
            assert len(days) >= 2
        case "needs refreshing", _:
            assert said == [int(100 * share), 60]
            assert share < 0.6
        case "learning", _ if "more than" in line and "%" not in line:
            assert said == [91]
            assert today - last > 91
        case "learning", [_, "needs", "two."]:
            assert len(days) == 1
        case "learning", [*_, "again."]:
            assert said == [int(100 * share), 80]
            assert 0.6 <= share < 0.8
        case "learning", _:
            assert said == [int(100 * lower), 65]
            assert said[0] < 65
        case _:
            pytest.fail(f"{level}: {line}")
    return re.sub(r"\d+", "N", line)


def test_the_line_under_a_table_follows_from_its_chances() -> None:
    lines: Counter[str] = Counter()
    for seed in range(HISTORIES):
        random = Random(seed)
        days = days_of_rows(random)
        lines[check_table(days, days[-1].day + random.choice([0, 1, 30, 100]))] += 1
    assert len(lines) == len(get_args(table_levels.Why)), lines


def test_a_wrong_last_answer_takes_secure_away() -> None:
    right = [Answered(SIX_BY_EIGHT, True, day, net_ms=2000) for day in (0, 2, 4)]
    wrong = Answered(SIX_BY_EIGHT, False, 5)
    assert recall_after(right).level(SIX_BY_EIGHT, 6) == "fluent"
    assert recall_after([*right, wrong]).level(SIX_BY_EIGHT, 6) == "learning"
