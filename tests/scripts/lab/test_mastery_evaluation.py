"""`python -m scripts.lab.evaluate_mastery`, and the measures that it prints."""

from math import log

import numpy as np
import pytest

from classrooms.demo.model_answers import MEMORY_KINDS
from classrooms.demo.model_children import MODEL_CHILDREN
from games.coach.mastery import FACTS, ROWS, Parameters
from scripts.lab import evaluate_mastery
from scripts.lab.fact_evaluation import HALFWAY, PLANS, AnsweringChild, Schedule, answering
from scripts.lab.mastery_evaluation import (
    Career,
    Forecast,
    Record,
    Try,
    by_last_three,
    by_mastery,
    by_overall_share,
    by_true_ability,
    career,
    forecast,
    seed_of,
)
from scripts.lab.regression import Floats, logistic_weights
from scripts.lab.table_evaluation import TABLE_MEMORIES, ModelChildWeeks, playing
from tests.counts import times

WEEKS = times(4, 8)


@pytest.fixture(scope="module")
def played() -> list[Career]:
    return [
        career(child, WEEKS, seed_of(7, name, number))
        for name, child in MODEL_CHILDREN.items()
        for number in range(times(2, 3))
    ]


def records(played: list[Career], kind: Parameters) -> list[Record]:
    return [one.rows if kind is ROWS else one.facts for one in played]


@pytest.mark.proof
@pytest.mark.parametrize("kind", [ROWS, FACTS], ids=["rows", "facts"])
def test_mastery_predicts_better_than_two_plain_baselines(
    played: list[Career], kind: Parameters
) -> None:
    since = 7 * WEEKS // 2
    predicted = forecast(records(played, kind), by_mastery(kind), since)
    for baseline in (by_overall_share, by_last_three):
        plain = forecast(records(played, kind), baseline, since)
        assert plain.came == predicted.came
        assert predicted.log_loss < plain.log_loss
    assert predicted.auc > forecast(records(played, kind), by_last_three, since).auc


def test_predictions_for_a_day_come_from_the_days_before() -> None:
    record = Record()
    for day in range(3):
        record.add(day, [Try((7, 8), right=False), Try((7, 8), right=True)])
    for by in (by_mastery(FACTS), by_overall_share, by_last_three):
        chances = [chance for _, chance, _ in by(record)]
        assert chances[0::2] == chances[1::2]


@pytest.mark.proof
def test_nobody_predicts_answers_better_than_the_true_chance(played: list[Career]) -> None:
    predicted = forecast(records(played, FACTS), by_mastery(FACTS), 0)
    true = forecast(records(played, FACTS), by_true_ability, 0)
    assert predicted.auc < true.auc
    assert predicted.log_loss > true.log_loss


def test_auc_is_the_chance_that_a_success_had_a_higher_chance() -> None:
    assert Forecast([0.9, 0.8, 0.2], [True, True, False]).auc == 1
    assert Forecast([0.1, 0.8, 0.2], [True, False, False]).auc == 0
    assert Forecast([0.5, 0.5, 0.5], [True, False, False]).auc == 0.5
    assert Forecast([0.5, 0.5, 0.2], [True, False, True]).auc == 0.25


def test_calibration_is_how_far_predictions_are_from_what_came() -> None:
    right = [True] * 8 + [False] * 2
    assert Forecast([0.8] * 10, right).calibration_error == pytest.approx(0)
    assert Forecast([0.5] * 10, right).calibration_error == pytest.approx(0.3)
    assert Forecast([0.15, 1.0], [False, False]).calibration_error == pytest.approx(0.575)


def test_the_log_loss_of_a_prediction_that_was_sure_and_wrong_has_a_bound() -> None:
    assert Forecast([0.8, 0.6], [True, False]).log_loss == pytest.approx(-log(0.8 * 0.4) / 2)
    assert Forecast([1.0], [False]).log_loss == pytest.approx(-log(1e-4))


def few_answer(seed: int, schedule: Schedule, sets: int = 2) -> list[AnsweringChild]:
    return [
        answering(child, memory, schedule, PLANS[0], seed, weeks=HALFWAY, sets=sets)
        for child in MODEL_CHILDREN.values()
        for memory in MEMORY_KINDS
    ]


@pytest.mark.proof
def test_the_command_prints_a_line_for_each(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def two_play(seed: int, weeks: int, rounds: int) -> list[ModelChildWeeks]:
        child, plan = MODEL_CHILDREN["strong"], PLANS[0]
        return [
            playing(child, memory, plan, seed, weeks=weeks, rounds=rounds)
            for memory in TABLE_MEMORIES[:2]
        ]

    monkeypatch.setattr(evaluate_mastery, "everyone_playing", two_play)
    monkeypatch.setattr(evaluate_mastery, "everyone", few_answer)
    monkeypatch.setattr(evaluate_mastery, "HALFWAY", HALFWAY // 2)
    evaluate_mastery.main(["--children", "1", "--weeks", "2", "--seeds", "1"])
    lines = [
        line.split("  ")[0] or line.split("  ")[1] for line in capsys.readouterr().out.splitlines()
    ]
    assert lines.count("mastery") == lines.count("its true chance") == 3
    assert lines.count("overall share right") == 2
    assert lines.count("last three") == 2
    assert lines.count("called secure, but false") == 4
    for said in ("table called secure, but false", "needs refreshing, next row found"):
        assert lines.count(said) == 2 * len(TABLE_MEMORIES)
    assert any(line.endswith("and more") for line in lines)
    for schedule in ("due first", "random"):
        assert sum(line.startswith(schedule) for line in lines) == 4


def weights(rows: list[list[float]], tries: list[float], won: list[float], cost: float) -> Floats:
    given = np.array(rows)
    penalty = np.full(given.shape[1], cost)
    return logistic_weights(given, np.array(tries), np.array(won), penalty)


def test_a_weight_is_the_log_odds_of_what_was_won() -> None:
    assert weights([[1]], [10], [7], 0).tolist() == pytest.approx([log(7 / 3)])


def test_each_column_has_its_own_weight() -> None:
    found = weights([[1, 0], [1, 1]], [10, 10], [2, 9], 0)
    assert found.tolist() == pytest.approx([log(2 / 8), log(9 / 1) - log(2 / 8)])


def test_a_penalty_keeps_a_weight_small() -> None:
    assert 0 < weights([[1]], [10], [7], 1)[0] < log(7 / 3)
    assert 1 < weights([[1]], [10], [10], 1)[0] < 2
