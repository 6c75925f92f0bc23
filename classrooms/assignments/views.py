"""The assignments of a class, for its teacher."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Final, get_args
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from classrooms import bounds
from classrooms.access import AdultRequest, assignment_for, class_for, other_classes_of
from classrooms.assignments import editing, services, status
from classrooms.assignments.audience import WHOLE_CLASS, Audience, audience_of, requested_audience
from classrooms.assignments.choice import DEFAULT_CHOICE, Choice, choice_of
from classrooms.assignments.editing import ChangeForm
from classrooms.assignments.forms import AssignForm, AudienceForm, ClassesForm, TableForm
from classrooms.assignments.playing import start_trial_game
from classrooms.assignments.presets import MORE_GAMES, Preset, all_presets, preset_named, title_of
from classrooms.models import Assignment, SchoolClass
from classrooms.ui.dates import written
from classrooms.ui.tables_and_facts import asked_facts, facts_text
from classrooms.undo import keep_rows, success_with_undo
from games.coach.times_tables import TABLES_TO_12
from games.play.posted_values import parse_uuid
from games.screen.words import listed


def say_assigned(request: HttpRequest, assignment: Assignment, audience: Audience) -> None:
    """Show a message with the assignment and its audience, and a button that undoes it."""
    values = title_and_names(assignment, audience)
    text = _("Assigned to the class: %(title)s.") % values
    if values["names"]:
        text = _("Assigned to %(names)s: %(title)s.") % values
    success_with_undo(request, text, address_of("withdraw_assignment", assignment))


def title_and_names(assignment: Assignment, audience: Audience) -> dict[str, str]:
    """The title of the assignment, and the names of the audience if it is not the whole class."""
    names = audience.names
    if len(names) > editing.MOST_NAMED and not audience.groups:
        names = [editing.names_of(list(audience.children))]
    return {"title": title_of(assignment), "names": listed(names)}


def address_of(name: str, assignment: Assignment) -> str:
    return reverse(f"classrooms:{name}", args=[assignment.school_class_id, assignment.pk])


PAGE_SIZE: Final = 20
MOST_NAMES: Final = 2_000
"""The most names on a page, because each assignment on it names all of its children."""
MOST_IN_ADDRESS: Final = 200
"""The most children whose ids fit in the address of a page."""
WHEN: Final[Sequence[status.When]] = get_args(status.When)


@login_required
@require_GET
def index(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    query = request.GET.get("show", "now")
    when: status.When = next((which for which in WHEN if which == query), "now")
    size = min(PAGE_SIZE, MOST_NAMES // max(1, school_class.children.count()))
    paginator = Paginator(status.assignments_of(school_class, when), size)
    page = paginator.get_page(request.GET.get("page"))
    overviews = status.overview(school_class, list(page.object_list))
    # Assignments that all have finished come last.
    overviews.sort(key=lambda overview: not (overview.playing or overview.not_begun))
    by_name = [
        overview
        for overview in overviews
        if overview.audience.children and not overview.audience.groups
    ]
    folded = by_name if len(by_name) < len(overviews) else []
    context = {
        "school_class": school_class,
        "page": page,
        "overviews": [overview for overview in overviews if overview not in folded],
        "folded": folded,
        "shown": when,
        "has_any": bool(paginator.count) or school_class.assignments.exists(),
    }
    return render(request, "assignments/assignments.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def change(request: AdultRequest, class_id: UUID, assignment_id: UUID) -> HttpResponse:
    """Change an assignment, even while children play. One deal always stays for the whole class."""
    assignment = assignment_for(request.user, class_id, assignment_id)
    if assignment.ended_at:
        return _list_with(assignment)
    form = ChangeForm(assignment, request.POST or None)
    audience_form = AudienceForm(
        assignment.school_class, request.POST or None, begin_with=audience_of(assignment)
    )
    if request.method == "POST" and form.is_valid() & audience_form.is_valid():
        audience = WHOLE_CLASS if assignment.is_one_deal else audience_form.audience
        with _keep_weeks(request, assignment) as undo_url:
            result = editing.change_assignment(assignment, form.choice, audience)
        success_with_undo(request, result.words, undo_url)
        return _list_with(assignment)
    context = {
        "school_class": assignment.school_class,
        "assignment": assignment,
        "title": title_of(assignment),
        "form": form,
        "audience_form": audience_form,
        "effect_on_players": editing.effect_on_players(assignment),
    }
    return render(request, "assignments/change.html", context)


@login_required
@require_POST
def withdraw(request: AdultRequest, class_id: UUID, assignment_id: UUID) -> HttpResponse:
    """Withdraw an assignment from a posted `child` or from all, and go to the list of assignments
    or to the page of the class."""
    assignment = assignment_for(request.user, class_id, assignment_id)
    page = "classrooms:class" if "on-class" in request.POST else "classrooms:assignments"
    named = audience_of(assignment)
    child_id = request.POST.get("child")
    child = next((child for child in named.children if str(child.pk) == child_id), None)
    values = title_and_names(assignment, Audience(children=[child]) if child else named)
    with _keep_weeks(request, assignment, page) as undo_url:
        is_gone = services.withdraw(assignment, child)
    if is_gone and values["names"]:
        text = _("No longer assigned to %(names)s: %(title)s.") % values
    elif is_gone:
        text = _("No longer assigned to the class: %(title)s.") % values
    else:
        text = _(
            "A child had already started, so the game has been ended; what was played is kept."
        )
    success_with_undo(request, text, undo_url)
    return redirect(page, class_id)


def _keep_weeks(
    request: AdultRequest, assignment: Assignment, page: str = "classrooms:assignments"
) -> AbstractContextManager[str]:
    """Keep the assignment and the other weeks of its series for the undo (`undo.keep_rows`), after
    which `page` is shown."""
    weeks = Q(pk=assignment.pk)
    if assignment.series:
        weeks |= Q(series=assignment.series, school_class=assignment.school_class)
    rows = Assignment.objects.filter(weeks)
    return_url = reverse(page, args=[assignment.school_class_id])
    return keep_rows(request, assignment.school_class, return_url, rows)


@login_required
@require_POST
def end(request: AdultRequest, class_id: UUID, assignment_id: UUID) -> HttpResponse:
    """End an assignment. A coming week of a series is only skipped."""
    assignment = assignment_for(request.user, class_id, assignment_id)
    today = assignment.school_class.today()
    if assignment.series and status.when(assignment, today) == "coming":
        next_week = services.skip(assignment)
        days = {
            name: week.starts_on and written(week.starts_on, "j F")
            for name, week in (("day", assignment), ("next", next_week))
        }
        text = _("The week of %(day)s is skipped; the next one starts on %(next)s.") % days
        success_with_undo(request, text, address_of("resume_assignment", assignment))
        return _list_with(next_week)
    services.end(assignment)
    text = _("Ended. The children no longer see it; what was played is kept.")
    return _redirect_with_undo(request, assignment, text, undo="resume_assignment")


@login_required
@require_POST
def resume(request: AdultRequest, class_id: UUID, assignment_id: UUID) -> HttpResponse:
    """Undo the end of an assignment. If it is one deal for the class, show its board again."""
    assignment = assignment_for(request.user, class_id, assignment_id)
    services.resume(assignment)
    if status.when(assignment, assignment.school_class.today()) == "coming":
        messages.success(request, _("Undone: everything is as it was before."))
        return _list_with(assignment)
    messages.success(request, _("The children can see it again."))
    if assignment.is_one_deal:
        return redirect("classrooms:deal", class_id, assignment_id)
    return redirect("classrooms:assignments", class_id)


@login_required
@require_POST
def repeat(request: AdultRequest, class_id: UUID, assignment_id: UUID) -> HttpResponse:
    assignment = assignment_for(request.user, class_id, assignment_id)
    before = assignment.due_on
    services.repeat(assignment)
    text = _("From now on, the children will get it every week.")
    if before and before != assignment.due_on:
        text = _("From now on, the children will get it every week, for seven days each time.")
    return _redirect_with_undo(request, assignment, text, undo="stop_repeating")


@login_required
@require_POST
def stop_repeating(request: AdultRequest, class_id: UUID, assignment_id: UUID) -> HttpResponse:
    assignment = assignment_for(request.user, class_id, assignment_id)
    with _keep_weeks(request, assignment) as undo_url:
        services.stop_repeating(assignment)
    success_with_undo(request, _("It will not be repeated next week."), undo_url)
    return redirect("classrooms:assignments", class_id)


def _redirect_with_undo(
    request: HttpRequest, assignment: Assignment, text: str, *, undo: str
) -> HttpResponse:
    """Redirect to the page of assignments, which says what was done. `undo` is the name of the URL
    that undoes it."""
    success_with_undo(request, text, address_of(undo, assignment))
    return redirect("classrooms:assignments", assignment.school_class_id)


def next_page(assignment: Assignment, *, is_first: bool) -> HttpResponse:
    """Redirect after assigning: to the sign-in cards after the first assignment of a class with
    children, otherwise to the list that has the assignment."""
    school_class = assignment.school_class
    if is_first and school_class.children.exists():
        return redirect("classrooms:cards", school_class.pk)
    return _list_with(assignment)


def _list_with(assignment: Assignment) -> HttpResponse:
    when = status.when(assignment, assignment.school_class.today())
    address = reverse("classrooms:assignments", args=[assignment.school_class_id])
    return redirect(address if when == "now" else f"{address}?show={when}")


# A teacher assigns a game, as a preset with one tap or in detail, or tries it out.

TRIED_FROM: Final = "tried_from"
"""The session key of the page to return to after trying a game out."""


@login_required
@require_http_methods(["GET", "POST"])
def new(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Show the presets, and assign the chosen one. The address may name tables (`?tables=7`), facts
    (`?facts=6x7,7x8`), groups, children and other classes."""
    school_class = class_for(request.user, class_id)
    tables = _asked_tables(request)
    facts = asked_facts(request.GET.get("facts", ""))
    audience_form = AudienceForm(
        school_class, request.POST or None, begin_with=requested_audience(school_class, request.GET)
    )
    classes_form = _classes_form(request, school_class)
    table_form = TableForm(request.POST or None, initial={"chairs": DEFAULT_CHOICE.chairs})
    are_valid = audience_form.is_valid() & classes_form.is_valid() & table_form.is_valid()
    if request.method == "POST" and are_valid:
        if preset := preset_named(request.POST.get("detail", ""), tables, facts):
            audience = audience_form.audience
            if len(audience.children) > MOST_IN_ADDRESS:
                text = _(
                    "Please choose the children here again: they were too many to bring along."
                )
                messages.warning(request, text)
                audience = replace(audience, children=())
            address = _detail_address(school_class, preset, tables, audience, classes_form.chosen)
            return redirect(f"{address}&{urlencode(table_form.cleaned_data)}")
        if preset := preset_named(request.POST.get("preset", ""), tables, facts):
            choice = replace(preset.choice, **table_form.cleaned_data)
            return _assign(request, school_class, choice, audience_form, classes_form)
    presets = all_presets(tables, facts)
    context = {
        "school_class": school_class,
        "audience_form": audience_form,
        "classes_form": classes_form,
        "table_form": table_form,
        "presets": [preset for preset in presets if preset.name not in MORE_GAMES],
        "more_games": [preset for preset in presets if preset.name in MORE_GAMES],
    }
    return render(request, "assignments/assign.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def detail(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Show all settings of a game, and assign it. The form begins with a copy of an assignment,
    with a preset, or with the tables, facts and audience in the address."""
    school_class = class_for(request.user, class_id)
    choice, audience = _initial_choice(request, school_class)
    form = AssignForm(school_class, request.POST or None, begin_with=choice)
    audience_form = AudienceForm(school_class, request.POST or None, begin_with=audience)
    classes_form = _classes_form(request, school_class)
    is_submitted = request.method == "POST" and "look" not in request.POST
    if is_submitted and form.is_valid() & audience_form.is_valid() & classes_form.is_valid():
        return _assign(request, school_class, form.choice, audience_form, classes_form)
    context = {
        "school_class": school_class,
        "form": form,
        "audience_form": audience_form,
        "classes_form": classes_form,
        "preview": form.preview,
    }
    return render(request, "assignments/assign_detail.html", context)


@login_required
@require_GET
def preview(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Show sample rows for the rules that the form has at the moment."""
    form = AssignForm(class_for(request.user, class_id), request.GET)
    return render(request, "assignments/assign_detail.html#samples", {"preview": form.preview})


@login_required
@require_POST
def try_it(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Start a trial game of a preset, an assignment or the settings in the form."""
    school_class = class_for(request.user, class_id)
    return_url = reverse("classrooms:assign", args=[class_id])
    if copied := request.POST.get("of"):
        choice = choice_of(assignment_for(request.user, class_id, parse_uuid(copied)))
        return_url = reverse("classrooms:assignments", args=[class_id])
    elif preset := _preset_in(request, request.POST):
        choice = _at_table(preset.choice, request.POST)
    else:
        form = AssignForm(school_class, request.POST)
        if not form.is_valid():
            audience_form = AudienceForm(school_class, request.POST)
            context = {"school_class": school_class, "form": form, "audience_form": audience_form}
            context["classes_form"] = _classes_form(request, school_class)
            context["preview"] = form.preview
            return render(request, "assignments/assign_detail.html", context)
        choice = form.choice
    game = start_trial_game(request.user, choice)
    request.session[TRIED_FROM] = return_url
    return redirect("games:page", game.pk)


@login_required
@require_GET
def leave_try(request: AdultRequest) -> HttpResponse:
    return redirect(request.session.pop(TRIED_FROM, reverse("classrooms:classes")))


def _classes_form(request: AdultRequest, school_class: SchoolClass) -> ClassesForm:
    other_classes = other_classes_of(request.user, school_class)
    keys = request.GET.getlist("classes")
    chosen_classes = [other for other in other_classes if str(other.pk) in keys]
    return ClassesForm(other_classes, request.POST or None, begin_with=chosen_classes)


def _assign(
    request: HttpRequest,
    school_class: SchoolClass,
    choice: Choice,
    audience_form: AudienceForm,
    classes_form: ClassesForm,
) -> HttpResponse:
    is_first = not school_class.assignments.exists()
    try:
        assignments = services.assign_to_classes(
            school_class, classes_form.chosen, choice, audience_form.audience
        )
    except (bounds.LimitReached, services.GivenAlready) as refused:
        messages.error(request, refused.message)
        return redirect("classrooms:assignments", school_class.pk)
    of_class = [assigned for assigned in assignments if assigned.school_class_id == school_class.pk]
    for assigned in assignments:
        if assigned in of_class:
            say_assigned(request, assigned, audience_of(assigned))
        else:
            values = {"title": title_of(assigned), "name": assigned.school_class.name}
            text = _("Assigned to %(name)s too: %(title)s.") % values
            success_with_undo(request, text, address_of("withdraw_assignment", assigned))
    if not of_class:
        return redirect("classrooms:assignments", school_class.pk)
    return next_page(of_class[0], is_first=is_first)


def _initial_choice(request: AdultRequest, school_class: SchoolClass) -> tuple[Choice, Audience]:
    if copied := request.GET.get("of"):
        assignment = assignment_for(request.user, school_class.pk, parse_uuid(copied))
        return choice_of(assignment), audience_of(assignment)
    tables = _asked_tables(request)
    facts = asked_facts(request.GET.get("facts", ""))
    preset = _preset_in(request, request.GET) or all_presets(tables, facts)[0]
    return _at_table(preset.choice, request.GET), requested_audience(school_class, request.GET)


def _at_table(choice: Choice, data: QueryDict) -> Choice:
    table_form = TableForm(data)
    return replace(choice, **table_form.cleaned_data) if table_form.is_valid() else choice


def _preset_in(request: HttpRequest, names: QueryDict) -> Preset | None:
    facts = asked_facts(request.GET.get("facts", ""))
    return preset_named(names.get("preset", ""), _asked_tables(request), facts)


def _detail_address(
    school_class: SchoolClass,
    preset: Preset,
    tables: list[int],
    audience: Audience,
    other_classes: Sequence[SchoolClass],
) -> str:
    query = {
        "preset": preset.name,
        "tables": tables,
        "facts": facts_text(preset.choice.facts),
        "groups": [group.pk for group in audience.groups],
        "children": [child.pk for child in audience.children],
        "classes": [other.pk for other in other_classes],
    }
    address = reverse("classrooms:assign_detail", args=[school_class.pk])
    return f"{address}?{urlencode(query, doseq=True)}"


def _asked_tables(request: HttpRequest) -> list[int]:
    """The times tables that the address names."""
    texts = ",".join(request.GET.getlist("tables")).split(",")
    return [table for table in TABLES_TO_12 if str(table) in texts]
