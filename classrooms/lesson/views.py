"""A lesson with the whole class: the live board, one deal for everybody, and the discussion."""

from dataclasses import replace
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q, prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect

from classrooms import bounds
from classrooms.access import (
    AdultRequest,
    ChildRequest,
    SchoolRequest,
    assignment_for,
    child_for,
    class_for,
    riddles_of,
    table_for,
)
from classrooms.accounts.sessions import asks_by_itself
from classrooms.accounts.views import TAG, part_for_adults
from classrooms.assignments import riddles, tables
from classrooms.assignments import services as assignments
from classrooms.assignments.audience import WHOLE_CLASS
from classrooms.assignments.presets import PRESETS, title_of
from classrooms.assignments.tables import expected_at, present
from classrooms.assignments.tasks import publisher as riddle_publisher
from classrooms.assignments.views import say_assigned
from classrooms.audit import Page, log_view
from classrooms.downloads.limits import WorkKind, limited
from classrooms.lesson import hands, live, live_sql, live_tables, one_deal, pause, talks
from classrooms.lesson.forms import DealForm, TablesForm
from classrooms.lesson.hands import round_of
from classrooms.lesson.live import PollTag
from classrooms.locks import Changed
from classrooms.marks import marked
from classrooms.models import Assignment, KeptAct, SchoolClass, Table
from classrooms.progress import words
from classrooms.progress.goals import goal_of
from classrooms.progress.rebuild import class_is_rebuilding
from classrooms.signin.children_only import door_url, for_children
from classrooms.undo import class_of, keep_act, keep_rows, success_with_undo, undoes
from games.coach.times_tables import FIRST_TABLES, row_table_of
from games.play.news import HEADERS
from games.play.posted_values import parse_int, parse_uuid
from games.screen.card_drawing import face
from games.screen.hint_pictures import number_line
from games.screen.replay import scene_of
from games.screen.words import listed, tables_title


def is_big(request: HttpRequest) -> bool:
    return request.GET.get("screen") == "big"


def context_beside_board(request: HttpRequest, school_class: SchoolClass) -> dict[str, Any]:
    """The context of what stands beside the board: the class's goal, and how to join."""
    return {"goal": goal_of(school_class), **door(request, school_class)}


def door(request: HttpRequest, school_class: SchoolClass) -> dict[str, str]:
    """The context of `lesson/_door.html`: how to join."""
    address = request.build_absolute_uri(door_url(school_class))
    return {"address": address, "site": request.get_host()}


def _part(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """A part of a page, or 304 if the page has the `tag` of the context: then it shows it
    already."""
    tag = context["tag"]
    if request.headers.get(TAG) == tag:
        return HttpResponseNotModified(headers={TAG: tag})
    response = render(request, template, context)
    response.headers[TAG] = tag
    return response


# One deal for the class: its start, its board, and the discussion afterwards.

NAMES_SHOWN: Final = "shown"
"""The value of `names` in the address of a board with the children's names."""
ASKS_TO_CLOSE: Final = "ask"
"""The value of `close` in the address of a board that asks before it closes the deal."""
DEAL_STEPS: Final = 2
"""The steps of the discussion of a turn: the cards, then what was found."""


@login_required
@require_http_methods(["GET", "POST"])
def new_deal(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    presets = [PRESETS[name] for name in one_deal.OFFERED_PRESETS]
    form = DealForm(school_class, request.POST or None)
    wanted = request.POST.get("preset", "")
    if wanted in one_deal.OFFERED_PRESETS and form.is_valid():
        due_on = form.cleaned_data["due_on"]
        try:
            assignment = one_deal.start(school_class, PRESETS[wanted].choice, due_on)
        except bounds.LimitReached as full:
            messages.error(request, full.message)
        else:
            if due_on:
                say_assigned(request, assignment, WHOLE_CLASS)
                return redirect("classrooms:assignments", class_id)
            return redirect("classrooms:deal", class_id, assignment.pk)
    context = {"school_class": school_class, "presets": presets, "form": form}
    return render(request, "lesson/new_deal.html", context)


@login_required
@require_GET
def deal(request: AdultRequest, class_id: UUID, assignment_id: UUID) -> HttpResponse:
    assignment = _deal(request, class_id, assignment_id)
    school_class = assignment.school_class
    log_view(request.user, Page.LIVE, school_class=school_class)
    context = {**_board(request, assignment), **door(request, school_class)}
    return render(request, "lesson/deal.html", context)


@part_for_adults
@require_GET
def deal_part(request: AdultRequest, class_id: UUID, assignment_id: UUID) -> HttpResponse:
    """Return the part of the board that changes, or 304 if it has not. The page polls it every few
    seconds."""
    assignment = _deal(request, class_id, assignment_id)
    return _part(request, "lesson/deal.html#part", _board(request, assignment))


def _board(request: HttpRequest, assignment: Assignment) -> dict[str, Any]:
    shown = one_deal.board(assignment, timezone.now())
    shows_names = request.GET.get("names") == NAMES_SHOWN
    asks = request.GET.get("close") == ASKS_TO_CLOSE
    states = " ".join(
        f"{player.child.pk} {player.child.name} {player.state}" for player in shown.players
    )
    reader = f"{assignment.pk} {shows_names} {asks} {translation.get_language()}"
    return {
        "school_class": assignment.school_class,
        "assignment": assignment,
        "board": shown,
        "shows_names": shows_names,
        "asks": asks,
        "query": request.GET.urlencode(),
        "tag": live.tag_of(f"{states} {assignment.ended_at} {shown.is_open}", reader=reader),
    }


@login_required
@require_POST
def close_deal(request: AdultRequest, class_id: UUID, assignment_id: UUID) -> HttpResponse:
    """Close the deal and begin the discussion."""
    assignment = _deal(request, class_id, assignment_id)
    assignments.end(assignment)
    undo = reverse("classrooms:resume_assignment", args=[class_id, assignment_id])
    success_with_undo(request, _("Closed. Everything that was played is saved."), undo)
    return redirect("classrooms:deal_talk", class_id, assignment_id)


@login_required
@require_GET
def deal_talk(request: AdultRequest, class_id: UUID, assignment_id: UUID) -> HttpResponse:
    """Show what was found in which turn, without names, once the deal is closed."""
    assignment = _deal(request, class_id, assignment_id)
    if assignment.ended_at is None:
        return redirect("classrooms:deal", class_id, assignment_id)
    comparison = one_deal.comparison(assignment)
    context: dict[str, Any] = {
        "school_class": assignment.school_class,
        "assignment": assignment,
        "children": len(comparison.attempts),
        "turns": comparison.turns,
    }
    if comparison.turns:
        by_number = {turn.number: turn for turn in comparison.turns}
        asked = parse_int(request.GET.get("turn"), least=1, most=max(by_number)) or 1
        turn = by_number.get(asked, comparison.turns[0])
        after = [number for number in by_number if number > turn.number]
        context |= {
            "turn": turn,
            "step": parse_int(request.GET.get("step"), least=1, most=DEAL_STEPS) or 1,
            "scene": one_deal.scene_of_turn(comparison, turn),
            "rows": one_deal.found_rows(assignment, turn),
            "next_turn": min(after, default=None),
        }
    return render(request, "lesson/deal_talk.html", context)


def _deal(request: AdultRequest, class_id: UUID, assignment_id: UUID) -> Assignment:
    assignment = assignment_for(request.user, class_id, assignment_id)
    if not assignment.is_one_deal:
        raise Http404
    return assignment


# The riddle of the day, on the big screen.


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limited(WorkKind.JOB, "POST")
def riddle(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Show today's riddle, or that of another day: its board, how many children have solved it and,
    at the second step, some of their solutions, without names. A post asks a worker to make
    today's."""
    school_class = class_for(request.user, class_id)
    if request.method == "POST":
        riddle_publisher.enqueue(school_class.pk)
        messages.info(request, _("The riddle will be here in a moment."))
        return redirect("classrooms:class_riddle", class_id)
    all_of_class, today = riddles_of(school_class), school_class.today()
    asked = parse_uuid(request.GET.get("riddle"))
    shown = all_of_class.filter(Q(pk=asked) if asked else Q(riddle_on=today)).first()
    day = shown.riddle_on if shown else today
    context: dict[str, Any] = {
        "school_class": school_class,
        "day": day,
        "is_today": day == today,
        "earlier": all_of_class.filter(riddle_on__lt=day).first(),
        **context_beside_board(request, school_class),
    }
    if shown:
        ruleset, shows = shown.ruleset, request.GET.get("step") == "2"
        found = riddles.class_result(shown)
        scene = scene_of(round_of(shown))
        context |= {
            "riddle": shown,
            "result": found,
            "shows": shows,
            "scene": replace(scene, hand=()) if shows else scene,
            "solutions": [
                [[face(number, ruleset) for number in row] for row in rows]
                for rows in found.solutions
            ],
        }
    return render(request, "lesson/riddle.html", context)


# One hand for everybody: on the big screen, and from the children's devices.


@login_required
@require_http_methods(["GET", "POST"])
def hand(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Show on the big screen the hand at which the class looks; without one, the form to begin. A
    post goes on from the hand that its page showed."""
    school_class = class_for(request.user, class_id)
    shown = hands.current_hand(school_class)
    form = TablesForm(request.POST or None)
    if request.method == "POST":
        seen, do = parse_uuid(request.POST.get("seen")), request.POST.get("do")
        if do == "end":
            hands.end(school_class)
            text = _("The children are back at their games. The names are hidden.")
            messages.success(request, text)
            live_page = reverse("classrooms:live", args=[class_id])
            return redirect(f"{live_page}?names={live.HIDDEN}")
        if do == "show":
            hands.show_rows(school_class, seen)
            return redirect("classrooms:hand", class_id)
        if form.is_valid():
            try:
                hands.show_next(school_class, form.cleaned_data["tables"], seen)
            except bounds.LimitReached as full:
                messages.error(request, full.message)
            return redirect("classrooms:hand", class_id)
    context: dict[str, Any] = {"school_class": school_class, "form": form}
    if shown is None:
        needed = hands.proposed_tables(school_class)
        form.initial = {"tables": needed or FIRST_TABLES}
        context["needed"] = needed
        return render(request, "lesson/new_hand.html", context)
    log_view(request.user, Page.LIVE, school_class=school_class)
    context |= _coming_context(request, shown)
    rows = [row.numbers for row, _table in context.get("rows", ())]
    context |= {
        "scene": scene_of(round_of(shown), {number for row in rows for number in row}),
        "line": number_line(rows[0]) if len(rows) == 1 else None,
        "tables": tables_title(shown.ruleset.tables or ()),
        **door(request, school_class),
    }
    return render(request, "lesson/hand.html", context)


@part_for_adults
@require_GET
def hand_part(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Return how many children have laid a row, or 304 if that has not changed. The page polls it
    every few seconds; it is reloaded if it shows another hand, or this hand before its rows."""
    shown = hands.current_hand(class_for(request.user, class_id))
    if shown is None or hands.hand_mark(shown) != request.GET.get("seen"):
        return HttpResponseClientRedirect(reverse("classrooms:hand", args=[class_id]))
    return _part(request, "lesson/hand.html#part", _coming_context(request, shown))


def _coming_context(request: HttpRequest, assignment: Assignment) -> dict[str, Any]:
    coming = hands.tally_of(assignment)
    reader = f"{hands.hand_mark(assignment)} {translation.get_language()}"
    context = {
        "school_class": assignment.school_class,
        "hand": assignment,
        "hand_mark": hands.hand_mark(assignment),
        "coming": coming,
        "tag": live.tag_of(str(coming), reader=reader),
    }
    if assignment.ended_at:
        found = hands.found_rows(assignment)
        context["rows"] = [(row, row_table_of(row.numbers).times_table) for row in found]
    return context


@require_GET
@for_children
def childs_hand(request: ChildRequest) -> HttpResponse:
    """Redirect the child to the hand at which their class looks; if there is none, to the game
    where they were, or to their own games."""
    try:
        game = hands.come(request.child)
    except Changed:
        before = hands.game_before(request.child)
        return redirect("games:page", before) if before else redirect("classrooms:me")
    if game:
        return redirect("games:page", game.pk)
    poll = hands.poll_of(hands.current_hand(request.child.school_class))
    return render(request, "lesson/wait.html", {"poll": poll})


@require_GET
@for_children
@marked(during_pause=True)
def childs_hand_changed(request: ChildRequest) -> HttpResponse:
    """Tell a page whether the class has gone on from what it shows, or somebody has come to a table
    or left it. It polls every few seconds, so an answer without news has to be cheap."""
    seen, lobby = request.GET.get("seen", ""), request.GET.get("tables")
    if lobby and not request.child.looks_at_hand:
        now = timezone.now()
        if "waits" in request.GET:
            tables.note_seen(request.child, now)
        is_same = tables.waiting_mark(request.child, now) == lobby
        return HttpResponse(status=204) if is_same else _go_on()
    if "riddle" in request.GET and riddles.todays_riddle(request.child.school_class):
        return _go_on()
    if not (seen or request.child.looks_at_hand):
        return HttpResponse(status=204)
    if hands.hand_mark(hands.current_hand(request.child.school_class)) == seen:
        return HttpResponse(status=204)
    return _go_on()


def _go_on() -> HttpResponse:
    return HttpResponse("go on", content_type="text/plain")


# The class discussion, on the big screen.


@login_required
@require_GET
def talk(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Show positions from the class's games on the big screen, revealed step by step."""
    school_class = class_for(request.user, class_id)
    rows = talks.rows_to_discuss(school_class)
    context: dict[str, Any] = {
        "school_class": school_class,
        "count": len(rows),
        "weeks": talks.WEEKS,
        "found": one_deal.last_closed(school_class),
        "rebuilding": words.rebuilding() if class_is_rebuilding(school_class) else "",
    }
    if is_big(request):
        context |= {"big": True, "screen": "&screen=big"}
    if rows:
        number = parse_int(request.GET.get("position"), least=1, most=len(rows)) or 1
        step = parse_int(request.GET.get("step"), least=1, most=talks.STEPS) or 1
        context |= {
            "position": talks.position(rows, number, step),
            "numbers": range(1, len(rows) + 1),
            "next_step": step + 1,
            "next_position": number + 1 if number < len(rows) else None,
        }
    else:
        context["has_played"] = talks.has_played(school_class)
    return render(request, "lesson/talk.html", context)


# “Eyes on me”: the polls of children's open pages.


@asks_by_itself
@require_GET
@marked(person="child", during_pause=True)
def paused(request: SchoolRequest, class_id: UUID, mark: UUID) -> HttpResponse:
    """Tell anybody with the address whether the class is paused or looks at a hand
    (`classrooms.lesson.pause`)."""
    answer = pause.paused.answer_for(str(class_id), str(mark))
    if answer is None:
        raise Http404
    return HttpResponse(answer, headers=HEADERS)


# The live view of a lesson: for the teacher's own screen and, without names, for the big one.

LIVE_PART: Final = "lesson/live.html#part"


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def live_page(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Show the live view. A post pauses the screens of the children, or lets them go on."""
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
        "table": live_tables.table_of(child, names=not hides_names(request)),
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
    now, hidden = timezone.now(), hides_names(request)
    prefetch_related_objects([table], "taken__child")
    figures = {} if hidden else live_tables.figures_at(table)
    gone = live_tables.away_from(table, now)
    others = tables.other_tables(table).prefetch_related("taken__child")
    context = {
        "school_class": school_class,
        "table": table,
        "title": title_of(table.assignment),
        "text": "" if table.ended_at else live_tables.what_happens(table, now, names=not hidden)[0],
        "children": [
            *[(child, figures.get(child.player), child.player in gone) for child in present(table)],
            *[(child, _("has not come yet"), False) for child in expected_at(table)],
        ],
        "tables_to": [
            (other, listed([child.name for child in children]))
            for other in others
            if (children := present(other))
        ],
        "hides_names": hidden,
    }
    return render(request, "lesson/class_table.html", context)


TAKEN_OFF: Final = "child taken off a table"


def _act_on_table(request: AdultRequest, table: Table, back: str) -> None:
    school_class = table.assignment.school_class
    if request.POST.get("do") == "end":
        rows = Table.objects.filter(pk=table.pk)
        with keep_rows(request, school_class, back, rows) as undo:
            tables.end(table)
        text = _("Ended. The children are back at their own pages; what was played is kept.")
        success_with_undo(request, text, undo)
    elif request.POST.get("do") == "take-off":
        _take_off(request, table, back)


def _take_off(request: AdultRequest, table: Table, back: str) -> None:
    school_class = table.assignment.school_class
    child = child_for(request.user, school_class.pk, parse_uuid(request.POST.get("child")))
    to = parse_uuid(request.POST.get("to"))
    had_begun = table.game_id is not None
    tables.take_off(child, table, to)
    text = _("%(name)s no longer sits at that table.") % {"name": child.name}
    if to:
        text = _("There is a chair for %(name)s at the other table.") % {"name": child.name}
    if not had_begun:
        messages.success(request, text)
        return
    kept = {"table": str(table.pk), "child": str(child.pk)}
    success_with_undo(request, text, keep_act(request, TAKEN_OFF, back, school_class, **kept))


@undoes(TAKEN_OFF)
def _seat_again(request: AdultRequest, act: KeptAct) -> str:
    child_id, table_id = UUID(act.data["child"]), UUID(act.data["table"])
    child = tables.seat_again(class_of(act), child_id, table_id)
    return _("%(name)s has the chair at that table again.") % {"name": child.name}


@asks_by_itself
@require_GET
def live_part(request: SchoolRequest, class_id: UUID) -> HttpResponse:
    """Return the part of the live view that changes, or 304 if it has not. It is polled every few
    seconds.

    A tag that matches is answered without finding out who asks: only its reader knows it, and the
    answer says nothing but that nothing has changed.
    """
    tag = _tag(request, class_id)
    asked = request.headers.get(TAG, "")
    if asked == str(tag):
        return HttpResponseNotModified(headers={TAG: asked})
    return _changed_part(request, class_id, tag, asked)


@part_for_adults
def _changed_part(request: AdultRequest, class_id: UUID, tag: PollTag, asked: str) -> HttpResponse:
    """Return the changed part. If the tag is of this hour, the view is logged already."""
    if is_big(request) or not tag.is_of_the_hour_of(asked):
        return _render_live(request, class_id, LIVE_PART, tag)
    school_class = class_for(request.user, class_id)
    context = {"class_id": class_id} | _children(school_class, hides_names(request))
    # The template uses neither the request nor messages, so they are not looked up.
    return HttpResponse(render_to_string(LIVE_PART, context), headers={TAG: str(tag)})


def _render_live(
    request: AdultRequest, class_id: UUID, template: str, tag: PollTag
) -> HttpResponse:
    """Render the page or its part. `tag` was made first, so a move made meanwhile changes the next
    poll."""
    school_class = class_for(request.user, class_id)
    log_view(request.user, Page.LIVE, school_class=school_class)
    big, hidden = is_big(request), hides_names(request)
    context = {
        "school_class": school_class,
        "class_id": class_id,
        "big": big,
        "hides_names": hidden,
        "query": request.GET.urlencode(),
        "tag": str(tag),
        "lesson_minutes": int(live_sql.LESSON.total_seconds() // 60),
        "pause_minutes": int(live_sql.PAUSES[0].total_seconds() // 60),
        "refused": live.REFUSED_TO_BE_STUCK,
        "hints": live.HINTS_TO_BE_STUCK,
    }
    if big:
        context |= context_beside_board(request, school_class)
        context["has_children"] = school_class.children.exists()
        context["paused_until"] = pause.paused_until(school_class)
    else:
        context |= _children(school_class, hidden)
    response = render(request, template, context)
    response.headers[TAG] = str(tag)
    return response


def _children(school_class: SchoolClass, hidden: bool) -> dict[str, Any]:
    class_id = school_class.pk
    tiles = live.with_games_that_wait(
        school_class, live.child_tiles(class_id, timezone.now(), names=not hidden)
    )
    tables: list[live_tables.TableTile] = []
    if any(tile.has_chair for tile in tiles):
        tables = live_tables.table_tiles(class_id, timezone.now(), names=not hidden)
    return {
        "tables": tables,
        "seen": tiles,
        "playing": [tile for tile in tiles if tile.state != "away"],
        "away": [tile for tile in tiles if tile.state == "away"],
        "counts": live.counts(tiles),
        "paused_until": pause.paused_until(school_class),
        "looks_at_hand": hands.current_hand(school_class) is not None,
        "has_children": bool(tiles),
    }


def _tag(request: HttpRequest, class_id: UUID) -> PollTag:
    session = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    now = timezone.now()
    # The quarter of an hour makes the site check the session of a page even if nobody plays.
    quarter = int(now.timestamp()) // 900
    asked = f"{request.GET.get('screen')} {request.GET.get('names')}"
    reader = f"{session} {translation.get_language()} {class_id} {asked} {quarter}"
    shown = live.tag_of(live.mark_of_board(class_id, now), reader=reader)
    return PollTag(shown, live.tag_of(f"{now:%F %H}", reader=f"{session} {class_id}"))


def hides_names(request: HttpRequest) -> bool:
    """Whether the page hides names and can be shown to a class."""
    return request.GET.get("names") == live.HIDDEN
