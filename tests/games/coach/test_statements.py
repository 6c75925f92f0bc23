"""Statements about children: levels of times tables, comparisons in a class, unusual play."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import comb, exp
from random import Random

import pytest
import scipy

from games.coach.mastery import DAILY_DISCOUNT
from games.coach.statements.certainty import (
    FALSE_CHANGES,
    FALSE_COMPARISONS,
    STUCK_CHANCES,
    interval,
    tails_of_share,
    which_are_below,
    which_are_stuck,
    which_may_be_made,
)
from games.coach.statements.contrasts import (
    EMPTY_SHARE,
    Contrast,
    Share,
    contrast,
    hard_kinds,
    strata_among_children,
    strata_over_time,
    sum_of_shares,
    which_stand_out,
)
from games.coach.statements.odd_play import Oddity, RecentPlay, is_near, oddities
from games.coach.statements.table_levels import (
    LONG_BREAK,
    RECENT_DAYS,
    REFRESH_BELOW,
    SECURE_FROM,
    STAYS_SECURE_FROM,
    KnownTable,
    TableChances,
    Z,
    known_table_after,
)
from tests.counts import for_each, times


def all_found(days: int, chances: int = 2, first: int = 1) -> list[TableChances]:
    """Days on which every chance was found at once."""
    return [TableChances(first + number, at_once=chances) for number in range(days)]


def known_after(days: Iterable[TableChances], before: KnownTable | None = None) -> KnownTable:
    level = before or KnownTable()
    for day in days:
        level = known_table_after(level, day)
    return level


def level(days: list[TableChances], today: int | None = None) -> str:
    return known_after(days).level(days[-1].day if today is None else today)


def test_a_table_without_a_chance_is_not_yet_seen() -> None:
    assert KnownTable().level(5) == "not yet seen"
    assert known_table_after(KnownTable(), TableChances(3)) == KnownTable()


@pytest.mark.parametrize("days", [[3], [1, 2], [1, 1, 1]])
def test_three_lucky_finds_give_no_level(days: list[int]) -> None:
    finds = [TableChances(day, at_once=count) for day, count in enumerate(days)]
    assert level(finds) == "learning"


def test_a_level_needs_several_days() -> None:
    assert level(all_found(1, 30)) == "learning"
    assert level(all_found(2, 30)) == "secure"
    assert level(all_found(3, 30)) == "fluent"


def test_a_level_needs_twelve_rows() -> None:
    eleven = [*all_found(3, 3), *all_found(1, 2, first=4)]
    assert level(eleven) == "learning"
    assert level([*eleven, *all_found(1, 1, first=5)]) == "fluent"


def test_a_level_is_given_when_the_lower_end_clears_its_bar() -> None:
    mixed = [TableChances(day, at_once=5, others=1) for day in range(12)]
    levels = []
    for number in range(1, 13):
        level = known_after(mixed[:number])
        levels.append(level.reached)
        assert (level.reached != "learning") == (level.interval.lower >= SECURE_FROM)
        assert level.share == pytest.approx(5 / 6)
    assert levels[0] == "learning"
    assert levels[-1] == "fluent"


def test_late_finds_make_a_table_secure_but_not_fluent() -> None:
    slow = [TableChances(day, at_once=1, later=2) for day in range(20)]
    assert level(slow) == "secure"
    assert known_after(slow).share == 1


def test_recent_days_count_most() -> None:
    bad = [TableChances(day, others=2) for day in range(5)]
    good = all_found(5, first=5)
    better = known_after([*bad, *good])
    worse = known_after([*all_found(5), *(TableChances(6 + day, others=2) for day in range(5))])
    assert better.share > 0.55 > 0.45 > worse.share
    assert known_after(all_found(2)).weight == pytest.approx(2 * DAILY_DISCOUNT + 2)


def test_a_secure_table_needs_refreshing_after_misses() -> None:
    days = all_found(8)
    levels = []
    for day in range(10, 24):
        days.append(TableChances(day, others=1))
        level = known_after(days)
        levels.append(level.level(day))
        if level.interval.lower < SECURE_FROM:
            assert (levels[-1] == "secure") == (level.share >= STAYS_SECURE_FROM)
        fewer = max(level.share, level.recent_share(day) or 0) < REFRESH_BELOW
        assert (levels[-1] == "needs refreshing") == fewer
    assert list(dict.fromkeys(levels)) == ["fluent", "learning", "needs refreshing"]


def test_a_refreshed_table_is_secure_again() -> None:
    missed = [TableChances(10 + day, others=3) for day in range(5)]
    again = [TableChances(20 + day, at_once=3) for day in range(25)]
    assert level([*all_found(6), *missed]) == "needs refreshing"
    assert level([*all_found(6), *missed, *again]) == "fluent"


def test_a_level_needs_three_rows_in_four_weeks() -> None:
    days = all_found(9)
    assert level([*days, TableChances(40, at_once=3)], 40 + RECENT_DAYS - 1) == "fluent"
    assert level([*days, TableChances(40, at_once=3)], 40 + RECENT_DAYS) == "learning"
    assert level([*days, TableChances(40, at_once=2)], 40) == "learning"
    missed = [TableChances(20 + day, others=3) for day in range(9)]
    assert level([*days, *missed], 28 + RECENT_DAYS - 1) == "needs refreshing"
    assert level([*days, *missed], 28 + RECENT_DAYS) == "learning"


def test_after_a_long_break_new_days_count_most() -> None:
    before = all_found(9, 4)
    two_of_three = TableChances(9 + LONG_BREAK, at_once=2, others=1)
    assert level([*before, two_of_three]) == "fluent"
    assert level([*before, replace(two_of_three, day=9 + LONG_BREAK + 1)]) == "learning"
    assert level([*before, TableChances(9 + LONG_BREAK + 1, others=5)]) == "needs refreshing"
    assert level([*before, TableChances(9 + LONG_BREAK + 1, at_once=3)]) == "fluent"


def test_a_miss_after_a_long_break_makes_no_table_secure() -> None:
    back = 30 + LONG_BREAK + 109
    days = all_found(30)
    assert [level(days, today) for today in (30, back)] == ["fluent", "learning"]
    days.append(TableChances(back, at_once=1, others=1))
    missed = known_after(days)
    assert missed.share > STAYS_SECURE_FROM
    assert missed.level(back) == "learning"
    again = [*days, TableChances(back + 1, at_once=1)]
    assert known_after(again).interval.lower < SECURE_FROM
    assert level(again) == "learning"
    finds = [*again, *(TableChances(back + 2 + day, at_once=2) for day in range(4))]
    assert level(finds) == "fluent"
    lost = [*finds, TableChances(back + 6, others=1)]
    assert known_after(lost).interval.lower < SECURE_FROM
    assert level(lost) == "secure"


def test_folding_can_continue_where_it_stopped() -> None:
    days = [TableChances(day, at_once=day % 3, later=1, others=day % 2) for day in range(12)]
    for number in range(12):
        assert known_after(days[number:], known_after(days[:number])) == known_after(days)


def test_no_level_contradicts_the_finds_of_four_weeks() -> None:
    finds, missed = all_found(9, 6), TableChances(60, at_once=1, others=2)
    assert level([*finds, missed], 60) == "learning"
    assert level([*finds, missed], 60 + RECENT_DAYS - 1) == "learning"
    assert level([*finds, replace(missed, at_once=2, others=1)], 60) == "fluent"
    lost = [TableChances(20 + day, others=5) for day in range(9)]
    again = TableChances(70, at_once=2, others=1)
    assert level([*finds, *lost]) == "needs refreshing"
    assert level([*finds, *lost, again], 70) == "learning"


# Comparisons in a class


CHILDREN = 24


@pytest.mark.parametrize(
    ("count", "chances", "share", "spread"),
    [
        (3, 40, 0.6, 1.3),
        (24, 40, 0.6, 1.3),
        (5, 5, 0.9, 1.1),
        (0, 5, 0.9, 2),
        (900, 4000, 0.3, 1.3),
    ],
)
def test_the_tails_of_a_share_are_beta_binomial(
    count: int, chances: int, share: float, spread: float
) -> None:
    alike = (spread - 1) / (chances - 1)
    law = scipy.stats.betabinom(chances, share * (1 / alike - 1), (1 - share) * (1 / alike - 1))
    half = law.pmf(count) / 2
    few, many = tails_of_share(count, chances, share, spread)
    assert few == pytest.approx(law.cdf(count) - half, rel=1e-6, abs=1e-12)
    assert many == pytest.approx(law.sf(count) + half, rel=1e-6, abs=1e-12)


def test_a_share_varies_by_spread_times_independent_chances() -> None:
    chances, share, spread = 30, 0.7, 1.3
    probabilities: list[float] = []
    for count in range(chances + 1):
        few, _many = tails_of_share(count, chances, share, spread)
        probabilities.append(2 * (few - sum(probabilities)))
    mean = sum(count * probability for count, probability in enumerate(probabilities))
    variance = sum(
        (count - mean) ** 2 * probability for count, probability in enumerate(probabilities)
    )
    assert sum(probabilities) == pytest.approx(1)
    assert mean == pytest.approx(share * chances)
    assert variance == pytest.approx(spread * chances * share * (1 - share))


def test_false_statements_are_limited_by_benjamini_and_hochberg() -> None:
    assert which_may_be_made([0.011, 0.02, 0.9, 0.03], 0.05) == [True, True, False, True]
    assert which_may_be_made([0.02, 0.9, 0.9, 0.9], 0.05) == [False] * 4
    assert which_may_be_made([0.04], 0.05) == [True]
    assert which_may_be_made([], 0.05) == []


def changes_between(
    before: Sequence[dict[int, Share]], after: Sequence[dict[int, Share]]
) -> list[Contrast | None]:
    changes = [strata_over_time(strata, other) for strata, other in zip(before, after, strict=True)]
    return which_stand_out([contrast(change.values()) for change in changes], FALSE_CHANGES)


def who_finds_fewer(children: Sequence[dict[int, Share]]) -> list[bool]:
    """Which of these children find fewer rows than the others."""
    contrasts = [contrast(own.values()) for own in strata_among_children(children)]
    out = which_stand_out(contrasts, FALSE_COMPARISONS)
    return [comparison is not None and comparison.difference < 0 for comparison in out]


def test_a_fall_from_every_row_to_fewer_than_half_is_a_change() -> None:
    steady = [{5: Share(8, 14)}] * 11
    *same, fallen = changes_between([*steady, {5: Share(14, 14)}], [*steady, {5: Share(18, 47)}])
    assert (fallen.share, fallen.other) == ((18, 47), (14, 14))
    assert fallen.difference < 0
    assert fallen.usual == 47
    assert set(same) == {None}


def test_only_a_child_who_finds_far_fewer_rows_is_named() -> None:
    assert who_finds_fewer([{7: Share(30, 40)}] * (CHILDREN - 1) + [{7: Share(10, 40)}]) == [
        *[False] * (CHILDREN - 1),
        True,
    ]
    assert (
        who_finds_fewer([{7: Share(10, 40)}] * (CHILDREN - 1) + [{7: Share(40, 40)}])
        == [False] * CHILDREN
    )


def test_children_are_compared_within_the_same_games_only() -> None:
    easy_and_hard = [{2: Share(18, 20), 7: Share(4, 10)}] * 10
    assert who_finds_fewer([*easy_and_hard, {7: Share(16, 40)}]) == [False] * 11
    assert strata_among_children([{7: Share(2, 9)}, {8: Share(2, 9)}])[0][7].other == (0, 0)


def test_a_table_stands_out_only_if_few_find_fewer() -> None:
    plain = {2: Share(20, 30), 5: Share(21, 30), 10: Share(20, 30)}
    hard = plain | {10: Share(4, 20)}
    kinds = hard_kinds([(child, hard) for child in range(12)])
    assert list(kinds) == [10]
    assert (kinds[10].share, kinds[10].other) == ((48, 240), (12 * 41, 12 * 60))
    worst = plain | {10: Share(0, 60)}
    assert not hard_kinds([*((child, plain) for child in range(11)), (11, worst)])
    assert not hard_kinds([(child, worst) for child in range(2)])


@pytest.mark.parametrize("form", [0.0, 0.8])
def test_a_class_of_equals_rarely_has_a_statement(form: float) -> None:
    """The children have good and bad days, whose strength varies by `form` in logits."""
    random = Random(1)
    classes, false = times(60, 1000), 0
    for _ in range(classes):
        periods = [
            [counts_of_days(random, form) for _ in range(CHILDREN)] for _period in ("before", "now")
        ]
        false += any(changes_between(*periods)) or any(who_finds_fewer(periods[1]))
    assert false <= times(3, 25)


def counts_of_days(random: Random, form: float) -> dict[int, Share]:
    """The rows that a child finds on some days, of four tables that differ in difficulty."""
    sums = dict.fromkeys(range(4), EMPTY_SHARE)
    for _ in range(random.randint(5, 9)):
        today = random.gauss(0, form)
        for _ in range(random.randint(2, 8)):
            table = random.randrange(4)
            chance = 1 / (1 + exp(1.5 - table - today))
            sums[table] = sum_of_shares((sums[table], Share(int(random.random() < chance), 1)))
    return sums


def test_stuck_takes_many_chances_and_few_finds() -> None:
    assert which_are_stuck([(4, 30)] + [(20, 30)] * 40) == [True] + [False] * 40
    assert which_are_stuck([(0, STUCK_CHANCES - 1), (1, STUCK_CHANCES)]) == [False, True]
    assert which_are_stuck([(13, 30)]) == [False]
    assert which_are_stuck([]) == []


def test_below_a_bar_needs_more_than_bad_luck() -> None:
    assert which_are_below([(1, 8), (6, 8), (5, 8)], 0.75, 0.05) == [True, False, False]
    assert which_are_below([(0, 1), (0, 0)], 0.75, 0.05) == [False, False]


TENTH = 0.1


def below_lower(chance: float, of: int) -> float:
    """The probability that the lower end lies above the true chance."""
    return sum(
        comb(of, came) * chance**came * (1 - chance) ** (of - came)
        for came in range(of + 1)
        if interval(came, of, Z).lower > chance
    )


@pytest.mark.parametrize("of", [5, 12, 20, 60])
def test_the_lower_end_is_seldom_above_the_true_chance(of: int) -> None:
    wrong = [below_lower(tenths / 20, of) for tenths in range(8, 20)]
    assert sum(wrong) / len(wrong) < 1.5 * TENTH
    assert max(wrong) < 2.5 * TENTH


def test_counts_may_be_weighted() -> None:
    whole, weighted = interval(4, 5, Z), interval(4.5, 5.5, Z)
    assert whole.lower < weighted.lower < interval(5, 6, Z).lower


# Unusual play


ORDINARY = RecentPlay(
    turns=100,
    refused=15,
    laid=20,
    hint_turns=12,
    answers=60,
    right=45,
    near=12,
    tables=((2, 20), (5, 8), (10, 3)),
    days_away=3,
    class_days=1,
)


def kinds(lately: RecentPlay) -> list[str]:
    return [oddity.kind for oddity in oddities(lately)]


def test_an_ordinary_child_is_not_odd() -> None:
    assert oddities(ORDINARY) == []
    assert oddities(RecentPlay()) == []


def test_many_tries_without_a_row_are_random_taps() -> None:
    tapping = replace(ORDINARY, refused=300, laid=10)
    assert oddities(tapping) == [Oddity("tries without a row", 300, 310)]


def test_a_hint_in_nearly_every_turn_is_reported() -> None:
    assert oddities(replace(ORDINARY, hint_turns=95)) == [Oddity("always asks for a hint", 95, 100)]
    assert kinds(replace(ORDINARY, hint_turns=76)) == []
    assert kinds(replace(ORDINARY, turns=5, hint_turns=5)) == []


def test_wrong_and_scattered_answers_are_random() -> None:
    assert oddities(replace(ORDINARY, right=2, near=10)) == [Oddity("answers far off", 58, 60)]


def test_few_answers_are_not_judged() -> None:
    assert kinds(replace(ORDINARY, answers=8, right=0, near=0)) == []
    assert kinds(replace(ORDINARY, right=14, near=5)) == []


def test_only_a_child_who_is_absent_while_the_class_plays_is_away() -> None:
    assert oddities(replace(ORDINARY, days_away=20, class_days=5)) == [
        Oddity("away for weeks", 20, 20)
    ]
    assert kinds(replace(ORDINARY, days_away=20, class_days=0)) == []
    assert kinds(replace(ORDINARY, days_away=10, class_days=5)) == []
    assert kinds(replace(ORDINARY, days_away=None, class_days=5)) == []


def test_the_only_table_with_chances_is_named() -> None:
    assert oddities(replace(ORDINARY, tables=((7, 31),))) == [
        Oddity("only one table", 31, 31, table=7)
    ]
    assert kinds(replace(ORDINARY, tables=((2, 0), (7, 31)))) == []
    assert kinds(replace(ORDINARY, tables=((7, 5),))) == []


@for_each([54, 42, 56, 40, 84, 47, 49, 50, 38, 58, 6, 96])
def test_near_answers_come_from_a_child_who_calculates(answer: int) -> None:
    assert is_near((6, 8), answer)
