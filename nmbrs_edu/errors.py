"""Error pages that do not read what was posted, and one for the moment in which the database is
away or its tables are changed by an upgrade.

Django's own views first read the CSRF token from the form, so an unreadable body sent to an unknown
URL caused an error within the error. These check no token; a form on their pages gets its own.
"""

import sys
from typing import Final

from django.db import InterfaceError, NotSupportedError, OperationalError, connections
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from psycopg.errors import FeatureNotSupported

DATABASE_AWAY: Final = (OperationalError, InterfaceError)
SECONDS_TO_WAIT: Final = 5
"""A PostgreSQL that restarts is back in about this time."""


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "400.html", status=400)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "403.html", status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Called while the exception is handled. Neither page may need the database."""
    problem = sys.exception()
    if _is_of_changed_tables(problem):
        _end_connections()
    elif not isinstance(problem, DATABASE_AWAY):
        return HttpResponse(render_to_string("500.html"), status=500)
    reads = request.method in ("GET", "HEAD")
    answer = HttpResponse(render_to_string("database_away.html", {"reads": reads}), status=503)
    answer["Retry-After"] = str(SECONDS_TO_WAIT)
    answer["Cache-Control"] = "no-store"
    if reads:
        answer["Refresh"] = str(SECONDS_TO_WAIT)
    return answer


def _is_of_changed_tables(problem: BaseException | None) -> bool:
    """Whether a statement was prepared for tables that an upgrade has changed since: PostgreSQL
    refuses it as long as the connection lasts."""
    cause = problem.__cause__ if isinstance(problem, NotSupportedError) else None
    return isinstance(cause, FeatureNotSupported)


def _end_connections() -> None:
    """For good: closed by Django alone, one would go back to the pool with what it has prepared."""
    for connection in connections.all(initialized_only=True):
        if connection.connection is not None:
            connection.connection.close()
            connection.close()
