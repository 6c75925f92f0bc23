"""The kinds of children: each is what its name says, and of each some ability is near the bars."""

from random import Random
from statistics import fmean

import pytest

from classrooms.demo.model_answers import ModelAnswers
from classrooms.demo.model_children import CHILD_KINDS, ChildKind, drawn, moved
from scripts.lab import evaluate_mastery
from scripts.lab.fact_evaluation import (
    ABLE,
    TRULY_SECURE,
    Answering,
    Statement,
    answering_kind,
    false_first_calls,
    false_secure,
)

KINDS = {kind.name: kind for kind in CHILD_KINDS}
FACT = (6, 8)


def test_there_are_twelve_kinds_and_each_is_unlike_the_others() -> None:
    assert len(KINDS) == len(set(CHILD_KINDS)) == 12


def test_ability_is_drawn_from_low_to_high_with_many_near_the_bars() -> None:
    children = [drawn("", Random(seed)) for seed in range(400)]
    chances = sorted(chance for child in children for chance in child.notices.values())
    for low, high in ((0.0, 0.3), (0.5, TRULY_SECURE), (TRULY_SECURE, 0.7), (ABLE, 1.0)):
        assert sum(low <= chance < high for chance in chances) > len(chances) / 25
    assert fmean(child.chance(2) for child in children) > fmean(one.chance(8) for one in children)


def test_to_move_a_chance_there_and_back_changes_nothing() -> None:
    assert moved(moved(0.3, 1.5), -1.5) == pytest.approx(0.3)
    assert moved(0.5, 0) == 0.5


@pytest.mark.parametrize(
    ("name", "grows"), [("improves in the middle", True), ("loses in the middle", False)]
)
def test_what_changes_in_the_middle_is_the_true_chance(name: str, grows: bool) -> None:
    kind = KINDS[name]
    assert kind.true_chance(0.6, 27) == 0.6
    assert (kind.true_chance(0.6, 28) > 0.6) is grows


def test_the_form_of_a_day_is_no_part_of_the_true_chance() -> None:
    kind = KINDS["good and bad days"]
    assert kind.true_chance(0.6, 3) == 0.6
    assert kind.chance_today(0.6, -1, 0) < 0.6 < kind.chance_today(0.6, 1, 0)


def test_who_tires_is_right_less_often_at_the_end_of_a_sitting() -> None:
    replies = ModelAnswers(drawn("", Random(1)), 1, None, ChildKind("", tires=0.1))
    rights = [[replies.answer(FACT, day).right for _ in range(8)] for day in range(200)]
    assert sum(one[0] for one in rights) > 2 * sum(one[-1] for one in rights)


def test_a_power_law_keeps_more_of_what_was_learned_long_ago() -> None:
    child = drawn("", Random(2))
    chances = []
    for memory in ("spacing", "power law"):
        replies = ModelAnswers(child, 1, memory, ChildKind("", memory))
        replies.answer(FACT, 0)
        chances.append(replies.chance(FACT, 20))
    assert chances[0] < chances[1]


def test_who_plays_once_a_month_answers_on_thirteen_days_of_a_year() -> None:
    done = answering_kind(KINDS["plays once a month"], 1)
    assert len({one.day for one in done.answers}) == 13


def test_first_calls_count_each_fact_once() -> None:
    said = [
        Statement(fact, day, "secure", 0.5 if day < 2 else 0.9, 3, None)
        for fact in ((2, 2), (2, 3))
        for day in (1, 2, 3, 4)
    ]
    child = Answering("", None, (), statements=said)
    assert false_secure([child]).value == 0.25
    assert (false_first_calls([child]).of, false_first_calls([child]).value) == (2, 1.0)


def test_the_command_prints_the_first_calls_of_each_kind(
    capsys: pytest.CaptureFixture[str],
) -> None:
    evaluate_mastery.main(["--kinds", "1", "--weeks", "1"])
    assert capsys.readouterr().out.count("among first calls") == 2 * 12
