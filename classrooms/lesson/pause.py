"""“Eyes on me”: a teacher pauses all screens of the class, and lets them go on.

While a class is paused, `classrooms.middleware` answers each request of its children with one
sentence, so no move is made and none is lost. Open pages ask every few seconds whether their class
is paused or looks at a hand, to which they then go (`classrooms.lesson.hands`). Anybody who has the
address may have the answer. So nobody has to be identified, and `nmbrs_edu.wsgi` answers from
memory, before Django.
"""

import re
from datetime import datetime, timedelta
from functools import lru_cache
from hmac import compare_digest
from threading import Lock
from time import monotonic
from typing import Final
from urllib.parse import urlsplit
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db import Error, connection
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from classrooms.access import SchoolRequest
from classrooms.lesson import hands
from classrooms.links import internal_path
from classrooms.locks import lock
from classrooms.models import Child, SchoolClass
from games.play import presence
from games.play.news import ID, PollMiddleware

PAUSE_LASTS: Final = timedelta(minutes=10)
"""A pause ends after this long, so that no class stays paused."""
READ_SECONDS: Final = 1.0
"""For how many seconds a process remembers which classes are paused."""
PAUSED: Final = "paused"
"""The answer to a page whose class is paused. Other pages get the key of the open hand at which
their class looks, or an empty text."""
LOCKED: Final = 423


def pause(school_class: SchoolClass) -> None:
    """Pause all screens of the class for `PAUSE_LASTS`."""
    _pause_until(school_class, timezone.now() + PAUSE_LASTS)


def go_on(school_class: SchoolClass) -> None:
    """Let the screens of the class go on."""
    _pause_until(school_class, None)


def _pause_until(school_class: SchoolClass, until: datetime | None) -> None:
    with lock(school_class) as (school_class,):
        now = timezone.now()
        before = max(school_class.paused_until or now, now)
        after = until or now
        SchoolClass.objects.filter(pk=school_class.pk).update(paused_until=until)
        players = Child.objects.filter(school_class=school_class).values_list("player", flat=True)
        presence.shift_times(list(players), after - before, after)


def paused_until(school_class: SchoolClass) -> str:
    """The time, by the clock of the class, until which its screens are paused; empty if they are
    not."""
    until = school_class.paused_until
    if until is None or until <= timezone.now():
        return ""
    return f"{until.astimezone(ZoneInfo(school_class.time_zone)):%H:%M}"


def answer(request: SchoolRequest) -> HttpResponse:
    """The response to any request of a child in a paused class. The request changes nothing, so
    the child continues where they were."""
    if request.htmx:
        return HttpResponse(status=LOCKED)
    if request.method in ("GET", "HEAD"):
        return render(request, "lesson/paused.html")
    came_from = urlsplit(request.headers.get("Referer", "")).path
    return redirect(internal_path(request, came_from) or "classrooms:me")


# The polls of open pages.

_ADDRESS: Final = re.compile(rf"/me/pause/({ID})/({ID})")


def poll_of(school_class: SchoolClass) -> str:
    """The address that tells whether the class is paused or looks at a hand."""
    mark = _mark(str(school_class.pk))
    return reverse("classrooms:paused", args=[school_class.pk, mark])


@lru_cache(maxsize=4096)
def _mark(class_id: str) -> str:
    key = salted_hmac("classrooms.pause", class_id, algorithm="sha256").digest()
    return str(UUID(bytes=key[:16]))


class Paused:
    """The classes that are paused or look at a hand, as a process remembers them."""

    def __init__(self) -> None:
        self._answers: dict[UUID, str] = {}
        self._read_at = -READ_SECONDS
        self._lock = Lock()

    def answer_for(self, class_id: str, mark: str) -> str | None:
        """The answer to a page of the class: `PAUSED`, the key of a hand, or an empty text. None
        for an address that the site did not make."""
        if not compare_digest(mark, _mark(class_id)):
            return None
        with self._lock:
            if monotonic() - self._read_at >= READ_SECONDS:
                now = timezone.now()
                hand_of_class = hands.open_hands(now).values_list("school_class", "pk")
                paused = SchoolClass.objects.filter(paused_until__gt=now)
                self._answers = {
                    **{school_class: str(hand) for school_class, hand in hand_of_class},
                    **dict.fromkeys(paused.values_list("pk", flat=True), PAUSED),
                }
                self._read_at = monotonic()
            return self._answers.get(UUID(class_id), "")


paused: Final = Paused()


class PausesFirst(PollMiddleware):
    """WSGI middleware that answers whether a class is paused or looks at a hand."""

    address = _ADDRESS

    def answer(self, *parts: str) -> str | None:
        class_id, mark = parts
        try:
            return paused.answer_for(class_id, mark)
        except Error:
            return None
        finally:
            connection.close()
