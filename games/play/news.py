"""News of a table of several players, for pages that poll each second.

The address that a page polls is that of one seat of one game. A stranger who has it learns only
whether there is news. So nothing finds out who asks: one small query answers, on the site even
before Django (`nmbrs_edu.wsgi`).
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from hmac import compare_digest, digest
from threading import Lock
from typing import Any, ClassVar, Final
from uuid import UUID

import psycopg
from django.conf import settings
from django.db import connection
from django.utils import timezone
from django.utils.crypto import salted_hmac

from games.play.presence import (
    MOST_SEATS,
    NOTE_AGAIN_AFTER,
    PRESENT_FOR,
    Inactivity,
    inactivity_since,
    shown_version,
)
from games.play.sql import NOTE_PRESENCE, POLL, PollRow, has_uuids, run_poll

NEWS: Final = "go on"
"""The answer if there is news. Any other answer is the number of seconds after which to poll
again."""
SECONDS_AT_TURN: Final = 3
"""The seconds between polls of the page of the player whose turn it is."""
POLL_INTERVALS: Final = ((20, 1), (60, 2), (300, 4))
"""The seconds between polls of the other pages. Up to `a` seconds after the last move they are `b`,
for each of these pairs (a, b), and then `MOST_SECONDS`."""
MOST_SECONDS: Final = 8
HEADERS: Final[Mapping[str, str]] = {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex, nofollow",
}
ID: Final = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
"""A key in an address, as a regular expression."""
_ADDRESS: Final = re.compile(rf"/games/({ID})/news/([0-9]{{1,2}})/({ID})/([0-9]{{1,9}})")

RunStatement = Callable[[str, Sequence[Any]], list[tuple[Any, ...]]]
"""A function that runs a statement with these parameters and returns the rows."""


@lru_cache(maxsize=4096)
def _token(game: str, seat: int, secret: str) -> str:
    key = salted_hmac("games.news", "", secret=secret, algorithm="sha256").digest()
    return str(UUID(bytes=digest(key, f"{game} {seat}".encode(), "sha256")[:16]))


def seat_token(game_id: UUID, seat: int) -> UUID:
    """The part of a seat's address that nobody can guess."""
    return UUID(_token(str(game_id), seat, settings.SECRET_KEY))


def news_for(
    game: str, seat: int, token: str, number: int, run: RunStatement = run_poll
) -> str | None:
    """The answer to a poll of the page of this seat that showed the version `number`: `NEWS`, or
    the seconds after which to poll again. None for an address that the site did not make, and if
    the player no longer has the seat. Note that the player was there."""
    if seat >= MOST_SEATS or not compare_digest(token, _token(game, seat, settings.SECRET_KEY)):
        return None
    stored_key = game if has_uuids() else game.replace("-", "")
    row_of = {row.seat: row for row in map(PollRow.of, run(POLL, (stored_key,)))}
    now = timezone.now()
    own_row = row_of.get(seat)
    if own_row is None:
        return None
    if not own_row.is_away and not own_row.is_here(now + PRESENT_FOR - NOTE_AGAIN_AFTER):
        adapt = connection.ops.adapt_datetimefield_value
        run(NOTE_PRESENCE, (adapt(now + PRESENT_FOR), stored_key, seat))
    awaited_seat = own_row.awaited_seat
    awaited_row = row_of.get(awaited_seat) if awaited_seat not in (None, seat) else None
    inactivity = Inactivity(0)
    if awaited_row:
        inactivity = inactivity_since(
            own_row.waits_since, own_row.moved_at, awaited_row.here_until, now
        )
    is_due = own_row.due_at is not None and own_row.due_at <= now
    if shown_version(own_row.news, inactivity) != number or own_row.is_away or is_due:
        return NEWS
    if awaited_row and (awaited_row.is_away or not awaited_row.is_here(now)):
        return NEWS
    if awaited_seat == seat:
        return str(SECONDS_AT_TURN)
    idle_seconds = (now - own_row.moved_at).total_seconds()
    intervals = (seconds for limit, seconds in POLL_INTERVALS if idle_seconds < limit)
    return str(next(intervals, MOST_SECONDS))


class PollMiddleware(ABC):
    """A WSGI application that answers the polls of open pages, at addresses of one form, and leaves
    all other requests to another application. `count` is called with the status of each answer."""

    address: ClassVar[re.Pattern[str]]

    def __init__(self, other_app: Callable[..., Iterable[bytes]], count: Callable[[str], None]):
        self.other_app = other_app
        self.count = count

    @abstractmethod
    def answer(self, *parts: str) -> str | None:
        """The answer to an address with these parts; None to leave it to the other application."""

    def __call__(
        self, environ: dict[str, Any], start_response: Callable[..., Any]
    ) -> Iterable[bytes]:
        match = self.address.fullmatch(environ["PATH_INFO"])
        if match is None or environ["REQUEST_METHOD"] != "GET":
            return self.other_app(environ, start_response)
        answer = self.answer(*match.groups())
        if answer is None:
            return self.other_app(environ, start_response)
        self.count("200")
        start_response("200 OK", [*HEADERS.items(), ("Content-Length", str(len(answer)))])
        return [answer.encode()]


class NewsMiddleware(PollMiddleware):
    """Answers the polls of tables of several players. Django would take four times as long.

    Each process has a connection of its own for this, because Django takes one from a pool for each
    request. Threads take turns; the statement takes a fraction of a millisecond.
    """

    address = _ADDRESS

    def __init__(self, other_app: Callable[..., Iterable[bytes]], count: Callable[[str], None]):
        super().__init__(other_app, count)
        self._lock = Lock()
        self._cursor: psycopg.Cursor[Any] | None = None

    def answer(self, *parts: str) -> str | None:
        game, seat, token, number = parts
        try:
            return news_for(game, int(seat), token, int(number), self._run)
        except psycopg.Error:
            self._cursor = None
            return None

    def _run(self, statement: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        with self._lock:
            cursor = self._cursor
            if cursor is None or cursor.connection.closed:
                if connection.vendor != "postgresql":
                    return run_poll(statement, values)
                cursor = self._cursor = _open_cursor()
            cursor.execute(statement, values)
            # To ask whether there are rows would take as long as to fetch them.
            return cursor.fetchall() if statement is POLL else []


def _open_cursor() -> psycopg.Cursor[Any]:
    """A cursor of a new connection, which prepares its statements."""
    parameters = connection.get_connection_params()
    for setting in ("cursor_factory", "context", "prepare_threshold", "autocommit"):
        parameters.pop(setting, None)
    own_connection = psycopg.connect(**parameters, autocommit=True, prepare_threshold=1)
    return own_connection.cursor(binary=True)
