"""A teacher can have quiet lessons: on the pages of the class's children nothing moves."""

import pytest
from django.test import Client
from django.urls import reverse

from classrooms.models import Child, SchoolClass, User
from tests.classrooms.people import client_of, client_of_child
from tests.factories import AssignmentFactory, ChildFactory

pytestmark = pytest.mark.django_db


def pages(child: Child) -> list[str]:
    """The child's list, and a game that it plays."""
    client = client_of_child(child)
    assignment = AssignmentFactory.create(school_class=child.school_class)
    game = client.post(reverse("classrooms:start", args=[assignment.pk])).headers["Location"]
    return [client.get(address).text for address in (reverse("classrooms:me"), game)]


def test_a_teacher_can_make_the_lessons_quiet_and_lively_again(
    alice: User, school_class: SchoolClass
) -> None:
    url = reverse("classrooms:edit_class", args=[school_class.pk])
    data = {"name": school_class.name, "language": "en", "time_zone": "Europe/Berlin"}
    teacher = client_of(alice)
    assert "nothing makes a sound" in teacher.get(url).text
    for quiet in (True, False):
        teacher.post(url, {**data, **({"quiet": "on"} if quiet else {})})
        school_class.refresh_from_db()
        assert school_class.quiet is quiet


def test_the_pages_of_a_quiet_class_say_so(school_class: SchoolClass) -> None:
    dora = ChildFactory.create(name="Dora", school_class=school_class)
    assert not any('class="quiet' in text for text in pages(dora))
    SchoolClass.objects.filter(pk=school_class.pk).update(quiet=True)
    assert all('class="quiet' in text for text in pages(dora))


def test_who_is_no_child_has_no_quiet_pages(school_class: SchoolClass, client: Client) -> None:
    SchoolClass.objects.filter(pk=school_class.pk).update(quiet=True)
    door = reverse("classrooms:names", args=[school_class.code])
    assert 'class="quiet' not in client.get(door).text
