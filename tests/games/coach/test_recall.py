"""What a child knows of its facts, and what is said of it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import reduce
from random import Random

import pytest
from fsrs import Card, Scheduler
from fsrs.scheduler import DEFAULT_PARAMETERS
from hypothesis import given
from hypothesis import strategies as st

from games.coach.facts import facts_of
from games.coach.mastery import (
    FACTS,
    FLUENT,
    FLUENT_MS,
    NOT_YET,
    RIGHT,
    ROWS,
    SECURE,
    SECURE_MS,
    Ability,
    Day,
    Knowledge,
    Reached,
    after_answers,
    chance,
    difficulty,
    folded,
    is_reached_anew,
    predictions,
)
from games.coach.questions.memory import MOST_DAYS, WANTED_RECALL, Grade, Memory, after_answer
from games.coach.questions.recall import (
    LEVEL_LASTS,
    SECURE_FROM,
    FactAnswer,
    Recall,
    chance_of,
    holds_until,
    level_of,
    recall_after,
)
from tests.counts import for_each
from tests.games.engine.test_properties import tries

TODAY = 738_000
FACT = (6, 8)


def answers(
    rights: str, *, gap: int = 2, net_ms: int | None = 2000, timed: bool = True
) -> list[FactAnswer]:
    """One answer a day: "+" right, "h" right with help, "-" wrong."""
    return [
        FactAnswer(FACT, one != "-", TODAY + gap * number, one == "h", net_ms, timed)
        for number, one in enumerate(rights)
    ]


def level(given: list[FactAnswer], days: int = 1) -> str:
    return recall_after(given).level(FACT, given[-1].day + days)


@for_each(
    [
        (FactAnswer(FACT, True, TODAY, net_ms=FLUENT_MS), FLUENT, Grade.FAST),
        (FactAnswer(FACT, True, TODAY, net_ms=FLUENT_MS + 1), SECURE, Grade.RIGHT),
        (FactAnswer(FACT, True, TODAY, net_ms=SECURE_MS + 1), RIGHT, Grade.RIGHT),
        (FactAnswer(FACT, True, TODAY), RIGHT, Grade.RIGHT),
        (FactAnswer(FACT, True, TODAY, timed=False), FLUENT, Grade.RIGHT),
        (FactAnswer(FACT, True, TODAY, helped=True, net_ms=900), NOT_YET, Grade.HELPED),
        (FactAnswer(FACT, True, TODAY, helped=True, timed=False), NOT_YET, Grade.HELPED),
        (FactAnswer(FACT, False, TODAY, net_ms=900), NOT_YET, Grade.WRONG),
        (FactAnswer(FACT, False, TODAY, helped=True), NOT_YET, Grade.WRONG),
    ]
)
def test_an_answer_has_a_mark_and_a_rating(one: FactAnswer, mark: int, grade: Grade) -> None:
    assert (one.mark, one.grade) == (mark, grade)


def test_enough_right_answers_make_a_level() -> None:
    assert recall_after([]).level(FACT, TODAY) == "not yet seen"
    assert level(answers("++")) == "learning"
    assert level(answers("++++++")) == "fluent"
    assert level(answers("++++++", net_ms=5000)) == "secure"
    assert level(answers("++++++", net_ms=7000)) == "learning"
    assert level(answers("++++++", net_ms=None)) == "learning"


def test_a_fact_asked_on_two_days_is_not_secure() -> None:
    two_days = [replace(one, day=TODAY + 9 * (one.day > TODAY + 9)) for one in answers("+" * 10)]
    known = recall_after(two_days)
    assert known.chance(FACT, two_days[-1].day + 1) > SECURE_FROM
    assert level(two_days) == "learning"
    assert level([*two_days, *answers("+" * 12)[-1:]]) == "fluent"


def test_without_a_limit_of_time_a_child_can_be_fluent() -> None:
    assert level(answers("++++++", net_ms=None, timed=False)) == "fluent"


def test_what_was_right_with_help_only_is_not_secure() -> None:
    assert level(answers("hhhhhhhh")) == "learning"
    assert level(answers("+h+")) in ("learning", "fluent")
    assert level(answers("++hh")) == "learning"


def test_a_fact_not_asked_for_four_weeks_is_not_secure() -> None:
    given = answers("+++++++++", gap=1)
    assert level(given) == level(given, LEVEL_LASTS - 1) == "fluent"
    assert {level(given, days) for days in range(LEVEL_LASTS, 1000)} == {"learning"}
    assert recall_after(given).facts[FACT].memory.due < given[-1].day + LEVEL_LASTS


def test_a_fact_is_said_to_be_known_only_above_the_chance_for_it() -> None:
    random, seen = Random(1), set[str]()
    recall = Recall()
    for day in range(TODAY, TODAY + 60):
        asked = random.choice(facts_of([6, 7]))
        recall.add(FactAnswer(asked, random.random() < 0.7, day, net_ms=random.randrange(9000)))
        for one in recall.facts:
            for later in (day + 1, day + 40, day + 400):
                level = recall.level(one, later)
                able = max(recall.facts[one].ability, recall.ability.value)
                memory = recall.facts[one].memory
                if level != "learning":
                    assert chance_of(one, memory, able, memory.last + 1) >= SECURE_FROM
                    assert later < memory.last + LEVEL_LASTS
                    seen.add(level)
    assert seen == {"secure", "fluent"}


def test_a_level_holds_until_the_last_day_on_which_it_is_said() -> None:
    random = Random(2)
    recall = Recall()
    held = 0
    for day in range(TODAY, TODAY + 90):
        asked = random.choice(facts_of([6]))
        recall.add(FactAnswer(asked, random.random() < 0.85, day, net_ms=random.randrange(7000)))
        known = recall.facts[asked]
        last = holds_until(asked, known.reached, known.memory, known.ability)
        if last is None:
            assert recall.level(asked, day) not in ("secure", "fluent")
            continue
        held += 1
        for able in (known.ability, known.ability + 0.5):
            for later in (day, day + 1, (day + last) // 2, last):
                level = level_of(asked, known.reached, known.memory, able, later)
                assert level == known.reached
        lapsed = level_of(asked, known.reached, known.memory, known.ability, last + 1)
        assert (lapsed, last + 1) == ("learning", day + LEVEL_LASTS)
    assert held > 20


def test_wrong_answers_to_other_facts_never_lower_a_level() -> None:
    known = facts_of([7])
    recall = recall_after(
        FactAnswer(one, True, TODAY + day, net_ms=2000) for day in (0, 2, 4) for one in known
    )
    before = {later: [recall.level(one, TODAY + later) for one in known] for later in (5, 40, 400)}
    assert before[5] == ["fluent"] * len(known)
    for day in (4, 5, 6):
        for one in facts_of([8, 9]):
            if one not in known:
                recall.add(FactAnswer(one, False, TODAY + day))
    for later, levels in before.items():
        assert [recall.level(one, TODAY + later) for one in known] == levels


def test_a_child_who_answers_well_is_expected_to_know_new_facts_too() -> None:
    able, weak = (
        recall_after(FactAnswer(one, right, TODAY) for one in facts_of([3]))
        for right in (True, False)
    )
    assert able.chance((7, 8), TODAY) > Recall().chance((7, 8), TODAY) > weak.chance((7, 8), TODAY)


def test_who_answers_at_random_or_only_with_help_is_never_secure() -> None:
    facts = facts_of([2, 5, 10])
    for child in range(100):
        random = Random(child)
        chance, helped = ((0.05, False), (1.0, True))[child % 2]
        recall = Recall()
        for day in range(TODAY, TODAY + 84, 2):
            for one in random.sample(facts, 4):
                recall.add(FactAnswer(one, random.random() < chance, day, helped, 1500))
        levels = {recall.level(one, TODAY + 84) for one in facts}
        assert levels <= {"learning", "not yet seen"}, child


PUBLISHED: tuple[float, ...] = (
    *(0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194),
    *(0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629),
    *(1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542),
)


def answered(*answers: tuple[Grade, int]) -> Memory:
    """The memory after these answers, each with the days since the first."""
    first, *others = answers
    return reduce(
        lambda memory, one: after_answer(memory, one[0], TODAY + one[1]),
        others,
        after_answer(None, first[0], TODAY + first[1]),
    )


def by_hand(days: int, stability: float) -> float:
    """The chance of FSRS 6 that something is remembered."""
    decay = -PUBLISHED[20]
    return float((1 + (0.9 ** (1 / decay) - 1) * days / stability) ** decay)


def test_the_weights_are_the_published_ones() -> None:
    assert DEFAULT_PARAMETERS == PUBLISHED


@pytest.mark.parametrize(("grade", "stability"), list(zip(Grade, PUBLISHED[:4], strict=True)))
def test_a_first_answer_has_the_published_stability(grade: Grade, stability: float) -> None:
    memory = answered((grade, 0))
    assert memory.stability == stability
    assert memory.last == TODAY
    for days in (0, 1, 10, 100):
        assert memory.recall(TODAY + days) == pytest.approx(by_hand(days, stability))


def test_after_as_many_days_as_its_stability_the_chance_is_90_percent() -> None:
    assert Memory(20.0, 5.0, TODAY, TODAY).recall(TODAY + 20) == pytest.approx(0.9)


def test_a_fact_is_due_when_its_chance_has_fallen_to_what_is_wanted() -> None:
    memory = answered((Grade.RIGHT, 0), (Grade.RIGHT, 4))
    assert memory.due > TODAY + 8
    assert memory.recall(memory.due - 1) > WANTED_RECALL > memory.recall(memory.due + 1)


def test_a_fact_is_due_after_three_weeks_at_the_latest() -> None:
    memory = answered(*((Grade.FAST, days) for days in (0, 20, 60)))
    assert memory.recall(memory.due) > WANTED_RECALL
    assert memory.due == memory.last + MOST_DAYS


def test_a_day_before_the_last_answer_counts_as_that_day() -> None:
    assert answered((Grade.RIGHT, 0)).recall(TODAY - 3) == 1


ANSWERS = st.lists(st.tuples(st.sampled_from(Grade), st.integers(0, 60)), min_size=1, max_size=20)


@tries(60, 1000)
@given(ANSWERS)
def test_the_same_answers_give_the_same_memory_which_only_fades(
    answers: list[tuple[Grade, int]],
) -> None:
    day, dated = 0, []
    for grade, gap in answers:
        day += gap
        dated.append((grade, day))
    memory = answered(*dated)
    assert memory == answered(*dated)
    assert memory.due > memory.last
    chances = [memory.recall(memory.last + days) for days in (0, 1, 7, 30, 365)]
    assert chances == sorted(chances, reverse=True)
    assert 0 < chances[-1] < chances[0] == 1


@tries(60, 1000)
@given(ANSWERS, st.integers(0, 2000))
def test_the_chance_is_that_of_the_package(answers: list[tuple[Grade, int]], later: int) -> None:
    memory = answered(*((grade, 3 * number) for number, (grade, _) in enumerate(answers)))
    card = Card(stability=memory.stability, last_review=datetime(2026, 3, 2, tzinfo=UTC))
    now = datetime(2026, 3, 2, tzinfo=UTC) + timedelta(days=later)
    expected = Scheduler().get_card_retrievability(card, now)
    assert memory.recall(memory.last + later) == pytest.approx(expected)


GOOD, WRONG = (1, 1), (0, 1)


def known_after(*days: tuple[int, int]) -> Knowledge:
    """What is known after these days, each with successes and pieces of evidence."""
    return folded((Day(n, count, right) for n, (right, count) in enumerate(days)), FACTS)


def test_a_half_life_doubles_by_success_on_another_day_and_halves_by_failure() -> None:
    lives = [known_after(*[GOOD] * n).half_life for n in range(1, 12)]
    assert lives[:4] == [1, 2, 4, 8]
    assert lives[-1] == 274
    assert known_after(GOOD, GOOD, WRONG).half_life == 1
    assert known_after(*[WRONG] * 20).half_life == pytest.approx(15 / 1440)


def test_what_was_right_is_less_likely_remembered_from_day_to_day() -> None:
    known = known_after(GOOD, GOOD)
    assert [known.recall(day) for day in (1, 3, 5)] == [1, pytest.approx(0.5), pytest.approx(0.25)]


days = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5)).map(lambda two: (min(two), max(two))),
    max_size=12,
)


@tries(60, 1000)
@given(days)
def test_folding_on_from_a_day_is_folding_all(pairs: list[tuple[int, int]]) -> None:
    for cut in range(len(pairs) + 1):
        whole = [Day(n, count, right) for n, (right, count) in enumerate(pairs)]
        assert folded(whole[cut:], FACTS, folded(whole[:cut], FACTS)) == known_after(*pairs)


def test_more_right_answers_mean_more_ability_and_a_better_chance() -> None:
    good = after_answers(Ability(), [(0.0, Day(0, 3, 3))], FACTS)
    poor = after_answers(Ability(), [(0.0, Day(0, 3, 0))], FACTS)
    assert good.value > 0 > poor.value
    assert chance(Knowledge(), good, 0.0, FACTS, 1) > chance(Knowledge(), poor, 0.0, FACTS, 1)
    assert chance(known_after(GOOD), good, 0.0, FACTS, 1) > chance(
        known_after(WRONG), good, 0.0, FACTS, 1
    )


def test_a_fact_is_as_hard_as_the_easier_of_its_tables() -> None:
    assert difficulty((2, 7), FACTS) == difficulty((2,), FACTS) < difficulty((7, 8), FACTS)


def test_what_is_predicted_for_a_day_comes_from_the_days_before() -> None:
    """The first prediction is for a child of middling ability; a bad day lowers the next."""
    days = [(1, {(7,): Day(1, 6, 1)}), (4, {(7,): Day(4, 2, 2), (5,): Day(4, 3, 3)})]
    first, second = predictions(days, ROWS)
    hard = difficulty((7,), ROWS)
    assert first == {(7,): chance(Knowledge(), Ability(), hard, ROWS, 1)}
    ability = after_answers(Ability(), [(hard, Day(1, 6, 1))], ROWS)
    known = folded([Day(1, 6, 1)], ROWS)
    assert second == {
        (7,): chance(known, ability, hard, ROWS, 4),
        (5,): chance(Knowledge(), ability, difficulty((5,), ROWS), ROWS, 4),
    }
    assert second[7,] < first[7,] < second[5,]
    same_day = [days[0], (4, {(7,): Day(4, 9, 0), (5,): Day(4, 3, 0)})]
    assert list(predictions(same_day, ROWS)) == [first, second]


@for_each(
    [
        ("learning", "secure", True),
        ("learning", "fluent", True),
        ("secure", "fluent", True),
        ("fluent", "secure", False),
        ("secure", "learning", True),
        ("fluent", "learning", True),
        ("secure", "secure", False),
    ]
)
def test_a_level_is_reached_anew_unless_it_only_drops_to_secure(
    before: Reached, after: Reached, is_anew: bool
) -> None:
    assert is_reached_anew(after, before) == is_anew
