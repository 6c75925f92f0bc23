"""Search engines may keep the first page and the rules, and nothing that has to do with a class."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from classrooms.models import Teaching
from tests.classrooms.people import client_of
from tests.factories import SchoolClassFactory, TeachingFactory

pytestmark = pytest.mark.django_db

META = '<meta name="robots" content="noindex, nofollow">'


def test_the_first_page_and_the_rules_may_be_found(client: Client) -> None:
    for path in ("/", "/rules/simplified/"):
        answer = client.get(path)
        assert answer.status_code == 200
        assert "X-Robots-Tag" not in answer.headers
        assert META not in answer.text


def test_the_names_of_a_class_may_not(client: Client) -> None:
    answer = client.get(reverse("classrooms:names", args=[SchoolClassFactory.create().code]))
    assert answer.status_code == 200
    assert answer.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert META in answer.text


@pytest.mark.parametrize(
    "path",
    ["/play/", "/play/ZZZZZZZZ/", "/q/x", "/me/", "/accounts/login/", "/classes/", "/nowhere/",
     "/rules/none/", "/rulesx/", "/invitations/x/", "/healthz", "/robots.txt", "/admin/login/"],
)  # fmt: skip
def test_nothing_else_may_either(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.headers["X-Robots-Tag"] == "noindex, nofollow"
    if answer.status_code in (200, 404) and "html" in answer.headers["Content-Type"]:
        assert re.search(r'<meta name="robots" content="no', answer.text, re.IGNORECASE)


def test_a_page_of_a_teachers_may_not() -> None:
    alice: Teaching = TeachingFactory.create()
    answer = client_of(alice.user).get(reverse("classrooms:class", args=[alice.school_class_id]))
    assert answer.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert META in answer.text


def test_robots_may_read_only_the_public_pages(client: Client) -> None:
    answer = client.get("/robots.txt")
    assert answer.headers["Content-Type"].startswith("text/plain")
    assert answer.text.splitlines() == [
        "User-agent: *", "Allow: /$", "Allow: /rules/", "Allow: /static/", "Disallow: /",
    ]  # fmt: skip
