"""What a class is asked to play, for its teacher."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from .. import assigning
from ..access import assignment_for, class_for
from ..assign_form import AssignForm, Preview


@login_required
@require_GET
def index(request: HttpRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    context = {
        "school_class": school_class,
        "assignments": assigning.overview(school_class),
        "child_count": school_class.children.count(),
    }
    return render(request, "classrooms/assignments.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    form = AssignForm(school_class, request.POST or None, initial=_asked_for(request))
    if request.method == "POST" and form.is_valid() and "look" not in request.POST:
        is_first = not school_class.assignments.exists()
        assigning.assign(school_class, form.choice)
        messages.success(request, _("Assigned. The class can play it now."))
        if is_first and school_class.children.exists():
            return redirect("classrooms:cards", school_class.pk)
        return redirect("classrooms:assignments", school_class.pk)
    context = {"school_class": school_class, "form": form, "preview": Preview(form)}
    return render(request, "classrooms/assign.html", context)


@login_required
@require_GET
def preview(request: HttpRequest, class_id: UUID) -> HttpResponse:
    """What the rules in the form come to, while they are being chosen."""
    form = AssignForm(class_for(request.user, class_id), request.GET)
    return render(request, "classrooms/assign.html#samples", {"preview": Preview(form)})


def _asked_for(request: HttpRequest) -> dict[str, object]:
    """The tables that a link to the form names, such as one that the class should practise."""
    named = request.GET.getlist("tables")
    tables = [table for table in assigning.TABLES_TO_CHOOSE if str(table) in named]
    return {"tables": tables} if tables else {}


@login_required
@require_POST
def end(request: HttpRequest, class_id: UUID, assignment_id: UUID) -> HttpResponse:
    assigning.end(assignment_for(request.user, class_id, assignment_id))
    messages.success(request, _("Ended. The class no longer sees it; what was played stays."))
    return redirect("classrooms:assignments", class_id)
