"""All classes of a teacher begin a new year together."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from time_machine import Traveller

from classrooms.classes import services, teachers
from classrooms.classes.tasks import keep_or_purge
from classrooms.models import Child, NewYear, SchoolClass, User
from tests.classrooms.classes.new_years import URL, class_called, fields_of, names, post, undo
from tests.classrooms.people import client_of, client_of_child, text_on, undo_of, url_of
from tests.factories import ChildFactory, TeachingFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def fourth(alice: User) -> SchoolClass:
    return class_called("4A", alice)


@pytest.fixture
def fifth(alice: User) -> SchoolClass:
    return class_called("5A", alice)


def test_the_names_of_the_next_year_are_filled_in(
    alice: User, fourth: SchoolClass, fifth: SchoolClass
) -> None:
    class_called("Foxes", alice)
    page = client_of(alice).get(URL)
    lines = [(line.school_class.name, line.what, line.name) for line in page.context["form"].lines]
    assert lines == [("4A", "go-on", "5A"), ("5A", "go-on", "6A"), ("Foxes", "stay", "Foxes")]


def test_classes_pass_their_names_on_and_get_them_back(
    alice: User, fourth: SchoolClass, fifth: SchoolClass
) -> None:
    client = client_of(alice)
    page = post(client)
    assert "The new year has begun for 2 classes." in text_on(page)
    assert names(fourth, fifth) == ["5A", "6A"]
    assert "2 classes are as they were before." in text_on(undo(client, page))
    assert names(fourth, fifth) == ["4A", "5A"]
    assert not NewYear.objects.exists()


def test_two_classes_can_swap_their_names(
    alice: User, fourth: SchoolClass, fifth: SchoolClass
) -> None:
    post(client_of(alice), name_4A="5A", name_5A="4A")
    assert names(fourth, fifth) == ["5A", "4A"]


def test_a_class_can_stay_as_it_is_or_be_archived_and_restored(
    alice: User, fourth: SchoolClass, fifth: SchoolClass
) -> None:
    dora = ChildFactory.create(school_class=fifth)
    device, client = client_of_child(dora), client_of(alice)
    page = post(client, what_4A="stay", what_5A="archive")
    assert names(fourth, fifth) == ["4A", "5A"]
    assert fifth.archived_at is not None
    assert device.get(reverse("classrooms:me")).status_code == 302
    undo(client, page)
    fifth.refresh_from_db()
    assert (fifth.name, fifth.archived_at) == ("5A", None)


def test_the_children_stay_and_keep_their_code(alice: User, fourth: SchoolClass) -> None:
    dora = ChildFactory.create(school_class=fourth)
    device, code = client_of_child(dora), fourth.code
    post(client_of(alice))
    assert names(fourth) == ["5A"]
    assert (fourth.code, Child.objects.get().school_class) == (code, fourth)
    assert device.get(reverse("classrooms:me")).status_code == 200


def test_classes_of_others_stay_as_they_are(alice: User, fourth: SchoolClass) -> None:
    charlies, along = (
        class_called("4A", UserFactory.create()),
        class_called("4B", UserFactory.create()),
    )
    TeachingFactory.create(user=alice, school_class=along)
    old = class_called("3A", alice)
    services.archive(old, None)
    client = client_of(alice)
    data = fields_of(client.get(URL))
    for school_class in (charlies, along, old):
        data |= {f"what-{school_class.pk}": "go-on", f"name-{school_class.pk}": "9Z"}
    client.post(URL, data)
    assert names(fourth, charlies, along, old) == ["5A", "4A", "4B", "3A"]


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"name_4A": ""}, "This field is required."),
        ({"name_4A": "x" * 61}, "at most 60 characters"),
        ({"name_4A": "6a"}, "two classes called 6A."),
        ({"what_5A": "stay"}, "two classes called 5A."),
    ],
)
def test_invalid_names_change_nothing(
    alice: User, fourth: SchoolClass, fifth: SchoolClass, changes: dict[str, str], error: str
) -> None:
    page = post(client_of(alice), **changes)
    assert error in text_on(page)
    assert names(fourth, fifth) == ["4A", "5A"]
    assert not NewYear.objects.exists()


def test_two_classes_of_one_name_may_keep_it(alice: User, fourth: SchoolClass) -> None:
    other = class_called("4A", alice)
    post(client_of(alice))
    assert names(fourth, other) == ["5A", "5A"]


def test_posted_twice_the_year_begins_once(
    alice: User, fourth: SchoolClass, fifth: SchoolClass
) -> None:
    client = client_of(alice)
    data = fields_of(client.get(URL))
    client.post(URL, data)
    again = client.post(URL, data, follow=True)
    assert "Nothing was changed." in text_on(again)
    assert names(fourth, fifth) == ["5A", "6A"]
    client.post(URL + "back/")
    assert names(fourth, fifth) == ["4A", "5A"]


def test_an_undo_leaves_what_changed_since(
    alice: User, fourth: SchoolClass, fifth: SchoolClass
) -> None:
    client = client_of(alice)
    sixth = class_called("6A", alice)
    page = post(client, what_6A="archive")
    names(fourth, sixth)
    services.restore(sixth, None)
    services.archive(sixth, None)
    fourth.name = "Foxes"
    fourth.save()
    assert "1 class is as it was before." in text_on(undo(client, page))
    assert names(fourth, fifth, sixth) == ["Foxes", "5A", "6A"]
    assert sixth.archived_at is not None


def test_the_new_year_can_be_undone_for_a_week_on_its_page(
    alice: User, fourth: SchoolClass, fifth: SchoolClass, clock: Traveller
) -> None:
    post(client_of(alice))
    clock.shift(timedelta(days=6, hours=23))
    client = client_of(alice)
    assert f'action="{URL}back/"' in text_on(client.get(URL))
    keep_or_purge()
    assert NewYear.objects.exists()
    clock.shift(timedelta(hours=2))
    client = client_of(alice)
    assert f'action="{URL}back/"' not in text_on(client.get(URL))
    assert "can no longer be undone" in text_on(client.post(URL + "back/", follow=True))
    assert names(fourth, fifth) == ["5A", "6A"]
    keep_or_purge()
    assert not NewYear.objects.exists()


# One class goes on into the next school year under another name


def go_on(teacher: Client, school_class: SchoolClass, name: str) -> Any:
    data = {"what": "next-year", "name": name}
    page = teacher.post(url_of("year_end", school_class), data, follow=True)
    school_class.refresh_from_db()
    return page


def test_the_new_year_of_one_class_takes_three_interactions(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    SchoolClass.objects.update(name="4A")
    teacher = client_of(alice)
    settings, year_end = url_of("edit_class", school_class), url_of("year_end", school_class)
    assert f'href="{settings}"' in text_on(teacher.get(url_of("class", school_class)))
    assert f'href="{year_end}"' in text_on(teacher.get(settings))
    page = teacher.get(year_end)
    offered = page.context["next_year"]["name"].value()
    go_on(teacher, school_class, offered)
    assert school_class.name == "5A"


def test_the_new_name_can_be_undone(alice: User, school_class: SchoolClass) -> None:
    before, teacher = school_class.name, client_of(alice)
    page = go_on(teacher, school_class, "6B")
    undo = undo_of(page)
    other = TeachingFactory.create(user=alice).school_class
    elsewhere = undo.replace(str(school_class.pk), str(other.pk))
    assert "can no longer be undone" in text_on(teacher.post(elsewhere, follow=True))
    teacher.post(undo)
    school_class.refresh_from_db()
    assert school_class.name == before


@pytest.mark.parametrize("why", ["too late", "another owner", "another name"])
def test_a_new_name_is_undone_within_an_hour_by_its_author(
    alice: User, school_class: SchoolClass, clock: Traveller, why: str
) -> None:
    teacher = client_of(alice)
    page = go_on(teacher, school_class, "6B")
    undo = undo_of(page)
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
