"""How fast the others play is the child's own choice."""

import pytest
from django.urls import reverse

from classrooms.models import Child
from tests.classrooms.people import client_of_child
from tests.factories import ChildFactory

pytestmark = pytest.mark.django_db

SPEED = "/me/speed/"


@pytest.fixture
def dora() -> Child:
    return ChildFactory.create(name="Dora")


def test_the_choice_is_kept_and_shown(dora: Child) -> None:
    client = client_of_child(dora)
    client.post(SPEED, {"speed": "slow"})
    dora.refresh_from_db()
    assert dora.speed == "slow"
    assert 'value="slow" aria-current="true"' in client.get(reverse("classrooms:me")).text


def test_another_child_keeps_its_own(dora: Child) -> None:
    emil = ChildFactory.create(name="Emil", school_class=dora.school_class)
    client_of_child(dora).post(SPEED, {"speed": "at-once"})
    emil.refresh_from_db()
    assert emil.speed == "normal"


def test_what_is_no_speed_changes_nothing(dora: Child) -> None:
    client_of_child(dora).post(SPEED, {"speed": "warp"})
    dora.refresh_from_db()
    assert dora.speed == "normal"


def test_it_leads_back_to_the_page_that_asked_and_never_elsewhere(dora: Child) -> None:
    client = client_of_child(dora)
    own = client.post(SPEED, {"speed": "slow", "next": "/rules/blocks/"})
    assert own["Location"] == "/rules/blocks/"
    foreign = client.post(SPEED, {"speed": "slow", "next": "https://elsewhere.example/"})
    assert foreign["Location"] == reverse("classrooms:me")
