from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from classrooms.models import SchoolClass, Teaching, User
from tests.classrooms.people import client_of
from tests.factories import (
    AssignmentFactory,
    ChildFactory,
)

pytestmark = pytest.mark.django_db


def test_a_new_class_belongs_to_its_maker_and_leads_on_to_the_children(
    alice: User,
) -> None:
    response = client_of(alice).post(
        reverse("classrooms:new_class"), {"name": "5B", "language": "nl"}
    )
    made = SchoolClass.objects.get()
    assert response.headers["Location"] == reverse("classrooms:children", args=[made.pk])
    assert (made.name, made.language) == ("5B", "nl")
    assert made.teachings.get().user == alice
    assert made.teachings.get().role == Teaching.Role.OWNER


@pytest.mark.parametrize("data", [{"name": "", "language": "en"}, {"name": "5B", "language": "xx"}])
def test_a_class_needs_a_name_and_a_language_that_there_is(
    alice: User, data: dict[str, str]
) -> None:
    response = client_of(alice).post(reverse("classrooms:new_class"), data)
    assert response.context["form"].errors
    assert not SchoolClass.objects.exists()


def test_the_list_counts_the_assignments_that_can_be_played_now_as_their_own_list_does(
    alice: User, school_class: SchoolClass
) -> None:
    today = school_class.today()
    day = timedelta(days=1)
    for dates in ({}, {"starts_on": today + day}, {"due_on": today - day}, {"due_on": today}):
        AssignmentFactory.create(school_class=school_class, **dates)
    AssignmentFactory.create(school_class=school_class, ended_at=timezone.now())
    client = client_of(alice)
    listed = client.get(reverse("classrooms:assignments", args=[school_class.pk]))
    assert len(listed.context["overviews"]) == 2
    assert "2 open assignments" in client.get(reverse("classrooms:classes")).text


def test_a_class_can_be_renamed(alice: User, school_class: SchoolClass) -> None:
    url = reverse("classrooms:edit_class", args=[school_class.pk])
    client_of(alice).post(url, {"name": "6B", "language": "de", "time_zone": "Europe/Berlin"})
    school_class.refresh_from_db()
    assert (school_class.name, school_class.language) == ("6B", "de")
    assert school_class.time_zone == "Europe/Berlin"


def test_a_class_with_children_but_nothing_to_play_asks_for_that(
    alice: User, school_class: SchoolClass
) -> None:
    ChildFactory.create(school_class=school_class)
    response = client_of(alice).get(reverse("classrooms:class", args=[school_class.pk]))
    assert reverse("classrooms:assign", args=[school_class.pk]) in response.text


def test_the_class_page_shows_its_code_and_leads_to_what_there_is_to_play(
    alice: User, school_class: SchoolClass
) -> None:
    ChildFactory.create(school_class=school_class)
    AssignmentFactory.create(school_class=school_class)
    response = client_of(alice).get(reverse("classrooms:class", args=[school_class.pk]))
    assert school_class.spaced_code in response.text
    assert reverse("classrooms:assignments", args=[school_class.pk]) in response.text
