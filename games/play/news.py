"""Whether there is something new at a table of several players, for pages that ask each second.

The address that a page asks holds for one seat of one game. A stranger who has it learns only that
there is something new. So one small query answers it before anything finds out who asks; on the
site `nmbrs_edu.wsgi` does this even before Django.
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
    NOTED_EVERY,
    PRESENT_FOR,
    Stillness,
    shown_version,
    stillness,
)
from games.play.sql import NOTE_PRESENCE, POLL, PollRow, has_uuids, run_poll

NEWS: Final = "go on"
"""The answer if there is something new; otherwise it says in how many seconds to ask again."""
SECONDS_AT_TURN: Final = 3
"""The page of the player whose turn it is asks again after this many seconds."""
SECONDS_AFTER: Final = ((20, 1), (60, 2), (300, 4))
"""Pairs (a, b): up to `a` seconds after the last move, the pages of the others ask again after `b`
seconds."""
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

Run = Callable[[str, Sequence[Any]], list[tuple[Any, ...]]]
"""Runs a statement with these parameters and returns the rows."""


@lru_cache(maxsize=4096)
def _token(game: str, seat: int, secret: str) -> str:
    key = salted_hmac("games.news", "", secret=secret, algorithm="sha256").digest()
    return str(UUID(bytes=digest(key, f"{game} {seat}".encode(), "sha256")[:16]))


def seat_token(game_id: UUID, seat: int) -> UUID:
    """The part of the address of a seat's news that nobody can guess."""
    return UUID(_token(str(game_id), seat, settings.SECRET_KEY))


def news_for(game: str, seat: int, mark: str, number: int, run: Run | None = None) -> str | None:
    """Whether there is something new for the page of this seat that showed `number`: `NEWS`, or in
    how many seconds to ask again. None for an address that the site did not make, and if the player
    has no seat any more. Notes that the player was there."""
    if seat >= MOST_SEATS or not compare_digest(mark, _token(game, seat, settings.SECRET_KEY)):
        return None
    run = run or run_poll
    stored_key = game if has_uuids() else game.replace("-", "")
    rows, now = map(PollRow.of, run(POLL, (stored_key,))), timezone.now()
    by_seat = {row.seat: row for row in rows}
    own_row = by_seat.get(seat)
    if own_row is None:
        return None
    if not own_row.is_away and not own_row.is_here(now + PRESENT_FOR - NOTED_EVERY):
        adapt = connection.ops.adapt_datetimefield_value
        run(NOTE_PRESENCE, (adapt(now + PRESENT_FOR), stored_key, seat))
    waited_for = by_seat.get(own_row.at_turn) if own_row.at_turn not in (None, seat) else None
    still = Stillness(0)
    if waited_for:
        still = stillness(own_row.waits_since, own_row.moved_at, waited_for.here_until, now)
    is_due = own_row.due_at is not None and own_row.due_at <= now
    if shown_version(own_row.news, still) != number or own_row.is_away or is_due:
        return NEWS
    if waited_for and (waited_for.is_away or not waited_for.is_here(now)):
        return NEWS
    if own_row.at_turn == seat:
        return str(SECONDS_AT_TURN)
    quiet = (now - own_row.moved_at).total_seconds()
    return str(next((seconds for limit, seconds in SECONDS_AFTER if quiet < limit), MOST_SECONDS))


class PollsFirst(ABC):
    """A WSGI application that answers the polls of open pages, at addresses of one form, and leaves
    all other requests to another application. `count` is called with the status of each answer."""

    address: ClassVar[re.Pattern[str]]

    def __init__(self, other_app: Callable[..., Iterable[bytes]], count: Callable[[str], None]):
        self.others = other_app
        self.count = count

    @abstractmethod
    def answer(self, *parts: str) -> str | None:
        """The answer to an address with these parts. None leaves it to the other application."""

    def __call__(
        self, environ: dict[str, Any], start_response: Callable[..., Any]
    ) -> Iterable[bytes]:
        match = self.address.fullmatch(environ["PATH_INFO"])
        if match is None or environ["REQUEST_METHOD"] != "GET":
            return self.others(environ, start_response)
        answer = self.answer(*match.groups())
        if answer is None:
            return self.others(environ, start_response)
        self.count("200")
        start_response("200 OK", [*HEADERS.items(), ("Content-Length", str(len(answer)))])
        return [answer.encode()]


class NewsFirst(PollsFirst):
    """Answers whether there is something new. Django would take four times as long.

    Each process has one connection of its own for this, because Django takes one from a pool for
    each request. Threads take turns; the statement takes a fraction of a millisecond.
    """

    address = _ADDRESS

    def __init__(self, other_app: Callable[..., Iterable[bytes]], count: Callable[[str], None]):
        super().__init__(other_app, count)
        self._lock = Lock()
        self._cursor: psycopg.Cursor[Any] | None = None

    def answer(self, *parts: str) -> str | None:
        game, seat, mark, number = parts
        try:
            return news_for(game, int(seat), mark, int(number), self._run)
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
            # Asking whether there are rows would take as long as fetching them.
            return cursor.fetchall() if statement is POLL else []


def _open_cursor() -> psycopg.Cursor[Any]:
    """A cursor of a new connection, which prepares its statements."""
    parameters = connection.get_connection_params()
    for setting in ("cursor_factory", "context", "prepare_threshold", "autocommit"):
        parameters.pop(setting, None)
    own_connection = psycopg.connect(**parameters, autocommit=True, prepare_threshold=1)
    return own_connection.cursor(binary=True)
