"""The children of a class, for their teacher."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from .. import roster, signing_in
from ..access import child_for, class_for
from ..forms import PasteForm, RenameForm


@login_required
@require_http_methods(["GET", "POST"])
def children(request: HttpRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    form = PasteForm(school_class, request.POST or None)
    if request.method == "POST" and form.is_valid():
        was_empty = not form.taken
        added = len(roster.add_children(school_class, form.cleaned_data["names"]))
        messages.success(
            request,
            ngettext("%(n)d child added.", "%(n)d children added.", added) % {"n": added},
        )
        if was_empty and not school_class.assignments.exists():
            return redirect("classrooms:assign", school_class.pk)
        return redirect("classrooms:children", school_class.pk)
    context = {
        "school_class": school_class,
        "children": school_class.children.all(),
        "form": form,
    }
    return render(request, "classrooms/children.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def child(request: HttpRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    found = child_for(request.user, class_id, child_id)
    form = RenameForm(found, request.POST or None)
    if request.method == "POST" and form.is_valid():
        roster.rename(found, form.cleaned_data["name"])
        messages.success(request, _("Saved."))
        return redirect("classrooms:child", class_id, child_id)
    context = {
        "school_class": found.school_class,
        "pupil": found,
        "form": form,
        "tries": signing_in.tries_of(found),
    }
    return render(request, "classrooms/child.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def remove(request: HttpRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    found = child_for(request.user, class_id, child_id)
    if request.method == "POST":
        roster.remove(found)
        messages.success(request, _("%(name)s has been removed.") % {"name": found.name})
        return redirect("classrooms:children", class_id)
    context = {"school_class": found.school_class, "pupil": found}
    return render(request, "classrooms/remove_child.html", context)
