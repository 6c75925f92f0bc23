"""Model children's rounds, players who do not try, tournaments, and learning the outlook."""

from dataclasses import replace
from math import exp
from random import Random

import pytest

from classrooms.demo.model_children import (
    MIDDLE,
    MODEL_CHILDREN,
    MemoryKind,
    ModelAnswers,
    ModelChild,
)
from games.bots.outlook import PACES, WEIGHTS, RowPace
from games.coach.rating import START_RATING
from games.coach.rows import all_rows
from games.coach.statements.odd_play import Oddity, oddities
from games.engine.cards import mask_of, shuffled
from games.engine.ruleset import edition
from scripts.lab import simulate_class, tournament
from scripts.lab.fact_evaluation import MEMORY_KINDS, PLANS, Plan, school_days
from scripts.lab.learn_outlook import GROUPS, TrainingExample, fit_weights, training_rounds
from scripts.lab.learn_outlook import play_turns as played_examples
from scripts.lab.simulate_class import CHILD, Setup, career, deal_round, summary
from scripts.lab.table_evaluation import ChooserFor, ModelChildWeeks, add_statements, weeks_of_play
from scripts.lab.tournament import Tally, elo
from tests.counts import times
from tests.scripts.lab.odd_players import (
    AnswersGiven,
    HintTaker,
    RandomTapper,
    recent_play,
    weeks_of_answers,
)

RULESET = edition("simplified", tables=(2, 5, 10), offers=False, rounds=1)
KIND = Setup("middle", RULESET, bots=1)


def test_a_kind_deal_gives_the_child_more_rows_than_plain_luck() -> None:
    kind = [deal_round(RULESET, 2, seed, START_RATING).hands[CHILD] for seed in range(30)]
    plain = [mask_of(shuffled(RULESET.cards, seed)[: RULESET.hand_of_two]) for seed in range(30)]

    def rows(hands: list[int]) -> int:
        return sum(not row & ~hand for hand in hands for row in all_rows(RULESET))

    assert rows(kind) > 2 * rows(plain)


@pytest.mark.proof
def test_refilled_hands_and_a_market_give_more_rows() -> None:
    more = edition(
        "simplified", tables=(2, 5, 10), offers=False, rounds=1, market=3, refill=True, piles=2
    )
    now, then = summary(career(replace(KIND, ruleset=more), 7)), summary(career(KIND, 7))
    assert now.possible > then.possible
    assert now.empty < then.empty


COUNTS = 4


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate_class, "SETTLING_ROUNDS", 1)
    monkeypatch.setattr(simulate_class, "COUNTED_ROUNDS", COUNTS)


# Players who do not try


ODD = 100
WEEKS = 2
ORDINARY_WEEKS = 12
NOTHING_GOOD = {"not yet seen", "learning"}


def odd_weeks(chooser: ChooserFor, seed: int) -> ModelChildWeeks:
    plan: Plan = PLANS[seed % 3]
    days = weeks_of_play(
        MIDDLE, None, plan, seed, school_days(WEEKS), rounds=1, hint_steps=6, chooser=chooser
    )
    return add_statements(ModelChildWeeks("odd", None, plan), days, -1)


@pytest.mark.proof
@pytest.mark.parametrize(
    ("chooser", "kind"),
    [(RandomTapper, "tries without a row"), (HintTaker, "always asks for a hint")],
)
def test_a_child_who_does_not_try_is_reported_and_never_secure(
    chooser: ChooserFor, kind: str
) -> None:
    for seed in range(ODD):
        child = odd_weeks(chooser, seed)
        assert {statement.level for statement in child.statements} <= NOTHING_GOOD
        reported = oddities(recent_play(child.days, AnswersGiven(), 7 * WEEKS))
        assert kind in [oddity.kind for oddity in reported]
        assert all(0.75 * oddity.total < oddity.count <= oddity.total for oddity in reported)


def test_a_child_who_answers_at_random_is_reported_and_never_secure() -> None:
    for seed in range(times(20, 100)):
        answers = weeks_of_answers(PLANS[seed % 3][0], None, seed, WEEKS)
        assert answers.levels <= NOTHING_GOOD
        (reported,) = oddities(recent_play([], answers, 7 * WEEKS))
        assert reported.kind == "answers far off"


def ordinary(child: ModelChild, memory: MemoryKind, plan: Plan, seed: int) -> list[Oddity]:
    """The oddities reported of a model child at the end of each week."""
    days = list(weeks_of_play(child, memory, plan, seed, school_days(ORDINARY_WEEKS)))
    tables = {table for tables in plan for table in tables}
    answers = weeks_of_answers(tables, ModelAnswers(child, seed, memory), seed, ORDINARY_WEEKS)
    ends = range(7, 7 * ORDINARY_WEEKS + 1, 7)
    return [oddity for day in ends for oddity in oddities(recent_play(days, answers, day))]


@pytest.mark.proof
def test_few_ordinary_children_are_reported() -> None:
    reports = [
        ordinary(child, memory, plan, seed)
        for seed in range(1, 6)
        for child in MODEL_CHILDREN.values()
        for memory in MEMORY_KINDS
        for plan in PLANS[:4]
    ]
    assert sum(map(bool, reports)) <= 0.05 * len(reports)


# Tournaments


PAIR = ("beginner", "steady")


def test_the_interval_is_wilsons() -> None:
    low, high = Tally(1000, 600).interval
    assert (round(low, 4), round(high, 4)) == (0.5693, 0.6299)
    assert Tally(10, 10).interval[1] == pytest.approx(1)


def test_odds_of_ten_to_one_are_400_points_of_elo() -> None:
    ratings = elo(PAIR, {PAIR: Tally(110_000, 10_000)})
    assert ratings["beginner"] == 1000
    assert ratings["steady"] == pytest.approx(1400, abs=0.1)


SHORT = ("--levels", "beginner,steady", "--tables", "2,5,10", "--rounds", "16")


def test_a_tournament_is_the_same_in_any_number_of_processes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def printed(*options: str) -> str:
        tournament.main([*SHORT, *options])
        return capsys.readouterr().out

    assert printed("--processes", "1") == printed("--processes", "2")
    assert printed("--seed", "1") != printed("--seed", "2")


# Learning the weights of the outlook


def test_the_weights_by_which_rounds_were_won_are_found_again() -> None:
    random = Random(1)
    truth = {"any": -0.5, "good": 2.0, "bad": -1.0}
    examples = []
    for _ in range(4000):
        notes = [("any", 1.0), ("good", random.random()), ("bad", random.random())]
        odds = sum(truth[name] * much for name, much in notes)
        examples.append(TrainingExample(notes, float(random.random() < 1 / (1 + exp(-odds)))))
    weights_found = fit_weights(examples)
    for name, weight in truth.items():
        assert weights_found[name] == pytest.approx(weight, abs=0.4)


@pytest.mark.proof
@pytest.mark.parametrize("pace", PACES)
def test_every_note_in_its_group_has_a_weight(pace: RowPace) -> None:
    for lesson in training_rounds(GROUPS[pace], 100, "noted"):
        examples = played_examples(lesson, WEIGHTS[pace])
        for name in {name for example in examples for name, _ in example.notes}:
            assert name in WEIGHTS[pace]
