"""Answers 503 to a request that has waited for too long to be worth any work.

When more is asked than the machine can do, requests queue up, and clients give up and ask again
while the server still works for nobody. The proxy writes into each request when it handed it on.
"""

import time
from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse

HANDED_ON: Final = "X-Request-Start"
"""Seconds since 1970. The proxy overwrites what a client says."""
LONGEST_WAIT: Final = 3.0
GIVEN_UP: Final = 60.0
"""The proxy waits no longer for an answer: a longer wait is a clock that is wrong."""
RETRY_AFTER: Final = 5
"""As in deploy/nginx.conf."""


class SheddingMiddleware:
    """Stands before everything else: what is turned away costs neither session nor database."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if LONGEST_WAIT < waited(request) < GIVEN_UP:
            return _too_busy()
        return self.get_response(request)


def waited(request: HttpRequest) -> float:
    """Seconds since the proxy handed the request on; 0 if it does not say so."""
    try:
        return time.time() - float(request.headers[HANDED_ON])
    except (KeyError, ValueError):
        return 0.0


def _too_busy() -> HttpResponse:
    """The proxy shows its own page instead, in the client's language; htmx replaces nothing."""
    return HttpResponse(
        status=503,
        headers={
            "Retry-After": str(RETRY_AFTER),
            "Cache-Control": "no-store",
            "HX-Reswap": "none",
            "X-Accel-Redirect": "@busy",
        },
    )
