"""Limits on a teacher's expensive work, so that nobody occupies the whole machine."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, Final

import structlog
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from classrooms.access import AdultRequest
from classrooms.downloads.models import HeavyWork
from classrooms.locks import lock
from classrooms.models import User
from classrooms.tries import DAY, Limits, seconds_to_wait
from classrooms.ui.processes import Busy
from classrooms.ui.typesetting import PdfFailed
from games.marks import marked

WorkKind = HeavyWork.Kind
MINUTE: Final = timedelta(minutes=1)
LIMITS: Final[Mapping[WorkKind, Limits]] = {
    WorkKind.PAPER: ((30, MINUTE), (500, DAY)),
    WorkKind.EXPORT: ((20, MINUTE), (300, DAY)),
    WorkKind.IMPORT: ((20, MINUTE), (300, DAY)),
    WorkKind.JOB: ((15, MINUTE), (100, DAY)),
}
"""How much of each kind a teacher may ask for in any minute and in any 24 hours: several times what
printing the reports of a whole class one by one takes."""
BUSY_SECONDS: Final = 5

log = structlog.get_logger(__name__)


class TooOften(Exception):
    """The teacher has reached a limit. `seconds` says how long to wait."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def count_work(user: User, kind: WorkKind) -> None:
    """Count one more piece of work for this teacher. Raises `TooOften` at a limit."""
    now = timezone.now()
    with lock(user):  # Otherwise two requests could both take the last place.
        earlier = HeavyWork.objects.filter(user=user, kind=kind, at__gt=now - DAY)
        times = [at.timestamp() for at in earlier.values_list("at", flat=True)]
        if seconds := seconds_to_wait(times, LIMITS[kind]):
            raise TooOften(seconds)
        HeavyWork.objects.create(user=user, kind=kind, at=now)


def delete_old_work(now: datetime) -> int:
    """Delete the records that no limit needs any more, and return their number."""
    return HeavyWork.objects.filter(at__lte=now - DAY).delete()[0]


def limited(
    kind: WorkKind, *methods: str
) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """Decorate a view that does work of this kind for requests with these HTTP methods. A request
    beyond the limit gets a 429; while the machine is busy, every request gets a 503."""

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @marked(heavy=methods)
        @wraps(view)
        def page(request: AdultRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            try:
                if request.method in methods:
                    count_work(request.user, kind)
                return view(request, *args, **kwargs)
            except TooOften as problem:
                return _retry_later(request, "429.html", 429, problem.seconds)
            except Busy:
                return _retry_later(request, "503.html", 503, BUSY_SECONDS)
            except PdfFailed:
                log.exception("paper not set", view=view.__name__)
                return _retry_later(request, "503.html", 503, BUSY_SECONDS)

        return page

    return decorate


def _retry_later(request: HttpRequest, template: str, status: int, seconds: int) -> HttpResponse:
    response = render(request, template, status=status)
    response["Retry-After"] = str(seconds)
    return response
