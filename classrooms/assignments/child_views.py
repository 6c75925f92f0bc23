"""The pages of a signed-in child: assignments and settings."""

from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from classrooms.access import ChildRequest, SchoolRequest, assignment_for_child, riddles_for_child
from classrooms.assignments import playing, riddles, status, table_offers, tables, tasks
from classrooms.assignments.presets import title_of
from classrooms.checkups.services import open_check_ups
from classrooms.links import internal_path
from classrooms.locks import Changed
from classrooms.models import Assignment, Child
from classrooms.signin import children_only, sessions
from classrooms.signin.children_only import SESSION_COOKIE, door_url, for_children, forget_child
from games.coach.guided_rounds import STEPS
from games.coach.questions.check_up_questions import LIMIT_MS, QUESTIONS
from games.engine.round import ROUND_OVER
from games.engine.ruleset import EDITIONS
from games.marks import marked
from games.models import Game
from games.play import services as play
from games.play.moves import NextRound
from games.play.posted_values import parse_uuid

RIDDLES_ON_A_PAGE: Final = 30


@require_GET
@for_children
def me(request: ChildRequest) -> HttpResponse:
    assigned = status.playable_assignments(request.child)
    check_ups = open_check_ups(request.child)
    first = assigned[0] if assigned else None
    others = assigned[1:]
    # Not folded away are the assignments that the child has begun or finished today, those with a
    # waiting classmate or news at tables, and the latest one until the child begins it.
    begun = [item for item in others if item.has_table or (item.is_begun and not item.is_done)]
    to_begin = [item for item in others if not (item.is_done or item in begun)]
    latest = max(to_begin, key=lambda item: item.assignment.created_at, default=None)
    in_sight = [*begun, *(item for item in to_begin if item is latest or item.is_new_at_tables)]
    today = request.child.school_class.today()
    done = [item for item in others if item.done_on == today and item not in begun]
    riddle = _riddle_of_the_day(request.child)
    waits = "riddle" in request.GET and bool(riddle) and not riddle["own"]
    has_offers = any(item.offer for item in assigned)
    context = {
        "child": request.child,
        "has_missed_end": any(item.has_missed_end for item in assigned),
        "check_ups": check_ups,
        "questions": QUESTIONS,
        "seconds": LIMIT_MS // 1000,
        "assigned": assigned,
        **riddle,
        "waits_for_riddle": waits,
        "first": first,
        "in_sight": [*in_sight, *done],
        "more": [item for item in others if item not in (*in_sight, *done)],
        "before": None if first is None or first.is_begun else next(iter(done), None),
        "is_game_next": first and (first.has_table or not (first.is_done and check_ups)),
        "poll": lobby_poll(request.child) if has_offers and not waits else "",
    }
    return render(request, "assignments/me.html", context)


@require_POST
@for_children
def start(request: ChildRequest, assignment_id: UUID) -> HttpResponse:
    child = request.child
    assignment = assignment_for_child(child, assignment_id)
    if status.when(assignment, child.school_class.today()) != "now":
        return _refuse_to_play(request)
    try:
        game = playing.continue_or_start(child, assignment)
    except (IntegrityError, Changed):  # The teacher has just withdrawn it or removed the child.
        return _refuse_to_play(request)
    if game.phase == ROUND_OVER:
        deal_next = NextRound()
        play.act(game.pk, child.player, version=game.version, key=uuid4(), move=deal_next)
    return redirect("games:page", game.pk)


@require_POST
@for_children
def sit(request: ChildRequest, assignment_id: UUID) -> HttpResponse:
    """Sit down at a table of the assignment: the one that the page showed, or a new one."""
    try:
        place = tables.sit(request.child, assignment_id, parse_uuid(request.POST.get("table")))
    except tables.ChairTaken as taken:
        messages.info(request, taken.message)
        return redirect("classrooms:me")
    except (IntegrityError, Changed):
        assignment_for_child(request.child, assignment_id)
        return _refuse_to_play(request)
    if isinstance(place, Game):
        return redirect("games:page", place.pk)
    return redirect("classrooms:table")


@require_http_methods(["GET", "HEAD", "POST"])
@for_children
def table(request: ChildRequest) -> HttpResponse:
    """Show the table at which the child waits, or the game once it has begun. A POST begins the
    game, or lets the child get up."""
    child = request.child
    if request.method == "POST" and request.POST.get("do") == "leave":
        tables.get_up(child)
        return redirect("classrooms:me")
    own_table = table_offers.table_of(child)
    now = timezone.now()
    if own_table is None:
        if table_offers.has_just_ended(child, now):
            messages.info(request, tables.TableEnded().message)
        return redirect("classrooms:me")
    if own_table.game:
        return redirect("games:page", own_table.game.pk)
    # Only beginning the match locks the class, because others look here every few seconds.
    if request.method == "POST" or table_offers.is_due(own_table, now):
        try:
            game = tables.begin(child, if_due=request.method != "POST")
        except Changed:
            return _refuse_to_play(request)
        return redirect("games:page", game.pk) if game else redirect("classrooms:table")
    others_waiting = [
        mate for mate in table_offers.waiting_at(own_table, now) if mate.pk != child.pk
    ]
    empty = table_offers.chairs_of(own_table.assignment) - 1 - len(others_waiting)
    context = {
        "child": child,
        "title": title_of(own_table.assignment),
        "others": others_waiting,
        "empty": range(empty),
        "elsewhere": [
            item
            for item in status.playable_assignments(child)
            if item.has_table and not item.has_own_table
        ],
        "seconds_to_begin": range(table_offers.seconds_to_begin(own_table, now), 0, -1),
        "seconds_left": (own_table.opened_at + table_offers.WAIT - now).seconds,
        "poll": f"{lobby_poll(child)}&waits",
    }
    return render(request, "assignments/table.html", context)


def lobby_poll(child: Child) -> str:
    """The address that tells the page when others have come to a table or left it. With the
    parameter `waits`, it also stores that the child still looks at the table where they wait."""
    query = urlencode({"tables": table_offers.lobby_version(child, timezone.now())})
    return f"{reverse('classrooms:childs_hand_changed')}?{query}"


def _refuse_to_play(request: HttpRequest) -> HttpResponse:
    messages.info(request, _("That game has finished."))
    return redirect("classrooms:me")


def _riddle_of_the_day(child: Child) -> dict[str, Any]:
    if not child.school_class.has_riddles:
        return {}
    todays = riddles.todays_riddle(child.school_class)
    own_riddle, of_class = riddles.riddle_results(child, todays) if todays else (None, None)
    return {"has_riddles": True, "own": own_riddle, "others": of_class and of_class.text}


@require_http_methods(["GET", "HEAD", "POST"])
@for_children
def riddle_list(request: ChildRequest) -> HttpResponse:
    """Show all riddles of the class. A POST begins or continues today's, or asks a worker to make
    it."""
    child = request.child
    all_riddles = riddles_for_child(child)
    if request.method == "POST":
        if today := riddles.todays_riddle(child.school_class):
            return _to_riddle(request, today)
        tasks.publisher.enqueue(child.school_class_id)
        return redirect(f"{reverse('classrooms:me')}?riddle#riddle-name")
    page = Paginator(all_riddles, RIDDLES_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "riddles": riddles.own_riddles(child, list(page.object_list))}
    return render(request, "assignments/riddles.html", context)


@require_POST
@for_children
def riddle(request: ChildRequest, assignment_id: UUID) -> HttpResponse:
    """Begin a try at a riddle, or continue it."""
    of_class = riddles_for_child(request.child)
    return _to_riddle(request, get_object_or_404(of_class, pk=assignment_id))


def _to_riddle(request: ChildRequest, riddle: Assignment) -> HttpResponse:
    try:
        game = riddles.continue_or_try(request.child, riddle)
    except Changed:
        return _refuse_to_play(request)
    return redirect("games:page", game.pk)


@require_POST
@for_children
def learn(request: ChildRequest) -> HttpResponse:
    """Begin the guided round that the address names, or else continue the one that the child left.
    Guided rounds are no evidence."""
    edition = request.POST.get("edition") or request.GET.get("edition", "")
    steps = {str(step): step for step in range(1, STEPS + 1)}
    step = steps.get(request.GET.get("step", ""))
    if edition not in EDITIONS:
        return redirect("classrooms:me")
    return redirect("games:page", playing.start_guided_round(request.child, edition, step).pk)


@require_POST
@for_children
def speed(request: ChildRequest) -> HttpResponse:
    """Store the speed at which the child sees the turns of others, and go back."""
    choice = request.POST.get("speed", "")
    if choice in Child.Speed.values:
        Child.objects.filter(pk=request.child.pk).update(speed=choice)
    return _redirect_back(request)


@require_POST
@for_children
def sounds(request: ChildRequest) -> HttpResponse:
    """Store whether the child wants sounds, unless the class is quiet, and go back."""
    child, setting = request.child, request.POST.get("sounds", "")
    if setting in ("on", "off") and not child.school_class.is_quiet:
        Child.objects.filter(pk=child.pk).update(sounds=setting == "on")
    return _redirect_back(request)


@require_POST
@for_children
def language(request: ChildRequest) -> HttpResponse:
    """Store the language of the child's pages on all devices, and go back."""
    children_only.store_language(request.child, request.POST.get("language", ""))
    return _redirect_back(request)


def _redirect_back(request: HttpRequest) -> HttpResponse:
    """Redirect to the page that the request names, if it is one of ours, or else to the child's
    page."""
    return redirect(internal_path(request, request.POST.get("next", "")) or "classrooms:me")


@require_GET
@marked(person="child", during_pause=True)
def here(request: SchoolRequest) -> HttpResponse:
    """Keep the child signed in while a page is open, which requests this regularly. 404 if the
    child is no longer signed in; the page then reloads, which leads to sign-in."""
    if request.child is None:
        raise Http404
    return HttpResponse(status=204)


@require_POST
@marked(person="child", during_pause=True)
def leave(request: HttpRequest) -> HttpResponse:
    """Sign out a child who taps "Not me". The next child on this device sees only the names."""
    token = request.COOKIES.get(SESSION_COOKIE, "")
    if child := sessions.child_of(token):
        tables.get_up(child)
    response = redirect(door_url(sessions.class_of_session(token)))
    sessions.sign_out(token)
    forget_child(response)
    return response
