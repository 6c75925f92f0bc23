"""Requests to an address that a user typed: only https, only public, limited, no redirects."""

import gzip
import socket
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from classrooms import outgoing
from classrooms.outgoing import HttpAnswer, NoAnswer
from tests.classrooms.roster.oneroster_server import (
    SourceData,
    SourceServer,
    certificate,
    known_here,
    looked_up,
    served,
)

SECONDS = 20.0


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SourceServer]:
    """A server on this machine, under a name that only the site knows here."""
    with served(tmp_path, SourceData()) as running:
        known_here(monkeypatch, running)
        yield running


def get(url: str, *, most: int = 100_000, seconds: float = SECONDS) -> HttpAnswer:
    return outgoing.send("GET", url, headers={}, most=most, deadline=monotonic() + seconds)


def reason_of_failure(do: Callable[[], object]) -> str:
    with pytest.raises(NoAnswer) as refused:
        do()
    return refused.value.reason


@pytest.mark.parametrize(
    "url",
    [
        "http://source.test/",
        "ftp://source.test/",
        "file:///etc/passwd",
        "source.test",
        "https://",
        "https:///path",
        "https://user:password@source.test/",
        "https://source.test/#part",
        "https://source.test:port/",
        "https://source.test/\r\nHost: other",
        "https://sourcé.test/",
        "https://source.test/" + "a" * 3_000,
        "https://[::1",
    ],
)
def test_only_a_plain_https_address_is_requested(url: str) -> None:
    assert reason_of_failure(lambda: get(url)) == "address"


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "192.0.2.1",
        "::",
        "::1",
        "fe80::1",
        "fd00::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "64:ff9b::a00:1",
        "64:ff9b:1::1",
        "2002:a00:1::1",
        "2001:0:a00:1::1",
    ],
)
def test_no_address_inside_a_network_is_requested(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up(monkeypatch, address)
    assert reason_of_failure(lambda: get("https://source.test/")) == "not public"


def test_a_name_with_one_private_address_is_not_requested(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up(monkeypatch, "93.184.216.34", "10.0.0.1")
    assert reason_of_failure(lambda: get("https://source.test/")) == "not public"


def test_another_notation_of_an_address_leads_nowhere_inside() -> None:
    for host in ("2130706433", "0x7f.1", "127.1", "localhost", "[::ffff:7f00:1]"):
        assert reason_of_failure(partial(get, f"https://{host}/")) in ("not public", "unreached"), (
            host
        )


def test_the_name_is_looked_up_once_and_that_address_used(
    server: SourceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    lookups = looked_up(monkeypatch, "127.0.0.1")
    assert get(f"{server.address}/token").status == 401
    assert lookups == ["source.test"]
    assert server.headers[0]["Host"] == server.address.removeprefix("https://")


def test_a_certificate_of_another_name_or_authority_is_refused(
    server: SourceServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = server.address.replace("source.test", "other.test")
    assert reason_of_failure(lambda: get(other)) == "certificate"
    _file, stranger = certificate(tmp_path, "stranger.test")
    monkeypatch.setattr(outgoing, "tls_context", lambda: stranger)
    assert reason_of_failure(lambda: get(server.address)) == "certificate"
    assert server.asked == []


def test_a_redirect_is_not_followed(server: SourceServer) -> None:
    def away(handler: Any, path: str, query: Any) -> bool:
        handler.say(302, b"", {"Location": "https://127.0.0.1/secret"})
        return True

    server.answer = away
    assert reason_of_failure(lambda: get(server.address)) == "elsewhere"
    assert len(server.asked) == 1


def test_a_large_answer_is_not_read_to_its_end(server: SourceServer) -> None:
    def large(handler: Any, path: str, query: Any) -> bool:
        handler.say(200, b"a" * 300_000)
        return True

    server.answer = large
    assert reason_of_failure(lambda: get(server.address)) == "too large"
    assert len(get(server.address, most=300_000).body) == 300_000


def test_a_compressed_answer_is_not_unpacked(server: SourceServer) -> None:
    def packed(handler: Any, path: str, query: Any) -> bool:
        handler.say(200, gzip.compress(b"a" * 10_000_000), {"Content-Encoding": "gzip"})
        return True

    server.answer = packed
    assert reason_of_failure(lambda: get(server.address)) == "too large"
    assert server.headers[0]["Accept-Encoding"] == "identity"


def test_a_truncated_answer_does_not_count_as_an_answer(server: SourceServer) -> None:
    def break_off(handler: Any, path: str, query: Any) -> bool:
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.write(b'{"users": [')
        handler.close_connection = True
        return True

    server.answer = break_off
    assert reason_of_failure(lambda: get(server.address)) == "cut off"


@pytest.mark.parametrize("where", ["headers", "body", "silence"])
def test_a_server_that_sends_byte_after_byte_is_cut_off(where: str, server: SourceServer) -> None:
    may_end = threading.Event()

    def drip(handler: Any, path: str, query: Any) -> bool:
        begin, piece = {
            "headers": (b"HTTP/1.1 200 OK\r\n", b"X-A: b\r\n"),
            "body": (b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", b" "),
            "silence": (b"", b""),
        }[where]
        try:
            handler.wfile.write(begin)
            while not may_end.wait(0.05):
                handler.wfile.write(piece)
        except OSError:
            pass
        handler.close_connection = True
        return True

    server.answer = drip
    assert reason_of_failure(lambda: get(server.address, seconds=1)) == "slow"
    may_end.set()


def test_an_unreachable_server_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_all: Any, **_more: Any) -> None:
        raise socket.gaierror

    monkeypatch.setattr(outgoing, "getaddrinfo", unknown)
    assert reason_of_failure(lambda: get("https://source.test/")) == "unreached"
    monkeypatch.setattr(outgoing, "is_public", lambda address: True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        looked_up(monkeypatch, "127.0.0.1")
        assert (
            reason_of_failure(lambda: get(f"https://source.test:{free.getsockname()[1]}/"))
            == "unreached"
        )
