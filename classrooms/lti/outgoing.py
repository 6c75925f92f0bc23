"""Requests to a learning platform: only https, only to public addresses, bounded in time and size.

An admin of a school types these addresses, so the site must not be a way into its own network. The
name is looked up once and the connection goes to the address that was checked, so that no second
look-up can lead elsewhere. Redirects are not followed.
"""

import json
import socket
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPException
from ipaddress import ip_address
from threading import Timer
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

import structlog
from urllib3.connection import HTTPSConnection
from urllib3.exceptions import HTTPError

from classrooms.lti.models import LONGEST_URL, origin_of

SECONDS: Final = 5.0
"""For one request in all, after the name has been looked up."""
CONNECT_SECONDS: Final = 3.0
LARGEST: Final = 1_000_000
"""Bytes of an answer: more than a list of 500 pupils takes."""
PIECE: Final = 16_384
CA_FILE: str | None = None
"""None for the authorities that the machine trusts."""

log = structlog.get_logger(__name__)


class Unreachable(Exception):
    """The platform gave no usable answer. `why` is "address", "private", "connection", "too slow",
    "too large", "status" or "content"."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with status 200 to 299."""

    content: bytes
    headers: Mapping[str, str]

    def json(self) -> Any:
        """Raises `Unreachable`."""
        try:
            return json.loads(self.content)
        except (ValueError, RecursionError):
            raise Unreachable("content") from None


def is_allowed(url: str) -> bool:
    """Whether the site may send a request to such an address at all."""
    return len(url) <= LONGEST_URL and url.isascii() and url.isprintable() and bool(origin_of(url))


def addresses_of(host: str, port: int) -> list[str]:
    """The network addresses of a host. Raises `Unreachable` if there are none."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Unreachable("connection") from None
    return [str(each[4][0]) for each in found]


def is_public(address: str) -> bool:
    """Whether this is an address of the internet, in whatever form it is written."""
    found = ip_address(address.partition("%")[0])
    inner = getattr(found, "ipv4_mapped", None) or getattr(found, "sixtofour", None)
    return found.is_global and not found.is_multicast and (inner is None or inner.is_global)


def ask(
    url: str,
    *,
    fields: Mapping[str, str] | None = None,
    body: Any = None,
    headers: Mapping[str, str] | None = None,
) -> Answer:
    """Send a GET, or a POST with form `fields` or a JSON `body`. Raises `Unreachable`, and logs the
    host and why, never the whole address."""
    begun = time.monotonic()
    try:
        return _ask(url, fields, body, headers or {})
    except Unreachable as problem:
        host = urlsplit(url).hostname if is_allowed(url) else ""
        took = round(time.monotonic() - begun, 1)
        log.warning("platform not reached", host=host, why=problem.why, seconds=took)
        raise


def _ask(
    url: str, fields: Mapping[str, str] | None, body: Any, headers: Mapping[str, str]
) -> Answer:
    if not is_allowed(url):
        raise Unreachable("address")
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or 443
    addresses = addresses_of(host, port)
    if not addresses or not all(map(is_public, addresses)):
        raise Unreachable("private")
    sent = {"Host": parts.netloc, "Accept-Encoding": "identity", "User-Agent": "nmbrs"}
    content = None
    if fields is not None:
        content = urlencode(fields).encode()
        sent["Content-Type"] = "application/x-www-form-urlencoded"
    elif body is not None:
        content = json.dumps(body).encode()
        sent["Content-Type"] = "application/json"
    path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
    connection = HTTPSConnection(
        addresses[0],
        port,
        timeout=CONNECT_SECONDS,
        server_hostname=host,
        assert_hostname=host,
        cert_reqs="CERT_REQUIRED",
        ca_certs=CA_FILE,
    )
    until = time.monotonic() + SECONDS
    # The socket's own timeout begins anew with each byte; this ends the request as a whole.
    end = Timer(SECONDS, _shut, (connection,))
    end.daemon = True
    end.start()
    try:
        method = "GET" if content is None else "POST"
        connection.connect()
        connection.request(
            method, path, content, {**sent, **headers}, preload_content=False, decode_content=False
        )
        response = connection.getresponse()
        found = b""
        while piece := response.read1(PIECE):
            found += piece
            if len(found) > LARGEST:
                raise Unreachable("too large")
        if time.monotonic() >= until:
            raise Unreachable("too slow")
        if not 200 <= response.status < 300:
            raise Unreachable("status")
        return Answer(found, dict(response.headers))
    except (OSError, HTTPError, HTTPException, ValueError) as problem:
        is_late = time.monotonic() >= until or isinstance(problem, TimeoutError)
        raise Unreachable("too slow" if is_late else "connection") from None
    finally:
        end.cancel()
        connection.close()


def _shut(connection: HTTPSConnection) -> None:
    with suppress(OSError, AttributeError):
        connection.sock.shutdown(socket.SHUT_RDWR)
