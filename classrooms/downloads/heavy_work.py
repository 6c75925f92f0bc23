"""Work that costs much is counted for each teacher, so that nobody has the machine alone.

What is here is counted in the database, in sliding windows: it holds for all web processes
together, and without Redis.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, Final, cast

import structlog
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from classrooms.downloads.models import HeavyWork
from classrooms.models import User
from classrooms.ui.typesetting import Busy, NotSet

WorkKind = HeavyWork.Kind
MINUTE: Final = timedelta(minutes=1)
DAY: Final = timedelta(days=1)
LIMITS: Final = {
    WorkKind.PAPER: ((30, MINUTE), (500, DAY)),
    WorkKind.EXPORT: ((20, MINUTE), (300, DAY)),
    WorkKind.IMPORT: ((20, MINUTE), (300, DAY)),
    WorkKind.JOB: ((15, MINUTE), (100, DAY)),
}
"""Of each kind so many in any minute and so many in any 24 hours: several times what a teacher
does who prints the report of each child of a class one by one."""
BUSY_SECONDS: Final = 5

log = structlog.get_logger(__name__)


class TooOften(Exception):
    """This teacher has asked for as much of it as one may. `seconds`: how long to wait."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def take(user: User, kind: WorkKind) -> None:
    """Count one more of this teacher's. Raises `TooOften`, and then nothing is counted."""
    now = timezone.now()
    with transaction.atomic():
        # One at a time of a teacher's, or two at once would both be the last that may be.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        done = HeavyWork.objects.filter(user=user, kind=kind)
        for most, window in LIMITS[kind]:
            last = done.filter(at__gt=now - window).order_by("-at")[most - 1 : most]
            if full := last.first():
                raise TooOften(int((full.at + window - now).total_seconds()) + 1)
        HeavyWork.objects.create(user=user, kind=kind, at=now)


def forget_old(now: datetime) -> int:
    """Delete what no window reaches; how many that were."""
    return HeavyWork.objects.filter(at__lte=now - DAY).delete()[0]


def counted(
    kind: WorkKind, *methods: str
) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """A view that does such work when it is asked by one of these methods. Who asks too often is
    told to wait (429), and so is everybody while the machine has its hands full (503)."""

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            try:
                if request.method in methods:
                    take(cast(User, request.user), kind)
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
    answer = render(request, template, status=status)
    answer["Retry-After"] = str(seconds)
    return answer
