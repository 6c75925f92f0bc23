"""Sends a request to Django as a web server would, and gets the answer."""

import traceback
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from http.cookies import SimpleCookie
from io import BytesIO
from time import perf_counter
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from django.conf import settings
from django.core.handlers.base import BaseHandler
from django.core.handlers.wsgi import WSGIRequest
from django.core.signals import got_request_exception, request_finished
from django.db import close_old_connections
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

from classrooms.signin.children_only import SESSION_COOKIE

SESSIONS: Final = (settings.SESSION_COOKIE_NAME, SESSION_COOKIE)
FORM: Final = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class PlannedRequest:
    """A request. `path` and `query` are as sent; `cookies` override those in the browser of
    `who`."""

    who: str
    method: str
    path: str
    query: str = ""
    body: bytes = b""
    content_type: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    cookies: Mapping[str, str] = field(default_factory=dict)
    checks_csrf: bool = False
    url: str = ""  # the name of the URL pattern, for reports

    def as_data(self) -> dict[str, Any]:
        return {**asdict(self), "body": b64encode(self.body).decode()}

    def as_test(self) -> str:
        address = self.path + (f"?{self.query}" if self.query else "")
        cookies = "".join(f"client.cookies[{n!r}] = {v!r}\n" for n, v in self.cookies.items())
        body = f"{self.body!r}, content_type={self.content_type!r}" if self.body else '""'
        headers = f", headers={dict(self.headers)!r}" if self.headers else ""
        return (
            f"client = world.clients[{self.who!r}]\n{cookies}"
            f"client.generic({self.method!r}, {address!r}, {body}{headers})"
        )

    def __str__(self) -> str:
        query = f"?{self.query}" if self.query else ""
        shown = self.body[:200].decode("latin-1")
        extra = "".join(f" {name}: {value[:60]!r}" for name, value in self.headers.items())
        extra += f" cookies {dict(self.cookies)!r:.200}" if self.cookies else ""
        length = f" [{self.content_type[:60]}, {len(self.body)} bytes] {shown!r}"
        what = f"{self.method} {self.path}{query}"[:400]
        return f"{self.who}: {what}{length if self.body else ''}{extra}"


@dataclass(slots=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes
    cookies: SimpleCookie
    seconds: float
    problem: str = ""  # the traceback of an error in the site, "" without an error

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")

    @property
    def is_page(self) -> bool:
        return self.headers.get("Content-Type", "").startswith("text/html")


class _Handler(BaseHandler):
    """Django's own handler, without the signals of a test client."""

    def __init__(self) -> None:
        self.load_middleware()

    def answer(self, plan: PlannedRequest, cookies: Mapping[str, str]) -> Answer:
        problems: list[str] = []

        def keep(**_: Any) -> None:
            problems.append(traceback.format_exc())

        environ = environ_of(plan, cookies)
        got_request_exception.connect(keep)
        start = perf_counter()
        try:
            set_script_prefix("/")
            request = WSGIRequest(environ)
            request._dont_enforce_csrf_checks = not plan.checks_csrf  # type: ignore[attr-defined]
            response = self.get_response(request)
            body = b"".join(response)
            _close(response)
        except Exception:
            seconds = perf_counter() - start
            return Answer(599, {}, b"", SimpleCookie(), seconds, traceback.format_exc())
        finally:
            got_request_exception.disconnect(keep)
        seconds = perf_counter() - start
        headers = dict(response.items())
        return Answer(
            response.status_code, headers, body, response.cookies, seconds, "".join(problems[:1])
        )


def _close(response: HttpResponseBase) -> None:
    """Close the response as a server does, but keep the transaction of the request open."""
    request_finished.disconnect(close_old_connections)
    response.close()
    request_finished.connect(close_old_connections)


class Browsers:
    """The browser of each person, and how they enter the site."""

    def __init__(self, cookies: Mapping[str, Mapping[str, str]]) -> None:
        self.cookies = {who: dict(own) for who, own in cookies.items()}
        self._first = {who: dict(own) for who, own in cookies.items()}
        self._handler = _Handler()

    def is_somebody_else(self, who: str) -> bool:
        """Whether somebody else has signed in in this browser."""
        first, now = self._first.get(who, {}), self.cookies.get(who, {})
        return any(now.get(name) not in (None, first.get(name)) for name in SESSIONS)

    def send(self, plan: PlannedRequest) -> Answer:
        cookies = {**self.cookies.get(plan.who, {}), **plan.cookies}
        return self._handler.answer(plan, cookies)

    def keep(self, who: str, answer: Answer) -> None:
        own = self.cookies.setdefault(who, {})
        for name, morsel in answer.cookies.items():
            if morsel.value and morsel["max-age"] != 0:
                own[name] = morsel.value
            else:
                own.pop(name, None)

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Restore everybody's cookies afterwards."""
        before = {who: dict(own) for who, own in self.cookies.items()}
        try:
            yield
        finally:
            self.cookies = before


def environ_of(plan: PlannedRequest, cookies: Mapping[str, str]) -> dict[str, Any]:
    environ: dict[str, Any] = {
        "REQUEST_METHOD": plan.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(plan.path).decode("latin-1"),
        "QUERY_STRING": plan.query,
        "CONTENT_TYPE": plan.content_type,
        "CONTENT_LENGTH": str(len(plan.body)),
        "REMOTE_ADDR": "127.0.0.1",
        "SERVER_NAME": "testserver",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": "testserver",
        "HTTP_X_FORWARDED_FOR": "198.51.100.7",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(plan.body),
        "wsgi.errors": BytesIO(),
        "wsgi.multithread": False,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    if cookies:
        environ["HTTP_COOKIE"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
    for name, value in plan.headers.items():
        key = name.upper().replace("-", "_")
        environ[key if key == "CONTENT_LENGTH" else f"HTTP_{key}"] = value
    return environ
