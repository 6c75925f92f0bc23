"""Check-ups: the same design each time, other numbers, each fact once while there are enough."""

from collections import Counter
from itertools import combinations, pairwise

import pytest

from games.coach.facts import FACTORS, Fact, fact
from games.coach.questions.check_up_questions import (
    BANDS,
    LIMIT_MS,
    NETWORK_MS,
    PAUSE_MS,
    QUESTIONS,
    SLACK_MS,
    Place,
    asks_all,
    check_up_questions,
    is_in_time,
    places_of,
)

CHOICES = ([6, 7, 8, 9], [2, 5, 10], [7], [8, 9], list(range(2, 11)), list(range(2, 13)))


def facts_in(tables: list[int]) -> set[Fact]:
    return {fact(table, factor) for table in tables for factor in {*FACTORS, *tables}}


def asked(tables: list[int], seed: str = "5B, Dora", nth: int = 0) -> list[Fact]:
    return [fact(*pair) for pair in check_up_questions(tables, seed, nth)]


def test_each_fact_is_asked_once_while_there_are_enough() -> None:
    for count in (1, 2, 3, 4, 9, 11):
        for tables in map(list, combinations(range(2, 13), count)):
            found = asked(tables)
            assert len(found) == QUESTIONS
            assert len({*found}) == min(QUESTIONS, len(facts_in(tables))), tables
            assert {*found} <= facts_in(tables)
            assert asks_all(tables) is ({*found} == facts_in(tables)), tables


@pytest.mark.parametrize("tables", CHOICES)
def test_each_table_has_as_many_questions_as_the_others_or_one_more(tables: list[int]) -> None:
    wanted = QUESTIONS // len(tables)
    for number in Counter(place.table for place in places_of(tables)).values():
        assert number in (wanted, wanted + 1)


@pytest.mark.parametrize("tables", CHOICES)
def test_the_mix_of_tables_and_difficulty_is_the_same_for_every_seed_and_number(
    tables: list[int],
) -> None:
    """Each check-up can be laid over the same places, question by question."""
    places = places_of(tables)
    for seed in ("5B, Dora", "6A, Finn"):
        for nth in range(4):
            left = list(asked(tables, seed, nth))
            assert can_stand(left, places), (seed, nth)


def can_stand(facts: list[Fact], places: list[Place]) -> bool:
    """Whether each place can have a fact of its table and band (Kuhn's algorithm once more)."""
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


def test_the_next_check_up_asks_what_was_not_asked_before_where_it_can() -> None:
    tables = list(range(2, 13))
    terms = [set(asked(tables, "5B, Dora", nth)) for nth in range(3)]
    assert len(terms[0] | terms[1]) >= 2 * QUESTIONS - 5
    assert len(terms[0] & terms[1]) < len(set(asked(tables, "x")) & set(asked(tables, "y")))


def test_a_repeated_fact_comes_in_the_other_order() -> None:
    questions = check_up_questions([6, 7, 8, 9], "5B, Dora", 0)
    larger_first = sum(first > second for first, second in questions)
    assert 8 <= larger_first <= 13
    seven = check_up_questions([7], "5B, Dora", 0)
    for one in {fact(*pair) for pair in seven}:
        shown = [pair for pair in seven if fact(*pair) == one]
        if one[0] != one[1]:
            assert all(before != after for before, after in pairwise(shown)), shown


def test_it_begins_with_an_easy_one_and_nothing_comes_twice_in_a_row() -> None:
    for child in range(30):
        questions = check_up_questions([7, 8], f"5B, {child}", 0)
        assert {*questions[0]} & {*BANDS[0]}
        assert all(fact(*before) != fact(*after) for before, after in pairwise(questions))


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
def test_an_answer_counts_by_the_pages_clock_and_by_the_servers(
    ms: int | None, since_shown: int, counts: bool
) -> None:
    assert is_in_time(ms, since_shown) is counts
