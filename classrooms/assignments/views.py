"""The assignments of a class, for its teacher."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from classrooms.access import AdultRequest, assignment_for, class_for
from classrooms.assignments import editing, services, status, weekly_series
from classrooms.assignments.audience import WHOLE_CLASS, Audience, audience_of
from classrooms.assignments.editing import ChangeForm
from classrooms.assignments.forms import AudienceForm
from classrooms.models import Assignment
from classrooms.ui.undo import say_done
from classrooms.undo import kept_rows
from games.screen.words import listed, title

PAGE_SIZE: Final = 20
MOST_NAMES: Final = 2_000
"""On a page, where each assignment names all of its children."""
WHEN: Final[Sequence[tuple[status.When, Promise]]] = (
    (status.NOW, gettext_lazy("Now")),
    (status.COMING, gettext_lazy("Upcoming")),
    (status.PAST, gettext_lazy("Past")),
)


@login_required
@require_GET
def index(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    asked = request.GET.get("show", status.NOW)
    shown: status.When = next((which for which, label in WHEN if which == asked), status.NOW)
    size = min(PAGE_SIZE, MOST_NAMES // max(1, school_class.children.count()))
    paginator = Paginator(status.assignments_of(school_class, shown), size)
    page = paginator.get_page(request.GET.get("page"))
    context = {
        "school_class": school_class,
        "page": page,
        "overviews": status.overview(school_class, list(page.object_list)),
        "shown": shown,
        "choices": WHEN,
        "has_any": bool(paginator.count) or school_class.assignments.exists(),
    }
    return render(request, "assignments/assignments.html", context)


def say_assigned(request: HttpRequest, assignment: Assignment, audience: Audience) -> None:
    """Show what was assigned to whom, with a button that undoes it."""
    values = {"title": title(assignment.ruleset), "names": listed(audience.names)}
    text = _("Assigned to the class: %(title)s.") % values
    if audience.names:
        text = _("Assigned to %(names)s: %(title)s.") % values
    say_done(request, text, _address("withdraw_assignment", assignment))


def say_assigned_elsewhere(request: HttpRequest, assignment: Assignment) -> None:
    """The same for another class of the teacher."""
    values = {"title": title(assignment.ruleset), "name": assignment.school_class.name}
    text = _("Assigned to %(name)s too: %(title)s.") % values
    say_done(request, text, _address("withdraw_assignment", assignment))


@login_required
@require_http_methods(["GET", "POST"])
def change(request: AdultRequest, class_id: UUID, assignment_id: UUID) -> HttpResponse:
    """Change an assignment, also while children play; one deal stays for the whole class."""
    assignment = assignment_for(request.user, class_id, assignment_id)
    if assignment.ended_at:
        return _list_with(assignment)
    form = ChangeForm(assignment, request.POST or None)
    whom = AudienceForm(
        assignment.school_class, request.POST or None, begin_with=audience_of(assignment)
    )
    if request.method == "POST" and form.is_valid() & whom.is_valid():
        audience = WHOLE_CLASS if assignment.is_one_deal else whom.audience
        with _kept(request, assignment) as undo:
            changed = editing.change(assignment, form.choice, audience)
        say_done(request, changed.words, undo)
        return _list_with(assignment)
    context = {
        "school_class": assignment.school_class,
        "assignment": assignment,
        "title": title(assignment.ruleset),
        "form": form,
        "whom": whom,
        "middle": editing.in_the_middle(assignment),
    }
    return render(request, "assignments/change.html", context)


@login_required
@require_POST
def withdraw(request: AdultRequest, class_id: UUID, assignment_id: UUID) -> HttpResponse:
    """Undo an assignment, which can itself be undone."""
    assignment = assignment_for(request.user, class_id, assignment_id)
    with _kept(request, assignment) as undo:
        is_gone = services.withdraw(assignment)
    if is_gone:
        text = _("Withdrawn, as if it had never been assigned.")
    else:
        text = _(
            "A child had already started, so the game has been ended; what was played is kept."
        )
    say_done(request, text, undo)
    return redirect("classrooms:assignments", class_id)


@contextmanager
def _kept(request: HttpRequest, assignment: Assignment) -> Iterator[str]:
    """Keep the assignment and the other weeks of its series; the address that brings them back."""
    own = Q(pk=assignment.pk)
    if assignment.series:
        own |= Q(series=assignment.series, school_class=assignment.school_class)
    rows = Assignment.objects.filter(own)
    back = reverse("classrooms:assignments", args=[assignment.school_class_id])
    with kept_rows.kept(request.session, assignment.school_class, back, rows) as key:
        yield reverse("classrooms:undo", args=[assignment.school_class_id, key])


@login_required
@require_POST
def end(request: AdultRequest, class_id: UUID, assignment_id: UUID) -> HttpResponse:
    assignment = assignment_for(request.user, class_id, assignment_id)
    services.end(assignment)
    text = _("Ended. The children no longer see it; what was played is kept.")
    return _done(request, assignment, text, undo="resume_assignment")


@login_required
@require_POST
def resume(request: AdultRequest, class_id: UUID, assignment_id: UUID) -> HttpResponse:
    """Undo an end; of one deal for the class the board is shown again."""
    assignment = assignment_for(request.user, class_id, assignment_id)
    services.resume(assignment)
    messages.success(request, _("The children can see it again."))
    if assignment.is_one_deal:
        return redirect("classrooms:deal", class_id, assignment_id)
    return redirect("classrooms:assignments", class_id)


@login_required
@require_POST
def repeat(request: AdultRequest, class_id: UUID, assignment_id: UUID) -> HttpResponse:
    assignment = assignment_for(request.user, class_id, assignment_id)
    weekly_series.repeat(assignment)
    text = _("From now on, the children will get it every week.")
    return _done(request, assignment, text, undo="stop_repeating")


@login_required
@require_POST
def stop_repeating(request: AdultRequest, class_id: UUID, assignment_id: UUID) -> HttpResponse:
    assignment = assignment_for(request.user, class_id, assignment_id)
    with _kept(request, assignment) as undo:
        weekly_series.stop(assignment)
    say_done(request, _("It will not be repeated next week."), undo)
    return redirect("classrooms:assignments", class_id)


def _done(request: HttpRequest, assignment: Assignment, text: str, *, undo: str) -> HttpResponse:
    """Say what was done, on the page of assignments; `undo`: the name of the URL that undoes it."""
    say_done(request, text, _address(undo, assignment))
    return redirect("classrooms:assignments", assignment.school_class_id)


def _address(name: str, assignment: Assignment) -> str:
    return reverse(f"classrooms:{name}", args=[assignment.school_class_id, assignment.pk])


def next_page(assignment: Assignment, *, is_first: bool) -> HttpResponse:
    """The page after assigning: the login cards after the first, else the assignments among which
    it is."""
    school_class = assignment.school_class
    if is_first and school_class.children.exists():
        return redirect("classrooms:cards", school_class.pk)
    return _list_with(assignment)


def _list_with(assignment: Assignment) -> HttpResponse:
    shown = status.when(assignment, assignment.school_class.today())
    address = reverse("classrooms:assignments", args=[assignment.school_class_id])
    return redirect(address if shown == status.NOW else f"{address}?show={shown}")
