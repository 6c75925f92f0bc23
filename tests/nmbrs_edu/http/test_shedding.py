"""What has waited for too long is turned away before anything is done for it."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory, override_settings

from nmbrs_edu.http import GIVEN_UP, LONGEST_WAIT, SheddingMiddleware
from tests.clock import at

NOW = datetime(2026, 11, 25, 9, 0, tzinfo=UTC)
MOVE = "/games/00000000-0000-0000-0000-000000000000/act"


@pytest.fixture(autouse=True)
def the_clock_stands() -> Iterator[None]:
    with at(NOW):
        yield


def answer(handed_on: str) -> HttpResponse:
    def served(request: HttpRequest) -> HttpResponse:
        return HttpResponse("served")

    headers = {"X-Request-Start": handed_on} if handed_on else {}
    return SheddingMiddleware(served)(RequestFactory().get("/play/", headers=headers))


def ago(seconds: float) -> str:
    return f"{NOW.timestamp() - seconds:.3f}"


def test_what_has_waited_for_too_long_is_told_to_come_again() -> None:
    answered = answer(ago(LONGEST_WAIT + 0.1))
    assert (answered.status_code, answered.content) == (503, b"")
    assert answered["Retry-After"] == "5"
    assert answered["HX-Reswap"] == "none"
    assert answered["Cache-Control"] == "no-store"


def test_the_proxy_is_asked_for_its_own_page() -> None:
    assert answer(ago(LONGEST_WAIT + 0.1))["X-Accel-Redirect"] == "@busy"


@pytest.mark.parametrize(
    "handed_on",
    [
        "",
        "yesterday",
        "nan",
        "inf",
        "-inf",
        ago(0),
        ago(LONGEST_WAIT - 0.1),
        ago(-3600),
        ago(GIVEN_UP + 0.1),
    ],
)
def test_what_came_just_now_or_by_a_wrong_clock_is_served(handed_on: str) -> None:
    assert answer(handed_on).content == b"served"


@pytest.mark.django_db
def test_turning_away_costs_no_statement(django_assert_num_queries: object) -> None:
    layers = ["nmbrs_edu.http.SheddingMiddleware", *settings.MIDDLEWARE]
    with override_settings(MIDDLEWARE=layers), django_assert_num_queries(0):  # type: ignore[operator]
        answered = Client(headers={"X-Request-Start": ago(20), "Cookie": "child=x"}).post(MOVE)
    assert answered.status_code == 503
    assert not answered.cookies
