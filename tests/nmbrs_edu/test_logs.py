"""No line of the log contains a secret that would let somebody in, or a child's name."""

import io
import logging
from collections.abc import Iterator

import pytest
import structlog
from django.db import IntegrityError
from django.test import Client

from nmbrs_edu.logs import NO_ROUTE, LineFormatter, exception_lines, route_of_path, scrub
from tests.counts import for_each

MARK = "a-secret-nobody-may-read"


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """The output of the log on the console."""
    output = io.StringIO()
    handler = logging.StreamHandler(output)
    handler.setFormatter(LineFormatter())
    root = logging.getLogger()
    root.addHandler(handler)
    yield output
    root.removeHandler(handler)


@for_each(
    [
        (f"/q/{MARK}", "/q/<token>"),
        (f"/q/{MARK}/", NO_ROUTE),
        (f"/play/{MARK}/name/?next={MARK}", "/play/<code>/name/"),
        (f"/invitations/{MARK}/", "/invitations/<invitation>/"),
        (f"/accounts/confirm-email/{MARK}/", "/accounts/confirm-email/<key>/"),
        (f"/accounts/password/reset/key/3-{MARK}/", "/accounts/password/reset/key/<uidb36>-<key>/"),
        ("/classes/", "/classes/"),
    ]
)
def test_an_address_is_logged_as_its_route(path: str, route: str) -> None:
    assert route_of_path(path) == route


@pytest.mark.parametrize(
    "text",
    [
        f"Not Found: /q/{MARK}",
        f"GET /play/{MARK}/?next=/q/{MARK} failed",
        f"Referer checking failed - https://school.example/invitations/{MARK}/ does not match",
        f"'/weekly-mail/stop/{MARK}/'",
        f"no certificate for https://school.example/lti/register/{MARK}/",
        f"/q/{MARK}<b>{MARK}",
        f"no mail to {MARK}@school.example",
    ],
)
def test_any_other_text_is_searched_for_addresses(text: str) -> None:
    assert MARK not in scrub(text)


def raised(problem: Exception) -> Exception:
    try:
        try:
            raise IntegrityError(f"Key (name)=({MARK}) already exists")
        except IntegrityError as cause:
            raise problem from cause
    except Exception as caught:
        return caught


def test_an_exception_is_logged_without_its_message() -> None:
    lines = exception_lines(raised(KeyError(MARK)))
    assert MARK not in lines
    assert "django.db.utils.IntegrityError" in lines
    assert lines.endswith("KeyError")
    assert "test_logs.py" in lines


@pytest.mark.parametrize("name", ["structlog", "logging"])
def test_both_ways_of_logging_an_exception_leave_its_message_out(
    log: io.StringIO, name: str
) -> None:
    logger = structlog.get_logger("x") if name == "structlog" else logging.getLogger("x")
    try:
        raise ValueError(MARK)
    except ValueError:
        logger.exception("it broke")
    assert "it broke" in log.getvalue()
    assert "ValueError" in log.getvalue()
    assert MARK not in log.getvalue()


def test_a_tasks_result_and_exception_are_left_out(log: io.StringIO) -> None:
    logging.getLogger("celery.app.trace").error(
        "Task %(name)s[%(id)s] raised: %(exc)s, gave %(return_value)s",
        {"name": "a.task", "id": 1, "exc": MARK, "return_value": MARK},
    )
    assert "a.task[1]" in log.getvalue()
    assert MARK not in log.getvalue()


@pytest.mark.django_db
@pytest.mark.parametrize("method", ["get", "head", "put", "post"])
@pytest.mark.parametrize(
    "path", [f"/q/{MARK}", f"/q/{MARK}/", f"/play/{MARK}/", f"/invitations/{MARK}/?x={MARK}"]
)
def test_a_refused_request_is_logged_by_its_route(log: io.StringIO, method: str, path: str) -> None:
    client = Client(enforce_csrf_checks=True)
    answer = getattr(client, method)(path, secure=True, headers={"Referer": f"https://x/q/{MARK}"})
    assert answer.status_code in (302, 403, 404, 405)
    assert MARK not in log.getvalue()
    assert answer.status_code == 302 or str(answer.status_code) in log.getvalue()


@pytest.mark.django_db
def test_every_get_address_answers_head() -> None:
    for path in ("/", "/play/", "/accounts/login/"):
        whole, head = Client().get(path), Client().head(path)
        assert (head.status_code, head.headers["Content-Type"]) == (
            whole.status_code,
            whole.headers["Content-Type"],
        )
        assert head.content == b""
