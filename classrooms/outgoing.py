"""The only requests that the site sends to an address that a user typed.

Only https, only to public addresses, without following redirects, and with limits on time and size.
The host is looked up once, and the connection goes to the address that was checked: a name server
might answer otherwise the second time.
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

Why = Literal[
    "address",
    "not public",
    "unreached",
    "certificate",
    "slow",
    "too large",
    "cut off",
    "elsewhere",
]
CONNECT_SECONDS: Final = 5
READ_SECONDS: Final = 10
_CHUNK: Final = 64 * 1024
_LONGEST_ADDRESS: Final = 2_000
_TRANSLATED: Final = (ip_network("64:ff9b::/96"), ip_network("64:ff9b:1::/48"))
"""Gateways translate these into IPv4 addresses, which may be private."""


class NoAnswer(Exception):
    """There was no complete answer. `why` is "address" if the address is not https or not public,
    and "elsewhere" if it redirects."""

    def __init__(self, why: Why) -> None:
        super().__init__(why)
        self.why: Why = why


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: Mapping[str, str]  # the names in small letters
    body: bytes


def host_of(url: str) -> tuple[str, int]:
    """The host and the port of an https address. Raises `NoAnswer`."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or 443
        host.encode("ascii")  # A host name in other letters is converted to its ASCII form.
    except ValueError:
        raise NoAnswer("address") from None
    is_wrong = parts.scheme != "https" or not host or parts.username is not None or parts.fragment
    if is_wrong or len(url) > _LONGEST_ADDRESS or not url.isascii() or not url.isprintable():
        raise NoAnswer("address")
    return host, port


def is_public(address: str) -> bool:
    """Whether this IP address is one of the public internet.

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


def trust() -> ssl.SSLContext:
    """The certificates that the site trusts."""
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
    until: float,
) -> Answer:
    """The answer to one request: at most `most` bytes, complete before the monotonic time `until`.
    Raises `NoAnswer`."""
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
        timeout=max(min(CONNECT_SECONDS, until - monotonic()), 0.1),
        ssl_context=trust(),
        server_hostname=host,
    )
    with _in_our_words(until), _time_limit(connection, until):
        connection.connect()
        connection.sock.settimeout(READ_SECONDS)
        connection.request(method, target, body, sent, preload_content=False, decode_content=False)
        return _read_answer(connection.getresponse(), most, until)


def _read_answer(response: urllib3.BaseHTTPResponse, most: int, until: float) -> Answer:
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
    if monotonic() > until:
        raise NoAnswer("slow")  # A connection that was cut looks like one that has ended.
    length = response.headers.get("Content-Length", "")
    if length.isascii() and length.isdigit() and int(length[:20]) != size:
        raise NoAnswer("cut off")
    headers = {name.lower(): value for name, value in response.headers.items()}
    return Answer(response.status, headers, b"".join(parts))


@contextmanager
def _time_limit(connection: HTTPSConnection, until: float) -> Iterator[None]:
    """Cut the connection when the time is over. A server that sends byte after byte never reaches
    the timeout of a single read."""
    timer = threading.Timer(max(until - monotonic(), 0), _cut_connection, (connection,))
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
def _in_our_words(until: float) -> Iterator[None]:
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
        raise NoAnswer("slow" if monotonic() > until else "certificate") from None
    except (IncompleteRead, ProtocolError, HTTPException, AttributeError, ValueError):
        raise NoAnswer("slow" if monotonic() > until else "cut off") from None
    except (HTTPError, OSError):
        raise NoAnswer("slow" if monotonic() > until else "unreached") from None
