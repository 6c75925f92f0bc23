"""The pass by which nginx knows a device: only who has signed in there gets one."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from classrooms import http
from classrooms.credentials import encrypt_pictures, new_pictures
from classrooms.models import Child, User
from tests.classrooms.people import client_of, client_of_child

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def as_in_production(settings: Any) -> None:
    settings.MIDDLEWARE = ["classrooms.middleware.PassMiddleware", *settings.MIDDLEWARE]


def name_of(client: Client) -> str:
    """Whom the proxy takes the client to be."""
    cookie = client.cookies.get(http.PASS_COOKIE)
    return cookie.value.partition(".")[0] if cookie else ""


def test_a_made_up_cookie_gets_no_pass() -> None:
    stranger = Client()
    for post in (False, True):
        stranger.cookies["child"] = "x"
        (stranger.post if post else stranger.get)(
            reverse("classrooms:leave" if post else "classrooms:me")
        )
        assert not name_of(stranger)


def test_a_child_has_the_same_pass_on_every_device_until_it_gets_new_pictures(dora: Child) -> None:
    names = []
    for _device in range(2):
        client = client_of_child(dora)
        client.get(reverse("classrooms:me"))
        names.append(name_of(client))
    assert names[0]
    assert names[0] == names[1]
    dora.pictures_encrypted = encrypt_pictures(new_pictures())
    dora.save()
    client.get(reverse("classrooms:me"))
    assert name_of(client) not in names


def test_a_device_that_a_child_leaves_has_one_pass_however_often(dora: Child) -> None:
    names = set()
    for _time in range(2):
        client = client_of_child(dora)
        client.get(reverse("classrooms:me"))
        own = name_of(client)
        client.post(reverse("classrooms:leave"))
        names.add(name_of(client))
    assert len(names) == 1
    assert own not in names


def test_an_adult_takes_the_pass_along_from_a_shared_computer(alice: User) -> None:
    client = client_of(alice)
    client.get(reverse("classrooms:classes"))
    assert name_of(client)
    client.post(reverse("account_logout"))
    assert not name_of(client)
