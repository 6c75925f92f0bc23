"""A service that ends is started again; a request in between is told to wait; nginx repeats a
request only if it cannot be carried out twice."""

import os
import signal
import time
from collections import Counter
from pathlib import Path

import pytest
from django.db import connection

from tests.factories import ChildFactory
from tests.proxy.site import Site
from tests.proxy.stand_in import Asked, Proxy, well

SECONDS = 180
REQUESTS = 40


def workers_of(service_pid: int) -> set[int]:
    """The processes that the service's own program has started."""
    found = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == service_pid:
            found.add(int(status.parent.name))
    return found


@pytest.mark.proof
@pytest.mark.django_db(transaction=True)
def test_a_web_worker_that_dies_is_replaced_and_the_others_go_on(site: Site) -> None:
    program = site.processes["web"]
    before = workers_of(program.pid)
    killed = max(before)
    os.kill(killed, signal.SIGKILL)
    deadline = time.monotonic() + SECONDS
    while len(workers_of(program.pid) - {killed}) < len(before):
        assert program.poll() is None, site.logs()["web"]
        assert time.monotonic() < deadline, site.logs()["web"]
        # nginx answers the requests of the dead process; the page asks again.
        assert site.browser().get("/play/").status_code in (200, 502)
    assert site.browser().get("/play/").status_code == 200


@pytest.mark.proof
@pytest.mark.django_db(transaction=True)
def test_when_the_database_drops_its_connections_no_child_sees_an_error(site: Site) -> None:
    dora = ChildFactory.create()
    playing = site.playing(dora)
    assert playing.get("/me/").status_code == 200
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        assert cursor.fetchone()[0] > 0
    answers = Counter(playing.get("/me/").status_code for _ in range(REQUESTS))
    assert answers.keys() <= {200, 503}
    assert playing.get("/me/").status_code == 200


class DiesOnce:
    """The first request finds a process that dies while it is served."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, asked: Asked) -> bytes | None:
        self.asked += 1
        return well(asked) if self.asked > 1 else None


@pytest.mark.parametrize("path", ["/", "/me/", "/classes/"])
def test_a_page_is_asked_for_again(proxy: Proxy, path: str) -> None:
    for server in proxy.servers.values():
        server.answer = DiesOnce()
    assert proxy.browser().get(path).text == "well"


@pytest.mark.parametrize("path", ["/games/x/act", "/play/", "/me/", "/classes/"])
def test_what_was_posted_is_not_posted_again(proxy: Proxy, path: str) -> None:
    answers = DiesOnce()
    for server in proxy.servers.values():
        server.answer = answers
    answered = proxy.browser().post(path, data={"a": "b"})
    assert (answered.status_code, answers.asked) == (502, 1)
    assert "Something went wrong here" in answered.text


def test_where_no_process_is_left_a_page_says_so(proxy: Proxy) -> None:
    proxy.servers["door"].answer = lambda asked: None
    answered = proxy.browser().get("/")
    assert (answered.status_code, answered.headers["Retry-After"]) == (502, "5")
