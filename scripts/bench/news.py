"""Compares polls without news, at a table of several children, with requests that only identify the
child: in processor time of the web process and PostgreSQL together."""

import os
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, Final

from scripts.bench.floor import site

ROUNDS: Final = 7
REQUESTS: Final = 1_500
"""The requests of each kind in each round; the first round does not count. The system counts
PostgreSQL's processor time in hundredths of a second, so fewer would not be enough."""
AIM: Final = 0.1
TICKS: Final = os.sysconf("SC_CLK_TCK")


def main() -> None:
    with site():
        requests = _requests()
        spent: dict[str, list[float]] = {name: [] for name in requests}
        for _ in range(ROUNDS):
            for name, ask in requests.items():
                begin = _processor_time()
                for _ in range(REQUESTS):
                    ask()
                spent[name].append((_processor_time() - begin) / REQUESTS * 1e6)
    who, poll = (median(times[1:]) for times in spent.values())
    note = "" if poll / who <= AIM else ", MISSED"
    print("\nTable of several children: processor time of a request, PostgreSQL included")
    print(f"{'finds out who asks':26} {who:.0f} µs")
    print(f"{'poll without news':26} {poll:.0f} µs; ratio {poll / who:.3f} (aim: ≤ {AIM}{note})")


def _processor_time() -> float:
    """Seconds of this process and of all connections of its PostgreSQL."""
    from django.db import connection

    connection.ensure_connection()
    server = _stat(connection.connection.info.backend_pid)[1]
    stats = [_stat(int(path.name)) for path in Path("/proc").glob("[0-9]*")]
    ticks = sum(int(stat[11]) + int(stat[12]) for stat in stats if stat and stat[1] == server)
    return process_time() + ticks / TICKS


def _stat(process: int) -> list[str]:
    """The system's figures about a process, from its state on; empty if it has ended."""
    try:
        text = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except OSError:
        return []
    return text.rpartition(")")[2].split()


def _requests() -> dict[str, Callable[[], None]]:
    """Requests of a child at a table, in the form in which granian hands them to Django. The
    database connection stays open, as in production."""
    from django.core import signals
    from django.db import close_old_connections
    from django.utils import timezone

    from classrooms.signin.children_only import SESSION_COOKIE
    from games.play.news import seat_token
    from nmbrs_edu.wsgi import application
    from tests.classrooms.people import sign_in_by_card
    from tests.factories import ChildFactory
    from tests.games.players import EMIL, new_table, shown_version_of

    signals.request_started.disconnect(close_old_connections)
    signals.request_finished.disconnect(close_old_connections)
    child = ChildFactory.create(name="Dora")
    cookie = f"{SESSION_COOKIE}={sign_in_by_card(child, 'a device')}"
    game = new_table(child.player, EMIL)
    version = shown_version_of(game, 0, timezone.now())
    poll = f"/games/{game.pk}/news/0/{seat_token(game.pk, 0)}/{version}"

    def ask(path: str, expected: str) -> Callable[[], None]:
        def send_request() -> None:
            environ: dict[str, Any] = {
                "REQUEST_METHOD": "GET", "PATH_INFO": path, "SERVER_NAME": "localhost",
                "SERVER_PORT": "80", "wsgi.input": BytesIO(), "wsgi.url_scheme": "http",
                "HTTP_COOKIE": cookie, "HTTP_ACCEPT_LANGUAGE": "nl,en;q=0.5",
            }  # fmt: skip
            statuses: list[str] = []
            response = application(environ, lambda status, _headers: statuses.append(status))
            b"".join(response)
            getattr(response, "close", bool)()
            assert statuses == [expected], (path, statuses)

        return send_request

    return {"who": ask("/me/here/", "204 No Content"), "poll": ask(poll, "200 OK")}


if __name__ == "__main__":
    main()
