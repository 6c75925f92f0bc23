import pytest
from django.urls import reverse

from classrooms.credentials import encrypt_pictures
from classrooms.models import Child, SchoolClass, User
from tests.classrooms.people import client_of
from tests.factories import (
    AssignmentFactory,
    ChildFactory,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def dora(school_class: SchoolClass) -> Child:
    pictures = encrypt_pictures(("sun", "fish", "boat"))
    return ChildFactory.create(name="Dora", school_class=school_class, pictures_encrypted=pictures)


def test_the_first_children_lead_on_to_assigning(alice: User, school_class: SchoolClass) -> None:
    url = reverse("classrooms:children", args=[school_class.pk])
    response = client_of(alice).post(url, {"names": "Dora\nEmil\n"})
    assert response.headers["Location"] == reverse("classrooms:assign", args=[school_class.pk])
    assert school_class.children.count() == 2


def test_more_children_come_back_to_the_list(alice: User, school_class: SchoolClass) -> None:
    AssignmentFactory.create(school_class=school_class)
    url = reverse("classrooms:children", args=[school_class.pk])
    assert client_of(alice).post(url, {"names": "Dora"}).headers["Location"] == url


def test_with_a_wrong_line_nobody_is_added_and_the_line_is_named(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    url = reverse("classrooms:children", args=[school_class.pk])
    response = client_of(alice).post(url, {"names": "Emil\ndora\nF<b>"})
    lines = response.context["preview"].classes[0].change.lines
    assert [line.number for line in lines if line.problem] == [3]
    assert "1 child is in the class already and is not added again" in response.text
    assert "Emil" in response.text
    assert school_class.children.get() == dora


@pytest.mark.parametrize("names", ["", " \n\t\n", "x" * 60_000])
def test_a_list_without_names_is_refused(
    alice: User, school_class: SchoolClass, names: str
) -> None:
    url = reverse("classrooms:children", args=[school_class.pk])
    assert client_of(alice).post(url, {"names": names}).context["form"].errors["names"]


def test_a_class_has_at_most_500_children(alice: User, school_class: SchoolClass) -> None:
    url = reverse("classrooms:children", args=[school_class.pk])
    names = "\n".join(f"Child {n}" for n in range(501))
    assert "500" in client_of(alice).post(url, {"names": names}).context["form"].errors["names"][0]


def test_a_child_can_be_renamed(alice: User, dora: Child) -> None:
    url = reverse("classrooms:child", args=[dora.school_class_id, dora.pk])
    client_of(alice).post(url, {"name": " Dora  B "})
    dora.refresh_from_db()
    assert dora.name == "Dora B"


def test_a_name_that_another_child_has_is_refused(alice: User, dora: Child) -> None:
    ChildFactory.create(name="Emil", school_class=dora.school_class)
    url = reverse("classrooms:child", args=[dora.school_class_id, dora.pk])
    assert client_of(alice).post(url, {"name": "EMIL"}).context["form"].errors["name"]


def test_a_child_may_keep_its_name(alice: User, dora: Child) -> None:
    url = reverse("classrooms:child", args=[dora.school_class_id, dora.pk])
    assert client_of(alice).post(url, {"name": "Dora"}).status_code == 302


def test_removing_can_be_undone(alice: User, dora: Child) -> None:
    client = client_of(alice)
    url = reverse("classrooms:remove_child", args=[dora.school_class_id, dora.pk])
    page = client.post(url, follow=True)
    assert not Child.objects.exists()
    undo = reverse("classrooms:bring_child_back", args=[dora.school_class_id, dora.pk])
    assert f'action="{undo}"' in page.text
    client.post(undo)
    assert Child.objects.get() == dora
