"""A request that cannot be served soon is rejected at once, and each group of requests has its own
room."""

import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
import requests

from tests.proxy.site import SERVICES, Site
from tests.proxy.stand_in import Asked, Holding, Proxy, well
from tests.repository import text_of

GAME = "/games/00000000-0000-0000-0000-000000000000/"
A_CLASS = "/classes/00000000-0000-0000-0000-000000000000/"
ROOM = {
    f"GET {GAME}": 100,
    f"GET {GAME}news/0/00000000-0000-0000-0000-000000000000/1": 200,
    "GET /rules/": 88,
    "POST /play/": 44,
    "GET /": 44,
    "GET /rules/simplified/": 44,
    "GET /accounts/login/": 8,
    f"GET {A_CLASS}": 32,
    f"GET {A_CLASS}letters.pdf": 16,
}
"""The number of requests of each group that may be in progress, in the order of docs/proxy.md."""
OF_STRANGERS = ("POST /play/", "GET /", "GET /rules/simplified/", "GET /accounts/login/")


def ask(proxy: Proxy, asked: str, number: int) -> requests.Response:
    """The answer to client `number`, who has their own address and, unless strangers ask this, a
    pass."""
    method, path = asked.split()
    person = "" if asked in OF_STRANGERS else f"person {number}"
    return proxy.browser(f"127.0.{5 + number // 250}.{number % 250 + 1}", person).request(
        method, path
    )


@contextmanager
def filled(proxy: Proxy, asked: str) -> Iterator[None]:
    """Fill the room of a group: keep as many of these requests in progress as fit."""
    path, room = asked.split()[1], ROOM[asked]
    holding = Holding()
    for server in proxy.servers.values():
        server.answer = lambda got: holding(got) if got.path == path else well(got)
    with ThreadPoolExecutor(room) as pool:
        requests = [pool.submit(ask, proxy, asked, number) for number in range(room)]
        while sum(len(server.asked) for server in proxy.servers.values()) < room:
            assert not [request.result() for request in requests if request.done()]
            time.sleep(0.01)
        try:
            yield
        finally:
            holding.let_go.set()
        assert {request.result().status_code for request in requests} == {200}


@pytest.mark.parametrize("asked", ROOM)
def test_a_full_group_does_not_stop_the_others(proxy: Proxy, asked: str) -> None:
    others = [other for other in (f"POST {GAME}act", *ROOM) if other != asked]
    with filled(proxy, asked):
        answer = ask(proxy, asked, 200)
        assert answer.status_code == 503
        assert answer.headers["Retry-After"] == "5"
        assert answer.headers.get("Refresh") == (None if asked.startswith("POST") else "5")
        assert "nmbrs is very busy" in answer.text
        assert {other: ask(proxy, other, 201).text for other in others} == dict.fromkeys(
            others, "well"
        )
    assert ask(proxy, asked, 202).text == "well"


@pytest.mark.parametrize("service", ["door", "adults"])
def test_there_is_a_thread_for_every_request_in_progress(service: str) -> None:
    words = SERVICES[service]["command"]
    processes, threads = (
        int(words[words.index(name) + 1]) for name in ("--workers", "--blocking-threads")
    )
    servers = re.findall(
        rf"server {service}:8000 .* max_conns=(\d+);", text_of("deploy/nginx.conf")
    )
    assert sum(map(int, servers)) == processes * threads
    assert words[words.index("--backpressure") + 1] == str(threads)


def busy(request: Asked) -> bytes:
    """The answer of nmbrs_edu/middleware.py."""
    return b"HTTP/1.1 503 Busy\r\nX-Accel-Redirect: @busy\r\nContent-Length: 0\r\n\r\n"


@pytest.mark.parametrize("language", ["en", "nl", "de", "sv"])
def test_a_rejection_is_in_the_readers_language(proxy: Proxy, language: str) -> None:
    proxy.servers["door"].answer = busy
    answer = proxy.browser().get("/", headers={"Accept-Language": language})
    assert (answer.status_code, answer.headers["Refresh"]) == (503, "5")
    assert f'<html lang="{language}">' in answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    assert "unsafe" not in answer.headers["Content-Security-Policy"]


def test_a_rejected_move_replaces_nothing(proxy: Proxy) -> None:
    proxy.servers["web"].answer = busy
    answer = proxy.browser(person="dora").post(f"{GAME}act", headers={"HX-Request": "true"})
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert answer.headers["HX-Reswap"] == "none"
    assert "Refresh" not in answer.headers


def test_a_client_cannot_state_how_long_it_has_waited(proxy: Proxy) -> None:
    proxy.browser().get("/", headers={"X-Request-Start": "1.5"})
    (request,) = [request for request in proxy.servers["door"].asked if request.path == "/"]
    assert float(request.headers["x-request-start"]) > 1_700_000_000


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("service", ["web", "door", "adults"])
def test_the_site_rejects_a_request_that_has_waited_for_too_long(site: Site, service: str) -> None:
    url = f"http://127.0.0.1:{site.ports[service]}/play/"
    headers = {"Host": "localhost", "X-Forwarded-Proto": "https"}
    long_ago = {"X-Request-Start": f"{time.time() - 30:.3f}"}
    assert requests.get(url, headers=headers | long_ago, timeout=60).status_code == 503
    assert requests.get(url, headers=headers, timeout=60).status_code == 200
