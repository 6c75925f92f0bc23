from datetime import date, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import translation
from django.utils.translation import override

from classrooms.models import Assignment, Child, SchoolClass, User
from classrooms.ui.pages import (
    FARTHEST,
    check_coming,
    facts_in,
    facts_text,
    written,
)
from games.screen.products import products
from tests.classrooms.people import client_of, client_of_child

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("text", ["6 × 7, 7 × 8", "7x6;8X7", " 6*7 ,, 7·8,", "6 × 7, 7 × 6, 7 × 8"])
def test_facts_are_read_as_teachers_write_them(text: str) -> None:
    assert facts_in(text) == [(6, 7), (7, 8)]


def test_pages_have_the_sign_of_the_language_and_files_have_one() -> None:
    with translation.override("de"):
        assert products([(6, 7), (7, 8)]) == "6 · 7, 7 · 8"
        assert facts_text([(6, 7), (7, 8)]) == "6 × 7, 7 × 8"
        assert facts_in(products([(6, 7), (7, 8)])) == [(6, 7), (7, 8)]


def detail(alice: User, school_class: SchoolClass, **more: object) -> Assignment | str:
    """The new assignment, or what the page says."""
    address = reverse("classrooms:assign_detail", args=[school_class.pk])
    client = client_of(alice)
    form = client.get(address).context["form"]
    fields = {field.name: field.value() for field in form}
    posted = {name: value for name, value in fields.items() if value not in (None, False)}
    answer = client.post(address, posted | more)
    return Assignment.objects.first() or answer.text


def test_the_form_takes_facts_and_a_copy_keeps_them(alice: User, school_class: SchoolClass) -> None:
    made = detail(alice, school_class, facts="7 x 6, 7 × 8")
    assert isinstance(made, Assignment)
    assert made.facts == [[6, 7], [7, 8]]
    address = reverse("classrooms:assign_detail", args=[school_class.pk])
    copied = client_of(alice).get(f"{address}?of={made.pk}").context["form"]
    assert copied["facts"].value() == "6 × 7, 7 × 8"


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ("6 and 7", "Write facts such as 6 × 7"),
        (", ".join(f"{n} × 12" for n in range(2, 13)) + ", 2 × 3, 2 × 4", "At most 12 facts"),
    ],
)
def test_facts_that_cannot_be_read_are_said_and_nothing_is_lost(
    alice: User, school_class: SchoolClass, facts: str, words: str
) -> None:
    page = detail(alice, school_class, facts=facts, note="Good luck")
    assert isinstance(page, str)
    assert words in page
    assert facts in page
    assert "Good luck" in page


def test_the_childs_list_and_the_teachers_name_the_facts(
    alice: User, dora: Child, assignment: Assignment
) -> None:
    assignment.facts = [[6, 7], [7, 8]]
    assignment.save()
    assert "Practise 6 × 7 and 7 × 8" in client_of_child(dora).get(reverse("classrooms:me")).text
    address = reverse("classrooms:assignments", args=[dora.school_class.pk])
    assert "asks 6 × 7 and 7 × 8 first" in client_of(alice).get(address).text


SATURDAY = date(2026, 11, 28)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Saturday 28 November"),
        ("nl", "zaterdag 28 november"),
        ("de", "Samstag, 28. November"),
        ("sv", "lördag 28 november"),
    ],
)
def test_a_date_is_written_as_its_language_does(language: str, words: str) -> None:
    with override(language):
        assert written(SATURDAY, "l j F").lower() == words.lower()


# Days that a teacher sets for something to come


TODAY = date(2026, 9, 1)


@pytest.mark.parametrize("day", [None, TODAY, TODAY + FARTHEST])
def test_today_and_two_years_from_now_are_taken(day: date | None) -> None:
    assert check_coming(day, TODAY) == day


@pytest.mark.parametrize(
    ("days", "words"), [(-1, "has passed"), (FARTHEST.days + 1, "more than two years away")]
)
def test_other_days_are_refused_with_the_reason(days: int, words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        check_coming(TODAY + timedelta(days=days), TODAY)
