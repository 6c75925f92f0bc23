from random import Random
from statistics import mean

from games.coach import quiz
from games.coach.facts import fact, facts_of
from games.coach.quiz import Answered, Question, questions
from games.lab.model_children import MIDDLE, STRONG, WEAK, ModelChild
from tests.counts import times

TODAY = 1000


def facts_asked(chosen: list[Question]) -> list[tuple[int, int]]:
    return [fact(*one.numbers) for one in chosen if one.kind == "fact"]


def asked(before: list[Answered], tables: tuple[int, ...] = (2, 5, 10), seed: int = 1) -> list:
    return questions(tables, before, [], TODAY, Random(seed))


def known(tables: tuple[int, ...], *, right: bool = True, day: int = TODAY - 3) -> list[Answered]:
    return [Answered(one, right, day) for one in facts_of(tables) for _ in range(3)]


def test_at_most_four_are_asked_and_each_once() -> None:
    chosen = facts_asked(asked([]))
    assert len(chosen) == len(set(chosen)) == 4


def test_the_facts_are_those_of_the_assignment() -> None:
    for seed in range(20):
        assert set(facts_asked(asked([], (3, 4), seed))) <= set(facts_of([3, 4]))


def test_an_assignment_without_tables_is_about_those_up_to_ten() -> None:
    assert quiz.tables_asked(None) == quiz.tables_asked([1]) == list(range(2, 11))
    assert quiz.tables_asked([5, 2]) == [2, 5]


def test_no_more_than_four_new_facts_a_day() -> None:
    today = [Answered((n, 7), True, TODAY) for n in (2, 3, 4, 5)]
    assert set(facts_asked(asked(today, (7,)))) <= {(n, 7) for n in (2, 3, 4, 5)}
    yesterday = [Answered((n, 7), True, TODAY - 1) for n in (2, 3, 4, 5)]
    assert set(facts_asked(asked(yesterday, (7,)))) - {(n, 7) for n in (2, 3, 4, 5)}


def test_who_had_its_new_facts_today_is_asked_what_it_knows_of_other_tables() -> None:
    today = [Answered((n, 2), True, TODAY) for n in (2, 3, 4, 5)]
    assert set(facts_asked(asked(today, (7,)))) == {(2, n) for n in (2, 3, 4, 5)}


def test_known_and_unknown_facts_are_mixed_to_come_out_right_in_four_of_five() -> None:
    before = known((2, 5)) + known((7,), right=False)
    by_fact: dict[tuple[int, int], list[Answered]] = {}
    for one in before:
        by_fact.setdefault(fact(*one.shown), []).append(one)
    for seed in range(20):
        chances = [quiz.chance(one, by_fact[one]) for one in facts_asked(asked(before, (2, 5, 7)))]
        assert 0.75 <= mean(chances) <= 0.9, seed


def test_who_knows_all_of_it_is_asked_of_further_tables() -> None:
    chosen = facts_asked(asked(known((2, 5, 10)), (2, 5, 10)))
    assert any(4 in one for one in chosen)


def test_a_fact_is_shown_in_the_other_order_the_next_time() -> None:
    before = known((7,))
    for one in asked(before, (7,)):
        assert one.numbers not in {done.shown for done in before} or len(set(one.numbers)) == 1


def test_a_row_that_was_found_is_asked_for_its_table() -> None:
    chosen = questions((4,), [], [(12, 16, 20, 24), (11, 16, 21)], TODAY, Random(1))
    assert len(chosen) == 4
    assert [one.numbers for one in chosen if one.kind == "table"] == [(12, 16, 20)]


def test_of_a_row_every_table_that_it_is_in_is_right_and_its_own_is_best() -> None:
    row = Question("table", (12, 16, 20))
    assert [table for table in range(1, 13) if row.is_right(table)] == [2, 4]
    assert row.answer == 4


def test_typing_is_measured_first_and_then_known() -> None:
    first = quiz.to_type([], Random(1))
    assert [len(str(one.answer)) for one in first] == [1, 2]
    assert quiz.to_type([1, 2] * quiz.TYPING_NEEDED, Random(1)) == []


def test_the_own_time_of_typing_is_the_median_of_numbers_as_long() -> None:
    typed = [(1, 600), (2, 1000), (2, 5000), (2, 1200)]
    assert quiz.typing_ms(42, typed) == 1200
    assert quiz.typing_ms(144, typed) == 1200
    assert quiz.typing_ms(8, typed) == 600
    assert quiz.typing_ms(8, []) is None


def test_a_time_that_cannot_be_is_not_believed() -> None:
    assert quiz.believed_ms(2000, 2100) == 2000
    assert quiz.believed_ms(5000, 2000) is None
    assert quiz.believed_ms(20, 2000) is None
    assert quiz.believed_ms(None, 2000) is None
    assert quiz.believed_ms(200_000, 300_000) is None


def test_only_a_quick_right_answer_without_help_is_recalled() -> None:
    assert quiz.how(right=True, hinted=False, net_ms=6000) == "recalled"
    assert quiz.how(right=True, hinted=False, net_ms=6001) == "derived"
    assert quiz.how(right=True, hinted=False, net_ms=None) == "derived"
    assert quiz.how(right=True, hinted=True, net_ms=900) == "hinted"
    assert quiz.how(right=False, hinted=True, net_ms=900) == "guessed"


def share_right(child: ModelChild, tables: tuple[int, ...], seed: int) -> float:
    """The share of right answers of a model child that learns and forgets by the half-life of
    each fact (docs/learning.md, Levels), three days a week."""
    random, before = Random(seed), list[Answered]()
    half_life: dict[tuple[int, int], float] = {}
    seen: dict[tuple[int, int], int] = {}
    for day in (7 * week + at for week in range(times(12, 52)) for at in (0, 2, 4)):
        for one in questions(tables, before, [], day, random):
            own = fact(*one.numbers)
            chance = max(child.chance(factor) for factor in own)
            if own in seen:
                chance = max(chance, 2 ** (-(day - seen[own]) / half_life[own]))
            right = random.random() < chance
            if seen.get(own) != day:
                half_life[own] = half_life.get(own, 1.0) * (2 if right else 0.5)
            seen[own] = day
            before.append(Answered((one.numbers[0], one.numbers[1]), right, day))
    return mean(one.right for one in before[len(before) // 3 :])


def test_children_who_learn_come_out_between_75_and_90_percent() -> None:
    for child, tables in (
        (WEAK, (2, 5, 10)),
        (MIDDLE, (2, 3, 4)),
        (MIDDLE, (6, 7, 8, 9)),
        (WEAK, (6, 7, 8, 9)),
    ):
        share = mean(share_right(child, tables, seed) for seed in range(8))
        assert 0.75 <= share <= 0.9, (child.name, tables, share)


def test_a_child_that_knows_nearly_everything_is_right_more_often() -> None:
    assert mean(share_right(STRONG, (6, 7, 8, 9), seed) for seed in range(4)) >= 0.75
