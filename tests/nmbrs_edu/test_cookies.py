"""The names of cookies in a school."""

import pytest
from django.test import Client

from classrooms.credentials import decrypt_pictures
from classrooms.models import Child
from nmbrs_edu.middleware import PREFIX
from tests.classrooms.people import client_of, client_of_child, text_on
from tests.factories import ChildFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _as_in_a_school(settings: object) -> None:
    settings.MIDDLEWARE = ["nmbrs_edu.middleware.HostCookiesMiddleware", *settings.MIDDLEWARE]  # type: ignore[attr-defined]


def signed_in_at_the_door(child: Child) -> Client:
    client = Client()
    for picture in decrypt_pictures(child.pictures_encrypted):
        client.post(f"/play/{child.school_class.code}/{child.pk}/", {"picture": picture})
    return client


def test_every_cookie_belongs_to_this_host_only(dora: Child) -> None:
    client = signed_in_at_the_door(dora)
    client.get("/accounts/login/")
    client.post("/i18n/setlang/", {"language": "sv"})
    cookies = {name for name, cookie in client.cookies.items() if cookie.value}
    assert {"child", "device", "csrftoken", "django_language"} <= {
        name.removeprefix(PREFIX) for name in cookies
    }
    for name, cookie in client.cookies.items():
        assert name.startswith(PREFIX), name
        assert (cookie["secure"], cookie["path"], cookie["domain"]) == (True, "/", ""), name
        assert cookie["samesite"] == "Lax", name
        assert cookie["httponly"] or not cookie.value, name


def test_a_child_signs_in_plays_and_leaves(dora: Child) -> None:
    client = signed_in_at_the_door(dora)
    assert "Dora" in text_on(client.get("/me/"))
    client.post("/me/leave/")
    assert client.cookies[PREFIX + "child"].value == ""
    assert client.get("/me/").status_code == 302


def test_a_cookie_planted_by_another_site_signs_nobody_in(dora: Child) -> None:
    assert client_of_child(dora).get("/me/").status_code == 302
    assert client_of(UserFactory.create()).get("/classes/").status_code == 302
    client = signed_in_at_the_door(dora)
    stranger = client_of_child(ChildFactory.create(name="Finn"))
    client.cookies["child"] = stranger.cookies["child"].value
    assert "Dora" in text_on(client.get("/me/"))
