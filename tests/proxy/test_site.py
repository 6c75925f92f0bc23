"""The harness itself: what is tested here is what a school runs."""

import re

import pytest

from classrooms.models import User
from tests.factories import ChildFactory, SchoolClassFactory, TeachingFactory, UserFactory
from tests.proxy.site import Site

pytestmark = pytest.mark.django_db(transaction=True)


def test_plain_http_leads_to_https(site: Site) -> None:
    answer = site.browser().get(f"http://localhost:{site.http}/play/", allow_redirects=False)
    assert answer.status_code == 308
    assert answer.headers["Location"] == "https://localhost/play/"


def test_the_first_page_and_its_styles_are_served(site: Site) -> None:
    browser = site.browser()
    page = browser.get("/")
    assert page.status_code == 200
    style = page.text.partition('rel="stylesheet" href="')[2].partition('"')[0]
    assert style.startswith("/static/")
    assert browser.get(style).headers["Content-Type"].startswith("text/css")


def test_a_teacher_signs_in_by_the_form(site: Site) -> None:
    alice = site.teacher(UserFactory.create())
    answer = site.browser().sign_in(alice.email)
    assert answer.url == f"{site.url}/classes/"


def test_a_class_is_open_to_its_teacher_and_a_childs_page_to_the_child(site: Site) -> None:
    dora = ChildFactory.create(school_class=SchoolClassFactory.create())
    alice: User = TeachingFactory.create(school_class=dora.school_class).user
    address = f"/classes/{dora.school_class.pk}/"
    assert site.signed_in(alice).get(address).status_code == 200
    assert site.signed_in(UserFactory.create()).get(address).status_code == 404
    assert dora.name in site.playing(dora).get("/me/").text


def test_a_request_has_the_same_id_in_the_logs_of_nginx_and_site(site: Site) -> None:
    answer = site.browser().get("/q/nobody", headers={"X-Request-ID": "made-up-by-the-client"})
    assert answer.status_code == 404
    line = next(line for line in site.logs()["door"].splitlines() if "'GET /q/<token>'" in line)
    assert re.search(r"request_id=[0-9a-f]{32}\b", line)
    assert "made-up" not in line
