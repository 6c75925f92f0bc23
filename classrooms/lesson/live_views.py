"""The live view of a lesson, for the teacher's own screen and, without names, for the big one."""

from typing import Final
from uuid import UUID

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.utils import timezone, translation
from django.views.decorators.http import require_GET

from classrooms.access import AdultRequest, SchoolRequest, class_for
from classrooms.accounts.polled_parts import part_for_adults
from classrooms.accounts.sessions import asks_by_itself
from classrooms.audit import Page, looked
from classrooms.lesson import live_board
from classrooms.progress.figures.class_goal import goal_of

TAG: Final = "HX-PTag"
"""The header in which htmx's extension `ptag` keeps the tag of what it shows."""
BIG: Final = "big"
PAGE: Final = "lesson/live.html"


@login_required
@require_GET
def page(request: AdultRequest, class_id: UUID) -> HttpResponse:
    return _shown(request, class_id, PAGE)


@asks_by_itself
@require_GET
def part(request: SchoolRequest, class_id: UUID) -> HttpResponse:
    """The part that changes, polled every few seconds: 304 as long as it has not.

    A reader's tag is known to nobody else, so a match is answered before the reader is looked up:
    it only says that nothing has changed.
    """
    if (asked := request.headers.get(TAG)) and asked == _tag(request, class_id):
        return HttpResponseNotModified(headers={TAG: asked})
    return _changed(request, class_id)


@part_for_adults
def _changed(request: AdultRequest, class_id: UUID) -> HttpResponse:
    return _shown(request, class_id, "lesson/live.html#part")


def _shown(request: AdultRequest, class_id: UUID, template: str) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    looked(request.user, Page.LIVE, school_class=school_class)
    tag = _tag(request, class_id)  # Before the pulses: a move meanwhile makes the next poll differ.
    pulses = live_board.pulses(class_id, timezone.now())
    seen = live_board.seen(pulses)
    context = {
        "school_class": school_class,
        "big": _is_big(request),
        "tag": tag,
        "seen": seen,
        "counts": live_board.counts(seen),
        "has_children": bool(pulses),
    }
    if context["big"]:
        context["goal"] = goal_of(school_class)
    response = render(request, template, context)
    response.headers[TAG] = tag
    return response


def _tag(request: HttpRequest, class_id: UUID) -> str:
    session = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    now = timezone.now()
    # So that the session is checked every quarter of an hour, even if nobody plays.
    quarter = int(now.timestamp()) // 900
    reader = f"{session} {translation.get_language()} {class_id} {_is_big(request)} {quarter}"
    return live_board.tag_of(live_board.beat(class_id, now), reader=reader)


def _is_big(request: HttpRequest) -> bool:
    return request.GET.get("screen") == BIG
