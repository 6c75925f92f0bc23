"""Several classes begin a new school year together: the page, and its undo, of a teacher's own
classes. That of a school is in `classrooms.schools.new_year_views`."""

from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from classrooms.access import AdultRequest, classes_owned_by
from classrooms.classes.new_year import services
from classrooms.classes.new_year.forms import CHOICES, YearForm
from classrooms.models import School, SchoolClass
from classrooms.ui.undo import say_done


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose classes begin the year, and the page of all of them: its address and its name."""

    classes: QuerySet[SchoolClass]
    above: str
    above_name: str
    undo: str
    school: School | None = None


def own_scope(request: AdultRequest) -> Scope:
    return Scope(
        classes_owned_by(request.user),
        reverse("classrooms:classes"),
        _("Classes"),
        reverse("classrooms:new_year_back"),
    )


@login_required
@require_http_methods(["GET", "POST"])
def page(request: AdultRequest) -> HttpResponse:
    return begin(request, own_scope(request))


@login_required
@require_POST
def back(request: AdultRequest) -> HttpResponse:
    return take_back(request, own_scope(request))


def begin(request: AdultRequest, scope: Scope) -> HttpResponse:
    """The table of the classes, or what it posted carried out."""
    form = YearForm(scope.classes, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_good:
        n = services.begin(scope.classes, form.steps, request.user, scope.school)
        if n:
            text = ngettext(
                "The new year has begun for %(n)d class.",
                "The new year has begun for %(n)d classes.",
                n,
            )
            say_done(request, text % {"n": n}, scope.undo)
        else:
            messages.error(request, _("Nothing was changed."))
        return redirect(scope.above)
    context = {
        "form": form,
        "choices": CHOICES,
        "scope": scope,
        "begun": services.begun_lately(request.user, scope.school),
    }
    return render(request, "classes/new_year.html", context)


def take_back(request: AdultRequest, scope: Scope) -> HttpResponse:
    begun = services.begun_lately(request.user, scope.school)
    n = services.take_back(begun, scope.classes, request.user, scope.school) if begun else 0
    if n:
        text = ngettext(
            "%(n)d class is as it was before.", "%(n)d classes are as they were before.", n
        )
        messages.success(request, text % {"n": n})
    else:
        messages.error(request, _("That can no longer be undone."))
    return redirect(scope.above)
