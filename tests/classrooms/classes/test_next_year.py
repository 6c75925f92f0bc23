"""A class goes on into the next school year under another name."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from time_machine import Traveller

from classrooms.classes import services, teachers
from classrooms.models import Child, SchoolClass, User
from tests.classrooms.people import client_of, client_of_child
from tests.factories import TeachingFactory

pytestmark = pytest.mark.django_db


def url(name: str, school_class: SchoolClass) -> str:
    return reverse(f"classrooms:{name}", args=[school_class.pk])


def go_on(teacher: Client, school_class: SchoolClass, name: str) -> str:
    data = {"what": "next-year", "name": name}
    text: str = teacher.post(url("year_end", school_class), data, follow=True).text
    school_class.refresh_from_db()
    return text


def test_from_the_class_page_it_takes_three_interactions(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    SchoolClass.objects.update(name="4A")
    teacher = client_of(alice)
    settings, year_end = url("edit_class", school_class), url("year_end", school_class)
    assert f'href="{settings}"' in teacher.get(url("class", school_class)).text
    assert f'href="{year_end}"' in teacher.get(settings).text
    page = teacher.get(year_end)
    assert "4A gets a new name. 1 child stays in it" in " ".join(page.text.split())
    offered = page.context["next_year"]["name"].value()
    go_on(teacher, school_class, offered)
    assert school_class.name == "5A"


def test_the_children_stay_signed_in_and_keep_their_code(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    child, code = client_of_child(dora), school_class.code
    go_on(client_of(alice), school_class, "6B")
    assert school_class.code == code
    assert child.get(reverse("classrooms:me")).status_code == 200


def test_the_new_name_can_be_taken_back(alice: User, school_class: SchoolClass) -> None:
    before, teacher = school_class.name, client_of(alice)
    page = go_on(teacher, school_class, "6B")
    (undo,) = re.findall(r'action="([^"]+/undo/[^"]+)"', page)
    other = TeachingFactory.create(user=alice).school_class
    elsewhere = undo.replace(str(school_class.pk), str(other.pk))
    assert "can no longer be undone" in teacher.post(elsewhere, follow=True).text
    teacher.post(undo)
    school_class.refresh_from_db()
    assert school_class.name == before


@pytest.mark.parametrize("why", ["too late", "another owner", "another name"])
def test_the_name_of_before_comes_back_within_an_hour_to_whoever_gave_the_new_one(
    alice: User, school_class: SchoolClass, clock: Traveller, why: str
) -> None:
    teacher = client_of(alice)
    page = go_on(teacher, school_class, "6B")
    (undo,) = re.findall(r'action="([^"]+/undo/[^"]+)"', page)
    if why == "too late":
        clock.shift(timedelta(minutes=61))
    elif why == "another owner":
        bob = TeachingFactory.create(school_class=school_class, role="co-teacher").user
        teachers.hand_over(school_class, bob, alice)
        teacher = client_of(bob)
    else:
        go_on(teacher, school_class, "6C")
    teacher.post(undo)
    school_class.refresh_from_db()
    assert school_class.name == ("6C" if why == "another name" else "6B")


@pytest.mark.parametrize("name", ["", "same"])
def test_without_another_name_nothing_changes(
    alice: User, school_class: SchoolClass, name: str
) -> None:
    before = school_class.name
    page = go_on(client_of(alice), school_class, before if name == "same" else name)
    assert f"End of year: {before}" in page
    assert "field-wrong" in page
    assert school_class.name == before


def test_an_archived_class_keeps_its_name(alice: User, school_class: SchoolClass) -> None:
    services.archive(school_class)
    before = school_class.name
    go_on(client_of(alice), school_class, "6B")
    assert school_class.name == before
