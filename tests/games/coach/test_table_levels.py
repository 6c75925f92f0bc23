"""Levels of times tables by the chances that a child had."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from games.coach.mastery import KEEPS
from games.coach.statements.table_levels import (
    LATELY,
    LEVEL_LASTS,
    REFRESH_BELOW,
    SECURE_FROM,
    STAYS_FROM,
    KnownTable,
    TableChances,
    after_table_day,
)


def all_found(days: int, chances: int = 2, first: int = 1) -> list[TableChances]:
    """Days on which each chance was found at once."""
    return [TableChances(first + number, at_once=chances) for number in range(days)]


def known_after(days: Iterable[TableChances], before: KnownTable | None = None) -> KnownTable:
    """What is known after these days."""
    known = before or KnownTable()
    for day in days:
        known = after_table_day(known, day)
    return known


def level(days: list[TableChances], today: int | None = None) -> str:
    return known_after(days).level(days[-1].day if today is None else today)


def test_a_table_without_a_chance_is_not_yet_seen() -> None:
    assert KnownTable().level(5) == "not yet seen"
    assert after_table_day(KnownTable(), TableChances(3)) == KnownTable()


@pytest.mark.parametrize("days", [[3], [1, 2], [1, 1, 1]])
def test_three_lucky_finds_are_no_level(days: list[int]) -> None:
    found = [TableChances(day, at_once=count) for day, count in enumerate(days)]
    assert level(found) == "learning"


def test_a_level_needs_several_days() -> None:
    assert level(all_found(1, 30)) == "learning"
    assert level(all_found(2, 30)) == "secure"
    assert level(all_found(3, 30)) == "fluent"


def test_a_level_is_given_when_the_lower_end_clears_its_bar() -> None:
    mixed = [TableChances(day, at_once=5, others=1) for day in range(12)]
    levels = []
    for number in range(1, 13):
        known = known_after(mixed[:number])
        levels.append(known.reached)
        assert (known.reached != "learning") == (known.interval.lower >= SECURE_FROM)
        assert known.share == pytest.approx(5 / 6)
    assert levels[0] == "learning"
    assert levels[-1] == "fluent"


def test_what_is_found_later_makes_secure_but_not_fluent() -> None:
    slow = [TableChances(day, at_once=1, later=2) for day in range(20)]
    assert level(slow) == "secure"
    assert known_after(slow).share == 1


def test_recent_days_count_more() -> None:
    bad = [TableChances(day, others=2) for day in range(5)]
    good = all_found(5, first=5)
    better = known_after([*bad, *good])
    worse = known_after([*all_found(5), *(TableChances(6 + day, others=2) for day in range(5))])
    assert better.share > 0.55 > 0.45 > worse.share
    assert known_after(all_found(2)).weight == pytest.approx(2 * KEEPS + 2)


def test_a_table_that_was_secure_and_is_missed_needs_refreshing() -> None:
    days = all_found(8)
    said = []
    for day in range(10, 24):
        days.append(TableChances(day, others=1))
        known = known_after(days)
        said.append(known.level(day))
        if known.interval.lower < SECURE_FROM:
            assert (said[-1] == "secure") == (known.share >= STAYS_FROM)
        fewer = max(known.share, known.late_share(day) or 0) < REFRESH_BELOW
        assert (said[-1] == "needs refreshing") == fewer
    assert list(dict.fromkeys(said)) == ["fluent", "secure", "learning", "needs refreshing"]


def test_what_was_refreshed_is_secure_again() -> None:
    missed = [TableChances(10 + day, others=3) for day in range(5)]
    again = [TableChances(20 + day, at_once=3) for day in range(25)]
    assert level([*all_found(5), *missed]) == "needs refreshing"
    assert level([*all_found(5), *missed, *again]) == "fluent"


def test_a_level_does_not_outlast_a_long_break() -> None:
    days = all_found(9)
    assert level(days, 9 + LEVEL_LASTS) == "fluent"
    assert level(days, 9 + LEVEL_LASTS + 1) == "learning"


def test_after_a_long_break_new_days_count_most() -> None:
    before = all_found(9, 4)
    assert level([*before, TableChances(9 + LEVEL_LASTS, others=2)]) == "fluent"
    assert level([*before, TableChances(9 + LEVEL_LASTS + 1, others=5)]) == "needs refreshing"
    assert level([*before, TableChances(9 + LEVEL_LASTS + 1, at_once=1)]) == "fluent"


def test_a_miss_after_a_long_break_makes_no_table_secure() -> None:
    back = 30 + LEVEL_LASTS + 109
    days = all_found(30)
    assert [level(days, today) for today in (30, 30 + LEVEL_LASTS + 1, back)] == [
        "fluent",
        "learning",
        "learning",
    ]
    days.append(TableChances(back, others=1))
    missed = known_after(days)
    assert missed.share > STAYS_FROM
    assert missed.level(back) == "learning"
    again = [*days, TableChances(back + 1, at_once=1)]
    assert known_after(again).interval.lower < SECURE_FROM
    assert level(again) == "learning"
    found = [*again, *(TableChances(back + 2 + day, at_once=2) for day in range(3))]
    assert level(found) == "fluent"
    lost = [*found, TableChances(back + 5, others=1)]
    assert known_after(lost).interval.lower < SECURE_FROM
    assert level(lost) == "secure"


def test_after_a_long_break_no_table_needs_refreshing() -> None:
    days = [*all_found(5), *(TableChances(10 + day, others=3) for day in range(5))]
    assert level(days, 14 + LEVEL_LASTS) == "needs refreshing"
    assert level(days, 14 + LEVEL_LASTS + 1) == "learning"
    assert level([*days, TableChances(14 + LEVEL_LASTS + 1, others=1)]) == "needs refreshing"


def test_a_fold_may_go_on_where_it_stopped() -> None:
    days = [TableChances(day, at_once=day % 3, later=1, others=day % 2) for day in range(12)]
    for number in range(12):
        assert known_after(days[number:], known_after(days[:number])) == known_after(days)


def test_no_level_contradicts_what_was_found_in_the_last_four_weeks() -> None:
    found, missed = all_found(9, 6), TableChances(60, at_once=1, others=2)
    assert level([*found, missed], 60) == "learning"
    assert level([*found, missed], 60 + LATELY - 1) == "learning"
    assert level([*found, missed], 60 + LATELY) == "fluent"
    assert level([*found, replace(missed, at_once=2, others=1)], 60) == "fluent"
    assert level([*found, replace(missed, at_once=0)], 60) == "fluent"
    lost = [TableChances(20 + day, others=5) for day in range(9)]
    again = TableChances(70, at_once=2, others=1)
    assert level([*found, *lost]) == "needs refreshing"
    assert level([*found, *lost, again], 70) == "learning"
    assert level([*found, *lost, again], 70 + LATELY) == "needs refreshing"
