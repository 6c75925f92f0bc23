"""The name that a teacher chooses, and who sees it."""

import pytest
from django.urls import reverse

from classrooms.models import Child, SchoolClass, User
from classrooms.signin.cards import letter_words
from tests.classrooms.people import client_of

pytestmark = pytest.mark.django_db


def choose(user: User, name: str) -> None:
    client_of(user).post(reverse("classrooms:display_name"), {"display_name": name})
    user.refresh_from_db()


def test_co_teachers_see_it_with_the_address(alice: User, school_class: SchoolClass) -> None:
    choose(alice, "  Ms   Bos ")
    page = client_of(alice).get(reverse("classrooms:teachers", args=[school_class.pk])).text
    assert "Ms Bos (alice@example.org)" in page


def test_letters_are_signed_with_it(alice: User, dora: Child) -> None:
    before = letter_words(dora.school_class, dora)["ending"]
    choose(alice, "Ms Bos")
    after = letter_words(SchoolClass.objects.get(), dora)["ending"]
    assert before == "With kind regards, the teacher of 5B"
    assert after == "With kind regards, Ms Bos, class 5B"


@pytest.mark.parametrize("name", ["see evil.example/x", "bob@example.org", "<b>", "...", "x" * 61])
def test_it_is_a_name_and_leads_nowhere(alice: User, name: str) -> None:
    choose(alice, name)
    assert alice.display_name == ""


def test_without_one_it_is_the_address(alice: User) -> None:
    choose(alice, "Ms Bos")
    choose(alice, "")
    assert (alice.named, alice.short_name) == ("alice@example.org", "Alice")
