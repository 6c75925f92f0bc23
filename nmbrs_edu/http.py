"""What surrounds a request: room on the stack, load shedding, and the kinds of addresses."""

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from types import FunctionType
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.urls import URLResolver, get_resolver

from classrooms.http import Middleware

# Room on Python's stack for everything that a request calls. CPython keeps the frames of calls in
# pieces of 16 KB. A call that does not fit gets a new piece from the operating system and gives it
# back when it returns. If a loop runs at the end of a piece, each of its calls does both. The same
# page then took up to twice the processor time, depending only on how many calls deep the loop was.

Answer = Callable[[HttpRequest], HttpResponse]

STACK_WORDS: Final = 7_500
"""A function whose frame is this large gets a piece of 128 KB. Half of it is left for the functions
that it calls: enough for some 400 nested calls. Memory that is never touched is not allocated."""


def _call(get_response: Answer, request: HttpRequest) -> HttpResponse:
    return get_response(request)


_answer_with_room: Final = FunctionType(
    _call.__code__.replace(co_stacksize=STACK_WORDS), globals(), "_answer_with_room"
)


class RoomOnStackMiddleware(Middleware):
    """Answers each request in a piece of the stack that is large enough for all its calls."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response: HttpResponse = _answer_with_room(self.get_response, request)
        return response


# Answers 503 to a request that has waited so long that its client has given up. Otherwise, when
# more requests come than the machine can answer, it would work only on answers that nobody reads.
# The proxy writes into each request when it passed it on.

HANDED_ON: Final = "X-Request-Start"
"""The time of that, in seconds since 1970. The proxy overwrites what a client sends."""
LONGEST_WAIT: Final = 3.0
GIVEN_UP: Final = 60.0
"""The proxy itself waits no longer than this, so a longer wait means that a clock is wrong."""
RETRY_AFTER: Final = 5
"""As in deploy/nginx.conf."""


class SheddingMiddleware(Middleware):
    """Runs before all other middleware, so that a rejected request costs neither session nor
    database."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if LONGEST_WAIT < seconds_waited(request) < GIVEN_UP:
            return _too_busy()
        return self.get_response(request)


def seconds_waited(request: HttpRequest) -> float:
    """Seconds since the proxy passed the request on; 0 without the header."""
    try:
        return time.time() - float(request.headers[HANDED_ON])
    except (KeyError, ValueError):
        return 0.0


def _too_busy() -> HttpResponse:
    """The answer to a rejected request. The proxy replaces it with its own page in the client's
    language; htmx leaves the page as it is."""
    return HttpResponse(
        status=503,
        headers={
            "Retry-After": str(RETRY_AFTER),
            "Cache-Control": "no-store",
            "HX-Reswap": "none",
            "X-Accel-Redirect": "@busy",
        },
    )


# The kind of each address, from the URL patterns and the marks on the views. The proxy's maps
# (`scripts.proxy`) and the figures use it.

OUTSIDE: Final = {"static": "static", "healthz": "health"}
"""Addresses that are not pages, by the first part of the path."""
IS_NO_SECRET: Final = frozenset({"code", "edition"})
"""Variable texts in addresses that are not secret. Any other one lets in whoever knows it, like
what is posted to a view marked `guess`."""
MAIL_OF_ALLAUTH: Final = frozenset(
    {"account_signup", "account_reset_password", "account_email", "account_confirm_email"}
)
UUID_IN_PATH: Final = re.compile(r"<uuid:\w+>")
TEXT_IN_PATH: Final = re.compile(r"<str:(\w+)>|\(\?P<(\w+)>(?:[^()\[]|\[[^\]]*\])*\)")
NUMBER_IN_PATH: Final = re.compile(r"<int:\w+>")


@dataclass(frozen=True, slots=True)
class Address:
    path: str  # a regular expression for nginx
    head: str
    name: str
    kind: str  # door, child, game, adult, operator, other, or a value of `OUTSIDE`
    view: Any
    texts: tuple[str, ...]

    def methods(self, mark: str) -> tuple[str, ...]:
        """The methods of the view that have this mark."""
        if mark == "mail" and self.name in MAIL_OF_ALLAUTH:
            return ("POST",)
        is_secret = bool(set(self.texts) - IS_NO_SECRET) and self.kind != "operator"
        if mark == "guess" and is_secret and not _needs_adult(self.view):
            return ("GET", "POST")
        found: tuple[str, ...] = getattr(self.view, mark, ())
        return found


@cache
def addresses() -> tuple[Address, ...]:
    """All addresses; of the operator's site only the project's own."""
    return tuple(_addresses_below(get_resolver(), "", ()))


@cache
def kinds() -> dict[str, str]:
    """The kind of all addresses that share the first part of their path; "" is the home page."""
    found: dict[str, set[str]] = {}
    for address in addresses():
        found.setdefault(address.head, set()).add(address.kind)
    mixed = {head: several for head, several in found.items() if len(several) > 1}
    assert not mixed, f"One beginning, one kind: {mixed}"
    return OUTSIDE | {head: kind for head, (kind,) in found.items()}


def _addresses_below(
    resolver: URLResolver, before: str, spaces: tuple[str, ...]
) -> Iterator[Address]:
    for pattern in resolver.url_patterns:
        path = before + re.sub(r"^\^|\$$|\\Z$", "", str(pattern.pattern))
        if isinstance(pattern, URLResolver):
            yield from _addresses_below(pattern, path, (*spaces, pattern.namespace or ""))
            continue
        texts = [first or second for first, second in TEXT_IN_PATH.findall(path)]
        head = path.partition("/")[0]
        yield Address(
            path=f"/{_for_nginx(path)}",
            head=head,
            name=str(pattern.name),
            kind=OUTSIDE.get(head) or _kind(pattern.callback, spaces),
            view=pattern.callback,
            texts=tuple(texts),
        )


def _for_nginx(path: str) -> str:
    path = path.replace(".", r"\.")
    for parameter, written in (
        (TEXT_IN_PATH, "[^/]+"),
        (NUMBER_IN_PATH, "[0-9]+"),
        (UUID_IN_PATH, "[0-9a-f-]{36}"),
    ):
        path = parameter.sub(written, path)
    return path


def _kind(view: Any, spaces: tuple[str, ...]) -> str:
    if "admin" in spaces:
        return "operator"
    if "games" in spaces:
        return "game"
    if person := getattr(view, "person", None):
        return str(person)
    if view.__module__.startswith("classrooms.signin.") and not _needs_adult(view):
        return "door"
    return "adult" if view.__module__.startswith(("allauth.", "classrooms.")) else "other"


def _needs_adult(view: Any) -> bool:
    """Django's `login_required` sets this attribute, and decorators around it keep it."""
    return hasattr(view, "redirect_field_name")
