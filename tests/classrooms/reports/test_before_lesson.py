"""The page before a lesson, its print, and the mail on the mornings of lessons."""

from datetime import datetime, timedelta

import pypdfium2
import pytest
from django.core import mail
from django.db.models import F

from classrooms.models import Assignment, Attempt, Child, SchoolClass, Teaching, User
from classrooms.progress.models import Chance, ChildDay
from classrooms.progress.next_steps import give_steps
from classrooms.progress.tasks import look_for_dirty
from classrooms.reports import weekly_mail
from classrooms.reports.before_lesson import before_lesson
from classrooms.reports.weekly_mail import LESSON_HOURS
from tests.classrooms.people import client_of, text_on, url_of
from tests.classrooms.progress.answering import answer, rows
from tests.classrooms.reports.weekly_mail import wants_mail
from tests.clock import at
from tests.factories import AttemptFactory, ChanceFactory, ChildFactory

SIGN = "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}"
pytestmark = pytest.mark.django_db


def miss_row(child: Child, table: int, numbers: list[int]) -> Chance:
    """Let the child miss this row today, and a few other rows of the table."""
    attempt = Attempt.objects.filter(child=child).first()
    attempt = attempt or AttemptFactory.create(
        child=child, assignment__school_class=child.school_class
    )
    today = child.school_class.today()
    ChildDay.objects.get_or_create(
        child=child,
        school_class=child.school_class,
        day=today,
        defaults={"last_at": attempt.created_at, "turns": 9, "rounds": 1},
    )
    return ChanceFactory.create(
        attempt=attempt, at=attempt.created_at, table=table, outcome="missed", numbers=numbers
    )


@pytest.fixture
def dora_missed(dora: Child) -> Chance:
    rows(dora, 4, found=1, missed=9)
    return miss_row(dora, 4, [12, 16, 20])


def page_text(user: User, school_class: SchoolClass) -> str:
    return text_on(client_of(user).get(url_of("before_lesson", school_class)))


def test_the_page_says_whom_to_help_with_which_missed_row(
    alice: User, dora_missed: Chance, emil: Child
) -> None:
    miss_row(ChildFactory.create(name="Finn"), 4, [8, 12, 16])
    sheet = before_lesson(dora_missed.school_class)
    assert [line.reason.partition(";")[0] for line in sheet.children_to_help] == [
        "4 times table: found 1 of 10 rows without help, last 4 weeks"
    ]
    assert [(line.child, line.missed_chance) for line in sheet.children_to_help] == [
        (dora_missed.child, dora_missed)
    ]
    page = page_text(alice, dora_missed.school_class)
    assert "missed 12, 16 and 20" in page
    assert "Which number comes after 12, in jumps of 4?" in page
    assert "Finn" not in page


def test_a_step_that_was_given_is_said_beside_its_child(dora_missed: Chance) -> None:
    school_class = dora_missed.school_class
    (line,) = before_lesson(school_class).children_to_help
    give_steps(school_class, {line.need.step: [line.child]})
    (line,) = before_lesson(school_class).children_to_help
    assert line.reason.endswith(" · Given today · not started")


@pytest.mark.parametrize(
    ("play", "numbers", "question"),
    [
        ("28 to 32-36-40", [28, 32, 36, 40], "Which number comes before 32, in jumps of 4?"),
        ("40 to 28-32-36", [28, 32, 36, 40], "Which number comes after 36, in jumps of 4?"),
        ("28 40 to 32-36", [28, 32, 36, 40], "Which number comes after 36, in jumps of 4?"),
    ],
)
def test_the_question_is_about_a_card_from_the_hand(
    dora_missed: Chance, play: str, numbers: list[int], question: str
) -> None:
    dora_missed.row, dora_missed.numbers = play, numbers
    dora_missed.save()
    (line,) = before_lesson(dora_missed.school_class).children_to_help
    assert question in line.question
    own = {int(number) for number in play.partition(" to ")[0].split()}
    assert {int(face.number) for face, is_own in line.faces if is_own} == own


def test_a_joker_on_the_table_is_drawn_as_a_joker(dora_missed: Chance) -> None:
    dora_missed.row, dora_missed.numbers = "28 to 32-a=36-40", [28, 32, 36, 40]
    dora_missed.save()
    (line,) = before_lesson(dora_missed.school_class).children_to_help
    assert [(face.number, face.is_joker) for face, _ in line.faces] == [
        ("28", False),
        ("32", False),
        ("36", True),
        ("40", False),
    ]


def test_a_child_who_needs_facts_is_asked_the_weakest_one_and_no_row(
    dora: Child, assignment: Assignment
) -> None:
    miss_row(dora, 3, [9, 12, 15])
    for right in (True, False, False):
        answer(dora, 6, 8, right=right)
        answer(dora, 6, 7, right=False)
    look_for_dirty()
    (line,) = before_lesson(dora.school_class).children_to_help
    assert line.missed_chance is None
    assert line.reason.endswith("5 of 6 answers to these facts wrong or with a hint")
    assert line.question == f"You can ask: “How do you work out 6{SIGN}7?”"


def test_nobody_sits_beside_a_child_who_is_away(dora_missed: Chance, emil: Child) -> None:
    ChildDay.objects.update(day=F("day") - timedelta(days=8), last_at=F("last_at") - timedelta(8))
    sheet = before_lesson(dora_missed.school_class)
    assert not sheet.children_to_help
    assert [line.children for line in sheet.absent_groups] == [[dora_missed.child], [emil]]


def test_the_page_says_so_if_nobody_is_away(alice: User, dora_missed: Chance) -> None:
    school_class = dora_missed.school_class
    assert "Nobody has been away for a week" in page_text(alice, school_class)
    ChildFactory.create(school_class=school_class)
    assert "Nobody has been away for a week" not in page_text(alice, school_class)


def test_at_most_the_two_children_who_need_it_most_are_named(dora_missed: Chance) -> None:
    others = ChildFactory.create_batch(3, school_class=dora_missed.school_class)
    for child in others:
        rows(child, 3, found=2, missed=9)
        miss_row(child, 3, [9, 12, 15])
    first, second = before_lesson(dora_missed.school_class).children_to_help
    assert (first.child, second.child in others) == (dora_missed.child, True)


def test_only_a_table_with_a_figure_on_the_map_is_praised(dora: Child, emil: Child) -> None:
    for child, lately in ((dora, 2), (emil, 3)):
        rows(child, 5, found=12 - lately, ago=40)
        rows(child, 5, found=lately)
    (line,) = before_lesson(dora.school_class).successes
    assert line.children == [emil]


def test_the_page_can_be_printed(alice: User, dora_missed: Chance) -> None:
    answer = client_of(alice).get(url_of("before_lesson_pdf", dora_missed.school_class))
    assert answer.headers["Content-Type"] == "application/pdf"
    (sheet,) = pypdfium2.PdfDocument(answer.content)
    assert "Nobody has been away for a week" in sheet.get_textpage().get_text_range()


# By mail, on the mornings of lessons


def morning(school_class: SchoolClass, *, days: int = 0) -> datetime:
    """Seven o'clock by the class's clock, on the class's day or some days later."""
    today = school_class.today() + timedelta(days=days)
    noon = weekly_mail.moment_of(today, school_class.time_zone)
    return noon.replace(hour=LESSON_HOURS[0])


def send_mail(teaching: Teaching, naming: str = "") -> str:
    """The mail on the morning of the day on which the child missed a row."""
    now = morning(teaching.school_class)
    weekly_mail.choose_mail(teaching, [str(now.isoweekday())], naming)
    with at(now):
        for key, day in weekly_mail.due(now):
            weekly_mail.send(key, day, now)
    return str(mail.outbox[-1].body)


@pytest.fixture
def teaching(alice: User, dora_missed: Chance) -> Teaching:
    return wants_mail(alice, dora_missed.school_class)


@pytest.mark.parametrize(
    ("naming", "words"),
    [("", "1 child: 4 times"), ("initials", "D.: 4 times"), ("names", "Dora: ")],
)
def test_a_mail_names_children_only_if_the_teacher_chose_so(
    teaching: Teaching, naming: str, words: str
) -> None:
    body = send_mail(teaching, naming)
    assert words in body
    assert ("Dora" in body) == (naming == "names")


def test_the_mail_comes_once_on_its_mornings_instead_of_the_weekly_one(teaching: Teaching) -> None:
    school_class = teaching.school_class
    begins = morning(school_class)
    days = [begins, begins + timedelta(days=2)]
    weekly_mail.choose_mail(teaching, [str(day.isoweekday()) for day in days], "")
    mails = []
    for hour in range(-24, 6 * 24):
        now = begins + timedelta(hours=hour)
        with at(now):
            for key, day in weekly_mail.due(now):
                if weekly_mail.send(key, day, now):
                    mails.append(hour)
    assert mails == [0, 2 * 24]


def test_the_days_and_the_names_are_chosen_on_the_page(alice: User, teaching: Teaching) -> None:
    url = url_of("weekly_mail", teaching.school_class)
    client = client_of(alice)
    chosen = {"do": "choose", "days": ["1", "5"], "naming": "initials"}
    assert "Saved." in text_on(client.post(url, chosen, follow=True))
    teaching.refresh_from_db()
    assert (teaching.mail_days, teaching.mail_names) == ("15", "initials")
    for wrong in ({"days": ["8"]}, {"naming": "all"}):
        client.post(url, chosen | wrong)
        teaching.refresh_from_db()
        assert (teaching.mail_days, teaching.mail_names) == ("15", "initials")
