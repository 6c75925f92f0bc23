"""The settings of single children of a class: no time, larger cards, hints, short questions."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from classrooms.access import AdultRequest, class_for
from classrooms.models import Child
from classrooms.roster import individual_settings


@login_required
@require_http_methods(["GET", "POST"])
def children(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    if request.method == "POST":
        individual_settings.save_settings(school_class, request.POST, request.user)
        messages.success(request, _("Saved."))
        return redirect(request.get_full_path())
    context = {
        "school_class": school_class,
        "table": individual_settings.table(request.GET, school_class),
        "hints": Child.Hints.choices,
    }
    return render(request, "roster/agreed.html", context)
