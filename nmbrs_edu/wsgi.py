"""The WSGI application that granian serves."""

import gc
import os
from collections.abc import Callable
from typing import Any, Final

from django.core.wsgi import get_wsgi_application

from nmbrs_edu.middleware import ReadableRequest

NEW_OBJECTS: Final = 20_000
"""The number of new objects that starts the garbage collector. A move makes thousands and frees
nearly all of them without it. Python's default of 700 would interrupt a move several times."""

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nmbrs_edu.settings.local")


def _application() -> Callable[..., Any]:
    site = get_wsgi_application()
    site.request_class = ReadableRequest
    # Must come after Django is set up.
    from classrooms.lesson.pause import PausesFirst
    from games.play.news import NewsMiddleware
    from nmbrs_edu.metrics.counting import REQUESTS, counts

    pauses_first = PausesFirst(site, lambda status: counts.count(REQUESTS, "child", status))
    return NewsMiddleware(pauses_first, lambda status: counts.count(REQUESTS, "game", status))


application = _application()
# The collector skips objects that stay loaded. With them a full collection took 140 ms, in the
# middle of a request.
gc.freeze()
gc.set_threshold(NEW_OBJECTS)
