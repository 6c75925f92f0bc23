import re

import pytest
from django.test import Client
from django.urls import reverse

from classrooms.checks import services
from classrooms.checks.models import Check, Sitting
from classrooms.checks.services import SittingTally
from classrooms.models import Attempt, Child
from tests.classrooms.checks.rounds import round_over, round_played, sitting_with
from tests.classrooms.people import client_of_child
from tests.factories import AssignmentFactory, ChildFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def dora() -> Child:
    return ChildFactory.create(name="Dora")


@pytest.fixture
def attempt(dora: Child) -> Attempt:
    return round_over(dora, AssignmentFactory.create(school_class=dora.school_class))


@pytest.fixture
def hers(dora: Child) -> Client:
    return client_of_child(dora)


def url(attempt: Attempt) -> str:
    return reverse("classrooms:check", args=[attempt.game_id])


def game_url(attempt: Attempt) -> str:
    return reverse("games:page", args=[attempt.game_id])


def test_the_end_of_a_round_offers_the_questions_and_the_next_round(
    dora: Child, hers: Client
) -> None:
    attempt = round_played(dora, AssignmentFactory.create(school_class=dora.school_class))
    text = hers.get(game_url(attempt)).text
    assert url(attempt) in text
    assert 'value="next-round"' in text


def test_a_question_is_asked_and_timed_the_first_time_it_is_seen(
    attempt: Attempt, hers: Client
) -> None:
    sitting_with(attempt, ("fact", (6, 7)))
    first, again = hers.get(url(attempt)).text, hers.get(url(attempt)).text
    assert "6 × 7 = ?" in first
    assert "data-timed" in first
    assert "data-timed" not in again


def test_a_fact_of_earlier_tables_is_marked(attempt: Attempt, hers: Client) -> None:
    sitting = sitting_with(attempt, ("fact", (6, 7)), ("fact", (2, 5)))
    Sitting.objects.filter(pk=sitting.pk).update(
        questions=[["fact", [6, 7], True], ["fact", [2, 5], False]]
    )
    mark = "This one is from an earlier game."
    assert mark in hers.get(url(attempt)).text
    assert mark not in hers.post(url(attempt), {"number": "0", "answer": "42"}).text


def test_a_child_without_time_sees_no_word_of_it(
    dora: Child, attempt: Attempt, hers: Client
) -> None:
    Child.objects.update(untimed=True)
    sitting_with(attempt, ("fact", (6, 7)), ("table", (12, 16, 20)), ("fact", (2, 5)))
    first = hers.get(url(attempt)).text
    wrong = hers.post(url(attempt), {"number": "0", "answer": "41"}).text
    praised = hers.post(url(attempt), {"number": "1", "answer": "4"}).text
    done = hers.post(url(attempt), {"number": "2", "answer": "10"}).text
    for page in (first, wrong, praised, done):
        assert "data-timed" not in page
        text = re.sub(r"<[^>]*>", " ", page).replace("times table", "")
        assert not re.search(r"\btime\b|second|fast|slow|hurry", text, re.IGNORECASE)


def test_a_question_that_is_no_sum_says_how_to_answer(attempt: Attempt, hers: Client) -> None:
    sitting_with(attempt, ("typing", (4,)), ("table", (12, 16, 20)), ("fact", (6, 7)))
    typing = hers.get(url(attempt)).text
    assert "Tap this number on the keys. Then tap “OK”." in typing
    table = hers.post(url(attempt), {"number": "0", "answer": "4"}).text
    assert "Which times table do 12, 16 and 20 belong to?" in table
    assert "Just type the number. Then tap “OK”." in table
    fact = hers.post(url(attempt), {"number": "1", "answer": "4"}).text
    assert 'id="how-to"' not in fact


def test_a_wrong_answer_shows_the_way_from_a_fact_that_is_known(
    attempt: Attempt, hers: Client
) -> None:
    sitting_with(attempt, ("fact", (6, 7)), ("fact", (2, 5)))
    text = hers.post(url(attempt), {"number": "0", "answer": "41"}).text
    assert "6 × 7 = 42" in text
    assert "5 × 7 is 35. One more 7 makes 42." in text
    assert "2 × 5 = ?" in hers.get(url(attempt)).text


def test_help_begins_the_way_and_leaves_the_answer_to_the_child(
    attempt: Attempt, hers: Client
) -> None:
    sitting_with(attempt, ("fact", (6, 7)))
    text = hers.post(url(attempt), {"number": "0", "do": "help"}).text
    assert "5 × 7 is 35." in text
    assert "is 42" not in text
    assert "= 42" not in text


def test_it_begins_with_their_number_and_ends_with_a_tally(attempt: Attempt, hers: Client) -> None:
    sitting_with(attempt, ("fact", (6, 7)), ("fact", (2, 5)), ("fact", (3, 4)))
    assert "3 short questions" in hers.get(url(attempt)).text
    hers.post(url(attempt), {"number": "0", "answer": "42"})
    hers.post(url(attempt), {"number": "1", "answer": "11"})
    text = hers.post(url(attempt), {"number": "2", "answer": "12"}).text
    assert "You got 2 of 3 right." in text
    assert "6\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}7 = 42" in text
    assert "2\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}5 = 10" not in text


def test_a_fact_that_was_right_before_is_not_new(attempt: Attempt, hers: Client) -> None:
    sitting_with(attempt, ("fact", (7, 6)), ("fact", (7, 6)))
    hers.post(url(attempt), {"number": "0", "answer": "42"})
    first = Check.objects.get()
    later = Sitting.objects.create(game=None, round=9, child=attempt.child, questions=[])
    hers.post(url(attempt), {"number": "1", "answer": "42"})
    Check.objects.exclude(pk=first.pk).update(sitting=later)
    assert services.tally_of(first.sitting).new == ((7, 6),)
    assert services.tally_of(later) == SittingTally(right=1, asked=1, new=())


def test_at_the_end_of_a_match_it_goes_back_to_the_list(dora: Child, hers: Client) -> None:
    assignment = AssignmentFactory.create(school_class=dora.school_class)
    attempt = round_over(dora, assignment, phase="match over")
    sitting_with(attempt, ("fact", (6, 7)))
    text = hers.post(url(attempt), {"number": "0", "answer": "42"}).text
    assert f'href="{reverse("classrooms:me")}"' in text


def test_after_a_match_play_again_comes_before_the_way_back(dora: Child, hers: Client) -> None:
    assignment = AssignmentFactory.create(school_class=dora.school_class)
    attempt = round_over(dora, assignment, phase="match over")
    sitting_with(attempt, ("fact", (6, 7)))
    text = hers.post(url(attempt), {"number": "0", "answer": "42"}).text
    assert text.index("Play again") < text.index("Back to my games")
    assert text.partition("</main>")[0].count("btn-primary") == 1


def test_skipping_goes_back_to_the_game_where_nothing_is_offered_again(
    dora: Child, hers: Client
) -> None:
    attempt = round_played(dora, AssignmentFactory.create(school_class=dora.school_class))
    sitting_with(attempt, ("fact", (6, 7)))
    answer = hers.post(url(attempt), {"number": "0", "do": "skip"})
    assert answer.headers["Location"] == game_url(attempt)
    assert url(attempt) not in hers.get(game_url(attempt)).text
    assert hers.get(url(attempt)).headers["Location"] == game_url(attempt)


@pytest.mark.parametrize("answer", ["", "abc", "4 2", "-3", "12345", "²"])
def test_what_is_no_number_is_asked_for_once_more(
    attempt: Attempt, hers: Client, answer: str
) -> None:
    sitting_with(attempt, ("fact", (6, 7)))
    text = hers.post(url(attempt), {"number": "0", "answer": answer}).text
    assert "Type a number first." in text
    assert "6 × 7 = ?" in text
    assert not Check.objects.exists()


def test_an_old_page_shows_the_question_that_is_next(attempt: Attempt, hers: Client) -> None:
    sitting_with(attempt, ("fact", (6, 7)), ("fact", (2, 5)))
    for _ in range(2):
        text = hers.post(url(attempt), {"number": "0", "answer": "42"}).text
    assert "2 × 5 = ?" in text
    assert Check.objects.count() == 1


def test_a_question_needs_few_queries(
    attempt: Attempt, hers: Client, django_assert_max_num_queries: object
) -> None:
    sitting_with(attempt, ("fact", (6, 7)))
    with django_assert_max_num_queries(6):  # type: ignore[operator]
        hers.get(url(attempt))
