"""Answers 503 to a request that has waited so long that its client has given up. Otherwise, when
more requests come than the machine can answer, it would work only on answers that nobody reads."""

import time
from typing import Final

from django.http import HttpRequest, HttpResponse

from classrooms.http import Middleware

START_HEADER: Final = "X-Request-Start"
"""The header in which the proxy writes when it passed the request on, in seconds since 1970. It
overwrites what a client sends."""
LONGEST_WAIT: Final = 3.0
PROXY_TIMEOUT: Final = 60.0
"""The proxy itself waits no longer than this, so a longer wait means that a clock is wrong."""
RETRY_AFTER: Final = 5
"""As in deploy/nginx.conf."""


class SheddingMiddleware(Middleware):
    """Runs before all other middleware, so that a rejected request costs neither session nor
    database."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if LONGEST_WAIT < seconds_waited(request) < PROXY_TIMEOUT:
            return _too_busy()
        return self.get_response(request)


def seconds_waited(request: HttpRequest) -> float:
    """Seconds since the proxy passed the request on; 0 without the header."""
    try:
        return time.time() - float(request.headers[START_HEADER])
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
