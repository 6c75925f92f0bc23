"""Serves `/metrics` from a server of its own, which the proxy never reaches."""

from collections.abc import Callable, Iterable
from typing import Any

import django

django.setup()

from django.db import connection  # noqa: E402
from django.utils import timezone  # noqa: E402

from nmbrs_edu.metrics.figures import CONTENT_TYPE, text  # noqa: E402


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    if environ["PATH_INFO"] != "/metrics" or environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
        start_response("404 Not Found", [("Content-Type", "text/plain")])
        return [b"Only /metrics is here.\n"]
    try:
        body = text(timezone.now()).encode()
    finally:
        connection.close()
    start_response("200 OK", [("Content-Type", CONTENT_TYPE), ("Cache-Control", "no-store")])
    return [body]
