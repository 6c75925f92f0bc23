"""Assigning a game to a class: a preset with one tap, or in detail; and trying it out."""

from collections.abc import Sequence
from typing import Final
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from classrooms import bounds
from classrooms.access import AdultRequest, assignment_for, class_for, other_classes_of
from classrooms.assignments import services
from classrooms.assignments.audience import Audience, asked_for, audience_of
from classrooms.assignments.choice import Choice, choice_of
from classrooms.assignments.forms import AssignForm, AudienceForm, ClassesForm
from classrooms.assignments.presets import Preset, offered, preset_called
from classrooms.assignments.trial_game import try_out
from classrooms.assignments.views import next_page, say_assigned, say_assigned_elsewhere
from classrooms.models import SchoolClass
from classrooms.ui.fact_texts import asked_facts, listed
from games.coach.times_tables import TABLES_TO_12
from games.play.posted_values import key

TRIED_FROM: Final = "tried_from"
"""Session key: the page to go back to after trying out a game."""


@login_required
@require_http_methods(["GET", "POST"])
def new(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """The page of presets. A link may name tables (`?tables=7`), facts (`?facts=6x7,7x8`), groups
    and children."""
    school_class = class_for(request.user, class_id)
    tables, facts = _asked_tables(request), asked_facts(request.GET.get("facts", ""))
    whom = AudienceForm(
        school_class, request.POST or None, begin_with=asked_for(school_class, request.GET)
    )
    also = _also(request, school_class)
    if request.method == "POST" and whom.is_valid() & also.is_valid():
        if preset := preset_called(request.POST.get("detail", ""), tables, facts):
            return redirect(_in_detail(school_class, preset, tables, whom.audience, also.chosen))
        if preset := preset_called(request.POST.get("preset", ""), tables, facts):
            return _assign(request, school_class, preset.choice, whom.audience, also.chosen)
    context = {
        "school_class": school_class,
        "whom": whom,
        "also": also,
        "presets": offered(tables, facts),
    }
    return render(request, "assignments/assign.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def detail(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """All settings of a game; starts from a preset, a copy, or what a link names."""
    school_class = class_for(request.user, class_id)
    choice, audience = _begin_with(request, school_class)
    form = AssignForm(school_class, request.POST or None, begin_with=choice)
    whom = AudienceForm(school_class, request.POST or None, begin_with=audience)
    also = _also(request, school_class)
    is_submitted = request.method == "POST" and "look" not in request.POST
    if is_submitted and form.is_valid() & whom.is_valid() & also.is_valid():
        return _assign(request, school_class, form.choice, whom.audience, also.chosen)
    context = {
        "school_class": school_class,
        "form": form,
        "whom": whom,
        "also": also,
        "preview": form.preview,
    }
    return render(request, "assignments/assign_detail.html", context)


@login_required
@require_GET
def preview(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """The sample rows for the rules in the form, while they are being chosen."""
    form = AssignForm(class_for(request.user, class_id), request.GET)
    return render(request, "assignments/assign_detail.html#samples", {"preview": form.preview})


@login_required
@require_POST
def try_it(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Play a preset, an assignment or the game in the form, as a child would."""
    school_class = class_for(request.user, class_id)
    back = reverse("classrooms:assign", args=[class_id])
    if copied := request.POST.get("of"):
        choice = choice_of(assignment_for(request.user, class_id, key(copied)))
        back = reverse("classrooms:assignments", args=[class_id])
    elif preset := _preset_in(request, request.POST):
        choice = preset.choice
    else:
        form = AssignForm(school_class, request.POST)
        if not form.is_valid():
            whom = AudienceForm(school_class, request.POST)
            context = {"school_class": school_class, "form": form, "whom": whom}
            context["also"] = _also(request, school_class)
            context["preview"] = form.preview
            return render(request, "assignments/assign_detail.html", context)
        choice = form.choice
    game = try_out(request.user, choice)
    request.session[TRIED_FROM] = back
    return redirect("games:page", game.pk)


@login_required
@require_GET
def leave_try(request: AdultRequest) -> HttpResponse:
    return redirect(request.session.pop(TRIED_FROM, reverse("classrooms:classes")))


def _also(request: AdultRequest, school_class: SchoolClass) -> ClassesForm:
    others = other_classes_of(request.user, school_class)
    asked = [each for each in others if str(each.pk) in request.GET.getlist("classes")]
    return ClassesForm(others, request.POST or None, begin_with=asked)


def _assign(
    request: HttpRequest,
    school_class: SchoolClass,
    choice: Choice,
    audience: Audience,
    others: Sequence[SchoolClass],
) -> HttpResponse:
    is_first = not school_class.assignments.exists()
    try:
        assignment, *more = services.assign_to_classes(school_class, others, choice, audience)
    except bounds.Full as full:
        messages.error(request, full.words)
        return redirect("classrooms:assignments", school_class.pk)
    say_assigned(request, assignment, audience)
    for each in more:
        say_assigned_elsewhere(request, each)
    return next_page(assignment, is_first=is_first)


def _begin_with(request: AdultRequest, school_class: SchoolClass) -> tuple[Choice, Audience]:
    if copied := request.GET.get("of"):
        assignment = assignment_for(request.user, school_class.pk, key(copied))
        return choice_of(assignment), audience_of(assignment)
    tables, facts = _asked_tables(request), asked_facts(request.GET.get("facts", ""))
    preset = _preset_in(request, request.GET) or offered(tables, facts)[0]
    return preset.choice, asked_for(school_class, request.GET)


def _preset_in(request: HttpRequest, names: QueryDict) -> Preset | None:
    facts = asked_facts(request.GET.get("facts", ""))
    return preset_called(names.get("preset", ""), _asked_tables(request), facts)


def _in_detail(
    school_class: SchoolClass,
    preset: Preset,
    tables: list[int],
    audience: Audience,
    others: Sequence[SchoolClass],
) -> str:
    asked = {
        "preset": preset.name,
        "tables": tables,
        "facts": listed(preset.choice.facts),
        "groups": [group.pk for group in audience.groups],
        "children": [child.pk for child in audience.children],
        "classes": [other.pk for other in others],
    }
    address = reverse("classrooms:assign_detail", args=[school_class.pk])
    return f"{address}?{urlencode(asked, doseq=True)}"


def _asked_tables(request: HttpRequest) -> list[int]:
    """The tables in the address, such as one that some children should practise."""
    named = ",".join(request.GET.getlist("tables")).split(",")
    return [table for table in TABLES_TO_12 if str(table) in named]
