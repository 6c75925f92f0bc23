"""What ends by itself comes back by itself, and who asked meanwhile is asked to wait."""

import os
import signal
import time
from collections import Counter
from pathlib import Path

import pytest
from django.db import connection

from tests.factories import ChildFactory
from tests.proxy.site import Site

pytestmark = pytest.mark.django_db(transaction=True)

SECONDS = 60
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


def test_a_web_worker_that_dies_is_replaced_and_the_others_go_on(site: Site) -> None:
    program = site.processes["web"]
    before = workers_of(program.pid)
    killed = max(before)
    os.kill(killed, signal.SIGKILL)
    deadline = time.monotonic() + SECONDS
    while len(workers_of(program.pid) - {killed}) < len(before):
        assert program.poll() is None, site.logs()["web"]
        assert time.monotonic() < deadline, site.logs()["web"]
        # Whom the dead one was serving learns it from nginx; the page asks again.
        assert site.browser().get("/play/").status_code in (200, 502)
    assert site.browser().get("/play/").status_code == 200


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
