"""The views of one hand for everybody: on the big screen, and from the children's devices."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods
from django_htmx.http import HttpResponseClientRedirect

from classrooms import bounds
from classrooms.access import AdultRequest, ChildRequest, class_for
from classrooms.accounts.services import part_for_adults, tagged_part
from classrooms.assignments import riddles, table_offers
from classrooms.audit import Page, log_view
from classrooms.lesson import hands, live
from classrooms.lesson.big_screen import join_context
from classrooms.lesson.forms import TablesForm
from classrooms.locks import Changed
from classrooms.models import Assignment
from classrooms.signin.children_only import for_children
from games.coach.statements.table_levels import FEW_CHANCES
from games.coach.times_tables import FIRST_TABLES, row_table_of
from games.marks import marked
from games.play.posted_values import parse_uuid
from games.screen.hint_pictures import number_line
from games.screen.replay import scene_of
from games.screen.words import tables_title


@login_required
@require_http_methods(["GET", "POST"])
def hand(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Show the hand at which the class looks on the big screen, or the form to begin with one. A
    post goes on from the hand that its page showed."""
    school_class = class_for(request.user, class_id)
    current = hands.current_hand(school_class)
    form = TablesForm(request.POST or None)
    if request.method == "POST":
        seen_hand = parse_uuid(request.POST.get("seen"))
        button = request.POST.get("do")
        if button == "end":
            hands.end(school_class)
            text = _("The children are back where they were. The names are hidden.")
            messages.success(request, text)
            live_page = reverse("classrooms:live", args=[class_id])
            return redirect(f"{live_page}?names={live.HIDDEN}")
        if button == "show":
            hands.show_rows(school_class, seen_hand)
            return redirect("classrooms:hand", class_id)
        if form.is_valid():
            try:
                hands.show_next_hand(school_class, form.cleaned_data["tables"], seen_hand)
            except bounds.LimitReached as full:
                messages.error(request, full.message)
            return redirect("classrooms:hand", class_id)
    context: dict[str, Any] = {"school_class": school_class, "form": form}
    if current is None:
        context |= {"proposed": hands.proposed_tables(school_class), "few_rows": FEW_CHANCES}
        form.initial = {"tables": context["proposed"] or FIRST_TABLES}
        return render(request, "lesson/new_hand.html", context)
    log_view(request.user, Page.LIVE, school_class=school_class)
    context |= _tally_context(request, current)
    rows = [row.numbers for row, _table in context.get("rows", ())]
    context |= {
        "scene": scene_of(current.turn.begun, {number for row in rows for number in row}),
        "line": number_line(rows[0]) if len(rows) == 1 else None,
        "tables": tables_title(current.ruleset.tables or ()),
        **join_context(request, school_class),
    }
    return render(request, "lesson/hand.html", context)


@part_for_adults
@require_GET
def hand_part(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Return how many children have laid a row; 304 if that has not changed. Every window with a
    hand polls it, and is reloaded when the class looks at another hand or at its rows."""
    current = hands.current_hand(class_for(request.user, class_id))
    if current is None or hands.hand_version(current) != request.GET.get("seen"):
        return HttpResponseClientRedirect(reverse("classrooms:hand", args=[class_id]))
    if current.ended_at:  # Its rows change no more, and to find them takes long.
        return HttpResponse(status=204)
    return tagged_part(request, "lesson/hand.html#part", _tally_context(request, current))


def _tally_context(request: HttpRequest, assignment: Assignment) -> dict[str, Any]:
    tally = hands.tally_of(assignment)
    reader = f"{hands.hand_version(assignment)} {translation.get_language()}"
    context = {
        "school_class": assignment.school_class,
        "hand": assignment,
        "hand_version": hands.hand_version(assignment),
        "coming": tally,
        "tag": live.tag_of(str(tally), reader=reader),
    }
    if assignment.ended_at:
        found_rows = hands.found_rows(assignment)
        context["rows"] = [(row, row_table_of(row.numbers).times_table) for row in found_rows]
    return context


@require_GET
@for_children
def childs_hand(request: ChildRequest) -> HttpResponse:
    """Redirect the child to the hand at which their class looks. If there is none, redirect to the
    game where they were before, or to their own page."""
    try:
        game = hands.join_hand(request.child)
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
    """Tell a page whether the class has gone on from the hand that it shows, or whether somebody
    has come to a table or left it. Pages ask every few seconds, so an answer without news has to be
    cheap."""
    seen_version = request.GET.get("seen", "")
    lobby = request.GET.get("tables")
    if lobby and not request.child.looks_at_hand:
        now = timezone.now()
        if "waits" in request.GET:
            table_offers.note_seen(request.child, now)
        is_same = table_offers.lobby_version(request.child, now) == lobby
        return HttpResponse(status=204) if is_same else _go_on()
    if "riddle" in request.GET and riddles.todays_riddle(request.child.school_class):
        return _go_on()
    # The poll of `pause.js` calls children to a new hand; two calls would race.
    if not seen_version:
        return HttpResponse(status=204)
    if hands.hand_version(hands.current_hand(request.child.school_class)) == seen_version:
        return HttpResponse(status=204)
    return _go_on()


def _go_on() -> HttpResponse:
    return HttpResponse("go on", content_type="text/plain")
