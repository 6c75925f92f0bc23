"""The line under a level follows from the answers and chances beside it, whatever they were."""

import re
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import get_args

import pytest

from classrooms.progress import words
from games.coach.questions import recall
from games.coach.questions.recall import Answered, chance_now, recall_after
from games.coach.statements import table_levels
from games.coach.statements.table_levels import KnownTable, TableChances, after_table_day
from tests.counts import times

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
