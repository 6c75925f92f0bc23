"""Short questions after a round are offered, answered, counted and shown."""

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from classrooms.models import Assignment, Attempt, Child
from classrooms.questions import services
from classrooms.questions.models import Check, Sitting, Typed
from classrooms.questions.services import SittingTally
from games.coach.questions.recall import recall_after
from games.coach.questions.short_questions import MOST_QUESTIONS, Question
from tests.classrooms.people import text_on
from tests.classrooms.questions.rounds import only_check, round_over, round_played, sitting_with
from tests.factories import AssignmentFactory, ChanceFactory

pytestmark = pytest.mark.django_db

SIX_TIMES_SEVEN = ("fact", (6, 7))
ROW = ("table", (12, 16, 20))


def set_time_on_screen(sitting: Sitting, ms: int) -> None:
    """Set the time for which the current question has been on the screen."""
    services.start_clock(sitting)
    at = timezone.now() - timedelta(milliseconds=ms)
    Sitting.objects.filter(pk=sitting.pk).update(asked_at=at)


def reply(sitting: Sitting, answer: int, ms: int | None = None, number: int = 0) -> bool:
    """Whether the answer was stored."""
    attempt = Attempt.objects.get(game=sitting.game)
    result = services.answer(attempt, attempt.child, sitting, number=number, answer=answer, ms=ms)
    return result is not None


def test_questions_are_offered_at_the_end_of_a_round(attempt: Attempt, dora: Child) -> None:
    assert services.are_questions_due(attempt, dora)
    sitting = services.sitting_of(attempt, dora)
    assert 1 <= len(sitting.questions) <= MOST_QUESTIONS
    assert services.sitting_of(attempt, dora) == sitting


def test_a_child_who_skips_is_not_asked_again_after_this_round(
    attempt: Attempt, dora: Child
) -> None:
    sitting = sitting_with(attempt, SIX_TIMES_SEVEN)
    services.skip(sitting)
    assert not services.are_questions_due(attempt, dora)
    assert not reply(sitting, 42)
    assert not Check.objects.exists()
    attempt.game.round += 1
    assert services.are_questions_due(attempt, dora)


def test_an_answer_is_stored_with_all_that_progress_reads(
    attempt: Attempt, dora: Child, assignment: Assignment
) -> None:
    Typed.objects.create(child=dora, digits=2, ms=1000)
    sitting = sitting_with(attempt, SIX_TIMES_SEVEN)
    set_time_on_screen(sitting, 3500)
    assert reply(sitting, 42, ms=3300)
    check = only_check()
    assert (check.child, check.assignment) == (dora, assignment)
    assert check.school_class == dora.school_class
    assert (check.kind, check.first, check.second, check.answer) == ("fact", 6, 7, 42)
    assert (check.right, check.ms, check.net_ms, check.how) == (True, 3300, 2300, "recalled")
    assert check.day == dora.school_class.today()
    assert check.asked_at < check.answered_at


def test_a_time_longer_than_the_servers_own_is_not_kept(attempt: Attempt, dora: Child) -> None:
    sitting = sitting_with(attempt, SIX_TIMES_SEVEN)
    set_time_on_screen(sitting, 1000)
    reply(sitting, 42, ms=60_000)
    assert (only_check().ms, only_check().net_ms, only_check().how) == (None, None, "derived")


def test_without_a_known_typing_time_there_is_no_net_time(attempt: Attempt) -> None:
    sitting = sitting_with(attempt, SIX_TIMES_SEVEN)
    set_time_on_screen(sitting, 4000)
    reply(sitting, 42, ms=3000)
    assert (only_check().ms, only_check().net_ms) == (3000, None)


def test_typing_counts_as_typing_time_and_not_as_an_answer(attempt: Attempt, dora: Child) -> None:
    sitting = sitting_with(attempt, ("typing", (36,)))
    set_time_on_screen(sitting, 2000)
    assert reply(sitting, 36, ms=1400)
    assert not Check.objects.exists()
    assert Typed.objects.values_list("child", "digits", "ms").get() == (dora.pk, 2, 1400)


def test_an_answer_sent_twice_is_stored_once(attempt: Attempt) -> None:
    sitting = sitting_with(attempt, SIX_TIMES_SEVEN, ROW)
    assert reply(sitting, 42)
    assert not reply(sitting, 42)
    assert Check.objects.count() == 1


def test_help_counts_only_for_its_own_question(attempt: Attempt) -> None:
    sitting = sitting_with(attempt, SIX_TIMES_SEVEN, SIX_TIMES_SEVEN)
    services.note_help(sitting, 0)
    reply(sitting, 42, number=0)
    reply(sitting, 42, number=1)
    assert [check.how for check in Check.objects.all()] == ["hinted", "derived"]


def kinds(sitting: Sitting | None) -> list[str]:
    return [kind for kind, *_ in sitting.questions]


def asked_facts(sitting: Sitting) -> dict[tuple[int, ...], bool]:
    """The facts in the order in which they are asked, and whether each is of earlier tables."""
    return {
        tuple(sorted(numbers)): is_earlier
        for kind, numbers, is_earlier in sitting.questions
        if kind == "fact"
    }


def store_typing_times(child: Child) -> None:
    for digits in (1, 2):
        Typed.objects.bulk_create(Typed(child=child, digits=digits, ms=900) for _ in range(2))


def store_earlier_answers(
    child: Child, game: Attempt, *facts: tuple[int, int], days: int = 60
) -> list[Check]:
    """Store three right answers to each fact, the latest this many days ago."""
    sitting = sitting_with(game)
    today = child.school_class.today()
    return Check.objects.bulk_create(
        Check(
            sitting=sitting,
            number=4 * number + place,
            child=child,
            school_class=child.school_class,
            assignment=game.assignment,
            kind="fact",
            first=fact[0],
            second=fact[1],
            answer=fact[0] * fact[1],
            right=True,
            net_ms=2000,
            how="recalled",
            asked_at=timezone.now() - timedelta(days=days + 3 * place),
            answered_at=timezone.now() - timedelta(days=days + 3 * place),
            day=today - timedelta(days=days + 3 * place),
        )
        for number, fact in enumerate(facts)
        for place in range(3)
    )


def test_a_childs_first_set_measures_their_typing(
    attempt: Attempt, dora: Child, assignment: Assignment
) -> None:
    first = services.sitting_of(attempt, dora)
    assert kinds(first)[:3] == ["fact", "typing", "typing"]
    Sitting.objects.update(done=MOST_QUESTIONS, closed_at=timezone.now())
    second = services.sitting_of(round_over(dora, assignment), dora)
    assert kinds(second).count("typing") == 1


def test_only_due_facts_of_earlier_tables_are_asked(dora: Child) -> None:
    store_typing_times(dora)
    sevens = AssignmentFactory.create(school_class=dora.school_class, focus=[7])
    fives = AssignmentFactory.create(school_class=dora.school_class, focus=[5])
    played = round_over(dora, sevens)
    store_earlier_answers(dora, played, (7, 8), (6, 7), (8, 9))
    sitting = services.sitting_of(round_over(dora, fives), dora)
    facts = asked_facts(sitting)
    assert {(7, 8), (6, 7)} <= facts.keys()
    assert (8, 9) not in facts
    assert all(5 in fact or 7 in fact for fact in facts)
    assert all(is_earlier == (5 not in fact) for fact, is_earlier in facts.items())
    marks = [
        services.question_of(Sitting(questions=[question])).is_of_earlier_table
        for question in sitting.questions
    ]
    assert marks == [is_earlier for _, _, is_earlier in sitting.questions]


def test_a_question_stored_before_there_were_marks_can_be_asked(attempt: Attempt) -> None:
    sitting = sitting_with(attempt, SIX_TIMES_SEVEN)
    assert services.question_of(sitting) == Question("fact", (6, 7))


@pytest.mark.parametrize("outcome", ["missed", "with a hint"])
def test_facts_of_a_missed_or_hinted_row_are_asked_later(dora: Child, outcome: str) -> None:
    store_typing_times(dora)
    sevens = AssignmentFactory.create(school_class=dora.school_class, focus=[7])
    played = round_over(dora, sevens)
    store_earlier_answers(dora, played, *((times, 7) for times in range(2, 11)), days=3)
    ChanceFactory.create(attempt__child=dora, numbers=[14, 21, 28], outcome=outcome, ago=1, table=7)
    sitting = services.sitting_of(round_over(dora, sevens), dora)
    assert sitting is not None
    assert {(2, 7), (3, 7), (4, 7)} <= asked_facts(sitting).keys()


def test_a_fact_that_needed_help_is_due_sooner_than_a_recalled_one(dora: Child) -> None:
    store_typing_times(dora)
    sevens = AssignmentFactory.create(school_class=dora.school_class, focus=[7])
    facts = [(n, 7) for n in (2, 3, 4, 5, 6, 7)]
    days = store_earlier_answers(dora, round_over(dora, sevens), *facts, days=3)
    helped = [check.pk for check in days if check.first in (3, 5)]
    Check.objects.filter(pk__in=helped).update(how="hinted")
    facts_known = recall_after(services._answers_before(dora)).facts
    due = {fact: recall.memory.due for fact, recall in facts_known.items()}
    assert max(due[3, 7], due[5, 7]) < min(due[fact] for fact in facts if fact[0] not in (3, 5))


def test_no_time_is_measured_for_an_untimed_child(attempt: Attempt, dora: Child) -> None:
    Child.objects.update(is_untimed=True)
    dora.refresh_from_db()
    chosen = services.sitting_of(attempt, dora)
    assert chosen is not None
    assert "typing" not in kinds(chosen)
    Sitting.objects.all().delete()
    Typed.objects.create(child=dora, digits=2, ms=1000)
    sitting = sitting_with(attempt, SIX_TIMES_SEVEN)
    set_time_on_screen(sitting, 4000)
    reply(sitting, 42, ms=3000)
    assert (only_check().ms, only_check().net_ms, only_check().right) == (None, None, True)
    assert not only_check().timed


# The child's pages


def url(attempt: Attempt) -> str:
    return reverse("classrooms:check", args=[attempt.game_id])


def game_url(attempt: Attempt) -> str:
    return reverse("games:page", args=[attempt.game_id])


def test_the_end_of_a_round_offers_the_next_round_before_questions(
    dora: Child, doras_client: Client
) -> None:
    attempt = round_played(dora, AssignmentFactory.create(school_class=dora.school_class))
    text = text_on(doras_client.get(game_url(attempt)))
    assert text.index('value="next-round"') < text.index(url(attempt))


def test_a_child_who_was_given_facts_is_asked_them_first_after_each_round(
    dora: Child, doras_client: Client
) -> None:
    assignment = AssignmentFactory.create(school_class=dora.school_class, facts=[[7, 10]])
    attempt = round_played(dora, assignment)
    text = text_on(doras_client.get(game_url(attempt)))
    assert text.index(url(attempt)) < text.index('value="next-round"')
    assert re.search(r"(7 × 10|10 × 7) = \?", text_on(doras_client.get(url(attempt))))
    doras_client.post(url(attempt), {"do": "skip"})
    assert url(attempt) not in text_on(doras_client.get(game_url(attempt)))


def test_a_question_is_asked_and_timed_the_first_time_it_is_seen(
    attempt: Attempt, doras_client: Client
) -> None:
    sitting_with(attempt, ("fact", (6, 7)))
    first, again = text_on(doras_client.get(url(attempt))), text_on(doras_client.get(url(attempt)))
    assert "6 × 7 = ?" in first
    assert "data-timed" in first
    assert "data-timed" not in again


def test_a_fact_of_earlier_tables_is_marked(attempt: Attempt, doras_client: Client) -> None:
    sitting = sitting_with(attempt, ("fact", (6, 7)), ("fact", (2, 5)))
    Sitting.objects.filter(pk=sitting.pk).update(
        questions=[["fact", [6, 7], True], ["fact", [2, 5], False]]
    )
    mark = "This one is from an earlier game."
    assert mark in text_on(doras_client.get(url(attempt)))
    assert mark not in text_on(doras_client.post(url(attempt), {"number": "0", "answer": "42"}))


def test_an_untimed_child_sees_no_word_of_time(
    dora: Child, attempt: Attempt, doras_client: Client
) -> None:
    Child.objects.update(is_untimed=True)
    sitting_with(attempt, ("fact", (6, 7)), ("table", (12, 16, 20)), ("fact", (2, 5)))
    first = text_on(doras_client.get(url(attempt)))
    wrong = text_on(doras_client.post(url(attempt), {"number": "0", "answer": "41"}))
    praised = text_on(doras_client.post(url(attempt), {"number": "1", "answer": "4"}))
    text_after = text_on(doras_client.post(url(attempt), {"number": "2", "answer": "10"}))
    for page in (first, wrong, praised, text_after):
        assert "data-timed" not in page
        text = re.sub(r"<[^>]*>", " ", page).replace("times table", "")
        assert not re.search(r"\btime\b|second|fast|slow|hurry", text, re.IGNORECASE)


def test_a_question_that_is_not_a_sum_says_how_to_answer(
    attempt: Attempt, doras_client: Client
) -> None:
    sitting_with(attempt, ("typing", (4,)), ("table", (12, 16, 20)), ("fact", (6, 7)))
    typing = text_on(doras_client.get(url(attempt)))
    assert "Tap this number on the keys. Then tap “OK”." in typing
    table = text_on(doras_client.post(url(attempt), {"number": "0", "answer": "4"}))
    assert "Which times table do 12, 16 and 20 belong to?" in table
    assert "Just type the number. Then tap “OK”." in table
    fact = text_on(doras_client.post(url(attempt), {"number": "1", "answer": "4"}))
    assert 'id="how-to"' not in fact


@pytest.mark.parametrize("next_questions", [(), [("fact", (6, 7))]], ids=["the last", "another"])
def test_a_mistyped_number_is_corrected_before_what_comes_next(
    attempt: Attempt, doras_client: Client, next_questions: Sequence[Any]
) -> None:
    sitting_with(attempt, ("typing", (36,)), *next_questions)
    text = text_on(doras_client.post(url(attempt), {"number": "0", "answer": "63"}))
    assert "You typed 63. The number was 36." in text
    assert ("6 × 7 = ?" in text) == bool(next_questions)
    assert not Typed.objects.exists()


def test_a_wrong_answer_shows_the_way_from_a_known_fact(
    attempt: Attempt, doras_client: Client
) -> None:
    sitting_with(attempt, ("fact", (6, 7)), ("fact", (2, 5)))
    text = text_on(doras_client.post(url(attempt), {"number": "0", "answer": "41"}))
    assert "6 × 7 = 42" in text
    assert "5 × 7 is 35. One more 7 makes 42." in text
    assert "2 × 5 = ?" in text_on(doras_client.get(url(attempt)))


def test_ten_times_a_number_is_derived_by_counting_tens(
    attempt: Attempt, doras_client: Client
) -> None:
    sitting_with(attempt, ("fact", (10, 7)))
    text = text_on(doras_client.post(url(attempt), {"number": "0", "do": "help"}))
    assert "6 × 10 is 60." in text


def test_help_begins_the_way_and_leaves_the_answer_to_the_child(
    attempt: Attempt, doras_client: Client
) -> None:
    sitting_with(attempt, ("fact", (6, 7)))
    text = text_on(doras_client.post(url(attempt), {"number": "0", "do": "help"}))
    assert "5 × 7 is 35." in text
    assert "is 42" not in text
    assert "= 42" not in text


def test_a_set_begins_with_its_number_of_questions_and_ends_with_a_tally(
    attempt: Attempt, doras_client: Client
) -> None:
    sitting_with(attempt, ("typing", (8,)), ("fact", (6, 7)), ("fact", (2, 5)), ("fact", (3, 4)))
    assert "of 3" not in text_on(doras_client.get(url(attempt)))
    assert "Question 1 of 3" in text_on(
        doras_client.post(url(attempt), {"number": "0", "answer": "8"})
    )
    doras_client.post(url(attempt), {"number": "1", "answer": "42"})
    doras_client.post(url(attempt), {"number": "2", "answer": "11"})
    text = text_on(doras_client.post(url(attempt), {"number": "3", "answer": "12"}))
    assert "You got 2 of 3 right." in text
    assert "6\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}7 = 42" in text
    assert "2\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}5 = 10" not in text


def test_a_fact_that_was_right_before_is_not_called_new(
    attempt: Attempt, doras_client: Client
) -> None:
    sitting_with(attempt, ("fact", (7, 6)), ("fact", (7, 6)))
    doras_client.post(url(attempt), {"number": "0", "answer": "42"})
    first = Check.objects.get()
    later = Sitting.objects.create(game=None, round=9, child=attempt.child, questions=[])
    doras_client.post(url(attempt), {"number": "1", "answer": "42"})
    Check.objects.exclude(pk=first.pk).update(sitting=later)
    assert services.tally_of(first.sitting).new_facts == ((7, 6),)
    assert services.tally_of(later) == SittingTally(right=1, count=1, new_facts=())


def test_after_a_match_play_again_comes_before_the_way_back(
    dora: Child, doras_client: Client
) -> None:
    assignment = AssignmentFactory.create(school_class=dora.school_class)
    attempt = round_over(dora, assignment, phase="match over")
    sitting_with(attempt, ("fact", (6, 7)))
    text = text_on(doras_client.post(url(attempt), {"number": "0", "answer": "42"}))
    assert text.index("Play again") < text.index("Back to my games")
    assert text.partition("</main>")[0].count("btn-primary") == 1


def test_skipping_goes_back_to_the_game_and_offers_no_more(
    dora: Child, doras_client: Client
) -> None:
    attempt = round_played(dora, AssignmentFactory.create(school_class=dora.school_class))
    sitting_with(attempt, ("fact", (6, 7)))
    answer = doras_client.post(url(attempt), {"number": "0", "do": "skip"})
    assert answer.headers["Location"] == game_url(attempt)
    assert url(attempt) not in text_on(doras_client.get(game_url(attempt)))
    assert doras_client.get(url(attempt)).headers["Location"] == game_url(attempt)


@pytest.mark.parametrize("answer", ["", "abc", "4 2", "-3", "12345", "²"])
def test_anything_but_a_number_is_asked_for_again(
    attempt: Attempt, doras_client: Client, answer: str
) -> None:
    sitting_with(attempt, ("fact", (6, 7)))
    text = text_on(doras_client.post(url(attempt), {"number": "0", "answer": answer}))
    assert "Type a number first." in text
    assert "6 × 7 = ?" in text
    assert not Check.objects.exists()


def test_an_old_page_shows_the_current_question(attempt: Attempt, doras_client: Client) -> None:
    sitting_with(attempt, ("fact", (6, 7)), ("fact", (2, 5)))
    for _ in range(2):
        text = text_on(doras_client.post(url(attempt), {"number": "0", "answer": "42"}))
    assert "2 × 5 = ?" in text
    assert Check.objects.count() == 1


def test_a_question_needs_few_queries(
    attempt: Attempt, doras_client: Client, django_assert_max_num_queries: object
) -> None:
    sitting_with(attempt, ("fact", (6, 7)))
    with django_assert_max_num_queries(6):  # type: ignore[operator]
        doras_client.get(url(attempt))
