"""The site behind nginx: pages are served, files cached, and a service that ends is started
again."""

import gzip
import os
import re
import signal
import time
from collections import Counter

import pytest
import requests
from django.conf import settings
from django.db import connection

from classrooms.models import User
from nmbrs_edu.static import write
from tests.factories import ChildFactory, SchoolClassFactory, TeachingFactory, UserFactory
from tests.proxy.site import Site, workers_of
from tests.proxy.stand_in import Asked, Proxy, well
from tests.repository import ROOT


@pytest.mark.django_db(transaction=True)
def test_plain_http_leads_to_https(site: Site) -> None:
    answer = site.browser().get(f"http://localhost:{site.http}/play/", allow_redirects=False)
    assert answer.status_code == 308
    assert answer.headers["Location"] == "https://localhost/play/"


@pytest.mark.django_db(transaction=True)
def test_the_domain_can_be_verified_over_http(site: Site) -> None:
    place = ".well-known/acme-challenge/a-token"
    write(site.folder / "served" / place, b"an answer", mode=0o644)
    url = f"http://localhost:{site.http}/{place}"
    assert site.browser().get(url, allow_redirects=False).text == "an answer"
    assert site.browser().get(f"{url}2", allow_redirects=False).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_class_and_child_pages_are_open_to_their_own(site: Site) -> None:
    dora = ChildFactory.create(school_class=SchoolClassFactory.create())
    alice: User = TeachingFactory.create(school_class=dora.school_class).user
    address = f"/classes/{dora.school_class.pk}/"
    assert site.signed_in(alice).get(address).status_code == 200
    assert site.signed_in(UserFactory.create()).get(address).status_code == 404
    assert dora.name in site.playing(dora).get("/me/").text


@pytest.mark.django_db(transaction=True)
def test_a_request_has_the_same_id_in_the_logs_of_nginx_and_site(site: Site) -> None:
    answer = site.browser().get("/q/nobody", headers={"X-Request-ID": "made-up-by-the-client"})
    assert answer.status_code == 404
    line = next(line for line in site.logs()["door"].splitlines() if "'GET /q/<token>'" in line)
    assert re.search(r"request_id=[0-9a-f]{32}\b", line)
    assert "made-up" not in line


FOR_A_YEAR = "public, max-age=31536000, immutable"


def hashed(pattern: str) -> str:
    """The address of a collected file."""
    path = next((ROOT / "staticfiles").glob(pattern))
    return settings.STATIC_URL + path.relative_to(ROOT / "staticfiles").as_posix()


@pytest.mark.parametrize(
    ("pattern", "kind"),
    [
        ("css/nmbrs.*.css", "text/css"),
        ("js/page.*.js", "javascript"),
        ("icons/nmbrs.*.svg", "image/svg+xml"),
        ("vendor/htmx/*.*.js", "javascript"),
        ("admin/css/base.*.css", "text/css"),
    ],
)
def test_a_file_named_after_its_content_is_cached_for_a_year(
    proxy: Proxy, pattern: str, kind: str
) -> None:
    answer = proxy.browser().get(hashed(pattern), headers={"Accept-Encoding": "gzip"})
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == FOR_A_YEAR
    assert kind in answer.headers["Content-Type"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Vary"] == "Accept-Encoding"
    assert [server.asked for server in proxy.servers.values()] == [[], [], []]


def test_a_compressed_file_is_sent_as_it_was_collected(proxy: Proxy) -> None:
    path = hashed("js/page.*.js")
    packed = (ROOT / "staticfiles" / path.removeprefix(settings.STATIC_URL)).with_suffix(".js.gz")
    with proxy.browser().get(path, headers={"Accept-Encoding": "gzip"}, stream=True) as answer:
        assert answer.headers["Content-Encoding"] == "gzip"
        assert answer.raw.read(decode_content=False) == packed.read_bytes()
    plain = proxy.browser().get(path, headers={"Accept-Encoding": "identity"})
    assert "Content-Encoding" not in plain.headers
    assert plain.content == gzip.decompress(packed.read_bytes())


def test_a_page_is_compressed_by_nginx(proxy: Proxy) -> None:
    proxy.servers["door"].answer = lambda asked: well(asked, "<p>Dora</p>" * 100)
    answer = proxy.browser().get("/", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Encoding"] == "gzip"
    assert answer.text == "<p>Dora</p>" * 100
    plain = proxy.browser().get("/", headers={"Accept-Encoding": "identity"})
    assert "Content-Encoding" not in plain.headers
    assert plain.text == answer.text


@pytest.mark.django_db(transaction=True)
def test_a_page_of_the_site_is_compressed_once(site: Site) -> None:
    answer = site.browser().get("/play/", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Encoding"] == "gzip"
    assert "<!doctype html>" in answer.text
    assert "Accept-Encoding" in answer.headers["Vary"]
    headers = {"Host": "localhost", "X-Forwarded-Proto": "https", "Accept-Encoding": "gzip"}
    url = f"http://127.0.0.1:{site.ports['web']}"
    behind = requests.get(f"{url}/play/", headers=headers, timeout=60)
    assert "Content-Encoding" not in behind.headers
    style = requests.get(f"{url}{hashed('css/nmbrs.*.css')}", headers=headers, timeout=60)
    assert style.status_code == 404


# A service that ends is started again


SECONDS = 180
REQUESTS = 40


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
def test_no_child_sees_an_error_when_connections_are_dropped(site: Site) -> None:
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
    """A server whose process dies while it serves the first request."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, request: Asked) -> bytes | None:
        self.asked += 1
        return well(request) if self.asked > 1 else None


@pytest.mark.parametrize("path", ["/", "/me/", "/classes/"])
def test_a_page_is_requested_again(proxy: Proxy, path: str) -> None:
    for server in proxy.servers.values():
        server.answer = DiesOnce()
    assert proxy.browser().get(path).text == "well"


@pytest.mark.parametrize("path", ["/games/x/act", "/play/", "/me/", "/classes/"])
def test_a_post_is_not_repeated(proxy: Proxy, path: str) -> None:
    answers = DiesOnce()
    for server in proxy.servers.values():
        server.answer = answers
    answer = proxy.browser().post(path, data={"a": "b"})
    assert (answer.status_code, answers.asked) == (502, 1)
    assert "Something went wrong here" in answer.text


def test_if_no_process_is_left_a_page_says_so(proxy: Proxy) -> None:
    proxy.servers["door"].answer = lambda asked: None
    answer = proxy.browser().get("/")
    assert (answer.status_code, answer.headers["Retry-After"]) == (502, "5")
