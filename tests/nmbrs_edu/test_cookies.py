"""The names of cookies in a school, and the replacement of cookies with old names."""

import pytest
from django.test import Client

from classrooms.credentials import decrypt_pictures
from classrooms.models import Child
from classrooms.signin import services as signin
from classrooms.signin.children_only import DEVICE_COOKIE
from nmbrs_edu.middleware import PREFIX
from tests.classrooms.people import client_of, client_of_child
from tests.factories import ChildFactory, UserFactory

pytestmark = pytest.mark.django_db

PRODUCTION = [
    "nmbrs_edu.middleware.OldCookiesMiddleware",
    "nmbrs_edu.middleware.HostCookiesMiddleware",
]


@pytest.fixture(autouse=True)
def _as_in_a_school(settings: object) -> None:
    settings.MIDDLEWARE = [*PRODUCTION, *settings.MIDDLEWARE]  # type: ignore[attr-defined]


def signed_in_at_the_door(child: Child) -> Client:
    client = Client()
    for picture in decrypt_pictures(child.pictures_encrypted):
        client.post(f"/play/{child.school_class.code}/{child.pk}/", {"picture": picture})
    return client


def test_every_cookie_belongs_to_this_host_only(dora: Child) -> None:
    client = signed_in_at_the_door(dora)
    client.get("/accounts/login/")
    client.post("/i18n/setlang/", {"language": "sv"})
    kept = {name for name, cookie in client.cookies.items() if cookie.value}
    assert {"child", "device", "csrftoken", "django_language"} <= {
        name.removeprefix(PREFIX) for name in kept
    }
    for name, cookie in client.cookies.items():
        assert name.startswith(PREFIX), name
        assert (cookie["secure"], cookie["path"], cookie["domain"]) == (True, "/", ""), name
        assert cookie["samesite"] == "Lax", name
        assert cookie["httponly"] or not cookie.value, name


def test_a_child_signs_in_plays_and_leaves(dora: Child) -> None:
    client = signed_in_at_the_door(dora)
    assert "Dora" in client.get("/me/").text
    client.post("/me/leave/")
    assert client.cookies[PREFIX + "child"].value == ""
    assert client.get("/me/").status_code == 302


def test_a_cookie_planted_by_another_site_is_not_read(dora: Child) -> None:
    client = client_of_child(dora)
    stranger = client_of_child(ChildFactory.create(name="Finn"))
    client.cookies[PREFIX + "child"] = client.cookies.pop("child").value
    client.cookies["child"] = stranger.cookies["child"].value
    assert "Dora" in client.get("/me/").text


class TestFromTheReleaseBefore:
    def test_a_child_plays_on_under_the_new_name(self, dora: Child) -> None:
        client = client_of_child(dora)
        token = client.cookies["child"].value
        assert "Dora" in client.get("/me/").text
        assert client.cookies[PREFIX + "child"].value == token
        assert client.cookies[PREFIX + "child"]["max-age"] == ""
        assert client.cookies["child"].value == ""

    def test_a_child_who_leaves_keeps_neither_cookie(self, dora: Child) -> None:
        client = client_of_child(dora)
        client.post("/me/leave/")
        assert client.cookies["child"].value == client.cookies[PREFIX + "child"].value == ""

    def test_a_planted_cookie_signs_no_adult_in(self) -> None:
        client = client_of(UserFactory.create())
        assert client.get("/classes/").status_code == 302

    def test_a_known_device_stays_known(self, dora: Child) -> None:
        before = signed_in_at_the_door(dora)
        device = before.cookies[PREFIX + DEVICE_COOKIE].value
        client = Client()
        client.cookies[DEVICE_COOKIE] = device
        client.get("/")
        kept = client.cookies[PREFIX + DEVICE_COOKIE]
        assert (kept.value, kept["max-age"]) == (device, 2 * 365 * 24 * 3600)
        pictures = decrypt_pictures(dora.pictures_encrypted)
        assert isinstance(signin.sign_in(dora, pictures, "another"), signin.SignedIn)

    def test_an_old_cookie_is_replaced_once(self, dora: Child) -> None:
        client = client_of_child(dora)
        client.get("/me/")
        del client.cookies["child"]  # expired: a browser deletes it
        assert not client.get("/me/here/").cookies
