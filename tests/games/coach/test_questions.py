"""The facts that a child is asked, and the levels that follow from the answers."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import reduce
from itertools import combinations, pairwise
from random import Random

import pytest
from fsrs import Card, Rating, Scheduler
from fsrs.scheduler import DEFAULT_PARAMETERS
from hypothesis import given
from hypothesis import strategies as st

from games.coach.mastery import (
    FACT_PARAMETERS,
    FLUENT,
    FLUENT_MS,
    NOT_YET,
    RIGHT,
    ROW_PARAMETERS,
    SECURE,
    SECURE_MS,
    Ability,
    Day,
    Knowledge,
    ReachedLevel,
    ability_after,
    chance,
    changes_mastery,
    difficulty,
    knowledge_after,
    predictions,
)
from games.coach.questions import short_questions
from games.coach.questions.check_up_questions import (
    BANDS,
    LIMIT_MS,
    NETWORK_MS,
    PAUSE_MS,
    QUESTIONS,
    SLACK_MS,
    Place,
    asks_all_facts,
    check_up_questions,
    is_in_time,
    places_of,
)
from games.coach.questions.recall import (
    LEVEL_DAYS,
    LONGEST_INTERVAL,
    SECURE_FROM,
    STAYS_SECURE_FROM,
    WANTED_RECALL,
    FactAnswer,
    Memory,
    Recall,
    chance_of,
    last_day_of_level,
    level_of,
    memory_after,
    recall_after,
)
from games.coach.questions.short_questions import Question, Topic, questions
from games.coach.times_tables import FACTORS, Fact, fact_of, facts_of
from tests.counts import for_each
from tests.games.rounds import tries

TODAY = 738_000
FACT = (6, 8)


def answers(
    rights: str, *, gap_days: int = 5, net_ms: int | None = 2000, timed: bool = True
) -> list[FactAnswer]:
    """An answer every `gap_days`: "+" right, "h" right with help, "-" wrong."""
    return [
        FactAnswer(FACT, sign != "-", TODAY + gap_days * number, sign == "h", net_ms, timed)
        for number, sign in enumerate(rights)
    ]


def level(history: list[FactAnswer], days: int = 1) -> str:
    return recall_after(history).level(FACT, history[-1].day + days)


@for_each(
    [
        (FactAnswer(FACT, True, TODAY, net_ms=FLUENT_MS), FLUENT, Rating.Easy),
        (FactAnswer(FACT, True, TODAY, net_ms=FLUENT_MS + 1), SECURE, Rating.Good),
        (FactAnswer(FACT, True, TODAY, net_ms=SECURE_MS + 1), RIGHT, Rating.Good),
        (FactAnswer(FACT, True, TODAY), RIGHT, Rating.Good),
        (FactAnswer(FACT, True, TODAY, is_timed=False), FLUENT, Rating.Good),
        (FactAnswer(FACT, True, TODAY, has_help=True, net_ms=900), NOT_YET, Rating.Hard),
        (FactAnswer(FACT, True, TODAY, has_help=True, is_timed=False), NOT_YET, Rating.Hard),
        (FactAnswer(FACT, False, TODAY, net_ms=900), NOT_YET, Rating.Again),
        (FactAnswer(FACT, False, TODAY, has_help=True), NOT_YET, Rating.Again),
    ]
)
def test_an_answer_has_a_mark_and_a_rating(answer: FactAnswer, mark: int, grade: Rating) -> None:
    assert (answer.mark, answer.rating) == (mark, grade)


def test_enough_right_answers_make_a_level() -> None:
    assert recall_after([]).level(FACT, TODAY) == "not yet seen"
    assert level(answers("++")) == "learning"
    assert level(answers("++++++++")) == "fluent"
    assert level(answers("++++++++", net_ms=5000)) == "secure"
    assert level(answers("++++++++", net_ms=7000)) == "learning"
    assert level(answers("++++++++", net_ms=None)) == "learning"


def test_a_fact_asked_on_two_days_is_not_secure() -> None:
    two_days = [
        replace(answer, day=TODAY + 40 * (answer.day > TODAY + 20)) for answer in answers("+" * 10)
    ]
    recall = recall_after(two_days)
    assert recall.chance(FACT, two_days[-1].day + 1) > SECURE_FROM
    assert level(two_days) == "learning"
    assert level([*two_days, *answers("+" * 12)[-1:]]) == "fluent"


def test_a_child_without_a_time_limit_can_be_fluent() -> None:
    assert level(answers("++++++++", net_ms=None, timed=False)) == "fluent"


def test_right_answers_with_help_alone_make_nothing_secure() -> None:
    assert level(answers("hhhhhhhh")) == "learning"
    assert level(answers("+h+")) in ("learning", "fluent")
    assert level(answers("++hh")) == "learning"


def test_a_fact_not_asked_for_four_weeks_is_not_secure() -> None:
    history = answers("+++++++++")
    assert level(history) == "fluent"
    assert {level(history, days) for days in range(LEVEL_DAYS, 1000)} == {"learning"}
    assert recall_after(history).facts[FACT].memory.due < history[-1].day + LEVEL_DAYS


def test_a_fact_is_known_only_above_the_required_chance() -> None:
    random, levels = Random(1), set[str]()
    recall = Recall()
    for day in range(TODAY, TODAY + 60):
        new_fact = random.choice(facts_of([6, 7]))
        recall.add(FactAnswer(new_fact, random.random() < 0.7, day, net_ms=random.randrange(9000)))
        for fact in recall.facts:
            for later in (day + 1, day + 40, day + 400):
                level = recall.level(fact, later)
                able = max(recall.facts[fact].ability, recall.ability.value)
                memory = recall.facts[fact].memory
                if level != "learning":
                    assert chance_of(fact, memory, able, memory.last_day + 1) >= SECURE_FROM
                    assert chance_of(fact, memory, able, later) >= STAYS_SECURE_FROM
                    assert later < memory.last_day + LEVEL_DAYS
                    levels.add(level)
    assert levels == {"secure", "fluent"}


def test_a_level_holds_until_its_last_day() -> None:
    random = Random(2)
    recall = Recall()
    count, lasted = 0, set[int]()
    for day in range(TODAY, TODAY + 90):
        fact = random.choice(facts_of([6]))
        recall.add(FactAnswer(fact, random.random() < 0.9, day, net_ms=random.randrange(7000)))
        fact_recall = recall.facts[fact]
        last = last_day_of_level(fact, fact_recall.reached, fact_recall.memory, fact_recall.ability)
        if last is None:
            assert recall.level(fact, day) not in ("secure", "fluent")
            continue
        count += 1
        for able in (fact_recall.ability, fact_recall.ability + 0.5):
            for later in (day, day + 1, (day + last) // 2, last):
                level = level_of(fact, fact_recall.reached, fact_recall.memory, able, later)
                assert level == fact_recall.reached
        lapsed = level_of(
            fact, fact_recall.reached, fact_recall.memory, fact_recall.ability, last + 1
        )
        assert lapsed == "learning"
        lasted.add(last + 1 - day)
    assert count > 20
    assert min(lasted) < max(lasted) == LEVEL_DAYS


def test_wrong_answers_to_other_facts_never_lower_a_level() -> None:
    sevens = facts_of([7])
    recall = recall_after(
        FactAnswer(fact, True, TODAY + day, net_ms=2000) for day in (0, 2, 4) for fact in sevens
    )
    before = {
        later: [recall.level(fact, TODAY + later) for fact in sevens] for later in (5, 40, 400)
    }
    assert before[5] == ["fluent"] * len(sevens)
    for day in (4, 5, 6):
        for fact in facts_of([8, 9]):
            if fact not in sevens:
                recall.add(FactAnswer(fact, False, TODAY + day))
    for later, levels in before.items():
        assert [recall.level(fact, TODAY + later) for fact in sevens] == levels


def test_a_child_who_answers_well_is_expected_to_know_new_facts() -> None:
    able, weak = (
        recall_after(FactAnswer(fact, right, TODAY) for fact in facts_of([3]))
        for right in (True, False)
    )
    assert able.chance((7, 8), TODAY) > Recall().chance((7, 8), TODAY) > weak.chance((7, 8), TODAY)


def test_random_answers_or_help_alone_never_make_a_fact_secure() -> None:
    facts = facts_of([2, 5, 10])
    for child in range(100):
        random = Random(child)
        chance, helped = ((0.05, False), (1.0, True))[child % 2]
        recall = Recall()
        for day in range(TODAY, TODAY + 84, 2):
            for fact in random.sample(facts, 4):
                recall.add(FactAnswer(fact, random.random() < chance, day, helped, 1500))
        levels = {recall.level(fact, TODAY + 84) for fact in facts}
        assert levels <= {"learning", "not yet seen"}, child


PUBLISHED: tuple[float, ...] = (
    *(0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194),
    *(0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629),
    *(1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542),
)


def memory_of(*answers: tuple[Rating, int]) -> Memory:
    """The memory after these answers, each with the days since the first answer."""
    first, *others = answers
    return reduce(
        lambda memory, review: memory_after(memory, review[0], TODAY + review[1]),
        others,
        memory_after(None, first[0], TODAY + first[1]),
    )


def fsrs_chance(days: int, stability: float) -> float:
    """The chance that something is remembered, by FSRS 6."""
    decay = -PUBLISHED[20]
    return float((1 + (0.9 ** (1 / decay) - 1) * days / stability) ** decay)


def test_the_weights_are_the_published_ones() -> None:
    assert DEFAULT_PARAMETERS == PUBLISHED


@pytest.mark.parametrize(("grade", "stability"), list(zip(Rating, PUBLISHED[:4], strict=True)))
def test_a_first_answer_has_the_published_stability(grade: Rating, stability: float) -> None:
    memory = memory_of((grade, 0))
    assert memory.stability == stability
    assert memory.last_day == TODAY
    for days in (0, 1, 10, 100):
        assert memory.recall(TODAY + days) == pytest.approx(fsrs_chance(days, stability))


def test_after_its_stability_in_days_the_chance_is_90_percent() -> None:
    assert Memory(20.0, 5.0, TODAY, TODAY).recall(TODAY + 20) == pytest.approx(0.9)


def test_a_fact_is_due_when_its_chance_has_fallen_enough() -> None:
    memory = memory_of((Rating.Good, 0), (Rating.Good, 4))
    assert memory.due > TODAY + 8
    assert memory.recall(memory.due - 1) > WANTED_RECALL > memory.recall(memory.due + 1)


def test_a_fact_is_due_after_three_weeks_at_the_latest() -> None:
    memory = memory_of(*((Rating.Easy, days) for days in (0, 20, 60)))
    assert memory.recall(memory.due) > WANTED_RECALL
    assert memory.due == memory.last_day + LONGEST_INTERVAL


def test_a_day_before_the_last_answer_counts_as_that_day() -> None:
    assert memory_of((Rating.Good, 0)).recall(TODAY - 3) == 1


ANSWERS = st.lists(st.tuples(st.sampled_from(Rating), st.integers(0, 60)), min_size=1, max_size=20)


@tries(60, 1000)
@given(ANSWERS)
def test_the_same_answers_give_the_same_memory_which_only_fades(
    answers: list[tuple[Rating, int]],
) -> None:
    day, dated = 0, []
    for grade, gap in answers:
        day += gap
        dated.append((grade, day))
    memory = memory_of(*dated)
    assert memory == memory_of(*dated)
    assert memory.due > memory.last_day
    chances = [memory.recall(memory.last_day + days) for days in (0, 1, 7, 30, 365)]
    assert chances == sorted(chances, reverse=True)
    assert 0 < chances[-1] < chances[0] == 1


@tries(60, 1000)
@given(ANSWERS, st.integers(0, 2000))
def test_the_chance_is_that_of_the_fsrs_package(
    answers: list[tuple[Rating, int]], later: int
) -> None:
    memory = memory_of(*((grade, 3 * number) for number, (grade, _) in enumerate(answers)))
    card = Card(stability=memory.stability, last_review=datetime(2026, 3, 2, tzinfo=UTC))
    now = datetime(2026, 3, 2, tzinfo=UTC) + timedelta(days=later)
    expected = Scheduler().get_card_retrievability(card, now)
    assert memory.recall(memory.last_day + later) == pytest.approx(expected)


GOOD, WRONG = (1, 1), (0, 1)


def known_after(*days: tuple[int, int]) -> Knowledge:
    """The knowledge after these days, each with successes and amounts of evidence."""
    knowledge = Knowledge()
    for number, (right, count) in enumerate(days):
        knowledge = knowledge_after(knowledge, Day(number, count, right))
    return knowledge


def test_a_half_life_doubles_by_success_and_halves_by_failure() -> None:
    lives = [known_after(*[GOOD] * n).half_life for n in range(1, 12)]
    assert lives[:4] == [1, 2, 4, 8]
    assert lives[-1] == 274
    assert known_after(GOOD, GOOD, WRONG).half_life == 1
    assert known_after(*[WRONG] * 20).half_life == pytest.approx(15 / 1440)


def test_a_right_answer_is_forgotten_day_by_day() -> None:
    knowledge = known_after(GOOD, GOOD)
    assert [knowledge.recall(day) for day in (1, 3, 5)] == [
        1,
        pytest.approx(0.5),
        pytest.approx(0.25),
    ]


def test_more_right_answers_raise_ability_and_chance() -> None:
    good = ability_after(Ability(), [(0.0, Day(0, 3, 3))], FACT_PARAMETERS)
    poor = ability_after(Ability(), [(0.0, Day(0, 3, 0))], FACT_PARAMETERS)
    assert good.value > 0 > poor.value
    assert chance(Knowledge(), good, 0.0, FACT_PARAMETERS, 1) > chance(
        Knowledge(), poor, 0.0, FACT_PARAMETERS, 1
    )
    assert chance(known_after(GOOD), good, 0.0, FACT_PARAMETERS, 1) > chance(
        known_after(WRONG), good, 0.0, FACT_PARAMETERS, 1
    )


def test_a_fact_is_as_hard_as_the_easier_of_its_tables() -> None:
    assert (
        difficulty((2, 7), FACT_PARAMETERS)
        == difficulty((2,), FACT_PARAMETERS)
        < difficulty((7, 8), FACT_PARAMETERS)
    )


def test_a_prediction_for_a_day_uses_only_earlier_days() -> None:
    """The first prediction is for a child of average ability. A bad day lowers the next one."""
    days = [(1, {(7,): Day(1, 6, 1)}), (4, {(7,): Day(4, 2, 2), (5,): Day(4, 3, 3)})]
    first, second = predictions(days, ROW_PARAMETERS)
    hard = difficulty((7,), ROW_PARAMETERS)
    assert first == {(7,): chance(Knowledge(), Ability(), hard, ROW_PARAMETERS, 1)}
    ability = ability_after(Ability(), [(hard, Day(1, 6, 1))], ROW_PARAMETERS)
    knowledge = knowledge_after(Knowledge(), Day(1, 6, 1))
    assert second == {
        (7,): chance(knowledge, ability, hard, ROW_PARAMETERS, 4),
        (5,): chance(Knowledge(), ability, difficulty((5,), ROW_PARAMETERS), ROW_PARAMETERS, 4),
    }
    assert second[7,] < first[7,] < second[5,]
    same_day = [days[0], (4, {(7,): Day(4, 9, 0), (5,): Day(4, 3, 0)})]
    assert list(predictions(same_day, ROW_PARAMETERS)) == [first, second]


@for_each(
    [
        ("learning", "secure", True),
        ("learning", "fluent", True),
        ("secure", "fluent", False),
        ("fluent", "secure", False),
        ("secure", "learning", True),
        ("fluent", "learning", True),
        ("secure", "secure", False),
    ]
)
def test_mastery_changes_unless_only_the_speed_does(
    before: ReachedLevel, after: ReachedLevel, is_anew: bool
) -> None:
    assert changes_mastery(after, before) == is_anew


# Short questions


def facts_asked(chosen: list[Question]) -> list[tuple[int, int]]:
    return [fact_of(*question.numbers) for question in chosen if question.kind == "fact"]


def questions_after(
    before: list[FactAnswer], tables: tuple[int, ...] = (2, 5, 10), seed: int = 1
) -> list:
    return questions(Topic(tables), before, [], TODAY, Random(seed))


def answers_to(
    tables: tuple[int, ...], *, right: bool = True, day: int = TODAY - 40, times: int = 3
) -> list[FactAnswer]:
    """Answers to each fact of the tables on this many days, of which `day` is the last."""
    return [
        FactAnswer(fact, right, day - 3 * back, net_ms=2000)
        for back in reversed(range(times))
        for fact in facts_of(tables)
    ]


def test_the_facts_are_those_of_the_assignment() -> None:
    for seed in range(20):
        assert set(facts_asked(questions_after([], (3, 4), seed))) <= set(facts_of([3, 4]))


def test_an_assignment_without_tables_is_about_those_up_to_ten() -> None:
    assert short_questions.tables_to_ask(None) == short_questions.tables_to_ask([1])
    assert short_questions.tables_to_ask(None) == list(range(2, 11))
    assert short_questions.tables_to_ask([5, 2]) == [2, 5]


def test_no_more_than_four_new_facts_a_day() -> None:
    able = answers_to((2, 5, 10), day=TODAY - 1)
    first = [FactAnswer((n, 7), True, TODAY - 1, net_ms=2000) for n in (3, 4, 6, 7)]
    first_today = [replace(answer, day=TODAY) for answer in first]
    old = {fact_of(*answer.factors) for answer in (*able, *first)}
    assert set(facts_asked(questions_after([*able, *first_today], (7,)))) <= old
    assert set(facts_asked(questions_after([*able, *first], (7,)))) - old
    three_today = [*able, *first_today[:3]]
    assert len(set(facts_asked(questions_after(three_today, (7, 8)))) - old) == 1


def test_due_facts_come_before_new_ones() -> None:
    due = answers_to((7,), times=4)
    assert set(facts_asked(questions_after(due, (6, 7)))) <= set(facts_of([7]))
    learned_today = [FactAnswer(fact, True, TODAY - 1, net_ms=2000) for fact in facts_of([7])]
    assert not set(facts_asked(questions_after([*due, *learned_today], (6, 7)))) & set(
        facts_of([7])
    )


def test_the_least_fresh_of_the_due_facts_come_first() -> None:
    fresher = answers_to((7,), day=TODAY - 40)
    staler = [
        replace(answer, factors=(answer.factors[0], 11), day=answer.day - 60) for answer in fresher
    ]
    by_day = sorted([*fresher, *staler], key=lambda answer: answer.day)
    assert all(11 in fact for fact in facts_asked(questions_after(by_day, (7, 11))))


def test_other_facts_are_asked_where_none_is_due_or_new() -> None:
    before = answers_to((7,), day=TODAY - 1, times=4)
    recall = recall_after(before)
    assert all(fact.memory.due > TODAY for fact in recall.facts.values())
    chosen = facts_asked(questions_after(before, (7,)))
    assert len(chosen) == 4
    assert set(chosen) <= set(facts_of([7]))


def test_a_fact_is_asked_once_a_day_while_there_are_others() -> None:
    before = answers_to((7,))
    today: list[FactAnswer] = []
    for _ in range(2):
        chosen = facts_asked(questions_after([*before, *today], (7,)))
        assert not set(chosen) & {fact_of(*answer.factors) for answer in today}
        today += [FactAnswer(fact, True, TODAY, net_ms=2000) for fact in chosen]


def test_three_out_of_four_answers_should_be_right() -> None:
    wrong = [
        FactAnswer(fact, False, TODAY - 2 * back)
        for back in (3, 2, 1)
        for fact in facts_of([7])[:6]
    ]
    before = sorted(answers_to((2, 5), times=6) + wrong, key=lambda answer: answer.day)
    recall = recall_after(before)
    for seed in range(20):
        chosen = facts_asked(questions_after(before, (2, 5, 7), seed))
        assert (
            sum(recall.chance(fact, TODAY) for fact in chosen) >= 4 * short_questions.LEAST_RIGHT
        ), seed
        assert any(7 in fact for fact in chosen), seed


def test_a_child_who_knows_everything_is_asked_the_assigned_tables() -> None:
    chosen = facts_asked(questions_after(answers_to((2, 5, 10))))
    assert set(chosen) <= set(facts_of([2, 5, 10]))


def test_due_facts_of_earlier_tables_are_asked_and_marked() -> None:
    before = answers_to((3,))
    mixed = questions(Topic((7,), earlier_tables=(3, 7)), before, [], TODAY, Random(1))
    assert {question.is_of_earlier_table for question in mixed} == {True}
    assert all(3 in question.numbers for question in mixed)
    assert not any(
        question.is_of_earlier_table
        for question in questions(Topic((7,)), before, [], TODAY, Random(1))
    )


def test_earlier_tables_give_only_facts_that_are_due() -> None:
    fresh = answers_to((3,), day=TODAY - 1, times=5)
    chosen = questions(Topic((7,), earlier_tables=(3, 4)), fresh, [], TODAY, Random(1))
    assert len(chosen) == 4
    assert all(7 in question.numbers and not question.is_of_earlier_table for question in chosen)


def test_facts_of_a_missed_row_are_asked_on_a_later_day() -> None:
    def facts_after_trouble(before: list[FactAnswer], day: int) -> set[tuple[int, int]]:
        topic = Topic((7,), troubles=[short_questions.Trouble((42, 49, 56), day)])
        chosen = questions(topic, before, [], TODAY, Random(1))
        return set(facts_asked(chosen))

    of_row = {(6, 7), (7, 7), (7, 8)}
    fresh = answers_to((7,), day=TODAY - 2, times=5)
    assert of_row <= facts_after_trouble(fresh, TODAY - 1)
    assert facts_after_trouble(fresh, TODAY) == set(facts_asked(questions_after(fresh, (7,))))
    asked_since = [*fresh, *(FactAnswer(fact, True, TODAY - 1, net_ms=2000) for fact in of_row)]
    assert not of_row & facts_after_trouble(asked_since, TODAY - 2)


def test_facts_of_a_missed_row_come_first_among_the_new_ones() -> None:
    able = answers_to((5, 10), day=TODAY - 1)
    of_row = {(6, 7), (7, 7), (7, 8)}
    topic = Topic((2, 7), troubles=[short_questions.Trouble((42, 49, 56), TODAY - 1)])
    for seed in range(10):
        chosen = questions(topic, able, [], TODAY, Random(seed))
        assert set(facts_asked(chosen)) >= of_row
        assert not set(facts_asked(questions_after(able, (2, 7), seed))) & of_row


def test_a_fact_is_shown_in_the_other_order_the_next_time() -> None:
    before = answers_to((7,))
    for question in questions_after(before, (7,)):
        assert (
            question.numbers not in {earlier.factors for earlier in before}
            or len(set(question.numbers)) == 1
        )


def test_any_table_of_a_row_is_right_and_the_rows_own_is_best() -> None:
    row = Question("table", (12, 16, 20))
    assert [table for table in range(1, 13) if row.is_right(table)] == [2, 4]
    assert row.answer == 4


def digits(numbers: list[Question]) -> list[int]:
    return [len(str(question.answer)) for question in numbers]


def test_a_first_set_begins_with_a_real_question_then_measures_typing() -> None:
    first = short_questions.typing_questions([], [], TODAY, Random(1))
    assert digits(first) == [1, 2]
    facts = [Question("fact", (3, 7)), Question("fact", (4, 7))]
    asked = short_questions.questions_of_set(first, facts)
    assert [question.kind for question in asked] == ["fact", "typing", "typing", "fact"]


def test_once_measured_typing_is_rarely_measured_again() -> None:
    timed = [(1, TODAY), (1, TODAY), (2, TODAY), (2, TODAY)]
    for day in range(TODAY, TODAY + short_questions.TYPING_TIME_DAYS):
        assert short_questions.typing_questions(timed, timed, day, Random(1)) == []
    later = TODAY + short_questions.TYPING_TIME_DAYS
    assert digits(short_questions.typing_questions(timed, timed, later, Random(1))) == [1]
    timed += [(1, later), (1, later)]
    later += short_questions.TYPING_PAUSE_DAYS
    assert digits(short_questions.typing_questions(timed, timed, later, Random(1))) == [2]


def test_typing_is_not_measured_again_for_a_week() -> None:
    typings = [(1, TODAY), (2, TODAY)]
    weeks = [TODAY + short_questions.TYPING_PAUSE_DAYS + days for days in (-1, 0)]
    sets = [short_questions.typing_questions(typings, typings, day, Random(1)) for day in weeks]
    assert list(map(len, sets)) == [0, 1]


def test_typing_replaces_facts_in_a_set_before_it_replaces_a_row() -> None:
    row = Question("table", (12, 16, 20))
    facts = [Question("fact", (n, 7)) for n in (2, 3, 4)]
    typing = [Question("typing", (n,)) for n in (7, 9, 41, 63)]
    assert short_questions.questions_of_set([], [*facts, row]) == [*facts, row]
    assert short_questions.questions_of_set(typing[:1], [*facts, row]) == [
        facts[0],
        typing[0],
        facts[1],
        row,
    ]
    assert short_questions.questions_of_set(typing, [*facts, row]) == [row, *typing[:3]]


def test_the_time_for_typing_is_the_median_of_equally_long_numbers() -> None:
    typed = [(1, 600), (2, 1000), (2, 5000), (2, 1200)]
    assert short_questions.typing_ms(42, typed) == 1200
    assert short_questions.typing_ms(144, typed) == 1200
    assert short_questions.typing_ms(8, typed) == 600
    assert short_questions.typing_ms(8, []) is None


def test_an_impossible_time_is_ignored() -> None:
    assert short_questions.plausible_ms(2000, 2100) == 2000
    assert short_questions.plausible_ms(5000, 2000) is None
    assert short_questions.plausible_ms(20, 2000) is None
    assert short_questions.plausible_ms(None, 2000) is None
    assert short_questions.plausible_ms(200_000, 300_000) is None


def test_only_a_quick_right_answer_without_help_is_recall() -> None:
    assert short_questions.answer_kind(is_right=True, has_help=False, net_ms=6000) == "recalled"
    assert short_questions.answer_kind(is_right=True, has_help=False, net_ms=6001) == "derived"
    assert short_questions.answer_kind(is_right=True, has_help=False, net_ms=None) == "derived"
    assert short_questions.answer_kind(is_right=True, has_help=True, net_ms=900) == "hinted"
    assert short_questions.answer_kind(is_right=False, has_help=True, net_ms=900) == "guessed"


WANTED = [(6, 7), (7, 8), (8, 9)]


def set_with(wanted: list[tuple[int, int]], before: list[FactAnswer]) -> list[tuple[int, int]]:
    return facts_asked(questions(Topic((2,), first_facts=wanted), before, [], TODAY, Random(1)))


def test_wanted_facts_come_first_and_the_set_stays_mixed() -> None:
    questions = set_with(WANTED, answers_to((2,)))
    assert questions[:2] == WANTED[:2]
    assert len(questions) == 4
    assert {*questions[2:]} <= {*facts_of([2])}


def test_wanted_facts_are_asked_however_hard_they_are() -> None:
    never_right = [FactAnswer((6, 7), False, TODAY - day) for day in range(9, 0, -1)]
    assert set_with([(6, 7)], never_right)[0] == (6, 7)


# Check-ups


CHOICES = ([6, 7, 8, 9], [2, 5, 10], [7], [8, 9], list(range(2, 11)), list(range(2, 13)))


def facts_in(tables: list[int]) -> set[Fact]:
    return {fact_of(table, factor) for table in tables for factor in {*FACTORS, *tables}}


def asked_in_check_up(tables: list[int], seed: str = "5B, Dora", nth: int = 0) -> list[Fact]:
    return [fact_of(*pair) for pair in check_up_questions(tables, seed, nth)]


def test_each_fact_is_asked_once_while_there_are_enough() -> None:
    for count in (1, 2, 3, 4, 9, 11):
        for tables in map(list, combinations(range(2, 13), count)):
            facts = asked_in_check_up(tables)
            assert len(facts) == QUESTIONS
            assert len({*facts}) == min(QUESTIONS, len(facts_in(tables))), tables
            assert {*facts} <= facts_in(tables)
            assert asks_all_facts(tables) is ({*facts} == facts_in(tables)), tables


@pytest.mark.parametrize("tables", CHOICES)
def test_tables_have_as_many_questions_as_others_or_one_more(tables: list[int]) -> None:
    wanted = QUESTIONS // len(tables)
    for number in Counter(place.table for place in places_of(tables)).values():
        assert number in (wanted, wanted + 1)


@pytest.mark.parametrize("tables", CHOICES)
def test_the_mix_is_the_same_for_every_seed_and_number(tables: list[int]) -> None:
    """So check-ups can be compared question by question."""
    places = places_of(tables)
    for seed in ("5B, Dora", "6A, Finn"):
        for nth in range(4):
            facts = list(asked_in_check_up(tables, seed, nth))
            assert can_stand(facts, places), (seed, nth)


def can_stand(facts: list[Fact], places: list[Place]) -> bool:
    """Whether each place can have a fact of its table and band (a second implementation of Kuhn's
    algorithm)."""
    seats: dict[int, int] = {}

    def seat(number: int, tried: set[int]) -> bool:
        table, band = places[number]
        for other, (low, high) in enumerate(facts):
            fits = (low == table and high in BANDS[band]) or (high == table and low in BANDS[band])
            if fits and other not in tried:
                tried.add(other)
                if other not in seats or seat(seats[other], tried):
                    seats[other] = number
                    return True
        return False

    return all(seat(number, set()) for number in range(len(places)))


def test_the_next_check_up_asks_what_was_not_asked_before() -> None:
    tables = list(range(2, 13))
    terms = [set(asked_in_check_up(tables, "5B, Dora", nth)) for nth in range(3)]
    assert len(terms[0] | terms[1]) >= 2 * QUESTIONS - 5
    assert len(terms[0] & terms[1]) < len(
        set(asked_in_check_up(tables, "x")) & set(asked_in_check_up(tables, "y"))
    )


def test_a_repeated_fact_comes_in_the_other_order() -> None:
    questions = check_up_questions([6, 7, 8, 9], "5B, Dora", 0)
    larger_first = sum(first > second for first, second in questions)
    assert 8 <= larger_first <= 13
    seven = check_up_questions([7], "5B, Dora", 0)
    for fact in {fact_of(*pair) for pair in seven}:
        pairs = [pair for pair in seven if fact_of(*pair) == fact]
        if fact[0] != fact[1]:
            assert all(before != after for before, after in pairwise(pairs)), pairs


def test_a_check_up_begins_easily_and_repeats_nothing_at_once() -> None:
    for child in range(30):
        questions = check_up_questions([7, 8], f"5B, {child}", 0)
        assert {*questions[0]} & {*BANDS[0]}
        assert all(fact_of(*before) != fact_of(*after) for before, after in pairwise(questions))


@pytest.mark.parametrize(
    ("ms", "since_shown", "counts"),
    [
        (2_000, 5_100, True),
        (LIMIT_MS + SLACK_MS, PAUSE_MS + LIMIT_MS + 900, True),
        (LIMIT_MS + SLACK_MS + 1, PAUSE_MS + LIMIT_MS + 900, False),
        (2_000, PAUSE_MS + LIMIT_MS + NETWORK_MS, True),
        (2_000, PAUSE_MS + LIMIT_MS + NETWORK_MS + 1, False),
        (None, 4_000, False),
    ],
)
def test_an_answer_counts_by_the_clocks_of_page_and_server(
    ms: int | None, since_shown: int, counts: bool
) -> None:
    assert is_in_time(ms, since_shown) is counts
