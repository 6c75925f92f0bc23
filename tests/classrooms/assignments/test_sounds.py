"""Sounds are off until the child or its teacher turns them on, and never there in a quiet class.
What the child chose holds, whatever its class has."""

import pytest
from django.urls import reverse

from classrooms.models import Child, SchoolClass
from tests.classrooms.people import client_of_child
from tests.factories import AssignmentFactory, ChildFactory

pytestmark = pytest.mark.django_db

SOUNDS = "/me/sounds/"
SWITCH = 'id="sounds"'
SCRIPT = "js/sounds"


@pytest.fixture
def dora() -> Child:
    return ChildFactory.create(name="Dora")


def game_of(child: Child) -> str:
    """The page of a game that this child plays."""
    client = client_of_child(child)
    assignment = AssignmentFactory.create(school_class=child.school_class)
    started = client.post(reverse("classrooms:start", args=[assignment.pk]))
    return client.get(started["Location"]).text


def test_they_are_off_at_first_and_can_be_turned_on(dora: Child) -> None:
    page = game_of(dora)
    assert SWITCH in page
    assert "Turn sounds on" in page
    assert SCRIPT not in page


def test_a_child_turns_its_own_on_and_off_again(dora: Child) -> None:
    emil = ChildFactory.create(name="Emil", school_class=dora.school_class)
    client_of_child(dora).post(SOUNDS, {"sounds": "on"})
    assert dict(Child.objects.values_list("name", "sounds")) == {"Dora": True, "Emil": None}
    page = game_of(dora)
    assert "Turn sounds off" in page
    assert SCRIPT in page
    client_of_child(dora).post(SOUNDS, {"sounds": "off"})
    assert SCRIPT not in game_of(dora)
    assert SCRIPT not in game_of(emil)


def test_what_is_neither_on_nor_off_changes_nothing(dora: Child) -> None:
    client_of_child(dora).post(SOUNDS, {"sounds": "loud"})
    dora.refresh_from_db()
    assert not dora.sounds


def test_a_quiet_class_has_none_and_no_switch(dora: Child) -> None:
    Child.objects.update(sounds=True)
    SchoolClass.objects.update(quiet=True)
    page = game_of(dora)
    assert SWITCH not in page
    assert SCRIPT not in page


def test_in_a_quiet_class_none_are_turned_on(dora: Child) -> None:
    SchoolClass.objects.update(quiet=True)
    client_of_child(dora).post(SOUNDS, {"sounds": "on"})
    dora.refresh_from_db()
    assert not dora.sounds


def test_the_switch_leads_back_to_the_game(dora: Child) -> None:
    client = client_of_child(dora)
    assert client.post(SOUNDS, {"sounds": "on", "next": "/me/"})["Location"] == "/me/"
    foreign = client.post(SOUNDS, {"sounds": "on", "next": "https://elsewhere.example/"})
    assert foreign["Location"] == reverse("classrooms:me")


def test_a_class_may_have_them_on_and_a_child_turns_its_own_off(dora: Child) -> None:
    emil = ChildFactory.create(name="Emil", school_class=dora.school_class)
    SchoolClass.objects.update(sounds=True)
    page = game_of(dora)
    assert "Turn sounds off" in page
    assert SCRIPT in page
    client_of_child(dora).post(SOUNDS, {"sounds": "off"})
    page = game_of(dora)
    assert "Turn sounds on" in page
    assert SCRIPT not in page
    assert SCRIPT in game_of(emil)


def test_what_a_child_chose_holds_when_its_class_changes(dora: Child) -> None:
    for wanted in ("on", "off"):
        client_of_child(dora).post(SOUNDS, {"sounds": wanted})
        for of_class in (True, False):
            SchoolClass.objects.update(sounds=of_class)
            assert (SCRIPT in game_of(dora)) == (wanted == "on")
