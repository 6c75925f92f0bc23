"""The polls of a table's pages, which come every second, are answered before Django."""

from typing import Any

import psycopg
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Game, Seat
from games.play import news, presence
from games.play.news import NEWS, SECONDS_AT_TURN, NewsMiddleware, seat_token
from tests.games.players import DORA, EMIL, new_table, shown_version_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


class Others:
    """The site behind the middleware: it records its requests."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        self.asked.append(environ["PATH_INFO"])
        start_response("404 Not Found", [])
        return [b"not here"]


@pytest.fixture
def site_behind() -> Others:
    return Others()


@pytest.fixture
def counted_polls() -> list[str]:
    return []


@pytest.fixture
def site(site_behind: Others, counted_polls: list[str]) -> NewsMiddleware:
    return NewsMiddleware(site_behind, counted_polls.append)


def news_address(game: Game, seat: int, version: int | None = None) -> str:
    if version is None:
        now = Game.objects.get(pk=game.pk)
        version = shown_version_of(now, seat, timezone.now())
    return reverse("news", args=[game.pk, seat, seat_token(game.pk, seat), version])


def ask(site: NewsMiddleware, path: str, method: str = "GET") -> tuple[str, bytes, dict[str, str]]:
    answer: list[Any] = []
    environ = {"PATH_INFO": path, "REQUEST_METHOD": method}
    body = b"".join(site(environ, lambda status, headers: answer.extend((status, dict(headers)))))
    return answer[0], body, answer[1]


def test_a_poll_is_answered_without_the_site_and_counted(
    site: NewsMiddleware, site_behind: Others, counted_polls: list[str]
) -> None:
    game = new_table()
    status, seconds, _ = ask(site, news_address(game, 0))
    assert (status, int(seconds)) in (("200 OK", 1), ("200 OK", SECONDS_AT_TURN))
    status, body, headers = ask(site, news_address(game, 1, 999))
    assert (status, body) == ("200 OK", NEWS.encode())
    assert headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in headers
    assert site_behind.asked == []
    assert counted_polls == ["200", "200"]


def test_a_poll_records_that_the_player_is_there(site: NewsMiddleware) -> None:
    game = new_table()
    Seat.objects.update(here_until=timezone.now())
    ask(site, news_address(game, 1))
    here = [presence.is_here(seat, timezone.now()) for seat in game.seats.order_by("number")]
    assert here == [False, True]


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_every_other_request_goes_to_the_site(
    site: NewsMiddleware, site_behind: Others, method: str
) -> None:
    game = new_table()
    foreign = reverse("news", args=[game.pk, 0, seat_token(game.pk, 1), 0])
    paths = [
        "/",
        "/me/",
        f"/games/{game.pk}/",
        foreign,
        news_address(game, 7, 0),
        news_address(game, 99, 0),
    ]
    paths += [news_address(game, 0)] if method == "POST" else []
    for path in paths:
        assert ask(site, path, method)[0] == "404 Not Found"
    assert site_behind.asked == paths


def test_a_failed_connection_is_replaced_for_the_next_poll(
    site: NewsMiddleware, site_behind: Others, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = new_table()
    path = news_address(game, 0)
    ask(site, path)

    def fails(*_: Any) -> list[Any]:
        raise psycopg.OperationalError("gone")

    with monkeypatch.context() as broken:
        broken.setattr(site, "_run", fails)
        assert ask(site, path)[0] == "404 Not Found"
    assert site_behind.asked == [path]
    assert ask(site, path)[0] == "200 OK"


def test_django_answers_a_poll_in_the_same_way(client: Client) -> None:
    game = new_table(DORA, EMIL)
    assert client.get(news_address(game, 0, 999)).content == NEWS.encode()
    foreign = reverse("news", args=[game.pk, 0, seat_token(game.pk, 1), 0])
    assert client.get(foreign).status_code == 404
    assert client.post(news_address(game, 0)).status_code in (403, 405)


def test_the_key_of_an_address_is_that_of_the_site(settings: Any) -> None:
    game = new_table()
    before = seat_token(game.pk, 0)
    settings.SECRET_KEY = "another key of the site"
    assert seat_token(game.pk, 0) != before
    assert news.news_for(str(game.pk), 0, str(before), 0) is None
