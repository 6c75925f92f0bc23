"""The live view of a lesson, for the teacher's own screen and, without names, for the big one. Also
the poll by which the children's open pages learn of a pause."""

from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from classrooms.access import AdultRequest, SchoolRequest, child_for, class_for, table_for
from classrooms.accounts.services import TAG, part_for_adults, tagged_part
from classrooms.assignments import table_care
from classrooms.assignments.presets import title_of
from classrooms.assignments.table_offers import expected_at, present
from classrooms.audit import Page, log_view
from classrooms.lesson import hands, live, live_tables, pause
from classrooms.lesson.big_screen import is_big, join_context
from classrooms.lesson.live import PollTag
from classrooms.models import GameTable, KeptAct, SchoolClass
from classrooms.progress.goals import goal_of
from classrooms.undo import class_of, keep_act, success_with_undo, undoes_act
from games.marks import marked
from games.play.news import HEADERS
from games.play.posted_values import parse_uuid
from games.screen.words import listed


@marked(person="child", during_pause=True, asks_by_itself=True)
@require_GET
def paused(request: SchoolRequest, class_id: UUID, mark: UUID) -> HttpResponse:
    """Tell anybody who has the address whether the class is paused or looks at a hand
    (`classrooms.lesson.pause`)."""
    answer = pause.paused.answer_for(str(class_id), str(mark))
    if answer is None:
        raise Http404
    return HttpResponse(answer, headers=HEADERS)


LIVE_PART: Final = "lesson/live.html#part"


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def live_page(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Show the live view. A post pauses the children's screens, or lets them go on."""
    if request.method == "POST":
        act = pause.pause if request.POST.get("do") == "pause" else pause.go_on
        act(class_for(request.user, class_id))
        return redirect(request.get_full_path())
    return _render_live(request, class_id, "lesson/live.html", _tag(request, class_id))


@login_required
@require_GET
def childs_table(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    """Show the table at which a child plays, as the child sees it now. Nothing can be played
    there."""
    child = child_for(request.user, class_id, child_id)
    log_view(request.user, Page.TABLE, school_class=child.school_class, child=child)
    context = {
        "school_class": child.school_class,
        "child": child,
        "table": live_tables.table_of(child, with_names=not hides_names(request)),
        "in_check_up": live.is_in_check_up(child, timezone.now()),
        "looks_at_hand": hands.current_hand(child.school_class) is not None,
        "hides_names": hides_names(request),
    }
    return render(request, "lesson/live_table.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def class_table(request: AdultRequest, class_id: UUID, table_id: UUID) -> HttpResponse:
    """Show a table at which several children sit. A post ends it, or removes a child from it."""
    table = table_for(request.user, class_id, table_id)
    school_class = table.assignment.school_class
    live_page_url = reverse("classrooms:live", args=[class_id])
    if request.method == "POST":
        _act_on_table(request, table, live_page_url)
        return redirect(live_page_url)
    log_view(request.user, Page.LIVE, school_class=school_class)
    return tagged_part(request, "lesson/class_table.html", _at_table(request, table))


@part_for_adults
@require_GET
def class_table_part(request: AdultRequest, class_id: UUID, table_id: UUID) -> HttpResponse:
    """Return the part of the page of a table that changes; 304 if it has not changed. The page
    polls it every few seconds."""
    table = table_for(request.user, class_id, table_id)
    return tagged_part(request, "lesson/class_table.html#part", _at_table(request, table))


def _at_table(request: HttpRequest, table: GameTable) -> dict[str, Any]:
    now = timezone.now()
    with_names = not hides_names(request)
    prefetch_related_objects([table], "chairs_taken__child")
    round_text, figures, scene = live_tables.shown_at(table)
    away = live_tables.away_players(table, now)
    other_tables = table_care.other_tables(table).prefetch_related("chairs_taken__child")
    return {
        "school_class": table.assignment.school_class,
        "table": table,
        "title": title_of(table.assignment),
        "text": live_tables.what_happens(table, now, with_names=with_names)[0],
        "round": round_text,
        "children": [
            *[(child, figures.get(child.player), child.player in away) for child in present(table)],
            *[(child, _("has not come yet"), False) for child in expected_at(table)],
        ],
        "tables_to": [
            (other_table, listed([child.name for child in others]))
            for other_table in other_tables
            if (others := present(other_table))
        ],
        "scene": scene,
        "hides_names": not with_names,
        "tag": str(_tag(request, table.assignment.school_class_id)),
    }


def _act_on_table(request: AdultRequest, table: GameTable, return_url: str) -> None:
    school_class = table.assignment.school_class
    if request.POST.get("do") == "end":
        table_care.end(table)
        undo_url = keep_act(request, _bring_back, return_url, school_class, table=str(table.pk))
        text = _("Ended. The children are back at their own pages; what was played is kept.")
        success_with_undo(request, text, undo_url)
    elif request.POST.get("do") == "take-off":
        _take_off(request, table, return_url)


def _take_off(request: AdultRequest, table: GameTable, return_url: str) -> None:
    school_class = table.assignment.school_class
    child = child_for(request.user, school_class.pk, parse_uuid(request.POST.get("child")))
    to = parse_uuid(request.POST.get("to"))
    had_begun = table.game_id is not None
    to_new = request.POST.get("to") == "new"
    table_care.take_off(child, table, to, to_new=to_new)
    text = _("%(name)s no longer sits at that table.") % {"name": child.name}
    if to or to_new:
        text = _("There is a chair for %(name)s at the other table.") % {"name": child.name}
    if not had_begun:
        messages.success(request, text)
        return
    data = {"table": str(table.pk), "child": str(child.pk)}
    undo_url = keep_act(request, _seat_again, return_url, school_class, **data)
    success_with_undo(request, text, undo_url)


@undoes_act
def _bring_back(_request: AdultRequest, act: KeptAct) -> str:
    table_care.bring_back(class_of(act), UUID(act.data["table"]))
    return _("Undone. The children can go on with their game from their own pages.")


@undoes_act
def _seat_again(request: AdultRequest, act: KeptAct) -> str:
    child = table_care.seat_again(class_of(act), UUID(act.data["child"]), UUID(act.data["table"]))
    return _("%(name)s has the chair at that table again.") % {"name": child.name}


@marked(asks_by_itself=True)
@require_GET
def live_part(request: SchoolRequest, class_id: UUID) -> HttpResponse:
    """Return the part of the live view that changes; 304 if it has not changed. The page polls it
    every few seconds.

    A request with the current tag is answered without a look at who sends it. Only the reader of
    the page knows the tag, and the answer says only that nothing has changed.
    """
    tag = _tag(request, class_id)
    tag_shown = request.headers.get(TAG, "")
    if tag_shown == str(tag):
        return HttpResponseNotModified(headers={TAG: tag_shown})
    return _changed_part(request, class_id, tag, tag_shown)


@part_for_adults
def _changed_part(
    request: AdultRequest, class_id: UUID, tag: PollTag, tag_shown: str
) -> HttpResponse:
    """Return the changed part. If the tag shown is of this hour, the view is logged already."""
    if is_big(request) or not tag.has_same_hour(tag_shown):
        return _render_live(request, class_id, LIVE_PART, tag)
    school_class = class_for(request.user, class_id)
    context = {"class_id": class_id} | _children(school_class, with_names=not hides_names(request))
    # Rendered without the request, because the part needs neither the user nor messages.
    return HttpResponse(render_to_string(LIVE_PART, context), headers={TAG: str(tag)})


def _render_live(
    request: AdultRequest, class_id: UUID, template: str, tag: PollTag
) -> HttpResponse:
    """Render the page or its part. `tag` was made first, so the next poll shows a move that is made
    meanwhile."""
    school_class = class_for(request.user, class_id)
    log_view(request.user, Page.LIVE, school_class=school_class)
    big = is_big(request)
    with_names = not hides_names(request)
    context = {
        "school_class": school_class,
        "class_id": class_id,
        "big": big,
        "hides_names": not with_names,
        "query": request.GET.urlencode(),
        "tag": str(tag),
    }
    if big:
        context |= {"goal": goal_of(school_class), **join_context(request, school_class)}
        context["has_children"] = school_class.children.exists()
        context["paused_until"] = pause.paused_until(school_class)
    else:
        context |= _children(school_class, with_names=with_names)
    response = render(request, template, context)
    response.headers[TAG] = str(tag)
    return response


def _children(school_class: SchoolClass, *, with_names: bool) -> dict[str, Any]:
    # `presence.shift_times` has moved the last moves to the end of a pause.
    now = timezone.now()
    now = max(now, school_class.paused_until or now)
    tiles = live.with_waiting_games(
        school_class, live.child_tiles(school_class, now, with_names=with_names)
    )
    looks_at_hand = hands.current_hand(school_class) is not None
    counts = live.counts(tiles, at_hand=looks_at_hand)
    tables: list[live_tables.TableTile] = []
    if any(tile.has_chair for tile in tiles):
        tables = live_tables.table_tiles(school_class.pk, now, tiles, with_names=with_names)
    at_tables = {tile.child for table in tables for tile in table.children}
    elsewhere = [tile for tile in tiles if tile.child not in at_tables]
    return {
        "tables": tables,
        "seen": tiles,
        "playing": [tile for tile in elsewhere if tile.state not in live.NOT_PLAYING],
        "lists": [
            (words, of_state)
            for state, words, _n in counts
            if with_names and state in live.NOT_PLAYING
            if (of_state := [tile for tile in elsewhere if tile.state == state])
        ],
        "counts": counts,
        "paused_until": pause.paused_until(school_class),
        "looks_at_hand": looks_at_hand,
        "has_children": bool(tiles),
    }


def _tag(request: HttpRequest, class_id: UUID) -> PollTag:
    session = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    now = timezone.now()
    # The quarter of an hour has the session of a page checked even if nobody plays.
    quarter = int(now.timestamp()) // 900
    reader_key = f"{request.GET.get('screen')} {request.GET.get('names')}"
    reader = f"{session} {translation.get_language()} {class_id} {reader_key} {quarter}"
    new_tag = live.tag_of(live.board_version(class_id, now), reader=reader)
    return PollTag(new_tag, live.tag_of(f"{now:%F %H}", reader=f"{session} {class_id}"))


def hides_names(request: HttpRequest) -> bool:
    """Whether the page hides names and can be shown to a class."""
    return request.GET.get("names") == live.HIDDEN
