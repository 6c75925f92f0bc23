"""What cannot be served soon is told so at once, moves and sign-in last of all."""

import socket
import ssl
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count

import pytest
import requests

from tests.proxy.site import Site
from tests.proxy.stand_in import Asked, Holding, Proxy, well

GAME = "/games/00000000-0000-0000-0000-000000000000/"
A_CLASS = "/classes/00000000-0000-0000-0000-000000000000/"
OF_AN_ADDRESS = 8
"""So many requests of one address are delayed by no limit of addresses."""
ROOM = {f"GET {GAME}": 100, f"GET {A_CLASS}": 60, f"GET {A_CLASS}letters.pdf": 16}
"""Of each kind that has little of it: what docs/proxy.md says."""


@contextmanager
def filled(proxy: Proxy, asked: str, room: int) -> Iterator[None]:
    """So many of these requests are in progress."""
    method, path = asked.split()
    holding = Holding()
    for server in proxy.servers.values():
        server.answer = lambda got: holding(got) if got.path == path else well(got)
    each = 1 if path.endswith(".pdf") else OF_AN_ADDRESS
    browsers = [proxy.browser(f"127.0.5.{n}") for n in range(1, room // each + 2)]
    before = sum(len(server.asked) for server in proxy.servers.values())
    with ThreadPoolExecutor(room) as pool:
        sent = [pool.submit(browsers[n // each].request, method, path) for n in range(room)]
        for _ in count():
            if sum(len(server.asked) for server in proxy.servers.values()) == before + room:
                break
            assert not [done.result() for done in sent if done.done()]
        try:
            yield
        finally:
            holding.let_go.set()
        assert {each.result().status_code for each in sent} == {200}


@pytest.mark.parametrize("asked", ROOM)
def test_where_a_kind_has_no_room_left_the_others_go_on(proxy: Proxy, asked: str) -> None:
    other = proxy.browser("127.0.6.1")
    with filled(proxy, asked, ROOM[asked]):
        answered = other.request(*asked.split())
        assert answered.status_code == 503
        assert answered.headers["Retry-After"] == "5"
        assert answered.headers["Refresh"] == "5"
        assert "nmbrs is very busy" in answered.text
        for method, path in (("POST", f"{GAME}act"), ("POST", "/play/"), ("GET", "/q/nobody")):
            assert other.request(method, path).text == "well"
    assert other.request(*asked.split()).text == "well"


def test_who_posts_slowly_takes_no_room(proxy: Proxy) -> None:
    context = ssl._create_unverified_context()
    head = f"POST {A_CLASS} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nslow"
    slow = []
    for n in range(ROOM[f"GET {A_CLASS}"] + 1):
        plain = socket.create_connection(
            ("127.0.0.1", proxy.https), source_address=(f"127.0.5.{n % 16 + 1}", 0)
        )
        slow.append(context.wrap_socket(plain))
        slow[-1].sendall(head.encode())
    assert proxy.browser("127.0.6.1").get(A_CLASS).text == "well"
    for each in slow:
        each.close()


def busy(asked: Asked) -> bytes:
    """As nmbrs_edu/http/shedding.py answers."""
    return b"HTTP/1.1 503 Busy\r\nX-Accel-Redirect: @busy\r\nContent-Length: 0\r\n\r\n"


@pytest.mark.parametrize("language", ["en", "nl", "de", "sv"])
def test_whom_the_site_turns_away_reads_so_in_their_language(proxy: Proxy, language: str) -> None:
    proxy.servers["web"].answer = busy
    answered = proxy.browser().get("/", headers={"Accept-Language": language})
    assert (answered.status_code, answered.headers["Refresh"]) == (503, "5")
    assert f'<html lang="{language}">' in answered.text
    assert answered.headers["Cache-Control"] == "no-store"
    assert "unsafe" not in answered.headers["Content-Security-Policy"]


def test_of_a_move_that_is_turned_away_nothing_on_the_page_is_replaced(proxy: Proxy) -> None:
    proxy.servers["web"].answer = busy
    answered = proxy.browser().post(f"{GAME}act", headers={"HX-Request": "true"})
    assert (answered.status_code, answered.headers["Retry-After"]) == (503, "5")
    assert answered.headers["HX-Reswap"] == "none"
    assert "Refresh" not in answered.headers


def test_a_form_is_not_posted_again_by_itself(proxy: Proxy) -> None:
    proxy.servers["web"].answer = busy
    assert "Refresh" not in proxy.browser().post("/me/").headers


def test_a_client_cannot_say_for_how_long_it_has_waited(proxy: Proxy) -> None:
    proxy.browser().get("/", headers={"X-Request-Start": "1.5"})
    (asked,) = [each for each in proxy.servers["web"].asked if each.path == "/"]
    assert float(asked.headers["x-request-start"]) > 1_700_000_000


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("service", ["web", "adults"])
def test_the_site_turns_away_what_has_waited_for_too_long(site: Site, service: str) -> None:
    url = f"http://127.0.0.1:{site.ports[service]}/play/"
    headers = {"Host": "localhost", "X-Forwarded-Proto": "https"}
    long_ago = {"X-Request-Start": f"{time.time() - 30:.3f}"}
    assert requests.get(url, headers=headers | long_ago, timeout=60).status_code == 503
    assert requests.get(url, headers=headers, timeout=60).status_code == 200
