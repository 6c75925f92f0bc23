"""Requests to a learning platform, within the limits of `classrooms.outgoing`."""

import json
import time
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

import structlog

from classrooms.lti.models import LONGEST_URL, origin_of
from classrooms.outgoing import HttpAnswer, NoAnswer, send

SECONDS: Final = 5.0
"""How long a request and its answer may take."""
LARGEST: Final = 1_000_000
"""The most bytes of an answer, more than a list of 500 pupils takes."""

log = structlog.get_logger(__name__)


class Unreachable(Exception):
    """The platform gave no usable answer. The reason is one of `classrooms.outgoing.NoAnswer`,
    "status" or "content"."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def json_of(answer: HttpAnswer) -> dict[str, Any]:
    """The object in an answer; empty for other JSON. Raises `Unreachable` if it is no JSON."""
    try:
        return dict_or_empty(json.loads(answer.body))
    except (ValueError, RecursionError):
        raise Unreachable("content") from None


def dict_or_empty(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def is_allowed(url: str) -> bool:
    """Whether the site may send requests to this address."""
    return len(url) <= LONGEST_URL and url.isascii() and url.isprintable() and bool(origin_of(url))


def ask(
    url: str,
    *,
    fields: Mapping[str, str] | None = None,
    body: Any = None,
    headers: Mapping[str, str] | None = None,
) -> HttpAnswer:
    """Send a GET, or a POST with form `fields` or a JSON `body`. The answer has a status of 200 to
    299. Raises `Unreachable`, and logs the host and the reason, but never the whole address."""
    start = time.monotonic()
    try:
        return _ask(url, fields, body, headers or {})
    except Unreachable as problem:
        host = urlsplit(url).hostname if is_allowed(url) else ""
        took = round(time.monotonic() - start, 1)
        log.warning("platform not reached", host=host, why=problem.reason, seconds=took)
        raise


def _ask(
    url: str, fields: Mapping[str, str] | None, body: Any, headers: Mapping[str, str]
) -> HttpAnswer:
    if not is_allowed(url):
        raise Unreachable("address")
    content = None
    sent_headers = dict(headers)
    if fields is not None:
        content = urlencode(fields).encode()
        sent_headers["Content-Type"] = "application/x-www-form-urlencoded"
    elif body is not None:
        content = json.dumps(body).encode()
        sent_headers.setdefault("Content-Type", "application/json")
    try:
        answer = send(
            "GET" if content is None else "POST",
            url,
            headers=sent_headers,
            body=content,
            most=LARGEST,
            deadline=time.monotonic() + SECONDS,
        )
    except NoAnswer as problem:
        raise Unreachable(problem.reason) from None
    if not 200 <= answer.status < 300:
        raise Unreachable("status")
    return answer
