"""Error pages, the health check, and robots.txt.

Django's error pages read the CSRF token from the form, and an unreadable form at an unknown address
then caused a second error. These pages check no token; a form on them gets a new one.
"""

import sys
from typing import Final

from django.db import InterfaceError, NotSupportedError, OperationalError, connection, connections
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh
from psycopg.errors import FeatureNotSupported

from classrooms.access import SchoolRequest
from classrooms.accounts.sessions import typed_fields

DATABASE_AWAY: Final = (OperationalError, InterfaceError)
SECONDS_TO_WAIT: Final = 5
"""A PostgreSQL that restarts is back after about this time."""
CAUSES: Final = {
    "cookie not set": "cookies",
    "no Referer": "hidden",
    "Referer": "address",
    "Origin": "address",
}
"""Maps a phrase of Django's reason for refusing a form to the cause that our page explains."""
ROBOTS: Final = """\
User-agent: *
Allow: /$
Allow: /rules/
Allow: /static/
Disallow: /
"""


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "400.html", status=400)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "403.html", status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "404.html", status=404)


def too_often(request: HttpRequest) -> HttpResponse:
    """Answer a request that a limit of allauth refuses. Those limits are per minute."""
    response = render(request, "429.html", status=429)
    response["Retry-After"] = "60"
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer with an error page that needs no database, while the exception is being handled."""
    problem = sys.exception()
    if _is_stale_statement(problem):
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


def _is_stale_statement(problem: BaseException | None) -> bool:
    """Whether PostgreSQL refused a statement because an upgrade has changed its tables since it was
    prepared. It does so for as long as the connection lasts."""
    cause = problem.__cause__ if isinstance(problem, NotSupportedError) else None
    return isinstance(cause, FeatureNotSupported)


def _end_connections() -> None:
    """End the connections for good. A connection that only Django closes returns to the pool with
    its prepared statements."""
    for opened in connections.all(initialized_only=True):
        if opened.connection is not None:
            opened.connection.close()
            opened.close()


def csrf_failure(request: SchoolRequest, reason: str = "") -> HttpResponse:
    """Answer a form that was refused because it has no valid CSRF token. Usually its page stayed
    open while someone signed in in another tab. If the form is our own, the answer contains what
    was typed, to be sent again with a valid token, or leads back to the page."""
    if request.htmx:
        return HttpResponseClientRefresh()
    page = request.headers.get("Referer", "")
    hosts = {request.get_host()}
    is_ours = url_has_allowed_host_and_scheme(page, hosts, request.is_secure())
    cause = next((cause for phrase, cause in CAUSES.items() if phrase in reason), "old")
    fields = typed_fields(request) if is_ours and cause in ("old", "cookies") else None
    context = {
        "back": page if is_ours else "/",
        "cause": cause,
        "typed": None if fields is None else [(*field, "\n" in field[1]) for field in fields],
    }
    return render(request, "403_csrf.html", context, status=403)


@require_safe
def robots_txt(request: HttpRequest) -> HttpResponse:
    return HttpResponse(ROBOTS, content_type="text/plain; charset=utf-8")


@require_safe
@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    """Answer 200 if the database answers. Redis is not checked: children play without it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return JsonResponse({"ok": True})
