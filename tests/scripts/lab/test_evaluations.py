"""Evaluations of statements about model children (facts, tables, classes), and the measures that
are printed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from random import Random
from statistics import mean

import pytest

from classrooms.demo.model_children import MODEL_CHILDREN, STRONG, WEAK, MemoryKind
from games.coach.mastery import FACT_PARAMETERS, ROW_PARAMETERS, Parameters
from games.coach.questions.recall import WEIGHTS
from games.coach.statements.certainty import TABLE_SPREAD
from games.coach.statements.contrasts import VARIANCE_FACTOR
from games.coach.statements.table_levels import TableChances
from scripts.lab.fact_evaluation import (
    HALFWAY,
    MEMORY_KINDS,
    PLANS,
    AnsweringChild,
    Statement,
    answer_for_weeks,
    everyone,
    false_secure,
    is_secure,
    late_recall,
    school_days,
    share,
    share_reached,
    success,
)
from scripts.lab.mastery_evaluation import (
    SETS_OF_TABLES,
    WEAK_CHILDREN,
    Career,
    ClassStatements,
    Record,
    RoundCounts,
    Try,
    by_last_three,
    by_mastery,
    by_overall_share,
    by_true_ability,
    career,
    class_with_weak_children,
    equal_children,
    fit_weights,
    forecast,
    predictions_of,
    seed_of,
    shares_found,
    simulated_rounds,
    spread_in_a_table,
    spread_of_finds,
    statements_about,
)
from scripts.lab.table_evaluation import (
    TABLE_MEMORIES,
    ModelChildWeeks,
    TableStatement,
    add_statements,
    by_share_found,
    everyone_playing,
    false_first_table_calls,
    false_fluent_tables,
    false_secure_tables,
    found_after_break,
    found_by_true_chance,
    play_for_weeks,
    reached_tables,
    refreshing_found,
    unable_after_break,
    unable_called_secure,
    weeks_of_play,
)
from tests.counts import PROOF, times

SEEDS = range(1, 6)


@pytest.fixture(scope="module")
def children_asked() -> list[AnsweringChild]:
    return [child for seed in SEEDS for child in everyone(seed, "due first")]


@pytest.mark.proof
@pytest.mark.parametrize("memory", MEMORY_KINDS)
def test_the_statements_about_facts_are_true(
    children_asked: list[AnsweringChild], memory: MemoryKind
) -> None:
    own = [child for child in children_asked if child.memory == memory]
    share = false_secure(own)
    assert share.of > 5000
    assert share.value is not None
    assert share.value < 0.05
    able = share_reached(own)
    assert able.of > 200
    assert able.value is not None
    # The aim of .80 is missed by .14, so that fewer statements are false.
    assert able.value >= 0.62


@pytest.mark.proof
@pytest.mark.parametrize("memory", MEMORY_KINDS)
def test_weak_children_are_right_in_most_answers(
    children_asked: list[AnsweringChild], memory: MemoryKind
) -> None:
    weak = [child for child in children_asked if (child.name, child.memory) == (WEAK.name, memory)]
    for plan in PLANS:
        right = success(child for child in weak if child.plan == plan).value
        assert right is not None
        assert right >= 0.7


@pytest.mark.proof
def test_retention_is_better_than_with_random_questions(
    children_asked: list[AnsweringChild],
) -> None:
    others = [child for seed in SEEDS for child in everyone(seed, "random")]
    assert late_recall(children_asked) > late_recall(others) + 0.01


@pytest.mark.proof
def test_able_children_have_met_all_of_their_facts(children_asked: list[AnsweringChild]) -> None:
    strong = [child for child in children_asked if child.name == STRONG.name]
    assert mean(child.coverage[-1] for child in strong) > 0.95
    assert all(child.coverage == sorted(child.coverage) for child in strong if len(child.plan) == 1)


@pytest.mark.proof
def test_eight_of_ten_able_untimed_children_become_secure() -> None:
    secure, children = 0, 100
    for seed in range(children):
        child = answer_for_weeks(
            STRONG, "spacing", "due first", PLANS[0], seed, weeks=6, timed=False
        )
        levels = [statement.level for statement in child.halfway if statement.true >= 0.9]
        secure += 2 * sum(level in ("secure", "fluent") for level in levels) > len(levels) > 0
    assert secure >= 0.8 * children


def statement(
    level: str, true: float, right: bool | None = None, question_count: int = 3
) -> Statement:
    return Statement((6, 8), 1, level, true, question_count, right)  # type: ignore[arg-type]


def test_the_shares_are_what_their_names_say() -> None:
    child = AnsweringChild("weak", "spacing", PLANS[0])
    child.statements = [
        statement("secure", 0.5),
        statement("fluent", 0.7),
        statement("learning", 0.1),
    ]
    child.late = [statement("fluent", 0.4), statement("fluent", 0.8), statement("learning", 0.2)]
    child.halfway = [
        statement("fluent", 0.9),
        statement("learning", 0.95, question_count=2),
        statement("learning", 0.8),
    ]
    assert (false_secure([child]).of, false_secure([child]).value) == (4, 0.5)
    assert (share_reached([child]).of, share_reached([child]).value) == (2, 0.5)
    assert share_reached([child], 3).value == 1
    assert late_recall([child]) == pytest.approx(1.4 / 3)
    assert share([]).value is None
    assert [is_secure(statement) for statement in child.late] == [True, True, False]


@pytest.mark.proof
def test_fitted_weights_predict_better_than_others(children_asked: list[AnsweringChild]) -> None:
    careers = [child.answers for child in children_asked[::6]]
    fitted = fit_weights(careers, steps=12)
    assert predictions_of(careers, fitted).log_loss <= predictions_of(careers).log_loss
    assert (fitted.recall, fitted.least_k) == (WEIGHTS.recall, WEIGHTS.least_k)


@pytest.mark.proof
@pytest.mark.parametrize("memory", MEMORY_KINDS)
def test_the_chance_of_the_next_answer_is_predicted(
    children_asked: list[AnsweringChild], memory: MemoryKind
) -> None:
    forecast = predictions_of(child.answers for child in children_asked if child.memory == memory)
    assert forecast.auc > 0.75
    assert forecast.calibration_error < 0.05


# Times tables


UNTIMED = 100


@pytest.fixture(scope="module")
def children() -> list[ModelChildWeeks]:
    """The first five seeds of docs/mastery.md."""
    return [child for seed in range(1, 6) for child in everyone_playing(seed)]


@pytest.mark.proof
@pytest.mark.parametrize("memory", TABLE_MEMORIES)
def test_the_statements_about_tables_are_true(
    children: list[ModelChildWeeks], memory: MemoryKind | None
) -> None:
    own = [child for child in children if child.memory == memory]
    secure, fluent = false_secure_tables(own, by_share_found(own)), false_fluent_tables(own)
    assert min(secure.of, fluent.of) > 600
    assert secure.value is not None
    assert secure.value < 0.05
    assert fluent.value is not None
    assert fluent.value < 0.05
    unable = unable_called_secure(own)
    assert unable.of
    assert (unable.value or 0) < 0.05


@pytest.mark.proof
@pytest.mark.parametrize("memory", TABLE_MEMORIES[:2])
def test_most_tables_of_able_children_become_secure(
    children: list[ModelChildWeeks], memory: MemoryKind
) -> None:
    """The aim is four in five. It is missed, so that fewer statements are false
    (docs/mastery.md)."""
    able = reached_tables([child for child in children if child.memory == memory])
    assert able.of > 100
    assert able.value is not None
    assert able.value >= 0.65


@pytest.mark.proof
def test_tables_that_need_refreshing_are_found_less_often(children: list[ModelChildWeeks]) -> None:
    """Few tables are forgotten, so the test also has a child who has become worse."""
    plan = PLANS[1]
    strong = weeks_of_play(STRONG, None, plan, 1, school_days(4))
    hardly = replace(WEAK, notices=dict.fromkeys(WEAK.notices, 0.1))
    later = weeks_of_play(hardly, None, plan, 1, [28 + day for day in school_days(4)])
    worse = add_statements(ModelChildWeeks("worse", None, plan), chain(strong, later), -1)
    levels = [statement.level for statement in worse.statements if statement.table == 3]
    assert {"secure", "fluent"} & set(levels)
    assert levels[-1] == "needs refreshing"
    found_share = refreshing_found([*children, worse])
    assert found_share.of > 10
    assert found_share.value is not None
    assert found_share.value <= 0.75


@pytest.mark.proof
def test_the_more_a_child_notices_the_more_they_find(children: list[ModelChildWeeks]) -> None:
    figures = [figure for figure in found_by_true_chance(children).values() if figure[0] >= 100]
    (_, least, least_at_once), *_, (_, most, most_at_once) = figures
    assert least + 0.05 < most < 0.95
    assert least_at_once + 0.05 < most_at_once < most


@pytest.mark.proof
def test_most_able_untimed_children_become_secure() -> None:
    """Time plays no part in the levels of tables, so an untimed child is like any other."""
    secure = 0
    for seed in range(UNTIMED):
        child = play_for_weeks(STRONG, "spacing", PLANS[0], 1000 + seed, weeks=HALFWAY)
        secure += 2 * len(child.first_secure) > len(PLANS[0][0])
    assert secure >= 0.8 * UNTIMED


def said_of_table(
    level: str, true: float, *, day: int = 1, found: int = 0, others: int = 0, table: int = 2
) -> TableStatement:
    came = TableChances(day, at_once=found, others=others)
    share_reached = level if level in ("secure", "fluent") else "learning"
    return TableStatement(table, day, level, share_reached, true, 9, came)  # type: ignore[arg-type]


def test_the_shares_of_tables_are_what_they_say() -> None:
    child = ModelChildWeeks("weak", "spacing", PLANS[0])
    child.statements = [
        said_of_table("secure", 0.5),
        said_of_table("fluent", 0.7),
        said_of_table("learning", 0.1),
    ]
    child.statements.append(said_of_table("needs refreshing", 0.3, found=1, others=3))
    child.late = [said_of_table("fluent", 0.9, found=2), said_of_table("learning", 0.2)]
    assert (false_secure_tables([child]).of, false_secure_tables([child]).value) == (3, 1 / 3)
    assert (false_fluent_tables([child]).of, false_fluent_tables([child]).value) == (2, 0.5)
    assert (unable_called_secure([child]).of, unable_called_secure([child]).value) == (4, 0.25)
    assert (refreshing_found([child]).of, refreshing_found([child]).value) == (4, 0.25)
    assert (found_after_break([child]).of, found_after_break([child]).value) == (2, 1)
    assert (unable_after_break([child]).of, unable_after_break([child]).value) == (1, 0)
    assert found_by_true_chance([child]) == {0.3: (4, 0.25, 0.25), 0.9: (2, 1, 1)}


def test_statements_are_judged_by_the_rows_that_children_find() -> None:
    child = ModelChildWeeks("weak", None, PLANS[0])
    child.statements = [said_of_table("secure", 0.5, found=8, others=2) for _ in range(9)]
    child.statements += [said_of_table("secure", 0.1, found=1, others=9) for _ in range(9)]
    is_false = by_share_found([child])
    assert false_secure_tables([child]).value == 1
    assert false_secure_tables([child], is_false).value == 0.5
    assert false_first_table_calls([child], is_false).value == 0


# Classes


CLASSES = 200
CAREERS = 60
MOST_ROUNDS = 24
SLACK = 1.1
FEW_TABLES = 4
MOST_SPREAD = 2.1
"""With nine tables, finds vary more. Other tests show that the statements are true there too."""
Banks = Mapping[tuple[str, Sequence[int]], Sequence[RoundCounts]]


if PROOF:

    @pytest.fixture(scope="module")
    def banks() -> Banks:
        random = Random(1)
        return {
            (name, tables): simulated_rounds(child, tables, CAREERS, random)
            for tables in SETS_OF_TABLES
            for name, child in MODEL_CHILDREN.items()
        }

    def test_one_class_of_equals_in_twenty_has_a_false_statement(banks: Banks) -> None:
        random = Random(2)
        in_turn = list(banks.values()) * CLASSES
        false = sum(
            statements_about(equal_children(bank, MOST_ROUNDS, random)).is_false_of_equals(
                shares_found(bank)
            )
            for bank in in_turn[:CLASSES]
        )
        assert false <= CLASSES / 20

    def test_the_rounds_vary_no_more_than_the_statements_allow(banks: Banks) -> None:
        every = [counts for bank in banks.values() for counts in bank]
        assert len(every) == 12 * 12 * CAREERS
        for bank in banks.values():
            assert spread_in_a_table(bank) < TABLE_SPREAD * SLACK
        spreads = {of: spread_of_finds(bank) for of, bank in banks.items()}
        assert sum(spreads.values()) / len(spreads) < VARIANCE_FACTOR
        of_few = [
            spread for (_name, tables), spread in spreads.items() if len(tables) <= FEW_TABLES
        ]
        assert max(of_few) < VARIANCE_FACTOR * SLACK
        assert max(spreads.values()) < MOST_SPREAD

    def test_after_a_term_weak_children_are_named_and_few_others(banks: Banks) -> None:
        tables = (6, 7, 8, 9)
        random = Random(3)
        weak, middle = banks["weak", tables], banks["middle", tables]
        statements = [
            statements_about(class_with_weak_children(weak, middle, 72, random)) for _ in range(40)
        ]
        named = [sum(statement.fewer[:WEAK_CHILDREN]) for statement in statements]
        others = [sum(statement.fewer[WEAK_CHILDREN:]) for statement in statements]
        assert sum(named) / (WEAK_CHILDREN * len(statements)) > 0.7
        assert sum(others) / len(statements) < 0.3


def test_no_statement_is_made_in_a_class_of_equals() -> None:
    true = {7: 0.4, 8: 0.6}
    assert not ClassStatements([False], [False], [7], [[7]]).is_false_of_equals(true)
    for statement in (
        ClassStatements([True], [False], [], [[]]),
        ClassStatements([False], [True], [], [[]]),
        ClassStatements([False], [False], [8], [[]]),
        ClassStatements([False], [False], [], [[8]]),
    ):
        assert statement.is_false_of_equals(true)


# evaluate_mastery


WEEKS = times(4, 8)


@pytest.fixture(scope="module")
def careers() -> list[Career]:
    return [
        career(child, WEEKS, seed_of(7, name, number))
        for name, child in MODEL_CHILDREN.items()
        for number in range(times(2, 3))
    ]


def records(careers: list[Career], kind: Parameters) -> list[Record]:
    return [career.rows if kind is ROW_PARAMETERS else career.facts for career in careers]


@pytest.mark.proof
@pytest.mark.parametrize("kind", [ROW_PARAMETERS, FACT_PARAMETERS], ids=["rows", "facts"])
def test_mastery_predicts_better_than_two_plain_baselines(
    careers: list[Career], kind: Parameters
) -> None:
    since = 7 * WEEKS // 2
    predictions_of = forecast(records(careers, kind), by_mastery(kind), since)
    for baseline in (by_overall_share, by_last_three):
        plain = forecast(records(careers, kind), baseline, since)
        assert plain.successes == predictions_of.successes
        assert predictions_of.log_loss < plain.log_loss
    assert predictions_of.auc > forecast(records(careers, kind), by_last_three, since).auc


def test_predictions_for_a_day_use_only_earlier_days() -> None:
    record = Record()
    for day in range(3):
        record.add(day, [Try((7, 8), right=False), Try((7, 8), right=True)])
    for by in (by_mastery(FACT_PARAMETERS), by_overall_share, by_last_three):
        chances = [chance for _, chance, _ in by(record)]
        assert chances[0::2] == chances[1::2]


@pytest.mark.proof
def test_nobody_predicts_answers_better_than_the_true_chance(careers: list[Career]) -> None:
    predictions_of = forecast(records(careers, FACT_PARAMETERS), by_mastery(FACT_PARAMETERS), 0)
    true = forecast(records(careers, FACT_PARAMETERS), by_true_ability, 0)
    assert predictions_of.auc < true.auc
    assert predictions_of.log_loss > true.log_loss
