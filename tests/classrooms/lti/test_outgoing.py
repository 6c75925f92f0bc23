"""The site's requests to a platform: only to public addresses, bounded in time and size."""

import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from classrooms.lti import outgoing
from classrooms.lti.models import origin_of
from classrooms.lti.outgoing import Unreachable, ask, is_allowed, is_public
from tests.counts import for_each

HOST: Final = "platform.example"
Speak = Callable[[ssl.SSLSocket], None]


def certificate(at: Path) -> Path:
    """A certificate for the host that signs itself, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path = at / "platform.pem"
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return path


class Server:
    """A platform on this machine, which speaks TLS and then as the test says."""

    def __init__(self, pem: Path) -> None:
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(pem)
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self.requests: list[bytes] = []
        self.speak: Speak = say(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                plain, _address = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(plain,), daemon=True).start()

    def _answer(self, plain: socket.socket) -> None:
        try:
            with self._context.wrap_socket(plain, server_side=True) as encrypted:
                self.requests.append(whole_request(encrypted))
                self.speak(encrypted)
        except OSError:
            pass

    def close(self) -> None:
        self._socket.close()


def whole_request(of: ssl.SSLSocket) -> bytes:
    """The head and the body. What is left unread when a connection closes would reset it."""
    found = b""
    while b"\r\n\r\n" not in found and (piece := of.recv(65_536)):
        found += piece
    head, _end, body = found.partition(b"\r\n\r\n")
    length = re.search(rb"Content-Length: (\d+)", head, re.IGNORECASE)
    while length and len(body) < int(length[1]) and (piece := of.recv(65_536)):
        body += piece
        found += piece
    return found


def say(*parts: bytes, pause: float = 0) -> Speak:
    def speak(to: ssl.SSLSocket) -> None:
        for part in parts:
            to.sendall(part)
            time.sleep(pause)

    return speak


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    pem = certificate(tmp_path)
    found = Server(pem)
    monkeypatch.setattr(outgoing, "CA_FILE", str(pem))
    # A busy machine takes its time; what is bounded by these has smaller ones.
    monkeypatch.setattr(outgoing, "CONNECT_SECONDS", 30.0)
    monkeypatch.setattr(outgoing, "SECONDS", 60.0)
    monkeypatch.setattr(outgoing, "addresses_of", lambda host, port: ["127.0.0.1"])
    monkeypatch.setattr(outgoing, "is_public", lambda address: True)
    yield found
    found.close()


def why(url: str) -> str:
    with pytest.raises(Unreachable) as refused:
        ask(url)
    return refused.value.why


def test_an_answer_is_read_from_the_checked_address_with_the_name_of_the_host(
    server: Server,
) -> None:
    url = f"https://{HOST}:{server.port}/keys?x=1"
    assert ask(url).json() == {}
    (request,) = server.requests
    assert request.startswith(b"GET /keys?x=1 HTTP/1.1\r\n")
    assert f"Host: {HOST}:{server.port}".encode() in request
    ask(url, fields={"a": "ä"}, headers={"Accept": "x"})
    assert server.requests[-1].startswith(b"POST ")
    assert server.requests[-1].endswith(b"a=%C3%A4")


def test_a_certificate_of_another_host_is_refused(server: Server) -> None:
    assert why(f"https://other.example:{server.port}/") == "connection"
    assert server.requests in ([], [b""])


def test_a_redirect_is_not_followed(server: Server) -> None:
    server.speak = say(
        b"HTTP/1.1 302 Found\r\nLocation: https://127.0.0.1/\r\nContent-Length: 0\r\n\r\n"
    )
    assert why(f"https://{HOST}:{server.port}/") == "status"
    assert len(server.requests) == 1


def test_a_large_answer_is_not_read_to_its_end(server: Server) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 900000000\r\n\r\n"
    server.speak = say(head, *[b"x" * 100_000] * 12)
    assert why(f"https://{HOST}:{server.port}/") == "too large"


@pytest.mark.parametrize(
    "speak",
    [
        say(b"HTTP/1.1 200 OK\r\n", *[b"X-A: b\r\n"] * 600, pause=0.05),
        say(b"HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n", *[b"x"] * 600, pause=0.05),
        say(b"", pause=30),
    ],
    ids=["headers", "body", "silence"],
)
def test_a_slow_answer_ends_in_time(
    speak: Speak, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outgoing, "SECONDS", 1.0)
    server.speak = speak
    begun = time.monotonic()
    assert why(f"https://{HOST}:{server.port}/") == "too slow"
    assert time.monotonic() - begun < 20  # The drops would take 30.


def test_what_is_no_json_is_refused(server: Server) -> None:
    server.speak = say(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n<")
    with pytest.raises(Unreachable):
        ask(f"https://{HOST}:{server.port}/").json()


def test_nothing_is_asked_within_the_sites_own_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "create_connection", lambda *args, **more: pytest.fail("asked"))
    for url in ("https://127.0.0.1/", "https://localhost/", "https://[::1]/", "https://10.0.0.1/"):
        assert why(url) in ("private", "address"), url


def test_a_host_with_one_private_address_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing, "addresses_of", lambda host, port: ["93.184.216.34", "10.0.0.1"])
    assert why("https://rebinding.example/") == "private"


@for_each(
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "::1",
        "fe80::1%eth0",
        "fd00::1",
        "::ffff:127.0.0.1",
        "2002:7f00:1::",
        "ff02::1",
    ]
)
def test_a_private_address_is_not_public(address: str) -> None:
    assert not is_public(address)


def test_a_public_address_is_public() -> None:
    assert is_public("93.184.216.34")
    assert is_public("2606:2800:220:1:248:1893:25c8:1946")


@for_each(
    [
        "http://a.example/",
        "https:///x",
        "https://u:p@a.example/",
        "https://a.example/\r\nX: y",
        "https://a.example/ä",
        "https://a.example:99999/",
        "https://a.example, b.example/",
        "ftp://a.example/",
        "https://[x",
        f"https://a.example/{'x' * 600}",
    ]
)
def test_such_an_address_is_never_asked(url: str) -> None:
    assert not is_allowed(url)
    assert why(url) == "address"


def test_an_origin_fits_into_a_header() -> None:
    assert origin_of("https://A.example:443/x?y#z") == "https://a.example"
    assert origin_of("https://a.example:8443/") == "https://a.example:8443"
    assert origin_of("https://a.example;x/") == ""
