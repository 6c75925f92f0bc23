"""The pages of a check-up: a teacher gives one, children take it, the teacher reads it."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from classrooms.checkups import services
from classrooms.checkups.models import CheckUp, CheckUpAnswer, ChildCheckUp
from classrooms.models import Assignment, Child, SchoolClass
from classrooms.ui.dates import written
from games.coach.questions.check_up_questions import QUESTIONS
from games.coach.times_tables import fact_of
from tests.classrooms.checkups.answering import answer_all, check_up_of_child, product, take
from tests.classrooms.people import text_on, undo_of, url_of
from tests.factories import CheckUpFactory, ChildFactory

pytestmark = pytest.mark.django_db


def test_giving_a_check_up_says_so_and_can_be_undone(
    alices_client: Client, school_class: SchoolClass
) -> None:
    data = {"tables": ["7", "6"], "timed": "6", "term": "start"}
    text = text_on(alices_client.post(url_of("new_check_up", school_class), data, follow=True))
    check_up = CheckUp.objects.get()
    assert (check_up.tables, check_up.timed, check_up.term) == ([6, 7], True, "start")
    assert check_up.opens_on == school_class.today()
    day = written(school_class.today(), "j F Y")
    assert f"Given to the class: Start of the year, {day}." in text
    assert "25 questions on the 6 and 7 times tables · 6 seconds per question" in text
    undone = text_on(
        alices_client.post(url_of("withdraw_check_up", school_class, check_up.pk), follow=True)
    )
    assert f"No longer given to the class: Start of the year, {day}." in undone
    assert not CheckUp.objects.exists()


def test_the_form_of_the_next_check_up_has_the_same_tables(
    alices_client: Client, school_class: SchoolClass
) -> None:
    CheckUpFactory.create(school_class=school_class, tables=[3, 4], timed=True, term="start")
    form = alices_client.get(url_of("new_check_up", school_class)).context["form"]
    assert form.initial == {"tables": [3, 4], "timed": "6", "term": "middle"}
    CheckUpFactory.create(school_class=school_class, tables=[3, 4], term="end")
    form = alices_client.get(url_of("new_check_up", school_class)).context["form"]
    assert form.initial == {"tables": [3, 4], "timed": "", "term": ""}


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({}, "tables"),
        ({"tables": ["13"]}, "tables"),
        ({"tables": ["7"], "term": "never"}, "term"),
        ({"tables": ["7"], "opens_on": -1}, "opens_on"),
        ({"tables": ["7"], "closes_on": 1000}, "closes_on"),
        ({"tables": ["7"], "opens_on": 5, "closes_on": 4}, "closes_on"),
    ],
)
def test_invalid_values_are_refused_at_their_field(
    alices_client: Client, school_class: SchoolClass, sent: dict[str, object], field: str
) -> None:
    today = school_class.today()
    data = {
        name: (today + timedelta(value)).isoformat() if isinstance(value, int) else value
        for name, value in sent.items()
    }
    form = alices_client.post(url_of("new_check_up", school_class), data).context["form"]
    assert list(form.errors) == [field]
    assert not CheckUp.objects.exists()


def test_the_table_shows_who_has_done_a_check_up_and_its_wrong_facts(
    alices_client: Client, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    ChildFactory.create(school_class=school_class, name="Fay")
    check_up = CheckUpFactory.create(school_class=school_class)
    own = take(dora, check_up, wrong=2)
    answer_all(services.begin(emil, check_up, has_script=False), until=3)
    text = text_on(alices_client.get(url_of("check_up", school_class, check_up.pk)))
    assert "1 done, 1 under way, 1 not started" in text
    assert "on question 4 of 25" in text
    assert "23 of 25" in text
    first, second = own.questions[-1]
    assert f"{first} × {second}: {first * second + 1}" in text
    low, high = sorted((first, second))
    assert f'/{low}/{high}/">{low} × {high}</a>' in text
    assert "Not started: Fay" in " ".join(strip_tags(text).split())


def test_late_and_missing_answers_are_shown_as_such(
    alices_client: Client, school_class: SchoolClass, dora: Child
) -> None:
    check_up = CheckUpFactory.create(school_class=school_class, timed=True)
    own = services.begin(dora, check_up, has_script=True)
    answers = ((0, None, 6_010, 1), (1, 42, 6_800, 3), (2, 41, None, 2))
    for number, answer, ms, times_shown in answers:
        CheckUpAnswer.objects.create(
            child_check_up=own,
            number=number,
            first=6,
            second=7,
            answer=answer,
            right=False,
            ms=ms,
            shown=times_shown,
        )
    text = text_on(alices_client.get(url_of("check_up", school_class, check_up.pk)))
    assert "6 × 7: no answer" in text
    assert "6 × 7: 42, too late" in text
    assert "1 question shown again" in text


def test_a_fact_that_was_not_right_is_assigned_with_one_tap(
    alices_client: Client, dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    check_up = services.give(school_class, [7])
    own = take(dora, check_up, wrong=1)
    take(emil, check_up)
    missed = fact_of(*own.questions[-1])
    page = text_on(alices_client.get(url_of("check_up", school_class, check_up.pk)))
    assert f'href="{url_of("fact", school_class, *missed)}"' in page
    posted = dict(re.findall(r'name="(step|children)"\s+value="([^"]*)"', page))
    assert posted == {"step": "{}x{}".format(*missed), "children": f"{dora.pk},"}
    text = text_on(alices_client.post(url_of("give_step", school_class), posted, follow=True))
    assert "Given to Dora" in text
    assignment = Assignment.objects.get()
    assert (list(assignment.children.all()), assignment.facts) == ([dora], [list(missed)])


def test_omitted_facts_are_mentioned_only_where_there_are_any(
    alices_client: Client, school_class: SchoolClass, dora: Child
) -> None:
    for tables, is_said in (
        ([2], False),
        ([6, 7], False),
        ([6, 7, 8], False),
        ([6, 7, 8, 9], True),
    ):
        check_up = CheckUpFactory.create(school_class=school_class, tables=tables)
        take(dora, check_up, wrong=2)
        text = text_on(alices_client.get(url_of("check_up", school_class, check_up.pk)))
        assert ("not every child is asked every fact" in text) is is_said


def test_a_planned_check_up_closed_by_mistake_is_restored_completely(
    alices_client: Client, school_class: SchoolClass
) -> None:
    first = school_class.today() + timedelta(9)
    check_up = CheckUpFactory.create(school_class=school_class, opens_on=first)
    closed = alices_client.post(url_of("close_check_up", school_class, check_up.pk), follow=True)
    undone = alices_client.post(undo_of(closed), follow=True)
    assert "everything is as it was before" in text_on(undone)
    assert f">from {written(first, 'j F')}</span>" in text_on(undone)


def test_a_check_up_that_nobody_has_begun_can_be_withdrawn_on_its_page(
    alices_client: Client, school_class: SchoolClass, dora: Child
) -> None:
    check_up = CheckUpFactory.create(school_class=school_class)
    page, back = (
        url_of(name, school_class, check_up.pk) for name in ("check_up", "withdraw_check_up")
    )
    services.close(check_up)
    assert f'action="{back}"' in text_on(alices_client.get(page))
    services.begin(dora, check_up, has_script=False)
    assert f'action="{back}"' not in text_on(alices_client.get(page))


def test_two_check_ups_of_one_term_are_told_apart_by_their_day(
    alices_client: Client, school_class: SchoolClass, dora: Child
) -> None:
    today = school_class.today()
    for ago in (365, 0):
        opens_on = today - timedelta(ago)
        check_up = CheckUpFactory.create(school_class=school_class, term="start", opens_on=opens_on)
        take(dora, check_up)
    text = text_on(alices_client.get(url_of("check_ups", school_class)))
    for ago in (365, 0):
        title = f"Start of the year, {written(today - timedelta(ago), 'j F Y')}</a>"
        assert text.count(title) == 2  # In the list, and as the heading of a column.


def test_growth_is_shown_beside_the_scores_with_its_interval(
    alices_client: Client, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    first = CheckUpFactory.create(school_class=school_class, term="start")
    last = CheckUpFactory.create(school_class=school_class, term="middle")
    take(dora, first, wrong=20)
    take(dora, last, wrong=2)
    take(emil, last, wrong=5)
    text = text_on(alices_client.get(url_of("check_ups", school_class)))
    assert '<td class="number">5 <span class="soft">(2–10)</span></td>' in text
    assert "+18 (+12 to +21)" in text
    assert ">grown</span>" in text
    assert "The class, from" not in text
    assert "are not compared" not in text
    assert "“May be chance”" not in text
    assert '<th scope="row">Class average</th> <td class="number">–</td>' in text
    assert "With fewer than 5 children, no results are shown for the class." in text


def test_the_growth_of_the_class_is_shown(alices_client: Client, school_class: SchoolClass) -> None:
    first, middle, end = (
        CheckUpFactory.create(school_class=school_class, term=term)
        for term in ("start", "middle", "end")
    )
    for number in range(6):
        child = ChildFactory.create(school_class=school_class)
        take(child, first, wrong=15 + number % 2)
        take(child, middle, wrong=5)
    take(child, end)
    text = text_on(alices_client.get(url_of("check_ups", school_class)))
    day = written(school_class.today(), "j F Y")
    span = f"“Start of the year, {day}” to “Middle of the year, {day}”: +10.5 ("
    assert f"<strong>The class, from {span}" in text
    assert "6 children compared" in text
    assert '<td class="number">9.5 <span class="soft">(7.0–12.0)</span></td>' in text
    assert "With fewer than 5 children" in text  # The end of the year has no average yet.


def test_chance_beside_an_interval_above_0_is_explained(
    alices_client: Client, school_class: SchoolClass
) -> None:
    first, last = (CheckUpFactory.create(school_class=school_class) for _ in range(2))
    for number in range(8):
        child = ChildFactory.create(school_class=school_class)
        take(child, first, wrong=10)
        take(child, last, wrong=9 if number else 10)
    page = url_of("check_ups", school_class)
    assert "may be chance" in text_on(alices_client.get(page))
    assert "“May be chance”" not in text_on(alices_client.get(page))
    grown = ChildFactory.create(school_class=school_class)
    take(grown, first, wrong=15)
    take(grown, last, wrong=7)
    text = text_on(alices_client.get(page))
    assert "+8 (+1 to +13) <span" in text
    assert "“May be chance” can stand beside a range above 0" in text


def test_a_child_who_did_only_the_first_check_up_hides_nobodys_growth(
    alices_client: Client, school_class: SchoolClass, dora: Child
) -> None:
    alone, first, last = (CheckUpFactory.create(school_class=school_class) for _ in range(3))
    take(dora, alone)
    for _ in range(5):
        child = ChildFactory.create(school_class=school_class)
        take(child, first, wrong=15)
        take(child, last, wrong=5)
    (table,) = alices_client.get(url_of("check_ups", school_class)).context["tables"]
    assert (table.class_growth.first, table.class_growth.last) == (first, last)
    assert [mean is None for mean in table.means] == [True, False, False]


def test_other_tables_or_other_conditions_are_not_compared(
    alices_client: Client, school_class: SchoolClass, dora: Child
) -> None:
    for tables, timed in (([6, 7], False), ([6, 7], True), ([3, 4], False)):
        take(dora, CheckUpFactory.create(school_class=school_class, tables=tables, timed=timed))
    text = text_on(alices_client.get(url_of("check_ups", school_class)))
    assert text.count("What each child got right") == 3
    heading = "· 25 questions on the 6 and 7 times tables · 6 seconds per question</span></h2>"
    assert text.count(heading) == 1
    assert text.count(heading.replace("6 seconds per question", "untimed")) == 1
    assert text.count("Only check-ups with the same tables and time are compared.") == 1
    assert "Growth, first" not in text


def test_a_child_once_timed_and_once_untimed_is_not_compared(
    alices_client: Client, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    first, last = (CheckUpFactory.create(school_class=school_class, timed=True) for _ in range(2))
    own = take(dora, first, wrong=20)
    own.timed = True
    own.save()
    take(dora, last)
    page = alices_client.get(url_of("check_ups", school_class))
    (table,) = page.context["tables"]
    assert [row.growth for row in table.rows] == [None]
    assert '<span class="soft">untimed</span>' in text_on(page)


def test_of_many_check_ups_the_first_and_the_last_are_compared(
    alices_client: Client, school_class: SchoolClass, dora: Child
) -> None:
    check_ups = [CheckUpFactory.create(school_class=school_class) for _ in range(6)]
    for check_up in check_ups:
        take(dora, check_up)
    (table,) = alices_client.get(url_of("check_ups", school_class)).context["tables"]
    assert list(table.check_ups) == [check_ups[0], *check_ups[3:]]


# What children see


ME = reverse("classrooms:me")


@pytest.fixture
def timed_run(school_class: SchoolClass) -> CheckUp:
    return CheckUpFactory.create(school_class=school_class, timed=True)


def taking(check_up: CheckUp) -> str:
    return reverse("classrooms:take_check_up", args=[check_up.pk])


def at_question(check_up: CheckUp) -> str:
    return f"{taking(check_up)}?go"


def test_a_check_up_is_the_main_thing_on_the_childs_page(
    dora: Child, doras_client: Client, check_up: CheckUp
) -> None:
    text = text_on(doras_client.get(ME))
    assert "25 questions from your teacher" in text
    assert text.partition("<dialog")[0].count("btn-primary") == 1
    answer_all(services.begin(dora, check_up, has_script=False), until=4)
    label = "25 questions from your teacher, 6, 7, 8 and 9 times tables"
    assert f'aria-label="Start: {label}">Start</a>' in text
    text = text_on(doras_client.get(ME))
    assert "4 of 25 done" in text
    assert f'aria-label="Go on: {label}">Go on</a>' in text
    answer_all(check_up_of_child(dora))
    assert taking(check_up) not in text_on(doras_client.get(ME))


def test_a_child_can_take_what_they_or_others_have_not_finished(
    dora: Child, emil: Child, doras_client: Client, check_up: CheckUp, timed_run: CheckUp
) -> None:
    take(emil, check_up)
    take(dora, timed_run)
    assert "all 25 questions" in doras_client.get(taking(timed_run)).text
    assert "all 25 questions" not in doras_client.get(taking(check_up)).text


def test_a_whole_check_up_without_scripts(
    dora: Child, doras_client: Client, timed_run: CheckUp
) -> None:
    page = text_on(doras_client.post(taking(timed_run), {"do": "begin"}, follow=True))
    for number in range(QUESTIONS):
        assert f"Question {number + 1} of 25</h1>" in page
        assert f"<title>Question {number + 1} of 25" in " ".join(page.split())
        first, second = check_up_of_child(dora).questions[number]
        assert f"{first} × {second} = ?" in page
        assert "check-waiting" not in page
        data = {"do": "answer", "number": number, "answer": first * second, "ms": ""}
        page = text_on(doras_client.post(taking(timed_run), data, follow=True))
    assert "Well done! You have answered all 25 questions." in page
    assert "right" not in page
    assert CheckUpAnswer.objects.filter(right=True).count() == QUESTIONS
    assert "Well done! You have answered all 25 questions." in text_on(
        doras_client.get(taking(timed_run))
    )


def test_a_timed_check_up_states_its_seconds_and_waits_each_time(
    dora: Child, doras_client: Client, timed_run: CheckUp
) -> None:
    assert "You have 6 seconds for each question." in text_on(doras_client.get(taking(timed_run)))
    page = text_on(
        doras_client.post(taking(timed_run), {"do": "begin", "script": "1"}, follow=True)
    )
    assert 'data-limit="6000" data-pause="3000"' in page
    assert "check-waiting" in page
    assert re.search(r'<noscript><button[^>]* value="untimed"', page)
    doras_client.post(taking(timed_run), {"do": "untimed"})
    assert not check_up_of_child(dora).timed
    assert "check-waiting" not in text_on(doras_client.get(at_question(timed_run)))


def test_an_untimed_child_reads_nothing_of_time(
    dora: Child, doras_client: Client, timed_run: CheckUp
) -> None:
    Child.objects.update(is_untimed=True)
    assert "seconds" not in text_on(doras_client.get(taking(timed_run)))
    page = text_on(
        doras_client.post(taking(timed_run), {"do": "begin", "script": "1"}, follow=True)
    )
    assert "data-limit" not in page


def test_a_reload_loses_nothing_and_an_empty_answer_is_asked_for(
    dora: Child, doras_client: Client, check_up: CheckUp
) -> None:
    doras_client.post(taking(check_up), {"do": "begin"})
    doras_client.post(
        taking(check_up),
        {"do": "answer", "number": 0, "answer": product(check_up_of_child(dora), 0)},
    )
    assert "Question 2 of 25" in text_on(doras_client.get(at_question(check_up)))
    assert "Question 2 of 25" in text_on(doras_client.get(at_question(check_up)))
    assert "aria-invalid" not in text_on(doras_client.get(at_question(check_up)))
    text = text_on(
        doras_client.post(taking(check_up), {"do": "answer", "number": 1, "answer": "x"})
    )
    assert "Type a number first." in text
    assert 'aria-describedby="ready" aria-invalid="true"' in text
    assert "Question 2 of 25" in text
    again = {"do": "answer", "number": 0, "answer": 1}
    assert doras_client.post(taking(check_up), again).headers["Location"] == at_question(check_up)
    assert CheckUpAnswer.objects.get().right


def test_going_on_starts_at_the_first_page_before_the_time_runs(
    dora: Child, doras_client: Client, timed_run: CheckUp
) -> None:
    assert "25 questions for you" in text_on(doras_client.get(at_question(timed_run)))
    doras_client.post(taking(timed_run), {"do": "begin", "script": "1"})
    answer_all(check_up_of_child(dora), until=3)
    ChildCheckUp.objects.update(timed=True)
    text = text_on(doras_client.get(taking(timed_run)))
    assert "3 of 25 done" in text
    assert "You have 6 seconds for each question." in text
    assert 'id="do-begin">Go on</button>' in text
    assert check_up_of_child(dora).shown == 0
    page = doras_client.post(taking(timed_run), {"do": "begin", "script": "1"}, follow=True)
    assert page.redirect_chain[-1][0] == at_question(timed_run)
    assert "Question 4 of 25" in text_on(page)
    assert check_up_of_child(dora).shown == 1


def test_an_untimed_child_can_say_that_they_do_not_know(
    dora: Child, doras_client: Client, check_up: CheckUp
) -> None:
    page = text_on(doras_client.post(taking(check_up), {"do": "begin"}, follow=True))
    assert "I don’t know</button>" in page
    for _ in range(2):  # The second tap stores nothing.
        data = {"do": "pass", "number": 0, "answer": product(check_up_of_child(dora), 0)}
        page = text_on(doras_client.post(taking(check_up), data, follow=True))
        assert "Question 2 of 25" in page
    doras_client.post(taking(check_up), {"do": "pass"})
    stored_answer = CheckUpAnswer.objects.get()
    assert (stored_answer.answer, stored_answer.right, stored_answer.ms) == (None, False, None)


def test_a_child_tells_two_check_ups_apart_by_tables_and_time(
    dora: Child, doras_client: Client, check_up: CheckUp, school_class: SchoolClass
) -> None:
    timed = CheckUpFactory.create(school_class=school_class, tables=[3], timed=True)
    text = text_on(doras_client.get(ME))
    assert '<p class="soft">6, 7, 8 and 9 times tables</p>' in text
    assert '<p class="soft">3 times table</p>' in text
    assert text.count("6 seconds for each question") == 1
    Child.objects.update(is_untimed=True)
    assert "6 seconds for each question" not in text_on(doras_client.get(ME))
    Child.objects.update(is_untimed=False)
    services.begin(dora, timed, has_script=False)
    assert "6 seconds for each question" not in text_on(doras_client.get(ME))


def test_a_closed_check_up_leads_back_and_takes_no_answer(
    dora: Child, doras_client: Client, check_up: CheckUp
) -> None:
    doras_client.post(taking(check_up), {"do": "begin"})
    services.close(check_up)
    data = {"do": "answer", "number": 0, "answer": 1}
    for answer in (doras_client.get(taking(check_up)), doras_client.post(taking(check_up), data)):
        assert answer.headers["Location"] == ME
    assert "Your answers are saved." in text_on(doras_client.get(ME))
    assert not CheckUpAnswer.objects.exists()


def test_a_timed_check_up_has_no_button_to_pass(
    dora: Child, doras_client: Client, timed_run: CheckUp
) -> None:
    page = text_on(
        doras_client.post(taking(timed_run), {"do": "begin", "script": "1"}, follow=True)
    )
    assert 'value="pass"' not in page
    assert '<div class="check-time" aria-hidden="true">' in page
