"""Limits expensive work per teacher, so that nobody takes the whole machine.

The work is counted in the database, in sliding windows, so the limits hold for all web processes
together and without Redis.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, Final

import structlog
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from classrooms.access import AdultRequest
from classrooms.downloads.models import HeavyWork
from classrooms.http.marks import marked
from classrooms.locks import lock
from classrooms.models import User
from classrooms.ui.processes import Busy
from classrooms.ui.typesetting import NotSet

WorkKind = HeavyWork.Kind
MINUTE: Final = timedelta(minutes=1)
DAY: Final = timedelta(days=1)
LIMITS: Final = {
    WorkKind.PAPER: ((30, MINUTE), (500, DAY)),
    WorkKind.EXPORT: ((20, MINUTE), (300, DAY)),
    WorkKind.IMPORT: ((20, MINUTE), (300, DAY)),
    WorkKind.JOB: ((15, MINUTE), (100, DAY)),
}
"""For each kind, how many are allowed in any minute and in any 24 hours: several times what a
teacher needs who prints the reports of a whole class one by one."""
BUSY_SECONDS: Final = 5

log = structlog.get_logger(__name__)


class TooOften(Exception):
    """The teacher has reached the limit. `seconds`: how long to wait."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def take(user: User, kind: WorkKind) -> None:
    """Count one more for this teacher. Raises `TooOften`, and then counts nothing."""
    now = timezone.now()
    with lock(user):  # Two at once cannot both take the last place.
        earlier = HeavyWork.objects.filter(user=user, kind=kind)
        for most, window in LIMITS[kind]:
            last = earlier.filter(at__gt=now - window).order_by("-at")[most - 1 : most]
            if full := last.first():
                raise TooOften(int((full.at + window - now).total_seconds()) + 1)
        HeavyWork.objects.create(user=user, kind=kind, at=now)


def forget_old(now: datetime) -> int:
    """Delete the entries outside all windows. Returns how many."""
    return HeavyWork.objects.filter(at__lte=now - DAY).delete()[0]


def counted(
    kind: WorkKind, *methods: str
) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """Decorate a view that does such work on these HTTP methods. Requests beyond the limit get a
    429, and everybody gets a 503 while the machine is busy."""

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @marked(heavy=methods)
        @wraps(view)
        def page(request: AdultRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            try:
                if request.method in methods:
                    take(request.user, kind)
                return view(request, *args, **kwargs)
            except TooOften as problem:
                return _later(request, "429.html", 429, problem.seconds)
            except Busy:
                return _later(request, "503.html", 503, BUSY_SECONDS)
            except NotSet:
                log.exception("paper not set", view=view.__name__)
                return _later(request, "503.html", 503, BUSY_SECONDS)

        return page

    return decorate


def _later(request: HttpRequest, template: str, status: int, seconds: int) -> HttpResponse:
    response = render(request, template, status=status)
    response["Retry-After"] = str(seconds)
    return response
