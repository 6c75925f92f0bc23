"""The pages on which several classes of a teacher, or of a school, begin a new year together."""

from dataclasses import dataclass

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from classrooms.access import AdultRequest
from classrooms.classes import services
from classrooms.classes.forms import CHOICES, YearForm
from classrooms.models import School, SchoolClass
from classrooms.undo import success_with_undo


@dataclass(frozen=True, slots=True)
class Scope:
    """The classes of a `school`, or of a teacher, that can begin a new year. `above` and
    `above_name` are the address and the name of the page that lists them, and `undo` is the address
    of the undo."""

    classes: QuerySet[SchoolClass]
    above: str
    above_name: str
    undo: str
    school: School | None = None


def new_year_page(request: AdultRequest, scope: Scope) -> HttpResponse:
    """Show the table of the classes. A POST carries out the choices."""
    form = YearForm(scope.classes, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_good:
        n = services.begin_year(scope.classes, form.steps, request.user, scope.school)
        if n:
            text = ngettext(
                "The new year has begun for %(n)d class.",
                "The new year has begun for %(n)d classes.",
                n,
            )
            success_with_undo(request, text % {"n": n}, scope.undo)
        else:
            messages.error(request, _("Nothing was changed."))
        return redirect(scope.above)
    context = {
        "form": form,
        "choices": CHOICES,
        "scope": scope,
        "begun": services.year_to_undo(request.user, scope.school),
    }
    return render(request, "classes/new_year.html", context)


def undo_new_year_page(request: AdultRequest, scope: Scope) -> HttpResponse:
    new_year = services.year_to_undo(request.user, scope.school)
    n = services.undo_year(new_year, scope.classes, request.user, scope.school) if new_year else 0
    if n:
        text = ngettext(
            "%(n)d class is as it was before.", "%(n)d classes are as they were before.", n
        )
        messages.success(request, text % {"n": n})
    else:
        messages.error(request, _("That can no longer be undone."))
    return redirect(scope.above)
