"""One game for several classes of a teacher: each class has its own assignment."""

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from classrooms import bounds
from classrooms.assignments import services
from classrooms.assignments.choice import DEFAULT_CHOICE
from classrooms.models import Assignment, Child, SchoolClass, User
from tests.classrooms.assignments.posting import posted
from tests.classrooms.people import client_of
from tests.factories import SchoolClassFactory, TeachingFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def other_class(alice: User) -> SchoolClass:
    return TeachingFactory.create(user=alice, school_class__name="4A").school_class


def test_each_class_gets_its_own_and_each_can_be_taken_back(
    alice: User, school_class: SchoolClass, other_class: SchoolClass
) -> None:
    posted(alice, school_class, note="Hello!", weekly="on", classes=[str(other_class.pk)])
    mine, others = school_class.assignments, other_class.assignments
    assert (mine.count(), others.count()) == (2, 2)
    assert {each.note for each in Assignment.objects.all()} == {"Hello!"}
    assert Assignment.objects.values("series").distinct().count() == 2
    services.withdraw(mine.earliest("starts_on"))
    assert (mine.count(), others.count()) == (0, 2)


def test_the_part_of_a_class_is_of_that_class_alone(
    alice: User, dora: Child, other_class: SchoolClass
) -> None:
    posted(alice, dora.school_class, children=[str(dora.pk)], classes=[str(other_class.pk)])
    mine, other = dora.school_class.assignments.get(), other_class.assignments.get()
    assert (mine.everyone, list(mine.children.all())) == (False, [dora])
    assert (other.everyone, other.children.count()) == (True, 0)


def test_a_preset_goes_to_several_classes_and_the_page_says_so(
    alice: User, dora: Child, other_class: SchoolClass
) -> None:
    services.assign(dora.school_class, DEFAULT_CHOICE)
    data = {"preset": "first", "classes": [str(other_class.pk)]}
    address = reverse("classrooms:assign", args=[dora.school_class_id])
    page = client_of(alice).post(address, data, follow=True).text
    assert "Assigned to 4A too" in page
    assert (
        reverse(
            "classrooms:withdraw_assignment",
            args=[other_class.pk, other_class.assignments.get().pk],
        )
        in page
    )


@pytest.mark.parametrize("whose", ["somebody else's", "archived"])
def test_no_other_class_can_be_named(
    alice: User, school_class: SchoolClass, other_class: SchoolClass, whose: str
) -> None:
    wanted = other_class
    if whose == "archived":
        SchoolClass.objects.filter(pk=wanted.pk).update(archived_at=timezone.now())
    else:
        wanted = SchoolClassFactory.create()
    page = posted(alice, school_class, classes=[str(wanted.pk)])
    assert page.context["also"].errors
    assert Assignment.objects.count() == 0


def test_where_one_class_is_full_none_gets_it(
    alice: User,
    school_class: SchoolClass,
    other_class: SchoolClass,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    services.assign(other_class, DEFAULT_CHOICE)
    monkeypatch.setattr(bounds, "MOST_ASSIGNMENTS", 1)
    posted(alice, school_class, classes=[str(other_class.pk)])
    assert school_class.assignments.count() == 0


def test_one_for_later_is_shown_under_upcoming_as_soon_as_it_is_assigned(
    alice: User, school_class: SchoolClass
) -> None:
    services.assign(school_class, DEFAULT_CHOICE)
    later = school_class.today() + timedelta(days=2)
    answer: Any = posted(alice, school_class, starts_on=str(later))
    assert answer.url.endswith("?show=coming")
    page = client_of(alice).get(answer.url)
    assert [item.assignment.starts_on for item in page.context["overviews"]] == [later]
    assert "Upcoming" in page.text
