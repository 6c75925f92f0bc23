"""A teacher can have quiet lessons: on the pages of the class's children nothing moves. Or sounds,
which each child can turn off."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from classrooms.models import AuditEntry, Child, SchoolClass, User
from tests.classrooms.people import client_of, client_of_child
from tests.factories import AssignmentFactory, ChildFactory

pytestmark = pytest.mark.django_db


def pages(child: Child) -> list[str]:
    """The child's list, and a game that it plays."""
    client = client_of_child(child)
    assignment = AssignmentFactory.create(school_class=child.school_class)
    game = client.post(reverse("classrooms:start", args=[assignment.pk])).headers["Location"]
    return [client.get(address).text for address in (reverse("classrooms:me"), game)]


@pytest.fixture
def url(school_class: SchoolClass) -> str:
    return reverse("classrooms:edit_class", args=[school_class.pk])


def settings(school_class: SchoolClass, **more: str) -> dict[str, str]:
    return {"name": school_class.name, "language": "en", "time_zone": "Europe/Amsterdam", **more}


@pytest.mark.parametrize(
    ("chosen", "quiet", "sounds"),
    [("quiet", True, False), ("child", False, False), ("sounds", False, True)],
)
def test_a_teacher_chooses_quiet_lessons_the_childs_choice_or_sounds(
    alice: User, school_class: SchoolClass, url: str, chosen: str, quiet: bool, sounds: bool
) -> None:
    teacher = client_of(alice)
    for former in ("quiet", "sounds", "child"):
        teacher.post(url, settings(school_class, liveliness=former))
        teacher.post(url, settings(school_class, liveliness=chosen))
        school_class.refresh_from_db()
        assert (school_class.quiet, school_class.sounds) == (quiet, sounds)
        page = teacher.get(url).text
        assert re.search(f'value="{chosen}"[^>]*checked', page)


@pytest.mark.parametrize("chosen", [{}, {"liveliness": "loud"}])
def test_a_post_without_a_choice_leaves_the_lessons_as_they_are(
    alice: User, school_class: SchoolClass, url: str, chosen: dict[str, str]
) -> None:
    SchoolClass.objects.update(quiet=True)
    client_of(alice).post(url, settings(school_class, **chosen))
    school_class.refresh_from_db()
    assert school_class.quiet


def test_the_log_names_what_changed(alice: User, school_class: SchoolClass, url: str) -> None:
    teacher = client_of(alice)
    for chosen, changed in (
        ("sounds", ["sounds"]),
        ("quiet", ["quiet", "sounds"]),
        ("child", ["quiet"]),
    ):
        teacher.post(url, settings(school_class, liveliness=chosen))
        entry = AuditEntry.objects.filter(what=AuditEntry.What.CHANGED).latest("at")
        assert entry.detail["fields"] == changed


def test_the_pages_of_a_quiet_class_say_so(school_class: SchoolClass) -> None:
    dora = ChildFactory.create(name="Dora", school_class=school_class)
    assert not any('class="quiet' in text for text in pages(dora))
    SchoolClass.objects.filter(pk=school_class.pk).update(quiet=True)
    assert all('class="quiet' in text for text in pages(dora))


def test_who_is_no_child_has_no_quiet_pages(school_class: SchoolClass, client: Client) -> None:
    SchoolClass.objects.filter(pk=school_class.pk).update(quiet=True)
    door = reverse("classrooms:names", args=[school_class.code])
    assert 'class="quiet' not in client.get(door).text
