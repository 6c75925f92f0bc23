"""The facts that a class knows, as its short questions show."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import get_args

import pytest
from django.utils import timezone

from classrooms.checkups.models import CheckUpAnswer
from classrooms.checkups.services import begin, give
from classrooms.models import Child, SchoolClass
from classrooms.progress import words
from classrooms.progress.child_page import fact_page
from classrooms.progress.class_figures import children_of, figures_for_child, figures_of
from classrooms.progress.facts import (
    Answer,
    FactCell,
    answers_to,
    fact_cells,
    facts_of_class,
    missed_in_check_ups,
    secure_facts,
)
from classrooms.progress.models import FactMastery
from classrooms.progress.tasks import look_for_dirty
from classrooms.questions.models import Check
from classrooms.reports.child_paper import FACT_GROUPS, fact_group
from games.coach.questions import recall
from games.coach.questions.check_up_questions import QUESTIONS
from games.coach.questions.recall import FactAnswer, chance_next_day, chance_of, recall_after
from games.coach.questions.short_questions import answer_kind
from games.coach.statements import table_levels
from games.coach.statements.table_levels import KnownTable, TableChances, known_table_after
from games.coach.times_tables import Fact, fact_of
from tests.classrooms.checkups.answering import take
from tests.classrooms.progress.answering import answer
from tests.classrooms.progress.oracle import (
    days_with,
    lower_end,
    random_answers,
    random_days_of_rows,
    weighted,
)
from tests.counts import times
from tests.factories import ChildFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
DAY_0 = date(2026, 3, 1)


def test_a_cell_says_how_the_answers_were_found(dora: Child, school_class: SchoolClass) -> None:
    answer(dora, 6, 8)
    answer(dora, 8, 6, net_ms=None)
    answer(dora, 8, 6, right=False)
    look_for_dirty()
    cell = fact_cells([dora], school_class.today())[dora.pk][6, 8]
    assert (cell.recalled, cell.derived, cell.hinted, cell.guessed) == (1, 1, 0, 1)
    assert (cell.right, cell.evidence, cell.is_shown, cell.level) == (2, 3, True, "learning")


def without_reasons(cells: Mapping[Fact, FactCell]) -> dict[Fact, FactCell]:
    """The class page computes no reasons."""
    return {fact: replace(cell, reason=None) for fact, cell in cells.items()}


def test_the_pages_of_class_and_child_agree(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    for child in (dora, emil):
        for number in range(6):
            answer(child, 9, 8, net_ms=None)
            answer(child, 7, 8, right=child == dora)
            answer(child, 6, 8, right=child == dora, at=timezone.now() - timedelta(days=2 * number))
    look_for_dirty()
    facts = figures_of(school_class).facts
    cells = fact_cells([dora, emil], school_class.today())
    for fact, levels in facts.levels.items():
        own = Counter(cells[child.pk][fact].level for child in (dora, emil))
        assert levels == own
    for child in (dora, emil):
        assert without_reasons(facts.learning[child.pk]) == {
            fact: replace(cell, reason=None)
            for fact, cell in cells[child.pk].items()
            if cell.level == "learning" and not cell.is_right_lately
        }
        assert secure_facts(child) == {
            fact for fact, cell in cells[child.pk].items() if cell.level in ("secure", "fluent")
        }
    assert facts.levels[6, 8] == {"fluent": 1, "learning": 1}


def test_a_fact_missed_in_a_check_up_comes_next(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    for child in (dora, emil):
        for number in range(4):
            answer(child, 2, 2, at=timezone.now() - timedelta(days=20 - 5 * number))
    look_for_dirty()
    assert figures_of(school_class).facts.levels[2, 2] == {"fluent": 2}
    own = take(dora, give(school_class, [2]), wrong=QUESTIONS)
    facts = figures_of(school_class).facts
    cells = fact_cells([dora, emil], school_class.today())
    assert facts.levels[2, 2] == {"fluent": 1, "learning": 1}
    assert (cells[dora.pk][2, 2].level, cells[emil.pk][2, 2].level) == ("learning", "fluent")
    missed = {fact_of(*question) for question in own.questions}
    assert set(facts.learning[dora.pk]) == missed
    in_check_up = missed_in_check_ups([dora])[dora.pk]
    of_page = figures_for_child(dora, children_of(school_class), cells[dora.pk], in_check_up)
    own_facts, class_facts = (each.learning[dora.pk] for each in (of_page.facts, facts))
    assert without_reasons(own_facts) == without_reasons(class_facts)
    assert emil.pk not in facts.learning
    assert (secure_facts(dora), secure_facts(emil)) == (frozenset(), frozenset({(2, 2)}))
    answer(dora, 2, 2)
    look_for_dirty()
    assert set(figures_of(school_class).facts.learning[dora.pk]) == missed - {(2, 2)}


def test_a_level_is_counted_until_its_last_day(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    for number in range(8):
        answer(dora, 6, 8, at=NOON + timedelta(days=3 * number))
        answer(emil, 6, 8, at=NOON + timedelta(days=5 * number))
    look_for_dirty()
    children = [dora, emil]
    days = list(FactMastery.objects.order_by("holds_until").values_list("holds_until", flat=True))
    first, last = days
    assert first is not None
    assert last is not None
    one_day = timedelta(days=1)
    assert facts_of_class(children, first).levels[6, 8] == {"fluent": 2}
    assert facts_of_class(children, first + one_day).levels[6, 8] == {"fluent": 1, "learning": 1}
    assert facts_of_class(children, last + one_day).levels[6, 8] == {"learning": 2}
    long_after = last + timedelta(days=1000)
    assert facts_of_class(children, long_after).levels[6, 8] == {"learning": 2}


def test_a_class_without_a_last_day_reads_the_same(dora: Child, school_class: SchoolClass) -> None:
    for number in range(8):
        answer(dora, 6, 8, at=timezone.now() - timedelta(days=3 * number))
    answer(dora, 6, 7, right=False)
    look_for_dirty()
    before = facts_of_class([dora], school_class.today())
    FactMastery.objects.update(holds_until=None)
    assert facts_of_class([dora], school_class.today()) == before
    assert before.levels[6, 8] == {"fluent": 1}


def test_a_cell_lists_answers_in_either_order(dora: Child, emil: Child) -> None:
    first = answer(dora, 6, 8, at=NOON)
    second = answer(dora, 8, 6, at=NOON + timedelta(days=1))
    answer(dora, 6, 7)
    answer(emil, 6, 8)
    assert answers_to([dora], (6, 8)) == {dora.pk: [second, first]}


def test_answers_in_old_check_ups_are_listed_but_no_longer_the_last_ones(
    dora: Child, school_class: SchoolClass
) -> None:
    take(dora, give(school_class, [2]), wrong=QUESTIONS)
    CheckUpAnswer.objects.update(answered_at=timezone.now() - timedelta(days=100))
    assert len(answers_to([dora])[dora.pk]) == QUESTIONS
    assert not missed_in_check_ups([dora])


# The reason for a level always follows from the answers and chances beside it


HISTORIES = times(500, 10_000)
SIX_BY_EIGHT = (6, 8)


def reason_of_fact(answers: Sequence[FactAnswer], today: int) -> str:
    """Check a level and its reason against the answers. Return the reason, and whether time
    counted."""
    after_all = recall_after(answers)
    level, fact = after_all.level(SIX_BY_EIGHT, today), after_all.facts[SIX_BY_EIGHT]
    able = max(fact.ability, after_all.ability.value)
    tomorrow = chance_next_day(SIX_BY_EIGHT, fact.memory, able)
    reason = recall.reason_of(level, fact.lately, fact.times_asked, tomorrow)
    alone = answers[-1].is_right and not answers[-1].has_help
    right, days = days_with(answers, None)
    secure, _ = days_with(answers, 6)
    now, ago = chance_of(SIX_BY_EIGHT, fact.memory, able, today), today - answers[-1].day
    is_fresh = now >= 0.93 and ago < 28
    assert (reason.days, reason.right, reason.good) == (days, right, secure)
    assert reason.seconds == 6 or not (reason.seconds or all(answer.is_timed for answer in answers))
    assert (level == "learning") == (reason.kind != "good")
    assert {
        "few answers": len(answers) < 3,
        "last answer": not alone,
        "new": days < 3,
        "good": alone and days == 3 and reason.good >= 2 and is_fresh,
        "slow": right >= 2 > secure,
        "few days": right < 2,
        "unlikely": secure >= 2 and tomorrow < 0.97,
        "long ago": secure >= 2 and not is_fresh,
    }[reason.kind]
    return f"{reason.kind} {reason.kind == 'good' and reason.seconds > 0}"


def test_the_reason_for_the_level_of_a_fact_follows_from_its_answers() -> None:
    reasons: Counter[str] = Counter()
    for seed in range(HISTORIES):
        random = Random(seed)
        answers = random_answers(random)
        reasons[reason_of_fact(answers, answers[-1].day + random.choice([0, 1, 5, 40, 900]))] += 1
    assert len(reasons) == len(get_args(recall.FactReasonKind)) + 1, reasons
    assert min(reasons.values()) >= HISTORIES // 500, reasons


def as_stored(answers: Sequence[FactAnswer], last_at: datetime) -> list[Answer]:
    """The answers as stored, the newest first."""
    return [
        Check(
            answered_at=last_at,
            right=fact_answer.is_right,
            how=answer_kind(
                is_right=fact_answer.is_right,
                has_help=fact_answer.has_help,
                net_ms=fact_answer.net_ms,
            ),
        )
        for fact_answer in reversed(answers)
    ]


def test_the_group_of_a_fact_on_the_parents_sheet_follows_from_its_answers() -> None:
    counts: Counter[str] = Counter()
    for seed in range(HISTORIES):
        random = Random(seed)
        history = random_answers(random)[: random.choice([1, 2, 4, 15])]
        right, ago = [answer.is_right_alone for answer in history], random.choice([0, 0, 20, 40])
        last_at = timezone.now() - timedelta(days=ago)
        stored = as_stored(history, last_at)
        if random.random() < 0.2:
            right.append(random.random() < 0.5)
            stored.insert(0, CheckUpAnswer(answered_at=last_at, right=right[-1]))
        group = fact_group(stored)
        assert {
            "Right the last three times": right[-3:] == [True] * 3,
            "Right the last time, but not the last three times": right[-1] and not all(right[-3:]),
            "Not right the last time": not right[-1],
            "Asked only once or twice, too early to say": len(right) <= 2,
            "Not asked in the last four weeks": ago > 28,
        }[FACT_GROUPS[group]]
        assert (group == "ago") == (ago > 28)
        assert group == "ago" or (group == "few") == (len(right) < 3)
        level = recall_after(history).level(SIX_BY_EIGHT, history[-1].day + ago)
        is_known = level in ("secure", "fluent") and right[-1]
        assert not is_known or group in ("lately", "again")
        counts[group] += 1
    assert {*counts} == {*FACT_GROUPS}
    assert min(counts.values()) > HISTORIES / 20


def is_secure_after(days: Sequence[TableChances], today: int, rows: int) -> bool:
    """Whether the table is secure after one more day on which all these rows are found."""
    table_level = KnownTable()
    for day in (*days, TableChances(today + 1, at_once=rows)):
        table_level = known_table_after(table_level, day)
    return table_level.level(today + 1) in ("secure", "fluent")


def reason_of_table(days: Sequence[TableChances], today: int) -> str:
    """Check a level and its reason against the chances. Return the reason, and whether it has
    missed rows."""
    known_table, was_secure = KnownTable(), False
    for day in days:
        known_table = known_table_after(known_table, day)
        was_secure = was_secure or known_table.reached in ("secure", "fluent")
    reason, level = table_levels.reason_of(known_table, today), known_table.level(today)
    is_good = level in ("secure", "fluent")
    if reason.more:
        assert is_secure_after(days, today, rows=reason.more)
        # A few rows found four weeks ago may drop out of the figure by the next day.
        assert reason.more == 1 or not is_secure_after(days, today, rows=reason.more - 1)
    elif not is_good:
        assert not is_secure_after(days, today, rows=table_levels.MOST_ROWS_TO_SAY)
    lately = [day for day in days if day.day > today - 28]
    late_found, late = sum(day.found for day in lately), sum(day.chances for day in lately)
    is_few = late >= 3 and late_found < 0.6 * late
    assert not (is_good and (is_few or late < 3))
    assert is_few or late < 3 or level != "needs refreshing"
    weight, at_any_time, at_once = weighted(days)
    share, lower = at_any_time / weight, int(100 * lower_end(at_any_time, weight))
    misses, rows = table_levels.misses_chances(known_table, today), sum(day.chances for day in days)
    assert rows >= 12 or not is_good
    assert level == "learning" or not misses
    assert was_secure or reason.kind not in ("stays", "fewer", "not again")
    is_sure, is_past = lower >= 65 and rows >= 12 and len(days) >= 2, level == "needs refreshing"
    assert (level, True) == {
        "fluent": ("fluent", lower_end(at_once, weight) >= 0.65 and len(days) >= 3),
        "secure": ("secure", is_sure),
        "stays": ("secure", share >= 0.85 and not is_sure),
        "few": ("learning", (rows < 12 or len(days) < 2) and not misses),
        "unsure": ("learning", share >= 0.65 and not is_sure and not misses),
        "misses": ("learning", share < 0.65 and rows >= 12 and misses),
        "fewer": (level, is_few and is_past != misses and (not is_past or share < 0.6)),
        "rare": ("learning", late < 3 and not misses),
        "not again": ("learning", share < 0.85 and misses == (share < 0.65)),
    }[reason.kind]
    assert reason.kind != "few" or (reason.rows, reason.days) == (rows, len(days))
    assert reason.kind != "fewer" or (reason.found, reason.rows) == (late_found, late)
    return f"{reason.kind} {misses}"


def test_the_reason_for_the_level_of_a_table_follows_from_its_chances() -> None:
    reasons: Counter[str] = Counter()
    for seed in range(HISTORIES):
        random = Random(seed)
        days = random_days_of_rows(random)
        reasons[reason_of_table(days, days[-1].day + random.choice([0, 1, 30, 100]))] += 1
    # Two of the reasons, fewer and not again, have two forms: with many missed rows and without.
    assert len(reasons) == len(get_args(table_levels.TableReasonKind)) + 2, reasons


def test_a_reason_is_shown_with_its_figures() -> None:
    slow = recall.FactReason("slow", days=3, right=2, good=1, seconds=6)
    assert re.findall(r"\d+", words.why_fact(slow)) == ["6", "2", "3", "6", "1"]
    unlikely = recall.FactReason("unlikely", days=3, right=3, good=2, seconds=6)
    assert re.findall(r"\d+", words.why_fact(unlikely)) == ["3", "3"]
    fewer = table_levels.TableReason("fewer", found=3, rows=8, more=5)
    assert re.findall(r"\d+", words.why_table(fewer)) == ["5", "4", "3", "8"]


def test_level_line_and_list_on_the_page_of_a_fact_agree(school_class: SchoolClass) -> None:
    random, now = Random(1), timezone.now()
    children = ChildFactory.create_batch(times(60, 600), school_class=school_class)
    check_up = give(school_class, [6])
    for child in children:
        answers = random_answers(random)[: random.choice([0, 8, 8])]
        ago = (answers[-1].day if answers else 0) + random.choice([0, 5])
        for number, fact_answer in enumerate(answers):
            at = now - timedelta(days=ago - fact_answer.day, seconds=len(answers) - number)
            answer(
                child,
                *fact_answer.factors,
                right=fact_answer.is_right,
                net_ms=fact_answer.net_ms,
                hinted=fact_answer.has_help,
                at=at,
            )
        if random.random() < 0.5:
            own = begin(child, check_up, has_script=False)
            right, at = random.random() < 0.5, now - timedelta(days=random.choice([0, 3, 99]))
            CheckUpAnswer.objects.create(
                child_check_up=own, number=0, first=8, second=6, right=right, answered_at=at
            )
    look_for_dirty()
    page = fact_page(school_class, SIX_BY_EIGHT)
    lines: Counter[str] = Counter()
    for each in page.answers:
        newest = each.answers[0]
        assert all(answer.answered_at <= newest.answered_at for answer in each.answers)
        checks = [answer for answer in each.answers if isinstance(answer, Check)]
        alone = newest.right and not (isinstance(newest, Check) and newest.how == "hinted")
        level = each.cell.level if each.cell and each.cell.is_shown else "learning"
        assert alone or level == "learning"
        line = " ".join(each.why.split()[:5])
        match line:
            case "The last answer, in a":
                assert isinstance(newest, CheckUpAnswer)
                assert not newest.right
            case "The last answer to a":
                assert not checks[0].right or checks[0].how == "hinted"
            case "Fewer than three answers to":
                assert len(checks) < 3
            case _:
                assert alone
                assert checks[0].right
        lines[line] += 1
    assert len(lines) > 4, lines
    assert set(page.children_not_asked).isdisjoint(each.child for each in page.answers)
    assert len(page.children_not_asked) + len(page.answers) == len(children)
