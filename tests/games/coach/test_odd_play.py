"""Unusual play, by counts of the last weeks."""

from dataclasses import replace

from games.coach.statements.odd_play import Oddity, RecentPlay, is_near, oddities
from tests.counts import for_each

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
    return [one.kind for one in oddities(lately)]


def test_an_ordinary_child_is_not_odd() -> None:
    assert oddities(ORDINARY) == []
    assert oddities(RecentPlay()) == []


def test_many_tries_without_a_row_are_taps_at_random() -> None:
    tapping = replace(ORDINARY, refused=300, laid=10)
    assert oddities(tapping) == [Oddity("tries without a row", 300, 310)]


def test_a_hint_in_nearly_every_turn_is_always() -> None:
    assert oddities(replace(ORDINARY, hint_turns=95)) == [Oddity("always asks for a hint", 95, 100)]
    assert kinds(replace(ORDINARY, hint_turns=76)) == []
    assert kinds(replace(ORDINARY, turns=5, hint_turns=5)) == []


def test_wrong_and_scattered_answers_are_random() -> None:
    assert oddities(replace(ORDINARY, right=2, near=10)) == [Oddity("answers far off", 58, 60)]


def test_few_answers_are_not_judged() -> None:
    assert kinds(replace(ORDINARY, answers=8, right=0, near=0)) == []
    assert kinds(replace(ORDINARY, right=14, near=5)) == []


def test_away_is_only_who_stays_away_while_the_class_plays() -> None:
    assert oddities(replace(ORDINARY, days_away=20, class_days=5)) == [
        Oddity("away for weeks", 20, 20)
    ]
    assert kinds(replace(ORDINARY, days_away=20, class_days=0)) == []
    assert kinds(replace(ORDINARY, days_away=10, class_days=5)) == []
    assert kinds(replace(ORDINARY, days_away=None, class_days=5)) == []


def test_one_table_is_named_with_its_chances() -> None:
    assert oddities(replace(ORDINARY, tables=((7, 31),))) == [
        Oddity("only one table", 31, 31, table=7)
    ]
    assert kinds(replace(ORDINARY, tables=((2, 0), (7, 31)))) == []
    assert kinds(replace(ORDINARY, tables=((7, 5),))) == []


@for_each([54, 42, 56, 40, 84, 47, 49, 50, 38, 58, 6, 96])
def test_near_is_what_somebody_answers_who_works_at_it(answer: int) -> None:
    assert is_near((6, 8), answer)
