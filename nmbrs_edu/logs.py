"""Keeps secrets and names out of the log. `LineFormatter` writes all log lines of the site.

An address of the site can be a secret (a QR code, a class code, an invitation, a link that stops
mail), so the log has its route instead, such as `/q/<token>`. The message of an exception can
contain a name, so the log has only the type and the traceback. Results of tasks are left out.
"""

import logging
import re
import sys
import traceback
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

import structlog
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError
from django.http import HttpRequest
from django.urls import URLResolver, get_resolver, resolve
from django_structlog.middlewares import RequestMiddleware as PlainRequestMiddleware
from kombu.exceptions import OperationalError as BrokerAway
from structlog.typing import EventDict

NO_ROUTE: Final = "(no such page)"
OMISSION: Final = "(left out)"
LOGGABLE_ERRORS: Final = (
    ImproperlyConfigured,
    OperationalError,
    BrokerAway,
    ConnectionError,
    ImportError,
)
"""Exceptions whose messages say what is down or misconfigured, and contain no user data."""

TASK_VALUES: Final = ("return_value", "exc", "args", "kwargs", "traceback", "reason")
"""The names under which Celery's log lines carry data of a task."""

_CONVERTER: Final = re.compile(r"<\w+:(\w+)>")
_NAMED_GROUP: Final = re.compile(r"\(\?P(<\w+>)(?:[^()\[]|\[[^\]]*\])*\)")
_FIRST_PARTS: Final = (
    "accounts|account|admin|classes|games|i18n|invitations|lti|me|play|q|rules|schools|static|undo"
    "|weekly-mail"
)
_ADDRESS: Final = re.compile(
    rf"""(?:https?://[^/\s'"]+|(?<![\w./-]))(?P<path>/(?:{_FIRST_PARTS})(?:[/?][^\s'"]*)?)(?=\W|$)"""
)
_MAIL: Final = re.compile(r"[^\s@<>'\"=:,]+@[^\s@<>'\"=:,]+\.\w+")


def route_of_path(path: str) -> str:
    """The route of a path of the site, with names in place of its variable parts."""
    try:
        return _plain_route(resolve(path.partition("?")[0]).route)
    except Exception:  # A log line must not fail, whatever the path is.
        return NO_ROUTE


def route_of(request: HttpRequest) -> str:
    match = request.resolver_match
    return _plain_route(match.route) if match else route_of_path(request.path_info)


def _plain_route(route: str) -> str:
    route = _NAMED_GROUP.sub(r"\1", _CONVERTER.sub(r"<\1>", route))
    return "/" + re.sub(r"[\^$?]|\\Z", "", route)


def scrub(text: str) -> str:
    """The text with routes in place of the site's addresses, and without mail addresses."""
    text = _ADDRESS.sub(lambda match: _as_route(match["path"]), text)
    return _MAIL.sub("<address>", text)


def _as_route(path: str) -> str:
    return path if path in _all_routes() else route_of_path(path)


@cache
def _all_routes() -> frozenset[str]:
    return frozenset(_routes_below(get_resolver(), ""))


def _routes_below(resolver: URLResolver, prefix: str) -> Iterator[str]:
    for pattern in resolver.url_patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _routes_below(pattern, route)
        else:
            yield _plain_route(route)


def exception_lines(problem: BaseException | None) -> str:
    """The traceback as Python prints it, the first cause first, but without the messages."""
    ids: set[int] = set()
    sections: list[str] = []
    while problem is not None and id(problem) not in ids:
        ids.add(id(problem))
        frames = "".join(traceback.format_tb(problem.__traceback__))
        sections.append(f"{frames}{_exception_line(problem)}")
        problem = problem.__cause__ or (
            None if problem.__suppress_context__ else problem.__context__
        )
    return "\n\nThat led to:\n\n".join(reversed(sections))


def _exception_line(problem: BaseException) -> str:
    kind = type(problem)
    module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    name = module + kind.__qualname__
    return f"{name}: {problem}" if isinstance(problem, LOGGABLE_ERRORS) else name


def add_exception(_logger: Any, _name: str, event: EventDict) -> EventDict:
    """Turn `exc_info` into `exception`, without messages. A structlog processor."""
    problem = event.pop("exc_info", None)
    if isinstance(problem, tuple):
        problem = problem[1]
    elif problem and not isinstance(problem, BaseException):
        problem = sys.exception()
    if problem:
        event["exception"] = exception_lines(problem)
    event.pop("stack_info", None)
    return event


class LineFormatter(structlog.stdlib.ProcessorFormatter):
    """Formats an event as one line, plus the lines of its exception, without secrets."""

    def __init__(self) -> None:
        super().__init__(
            foreign_pre_chain=[
                structlog.contextvars.merge_contextvars,
                structlog.stdlib.add_logger_name,
                structlog.stdlib.add_log_level,
                structlog.processors.TimeStamper(fmt="iso"),
            ],
            processors=[
                self.remove_processors_meta,
                add_exception,
                structlog.dev.ConsoleRenderer(
                    colors=False, exception_formatter=structlog.dev.plain_traceback
                ),
            ],
        )

    def format(self, record: logging.LogRecord) -> str:
        return scrub(super().format(_without_values(record)))


def _without_values(record: logging.LogRecord) -> logging.LogRecord:
    """A copy of the record with the method and route of its request, and without data of a task."""
    copy = logging.makeLogRecord(record.__dict__)
    request = getattr(record, "request", None)
    if isinstance(request, HttpRequest):
        copy.msg = " ".join(_request_words(record, request))
        copy.args = ()
    elif record.name.startswith("celery."):
        if isinstance(record.args, Mapping):
            copy.args = {**record.args, **dict.fromkeys(TASK_VALUES, OMISSION)}
        elif isinstance(record.args, tuple) and record.levelno >= logging.ERROR:
            # First the name of a task, then its message.
            copy.args = (*record.args[:1], *[OMISSION for _ in record.args[1:]])
    return copy


def _request_words(record: logging.LogRecord, request: HttpRequest) -> Iterator[str]:
    yield str(getattr(record, "status_code", ""))
    yield f"{request.method} {route_of(request)}"
    if record.name == "django.security.csrf" and isinstance(record.args, tuple) and record.args:
        # First the check that failed; after the dash, what the browser sent.
        yield str(record.args[0]).partition(" - ")[0]


class RequestedRoute:
    """The method and route of a request. The text is computed only when a line with it is written,
    because most lines are below the level of the log."""

    def __init__(self, request: HttpRequest) -> None:
        self._request = request

    def __repr__(self) -> str:
        return repr(f"{self._request.method} {route_of(self._request)}")


class RequestMiddleware(PlainRequestMiddleware):
    """django-structlog's middleware, but it logs the route instead of the address."""

    @staticmethod
    def format_request(request: HttpRequest) -> RequestedRoute:  # type: ignore[override]
        return RequestedRoute(request)
