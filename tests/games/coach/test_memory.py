"""How long a fact is remembered, by FSRS with its published weights."""

from datetime import UTC, datetime, timedelta
from functools import reduce

import pytest
from fsrs import Card, Scheduler
from fsrs.scheduler import DEFAULT_PARAMETERS
from hypothesis import given
from hypothesis import strategies as st

from games.coach.questions.memory import WANTED_RECALL, Grade, Memory, after_answer
from tests.games.engine.test_properties import tries

TODAY = 738_000
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
    memory = answered((Grade.FAST, 0), (Grade.FAST, 4), (Grade.RIGHT, 20))
    assert memory.due > TODAY + 21
    assert memory.recall(memory.due - 1) > WANTED_RECALL > memory.recall(memory.due + 1)


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
