"""Sends all requests to addresses that a user typed.

They go only to public https addresses, follow no redirects, and have limits on time and size. The
host is looked up once, and the connection goes to the address that was checked, because a name
server might give another one the second time.
"""

import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPException
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from socket import SHUT_RDWR, SOCK_STREAM, getaddrinfo
from time import monotonic
from typing import Final, Literal
from urllib.parse import urlsplit

import certifi
import urllib3
from urllib3.connection import HTTPSConnection
from urllib3.exceptions import (
    ConnectTimeoutError,
    HTTPError,
    IncompleteRead,
    NewConnectionError,
    ProtocolError,
    ReadTimeoutError,
    SSLError,
)

Reason = Literal[
    "address", "not public", "unreached", "certificate", "slow", "too large", "cut off", "elsewhere"
]
CONNECT_SECONDS: Final = 5
READ_SECONDS: Final = 10
_CHUNK: Final = 64 * 1024
_LONGEST_ADDRESS: Final = 2_000
_TRANSLATED: Final = (ip_network("64:ff9b::/96"), ip_network("64:ff9b:1::/48"))
"""Gateways translate these into IPv4 addresses, which may be private."""


class NoAnswer(Exception):
    """There was no complete answer. The reason "address" stands for a URL that may not be used, and
    "elsewhere" for a redirect."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason: Reason = reason


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    status: int
    headers: Mapping[str, str]  # the names in small letters
    body: bytes


def host_of(url: str) -> tuple[str, int]:
    """The host and the port of an https address. Raises `NoAnswer`."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        port = parts.port or 443
        host.encode("ascii")  # A host name in other letters must be typed in its ASCII form.
    except ValueError:
        raise NoAnswer("address") from None
    is_wrong = parts.scheme != "https" or not host or parts.username is not None or parts.fragment
    if is_wrong or len(url) > _LONGEST_ADDRESS or not url.isascii() or not url.isprintable():
        raise NoAnswer("address")
    return host, port


def is_public(address: str) -> bool:
    """Whether this IP address belongs to the public internet.

    >>> [is_public(each) for each in ("192.0.2.1", "10.0.0.1", "::1", "::ffff:10.0.0.1")]
    [False, False, False, False]
    >>> is_public("93.184.216.34"), is_public("2606:2800:220:1::1")
    (True, True)
    """
    ip: IPv4Address | IPv6Address = ip_address(address)
    if isinstance(ip, IPv6Address):
        if ip.ipv4_mapped:
            return is_public(str(ip.ipv4_mapped))
        if ip.sixtofour or ip.teredo or any(ip in network for network in _TRANSLATED):
            return False
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


def addresses_of(host: str, port: int) -> list[str]:
    """The IP addresses of this host. Raises `NoAnswer` if there are none, or if one of them is not
    public."""
    try:
        answers = getaddrinfo(host, port, type=SOCK_STREAM)
    except (OSError, UnicodeError):
        raise NoAnswer("unreached") from None
    addresses = list(dict.fromkeys(str(info[4][0]) for info in answers))
    if not addresses:
        raise NoAnswer("unreached")
    if not all(is_public(address.partition("%")[0]) for address in addresses):
        raise NoAnswer("not public")
    return addresses


def tls_context() -> ssl.SSLContext:
    """The TLS settings of the site, with the certificate authorities that it trusts."""
    context = ssl.create_default_context(cafile=certifi.where())
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def send(
    method: Literal["GET", "POST"],
    url: str,
    *,
    headers: Mapping[str, str],
    body: bytes | None = None,
    most: int,
    deadline: float,
) -> HttpAnswer:
    """Send a request and return its answer, which has at most `most` bytes and is complete before
    the monotonic time `deadline`. Raises `NoAnswer`."""
    host, port = host_of(url)
    parts = urlsplit(url)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    host_name = f"[{host}]" if ":" in host else host
    sent = {
        "Host": host_name if port == 443 else f"{host_name}:{port}",
        "Accept-Encoding": "identity",
        "User-Agent": "nmbrs",
        **headers,
    }
    addresses = addresses_of(host, port)
    connection = HTTPSConnection(
        addresses[0],
        port,
        timeout=max(min(CONNECT_SECONDS, deadline - monotonic()), 0.1),
        ssl_context=tls_context(),
        server_hostname=host,
    )
    with _as_no_answer(deadline), _time_limit(connection, deadline):
        connection.connect()
        connection.sock.settimeout(READ_SECONDS)
        connection.request(method, target, body, sent, preload_content=False, decode_content=False)
        return _read_answer(connection.getresponse(), most, deadline)


def _read_answer(response: urllib3.BaseHTTPResponse, most: int, deadline: float) -> HttpAnswer:
    if 300 <= response.status < 400:
        raise NoAnswer("elsewhere")
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise NoAnswer("too large")  # It would have to be decompressed first.
    parts: list[bytes] = []
    size = 0
    while chunk := response.read1(_CHUNK):
        size += len(chunk)
        if size > most:
            raise NoAnswer("too large")
        parts.append(chunk)
    if monotonic() > deadline:
        raise NoAnswer("slow")  # A connection that was cut looks like one that has ended.
    length = response.headers.get("Content-Length", "")
    if length.isascii() and length.isdigit() and int(length[:20]) != size:
        raise NoAnswer("cut off")
    headers = {name.lower(): value for name, value in response.headers.items()}
    return HttpAnswer(response.status, headers, b"".join(parts))


@contextmanager
def _time_limit(connection: HTTPSConnection, deadline: float) -> Iterator[None]:
    """Cut the connection at the deadline. A server that sends byte after byte never reaches the
    timeout of a single read."""
    timer = threading.Timer(max(deadline - monotonic(), 0), _cut_connection, (connection,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        connection.close()


def _cut_connection(connection: HTTPSConnection) -> None:
    with suppress(OSError, AttributeError):
        connection.sock.shutdown(SHUT_RDWR)


@contextmanager
def _as_no_answer(deadline: float) -> Iterator[None]:
    """Raise `NoAnswer` in place of the errors of a connection."""
    try:
        yield
    except NoAnswer:
        raise
    except NewConnectionError:  # urllib3 reports it as a timeout.
        raise NoAnswer("unreached") from None
    except (ConnectTimeoutError, ReadTimeoutError, TimeoutError):
        raise NoAnswer("slow") from None
    except (SSLError, ssl.SSLError):
        raise NoAnswer("slow" if monotonic() > deadline else "certificate") from None
    except (IncompleteRead, ProtocolError, HTTPException, AttributeError, ValueError):
        raise NoAnswer("slow" if monotonic() > deadline else "cut off") from None
    except (HTTPError, OSError):
        raise NoAnswer("slow" if monotonic() > deadline else "unreached") from None
