"""A teacher chooses who, with the class code, sees the names."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from classrooms.audit import What
from classrooms.models import AuditEntry, Child, SchoolClass, User
from classrooms.signin import services
from tests.classrooms.people import client_of
from tests.classrooms.signin.doors import ELSEWHERE, SCHOOL

pytestmark = pytest.mark.django_db

FORM = {
    "do": "save",
    "names_shown": "at school",
    "in_school_hours": "on",
    "school_from": "7",
    "school_until": "17",
}


@pytest.fixture
def teacher(alice: User) -> Client:
    return client_of(alice)


def post(teacher: Client, school_class: SchoolClass, at: str = SCHOOL, **data: Any) -> str:
    """The text of the page after the post."""
    url = reverse("classrooms:class_names", args=[school_class.pk])
    answer = teacher.post(url, data, REMOTE_ADDR=at, follow=True)
    school_class.refresh_from_db()
    assert answer.status_code == 200
    return answer.text


def logged() -> int:
    return AuditEntry.objects.filter(what=What.NAMES_SHOWN).count()


def test_a_class_lists_its_names_at_school_by_default(alice: User) -> None:
    client_of(alice).post(reverse("classrooms:new_class"), {"name": "5B", "language": "en"})
    made = SchoolClass.objects.get()
    assert (made.names_shown, made.in_school_hours) == ("at school", True)
    assert (made.school_from, made.school_until, made.networks) == (7, 17, [])


def test_it_can_be_changed_and_that_is_written_down(
    teacher: Client, school_class: SchoolClass
) -> None:
    changed = {
        "names_shown": "never",
        "in_school_hours": "",
        "school_from": "8",
        "school_until": "16",
    }
    assert "Saved." in post(teacher, school_class, **{**FORM, **changed})
    assert (school_class.names_shown, school_class.in_school_hours) == ("never", False)
    assert (school_class.school_from, school_class.school_until) == (8, 16)
    entry = AuditEntry.objects.get(what=What.NAMES_SHOWN)
    assert entry.class_id == school_class.pk


def test_saving_what_is_so_already_is_not_written_down(
    teacher: Client, school_class: SchoolClass
) -> None:
    post(teacher, school_class, **FORM)
    post(teacher, school_class, **FORM)
    assert logged() == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"school_from": "17", "school_until": "7"},
        {"school_until": "25"},
        {"school_from": "9" * 4301},
        {"names_shown": "x"},
    ],
)
def test_what_cannot_be_is_not_saved(
    teacher: Client, school_class: SchoolClass, wrong: dict[str, str]
) -> None:
    page = post(teacher, school_class, **FORM | wrong)
    assert 'class="errors"' in page
    assert (school_class.names_shown, school_class.school_from) == ("always", 7)
    assert logged() == 0


def test_saving_the_door_leaves_a_code_that_was_changed_meanwhile(
    teacher: Client, school_class: SchoolClass
) -> None:
    form_open_since = SchoolClass.objects.get(pk=school_class.pk)
    SchoolClass.objects.filter(pk=school_class.pk).update(code="BCDFGHJK")
    post(teacher, form_open_since, **FORM)
    assert form_open_since.code == "BCDFGHJK"


def test_the_network_one_is_in_is_added_with_one_button_and_removed(
    teacher: Client, school_class: SchoolClass
) -> None:
    post(teacher, school_class, **FORM)
    assert "You are on it now" in post(teacher, school_class, do="add-network")
    assert school_class.networks == [f"{SCHOOL}/32"]
    assert "You are on it now" not in post(teacher, school_class, ELSEWHERE, do="")
    assert "Removed." in post(teacher, school_class, do="remove-network", network=f"{SCHOOL}/32")
    assert school_class.networks == []
    assert logged() == 3


def test_behind_a_proxy_it_is_the_network_that_the_proxy_saw(
    teacher: Client, school_class: SchoolClass, settings: Any
) -> None:
    settings.TRUSTED_PROXIES = 1
    url = reverse("classrooms:class_names", args=[school_class.pk])
    teacher.post(url, {"do": "add-network"}, HTTP_X_FORWARDED_FOR=f"9.9.9.9, {SCHOOL}")
    school_class.refresh_from_db()
    assert school_class.networks == [f"{SCHOOL}/32"]


@pytest.mark.parametrize("inner", ["127.0.0.1", "172.18.0.5", "", "unknown"])
def test_an_address_that_everyone_may_have_is_not_added(
    teacher: Client, school_class: SchoolClass, inner: str
) -> None:
    assert "cannot tell" in post(teacher, school_class, inner, do="add-network")
    assert school_class.networks == []
    assert logged() == 0


def test_a_class_has_four_networks_at_most_and_none_twice(
    teacher: Client, school_class: SchoolClass
) -> None:
    for last in (1, 2, 2, 3, 4, 5):
        text = post(teacher, school_class, f"198.41.0.{last}", do="add-network")
    assert "four" in text
    assert school_class.networks == [f"198.41.0.{last}/32" for last in (1, 2, 3, 4)]


@pytest.mark.parametrize("data", [{}, {"do": "x"}, {"do": "remove-network", "network": "1.1.1.1"}])
def test_what_is_no_button_changes_nothing(
    teacher: Client, school_class: SchoolClass, data: dict[str, str]
) -> None:
    assert "Nothing was changed" in post(teacher, school_class, **data)
    assert logged() == 0


@pytest.mark.parametrize("page", ["cards", "letters", "signing_in"])
@pytest.mark.parametrize(
    ("shown", "text"), [("at school", "Away from school"), ("never", "On a new device")]
)
def test_pages_that_tell_how_to_get_in_say_that_names_are_typed(
    teacher: Client, dora: Child, page: str, shown: str, text: str
) -> None:
    url = reverse(f"classrooms:{page}", args=[dora.school_class_id])
    assert "type the name" not in teacher.get(url).text
    SchoolClass.objects.update(names_shown=shown)
    assert f"{text}" in teacher.get(url).text


def test_the_letter_says_so_too(teacher: Client, dora: Child) -> None:
    url = reverse("classrooms:letters", args=[dora.school_class_id])
    assert "Then tap the name Dora" in teacher.get(url).text
    SchoolClass.objects.update(names_shown="at school")
    assert "Then type or tap the name Dora" in teacher.get(url).text


def test_many_wrong_names_are_shown_to_the_teacher_and_a_few_are_not(
    teacher: Client, school_class: SchoolClass, dora: Child
) -> None:
    url = reverse("classrooms:signing_in", args=[school_class.pk])
    for shown, count in (False, services.FEW), (True, 1):
        for _ in range(count):
            services.reject_unknown_name(school_class, ("cup",) * 3, "a device")
        assert ("Many wrong names" in teacher.get(url).text) is shown
