"""The live view of a lesson, for the teacher's own screen and, without names, for the big one."""

from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.views.decorators.http import require_GET

from classrooms.access import AdultRequest, SchoolRequest, child_for, class_for, teaches
from classrooms.accounts.polled_parts import TAG, part_for_adults
from classrooms.accounts.sessions import asks_by_itself
from classrooms.audit import Page, looked
from classrooms.lesson import live_board, live_table
from classrooms.lesson.big_screen import beside, is_big
from classrooms.lesson.live_board import PollTag

PAGE: Final = "lesson/live.html"
PART: Final = "lesson/live.html#part"


@login_required
@require_GET
def page(request: AdultRequest, class_id: UUID) -> HttpResponse:
    return _shown(request, class_id, PAGE, _tag(request, class_id))


@login_required
@require_GET
def childs_table(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    """The table at which a child plays, as the child sees it now; nothing can be done there."""
    child = child_for(request.user, class_id, child_id)
    looked(request.user, Page.TABLE, school_class=child.school_class, child=child)
    context = {
        "school_class": child.school_class,
        "child": child,
        "table": live_table.table_of(child),
        "in_check_up": live_board.is_in_check_up(child, timezone.now()),
        "hides_names": hides_names(request),
    }
    return render(request, "lesson/live_table.html", context)


@asks_by_itself
@require_GET
def part(request: SchoolRequest, class_id: UUID) -> HttpResponse:
    """The part that changes, polled every few seconds: 304 as long as it has not.

    A reader's tag is known to nobody else, so a match is answered before the reader is looked up:
    it only says that nothing has changed.
    """
    tag = _tag(request, class_id)
    asked = request.headers.get(TAG, "")
    if asked == str(tag):
        return HttpResponseNotModified(headers={TAG: asked})
    return _changed(request, class_id, tag, asked)


@part_for_adults
def _changed(request: AdultRequest, class_id: UUID, tag: PollTag, asked: str) -> HttpResponse:
    """Whoever asks with a tag of this hour is in the log of who looked already."""
    if is_big(request) or not tag.is_of_the_hour_of(asked):
        return _shown(request, class_id, PART, tag)
    if not teaches(request.user, class_id):
        raise Http404
    context = {"class_id": class_id} | _children(class_id, hides_names(request))
    # Neither request nor messages are drawn, so they are not looked for.
    return HttpResponse(render_to_string(PART, context), headers={TAG: str(tag)})


def _shown(request: AdultRequest, class_id: UUID, template: str, tag: PollTag) -> HttpResponse:
    """`tag` is made before the rest is read: a move meanwhile makes the next poll differ."""
    school_class = class_for(request.user, class_id)
    looked(request.user, Page.LIVE, school_class=school_class)
    big, hidden = is_big(request), hides_names(request)
    context = {
        "school_class": school_class,
        "class_id": class_id,
        "big": big,
        "hides_names": hidden,
        "query": request.GET.urlencode(),
        "tag": str(tag),
        "lesson_minutes": int(live_board.LESSON.total_seconds() // 60),
        "pause_minutes": int(live_board.PAUSES[0].total_seconds() // 60),
        "refused": live_board.REFUSED_TO_BE_STUCK,
        "hints": live_board.HINTS_TO_BE_STUCK,
    }
    if big:
        context |= beside(request, school_class)
        context["has_children"] = school_class.children.exists()
    else:
        context |= _children(class_id, hidden)
    response = render(request, template, context)
    response.headers[TAG] = str(tag)
    return response


def _children(class_id: UUID, hidden: bool) -> dict[str, Any]:
    seen = live_board.seen(class_id, timezone.now(), names=not hidden)
    return {"seen": seen, "counts": live_board.counts(seen), "has_children": bool(seen)}


def _tag(request: HttpRequest, class_id: UUID) -> PollTag:
    session = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    now = timezone.now()
    # So that the session is checked every quarter of an hour, even if nobody plays.
    quarter = int(now.timestamp()) // 900
    asked = f"{request.GET.get('screen')} {request.GET.get('names')}"
    reader = f"{session} {translation.get_language()} {class_id} {asked} {quarter}"
    shown = live_board.tag_of(live_board.beat(class_id, now), reader=reader)
    return PollTag(shown, live_board.tag_of(f"{now:%F %H}", reader=f"{session} {class_id}"))


def hides_names(request: HttpRequest) -> bool:
    """Whether the page is to be shown to a class, without names."""
    return request.GET.get("names") == live_board.HIDDEN
