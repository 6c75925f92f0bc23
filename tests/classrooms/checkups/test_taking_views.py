"""The child's pages of a check-up."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from classrooms.checkups import services
from classrooms.checkups.models import CheckUp, CheckUpAnswer, ChildCheckUp
from classrooms.models import Child, SchoolClass
from games.coach.questions.check_up_questions import QUESTIONS
from tests.classrooms.checkups.answering import answer_all, product
from tests.classrooms.people import client_of_child
from tests.factories import CheckUpFactory

pytestmark = pytest.mark.django_db
ME = reverse("classrooms:me")


@pytest.fixture
def check_up(school_class: SchoolClass) -> CheckUp:
    return CheckUpFactory.create(school_class=school_class)


@pytest.fixture
def timed(school_class: SchoolClass) -> CheckUp:
    return CheckUpFactory.create(school_class=school_class, timed=True)


@pytest.fixture
def hers(dora: Child) -> Client:
    return client_of_child(dora)


def url(check_up: CheckUp) -> str:
    return reverse("classrooms:take_check_up", args=[check_up.pk])


def at_question(check_up: CheckUp) -> str:
    return f"{url(check_up)}?go"


def own(child: Child) -> ChildCheckUp:
    return ChildCheckUp.objects.get(child=child)


def test_it_is_the_one_clear_next_thing_on_the_childs_page(
    dora: Child, hers: Client, check_up: CheckUp
) -> None:
    text = hers.get(ME).text
    assert "25 questions from your teacher" in text
    assert text.partition("<dialog")[0].count("btn-primary") == 1
    answer_all(services.begin(dora, check_up, has_script=False), until=4)
    label = "25 questions from your teacher, 6, 7, 8 and 9 times tables"
    assert f'aria-label="Start: {label}">Start</a>' in text
    text = hers.get(ME).text
    assert "4 of 25 done" in text
    assert f'aria-label="Go on: {label}">Go on</a>' in text
    answer_all(own(dora))
    assert url(check_up) not in hers.get(ME).text


def test_a_whole_check_up_without_scripts(dora: Child, hers: Client, timed: CheckUp) -> None:
    page = hers.post(url(timed), {"do": "begin"}, follow=True).text
    for number in range(QUESTIONS):
        assert f"Question {number + 1} of 25</h1>" in page
        assert f"<title>Question {number + 1} of 25" in " ".join(page.split())
        first, second = own(dora).questions[number]
        assert f"{first} × {second} = ?" in page
        assert "check-waiting" not in page
        sent = {"do": "answer", "number": number, "answer": first * second, "ms": ""}
        page = hers.post(url(timed), sent, follow=True).text
    assert "Well done! You have answered all 25 questions." in page
    assert "right" not in page
    assert CheckUpAnswer.objects.filter(right=True).count() == QUESTIONS
    assert "Well done! You have answered all 25 questions." in hers.get(url(timed)).text


def test_a_timed_check_up_explains_six_seconds_and_pauses(
    dora: Child, hers: Client, timed: CheckUp
) -> None:
    assert "You have 6 seconds for each question." in hers.get(url(timed)).text
    page = hers.post(url(timed), {"do": "begin", "script": "1"}, follow=True).text
    assert 'data-limit="6000" data-pause="3000"' in page
    assert "check-waiting" in page
    assert re.search(r'<noscript><button[^>]* value="untimed"', page)
    hers.post(url(timed), {"do": "untimed"})
    assert not own(dora).timed
    assert "check-waiting" not in hers.get(at_question(timed)).text


def test_a_child_who_plays_without_time_reads_nothing_of_it(
    dora: Child, hers: Client, timed: CheckUp
) -> None:
    Child.objects.update(untimed=True)
    assert "seconds" not in hers.get(url(timed)).text
    page = hers.post(url(timed), {"do": "begin", "script": "1"}, follow=True).text
    assert "data-limit" not in page


def test_a_reload_loses_nothing_and_an_empty_answer_is_asked_for(
    dora: Child, hers: Client, check_up: CheckUp
) -> None:
    hers.post(url(check_up), {"do": "begin"})
    hers.post(url(check_up), {"do": "answer", "number": 0, "answer": product(own(dora), 0)})
    assert "Question 2 of 25" in hers.get(at_question(check_up)).text
    assert "Question 2 of 25" in hers.get(at_question(check_up)).text
    assert "aria-invalid" not in hers.get(at_question(check_up)).text
    text = hers.post(url(check_up), {"do": "answer", "number": 1, "answer": "x"}).text
    assert "Type a number first." in text
    assert 'aria-describedby="ready" aria-invalid="true"' in text
    assert "Question 2 of 25" in text
    again = {"do": "answer", "number": 0, "answer": 1}
    assert hers.post(url(check_up), again).headers["Location"] == at_question(check_up)
    assert CheckUpAnswer.objects.get().right


def test_going_on_begins_at_the_beginning_page_so_that_no_time_runs_at_once(
    dora: Child, hers: Client, timed: CheckUp
) -> None:
    assert "25 questions for you" in hers.get(at_question(timed)).text
    hers.post(url(timed), {"do": "begin", "script": "1"})
    answer_all(own(dora), until=3)
    ChildCheckUp.objects.update(timed=True)
    text = hers.get(url(timed)).text
    assert "3 of 25 done" in text
    assert "You have 6 seconds for each question." in text
    assert 'id="do-begin">Go on</button>' in text
    assert own(dora).shown == 0
    page = hers.post(url(timed), {"do": "begin", "script": "1"}, follow=True)
    assert page.redirect_chain[-1][0] == at_question(timed)
    assert "Question 4 of 25" in page.text
    assert own(dora).shown == 1


def test_who_does_not_know_says_so_where_there_is_no_limit_of_time(
    dora: Child, hers: Client, check_up: CheckUp
) -> None:
    page = hers.post(url(check_up), {"do": "begin"}, follow=True).text
    assert "I don’t know</button>" in page
    for _ in range(2):  # The second tap stores nothing.
        sent = {"do": "pass", "number": 0, "answer": product(own(dora), 0)}
        page = hers.post(url(check_up), sent, follow=True).text
        assert "Question 2 of 25" in page
    hers.post(url(check_up), {"do": "pass"})
    stored = CheckUpAnswer.objects.get()
    assert (stored.answer, stored.right, stored.ms) == (None, False, None)


def test_two_differ_on_the_childs_page_by_their_tables_and_their_time(
    dora: Child, hers: Client, check_up: CheckUp, school_class: SchoolClass
) -> None:
    timed = CheckUpFactory.create(school_class=school_class, tables=[3], timed=True)
    text = hers.get(ME).text
    assert '<p class="soft">6, 7, 8 and 9 times tables</p>' in text
    assert '<p class="soft">3 times table</p>' in text
    assert text.count("6 seconds for each question") == 1
    Child.objects.update(untimed=True)
    assert "6 seconds for each question" not in hers.get(ME).text
    Child.objects.update(untimed=False)
    services.begin(dora, timed, has_script=False)
    assert "6 seconds for each question" not in hers.get(ME).text


def test_a_closed_one_leads_back_and_takes_no_answer(
    dora: Child, hers: Client, check_up: CheckUp
) -> None:
    hers.post(url(check_up), {"do": "begin"})
    services.close(check_up)
    sent = {"do": "answer", "number": 0, "answer": 1}
    for answer in (hers.get(url(check_up)), hers.post(url(check_up), sent)):
        assert answer.headers["Location"] == ME
    assert "Your answers are saved." in hers.get(ME).text
    assert not CheckUpAnswer.objects.exists()


def test_with_a_limit_of_time_no_button_passes(dora: Child, hers: Client, timed: CheckUp) -> None:
    page = hers.post(url(timed), {"do": "begin", "script": "1"}, follow=True).text
    assert 'value="pass"' not in page
    assert '<div class="check-time" aria-hidden="true">' in page
