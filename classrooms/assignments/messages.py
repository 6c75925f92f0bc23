"""The messages after an assignment is given."""

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from classrooms.assignments import editing
from classrooms.assignments.audience import Audience
from classrooms.assignments.presets import title_of
from classrooms.models import Assignment
from classrooms.undo import success_with_undo
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


def say_assigned_elsewhere(request: HttpRequest, assignment: Assignment) -> None:
    """Show a message about the same game in another class, with a button that undoes it."""
    values = {"title": title_of(assignment), "name": assignment.school_class.name}
    text = _("Assigned to %(name)s too: %(title)s.") % values
    success_with_undo(request, text, address_of("withdraw_assignment", assignment))


def address_of(name: str, assignment: Assignment) -> str:
    return reverse(f"classrooms:{name}", args=[assignment.school_class_id, assignment.pk])
