from dataclasses import replace
from random import Random

from games.coach.facts import fact, facts_of
from games.coach.questions import short_questions
from games.coach.questions.recall import FactAnswer, recall_after
from games.coach.questions.short_questions import Question, questions

TODAY = 1000


def facts_asked(chosen: list[Question]) -> list[tuple[int, int]]:
    return [fact(*one.numbers) for one in chosen if one.kind == "fact"]


def asked(before: list[FactAnswer], tables: tuple[int, ...] = (2, 5, 10), seed: int = 1) -> list:
    return questions(tables, before, [], TODAY, Random(seed))


def known(
    tables: tuple[int, ...], *, right: bool = True, day: int = TODAY - 40, times: int = 3
) -> list[FactAnswer]:
    """Answers to each fact on so many days, of which `day` is the last."""
    return [
        FactAnswer(one, right, day - 3 * back, net_ms=2000)
        for back in reversed(range(times))
        for one in facts_of(tables)
    ]


def test_the_facts_are_those_of_the_assignment() -> None:
    for seed in range(20):
        assert set(facts_asked(asked([], (3, 4), seed))) <= set(facts_of([3, 4]))


def test_an_assignment_without_tables_is_about_those_up_to_ten() -> None:
    assert short_questions.tables_asked(None) == short_questions.tables_asked([1])
    assert short_questions.tables_asked(None) == list(range(2, 11))
    assert short_questions.tables_asked([5, 2]) == [2, 5]


def test_no_more_than_four_new_facts_a_day() -> None:
    able = known((2, 5, 10), day=TODAY - 1)
    first = [FactAnswer((n, 7), True, TODAY - 1, net_ms=2000) for n in (3, 4, 6, 7)]
    first_today = [replace(one, day=TODAY) for one in first]
    old = {fact(*one.shown) for one in (*able, *first)}
    assert set(facts_asked(asked([*able, *first_today], (7,)))) <= old
    assert set(facts_asked(asked([*able, *first], (7,)))) - old
    three_today = [*able, *first_today[:3]]
    assert len(set(facts_asked(asked(three_today, (7, 8)))) - old) == 1


def test_due_facts_come_before_new_ones() -> None:
    due = known((7,), times=4)
    assert set(facts_asked(asked(due, (6, 7)))) <= set(facts_of([7]))
    learned_today = [FactAnswer(one, True, TODAY - 1, net_ms=2000) for one in facts_of([7])]
    assert not set(facts_asked(asked([*due, *learned_today], (6, 7)))) & set(facts_of([7]))


def test_the_least_fresh_of_the_due_facts_come_first() -> None:
    fresher = known((7,), day=TODAY - 40)
    staler = [replace(one, shown=(one.shown[0], 11), day=one.day - 60) for one in fresher]
    by_day = sorted([*fresher, *staler], key=lambda one: one.day)
    assert all(11 in one for one in facts_asked(asked(by_day, (7, 11))))


def test_facts_that_are_neither_due_nor_new_are_asked_for_want_of_others() -> None:
    before = known((7,), day=TODAY - 1, times=4)
    recall = recall_after(before)
    assert all(one.memory.due > TODAY for one in recall.facts.values())
    chosen = facts_asked(asked(before, (7,)))
    assert len(chosen) == 4
    assert set(chosen) <= set(facts_of([7]))


def test_a_fact_is_asked_once_a_day_while_there_are_others() -> None:
    before = known((7,))
    today: list[FactAnswer] = []
    for _ in range(2):
        chosen = facts_asked(asked([*before, *today], (7,)))
        assert not set(chosen) & {fact(*one.shown) for one in today}
        today += [FactAnswer(one, True, TODAY, net_ms=2000) for one in chosen]


def test_so_few_hard_facts_are_asked_that_three_of_four_answers_should_be_right() -> None:
    wrong = [
        FactAnswer(one, False, TODAY - 2 * back) for back in (3, 2, 1) for one in facts_of([7])[:6]
    ]
    before = sorted(known((2, 5), times=6) + wrong, key=lambda one: one.day)
    recall = recall_after(before)
    for seed in range(20):
        chosen = facts_asked(asked(before, (2, 5, 7), seed))
        assert (
            sum(recall.chance(one, TODAY) for one in chosen) >= 4 * short_questions.LEAST_RIGHT
        ), seed
        assert any(7 in one for one in chosen), seed


def test_who_knows_all_of_it_is_still_asked_the_assigned_tables_only() -> None:
    chosen = facts_asked(asked(known((2, 5, 10))))
    assert set(chosen) <= set(facts_of([2, 5, 10]))


def test_due_facts_of_earlier_tables_are_asked_and_marked() -> None:
    before = known((3,))
    mixed = questions((7,), before, [], TODAY, Random(1), earlier=(3, 7))
    assert {one.earlier for one in mixed} == {True}
    assert all(3 in one.numbers for one in mixed)
    assert not any(one.earlier for one in questions((7,), before, [], TODAY, Random(1)))


def test_earlier_tables_give_no_new_facts_and_none_before_they_are_due() -> None:
    fresh = known((3,), day=TODAY - 1, times=5)
    chosen = questions((7,), fresh, [], TODAY, Random(1), earlier=(3, 4))
    assert len(chosen) == 4
    assert all(7 in one.numbers and not one.earlier for one in chosen)


def test_the_facts_of_a_row_that_was_missed_are_asked_on_a_later_day() -> None:
    def with_trouble(before: list[FactAnswer], day: int) -> set[tuple[int, int]]:
        troubles = [short_questions.Trouble((42, 49, 56), day)]
        chosen = short_questions.questions((7,), before, [], TODAY, Random(1), troubles=troubles)
        return set(facts_asked(chosen))

    of_row = {(6, 7), (7, 7), (7, 8)}
    fresh = known((7,), day=TODAY - 2, times=5)
    assert of_row <= with_trouble(fresh, TODAY - 1)
    assert with_trouble(fresh, TODAY) == set(facts_asked(asked(fresh, (7,))))
    asked_since = [*fresh, *(FactAnswer(one, True, TODAY - 1, net_ms=2000) for one in of_row)]
    assert not of_row & with_trouble(asked_since, TODAY - 2)


def test_facts_of_a_missed_row_come_first_among_the_new_ones() -> None:
    able = known((5, 10), day=TODAY - 1)
    of_row = {(6, 7), (7, 7), (7, 8)}
    troubles = [short_questions.Trouble((42, 49, 56), TODAY - 1)]
    for seed in range(10):
        chosen = questions((2, 7), able, [], TODAY, Random(seed), troubles=troubles)
        assert set(facts_asked(chosen)) >= of_row
        assert not set(facts_asked(asked(able, (2, 7), seed))) & of_row


def test_a_fact_is_shown_in_the_other_order_the_next_time() -> None:
    before = known((7,))
    for one in asked(before, (7,)):
        assert one.numbers not in {done.shown for done in before} or len(set(one.numbers)) == 1


def test_of_a_row_every_table_that_it_is_in_is_right_and_its_own_is_best() -> None:
    row = Question("table", (12, 16, 20))
    assert [table for table in range(1, 13) if row.is_right(table)] == [2, 4]
    assert row.answer == 4


def digits(numbers: list[Question]) -> list[int]:
    return [len(str(one.answer)) for one in numbers]


def test_a_childs_first_set_measures_typing_and_asks_real_questions() -> None:
    first = short_questions.to_type([], [], TODAY, Random(1))
    assert digits(first) == [1, 2]
    assert short_questions.a_set(first, [Question("fact", (3, 7))])[-1].kind == "fact"


def test_typing_that_is_known_is_rarely_measured_again() -> None:
    timed = [(1, TODAY), (1, TODAY), (2, TODAY), (2, TODAY)]
    for day in range(TODAY, TODAY + short_questions.TYPING_LASTS):
        assert short_questions.to_type(timed, timed, day, Random(1)) == []
    later = TODAY + short_questions.TYPING_LASTS
    assert digits(short_questions.to_type(timed, timed, later, Random(1))) == [1]
    timed += [(1, later), (1, later)]
    assert digits(short_questions.to_type(timed, timed, later, Random(1))) == [2]


def test_in_a_set_facts_give_way_to_typing_before_a_row_does() -> None:
    row = Question("table", (12, 16, 20))
    facts = [Question("fact", (n, 7)) for n in (2, 3, 4)]
    typing = [Question("typing", (n,)) for n in (7, 9, 41, 63)]
    assert short_questions.a_set([], [*facts, row]) == [*facts, row]
    assert short_questions.a_set(typing[:1], [*facts, row]) == [typing[0], *facts[:2], row]
    assert short_questions.a_set(typing, [*facts, row]) == typing


def test_the_own_time_of_typing_is_the_median_of_numbers_as_long() -> None:
    typed = [(1, 600), (2, 1000), (2, 5000), (2, 1200)]
    assert short_questions.typing_ms(42, typed) == 1200
    assert short_questions.typing_ms(144, typed) == 1200
    assert short_questions.typing_ms(8, typed) == 600
    assert short_questions.typing_ms(8, []) is None


def test_a_time_that_cannot_be_is_not_believed() -> None:
    assert short_questions.believed_ms(2000, 2100) == 2000
    assert short_questions.believed_ms(5000, 2000) is None
    assert short_questions.believed_ms(20, 2000) is None
    assert short_questions.believed_ms(None, 2000) is None
    assert short_questions.believed_ms(200_000, 300_000) is None


def test_only_a_quick_right_answer_without_help_is_recalled() -> None:
    assert short_questions.how(right=True, hinted=False, net_ms=6000) == "recalled"
    assert short_questions.how(right=True, hinted=False, net_ms=6001) == "derived"
    assert short_questions.how(right=True, hinted=False, net_ms=None) == "derived"
    assert short_questions.how(right=True, hinted=True, net_ms=900) == "hinted"
    assert short_questions.how(right=False, hinted=True, net_ms=900) == "guessed"


WANTED = [(6, 7), (7, 8), (8, 9)]


def set_with(wanted: list[tuple[int, int]], before: list[FactAnswer]) -> list[tuple[int, int]]:
    return facts_asked(questions((2,), before, [], TODAY, Random(1), first=wanted))


def test_facts_that_the_teacher_wants_come_first_and_the_set_stays_mixed() -> None:
    asked = set_with(WANTED, known((2,)))
    assert asked[:2] == WANTED[:2]
    assert len(asked) == 4
    assert {*asked[2:]} <= {*facts_of([2])}


def test_they_are_asked_however_hard_they_are() -> None:
    never_right = [FactAnswer((6, 7), False, TODAY - day) for day in range(9, 0, -1)]
    assert set_with([(6, 7)], never_right)[0] == (6, 7)
