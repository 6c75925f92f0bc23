import pytest
from django.test import Client
from django.urls import reverse

from tests.classrooms.people import client_of, client_of_child
from tests.factories import ChildFactory, SchoolClassFactory, UserFactory

pytestmark = pytest.mark.django_db


def test_everyone_finds_the_door(client: Client) -> None:
    response = client.get("/")
    assert response.status_code == 200
    assert reverse("account_login") in response.text


def test_a_teacher_finds_the_way_to_the_classes() -> None:
    response = client_of(UserFactory.create()).get("/")
    assert reverse("classrooms:classes") in response.text


def test_a_child_that_is_in_goes_on_to_what_there_is_to_play() -> None:
    response = client_of_child(ChildFactory.create()).get("/")
    assert response.headers["Location"] == reverse("classrooms:me")


def test_a_right_code_leads_to_the_names(client: Client) -> None:
    school_class = SchoolClassFactory.create(code="BCDGHJZ9")
    response = client.post("/play/", {"code": "bc0g hj29"})
    assert response.headers["Location"] == reverse("classrooms:names", args=[school_class.code])


@pytest.mark.parametrize("code", ["BCDGHJZZ", "x", ""])
def test_a_wrong_code_says_so_at_once(client: Client, code: str) -> None:
    SchoolClassFactory.create(code="BCDGHJZ9")
    response = client.post("/play/", {"code": code})
    assert response.status_code == 200
    assert response.context["form"].errors["code"]


def test_who_opens_the_address_that_codes_are_posted_to_finds_the_door(client: Client) -> None:
    assert client.get("/play/").headers["Location"] == "/"
