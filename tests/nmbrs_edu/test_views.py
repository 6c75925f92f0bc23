"""Error pages offer to post the same form again."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import psycopg
import pytest
from django.conf import LazySettings, settings
from django.db import InterfaceError, OperationalError, connection
from django.db.backends.utils import CursorWrapper
from django.db.models import Field, Model
from django.test import Client

from classrooms.models import SchoolClass
from nmbrs_edu.settings.base import POSTGRESQL_OPTIONS
from tests.classrooms.people import text_on
from tests.factories import SchoolClassFactory

pytestmark = pytest.mark.django_db

FORM = "application/x-www-form-urlencoded"
MARK = "multipart/form-data; boundary=x"
BODIES = {
    "no boundary": (b"x", "multipart/form-data"),
    "an empty boundary": (b"x", "multipart/form-data; boundary="),
    "headers without end": (b"--x\r\nContent-Disposition: form-data; name=" + b"a" * 2000, MARK),
    "too many fields": (b"a=1&" * (settings.DATA_UPLOAD_MAX_NUMBER_FIELDS + 1), FORM),
    "too many files": (
        b'--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\n\r\n' * 101
        + b"--x--\r\n",
        MARK,
    ),
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
@pytest.mark.parametrize(("address", "status"), [("/nowhere/", 404), ("/play/", 400)])
@pytest.mark.parametrize("htmx", [False, True], ids=["a page", "a part"])
def test_unreadable_requests_are_not_server_errors(
    address: str, status: int, body: tuple[bytes, str], htmx: bool
) -> None:
    client = Client(enforce_csrf_checks=True)
    client.cookies["csrftoken"] = "a" * 32
    headers = {"X-CSRFToken": "a" * 32} | ({"HX-Request": "true"} if htmx else {})
    answer = client.generic("POST", address, body[0], content_type=body[1], headers=headers)
    assert answer.status_code == status


def test_a_form_on_an_error_page_has_a_valid_token(client: Client) -> None:
    strict = Client(enforce_csrf_checks=True)
    page = strict.get("/nowhere/")
    assert page.status_code == 404
    assert "csrftoken" in page.cookies or "csrfmiddlewaretoken" not in text_on(page)


@pytest.mark.parametrize("host", ["testserver", "testserver:8443", "testserver:444", "[::1]:9443"])
def test_a_form_is_accepted_at_each_port(host: str, settings: LazySettings) -> None:
    settings.ALLOWED_HOSTS = ["testserver", "[::1]"]
    strict = Client(enforce_csrf_checks=True)
    headers = {"host": host, "origin": f"http://{host}", "referer": f"http://{host}/"}
    token = strict.get("/", headers=headers).context["csrf_token"]
    data = {"code": "BBBB BBBB", "csrfmiddlewaretoken": str(token)}
    assert strict.post("/play/", data, headers=headers).status_code != 403


@pytest.fixture
def a_page_that_fails(monkeypatch: pytest.MonkeyPatch) -> Callable[[Exception], Client]:
    """A client whose queries all raise this error. The site answers with a page."""

    def failing(problem: Exception) -> Client:
        def fail(*_: object) -> None:
            raise problem

        monkeypatch.setattr(CursorWrapper, "execute", fail)
        return Client(raise_request_exception=False)

    return failing


@pytest.mark.parametrize("problem", [OperationalError("gone"), InterfaceError("closed")])
def test_while_the_database_is_down_a_page_tries_again(
    a_page_that_fails: Callable[[Exception], Client], problem: Exception
) -> None:
    answer = a_page_that_fails(problem).get("/play/BCDF/")
    assert answer.status_code == 503
    assert answer["Retry-After"] == answer["Refresh"] == "5"
    assert answer["Cache-Control"] == "no-store"
    assert "This page will try again by itself" in text_on(answer)


def test_a_post_is_not_repeated_while_the_database_is_down(
    a_page_that_fails: Callable[[Exception], Client],
) -> None:
    answer = a_page_that_fails(OperationalError("gone")).post(
        "/accounts/login/", {"login": "alice@example.org", "password": "anything"}
    )
    assert answer.status_code == 503
    assert "Refresh" not in answer
    assert "Go back and try again" in text_on(answer)


def test_a_server_error_is_not_called_temporary(
    a_page_that_fails: Callable[[Exception], Client],
) -> None:
    answer = a_page_that_fails(ValueError("wrong")).get("/play/BCDF/")
    assert answer.status_code == 500
    assert "Retry-After" not in answer


@pytest.mark.django_db(transaction=True)
def test_a_statement_prepared_before_an_upgrade_fails_once_at_most(client: Client) -> None:
    school_class = SchoolClassFactory.create()
    door = f"/play/{school_class.code}/"
    for _ in range(2 * POSTGRESQL_OPTIONS["prepare_threshold"]):
        assert client.get(door).status_code == 200
    client.raise_request_exception = False
    with _changed_column(SchoolClass, "name", "text"):
        answer = client.get(door)
        assert answer.status_code == 503
        assert "This page will try again by itself" in text_on(answer)
        assert client.get(door).status_code == 200


@contextmanager
def _changed_column(model: type[Model], name: str, kind: str) -> Iterator[None]:
    field = model._meta.get_field(name)
    assert isinstance(field, Field)
    change = f"ALTER TABLE {model._meta.db_table} ALTER COLUMN {name} TYPE "
    with psycopg.connect(**connection.get_connection_params(), autocommit=True) as upgrade:
        upgrade.execute(change + kind)
        try:
            yield
        finally:
            upgrade.execute(f"{change}{field.db_type(connection)}")


# A form without a valid token


SITE: Final = "http://testserver"
LIST = {"names": "Dora\r\nEmil\r\nNora <b>", "language": "nl", "csrfmiddlewaretoken": "a" * 64}


@pytest.fixture
def strict() -> Client:
    """A browser whose token is no longer that of its page."""
    client = Client(enforce_csrf_checks=True)
    client.get("/accounts/login/")
    return client


def post_refused(
    client: Client, path: str, fields: dict[str, str], page: str = "", **more: str
) -> str:
    headers = {"referer": page or SITE + path} | {k.replace("_", "-"): v for k, v in more.items()}
    answer = client.post(path, fields, headers=headers)
    assert answer.status_code == 403
    return text_on(answer)


@pytest.mark.parametrize("path", ["/classes/new/", "/play/", "/classes/new/?from=list"])
def test_the_text_of_an_old_page_is_sent_by_one_tap(strict: Client, path: str) -> None:
    page = post_refused(strict, path, LIST)
    assert f'action="{path}"' in page
    assert "Dora\r\nEmil\r\nNora &lt;b&gt;</textarea>" in page
    assert '<input type="hidden" name="language" value="nl">' in page
    assert 'name="csrfmiddlewaretoken"' in page
    data = {**LIST, "csrfmiddlewaretoken": strict.cookies[settings.CSRF_COOKIE_NAME].value}
    assert strict.post(path, data, headers={"referer": SITE + path}).status_code != 403


@pytest.mark.parametrize("page", ["http://elsewhere.example/", "http://testserver.example/"])
def test_a_post_from_another_site_is_not_offered_again(strict: Client, page: str) -> None:
    assert "Dora" not in post_refused(strict, "/classes/new/", LIST, page)
    assert "Dora" not in post_refused(
        strict, "/classes/new/", LIST, origin="http://elsewhere.example"
    )


@pytest.mark.parametrize("path", ["/play/", "/accounts/login/", "/accounts/signup/"])
def test_a_browser_without_cookies_gets_an_explanation(path: str) -> None:
    page = post_refused(Client(enforce_csrf_checks=True), path, {"code": "BBBB BBBB"})
    assert "cookie" in page
    assert "open for too long" not in page


def test_the_page_with_the_form_is_one_tap_away(strict: Client) -> None:
    assert 'href="http://testserver/here/"' in post_refused(strict, "/play/", LIST, f"{SITE}/here/")


def test_nobody_is_led_to_another_site(strict: Client) -> None:
    assert "evil.example" not in post_refused(strict, "/play/", LIST, "http://evil.example/")


def test_a_page_that_swaps_parts_is_reloaded(strict: Client) -> None:
    answer = strict.post("/play/", {"code": "x"}, headers={"HX-Request": "true"})
    assert answer.headers["HX-Refresh"] == "true"
