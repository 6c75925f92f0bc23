"""Groups of a class's children, for their teacher."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from classrooms import bounds
from classrooms.access import AdultRequest, class_for, group_for
from classrooms.models import Group, SchoolClass
from classrooms.roster import groups
from classrooms.roster.group_form import GroupForm
from classrooms.ui.undo import say_done
from classrooms.undo import kept_rows
from games.screen.words import listed


@login_required
@require_GET
def index(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    context = {
        "school_class": school_class,
        "groups": groups.with_children(school_class),
        "has_children": school_class.children.exists(),
    }
    return render(request, "roster/groups.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def new(request: AdultRequest, class_id: UUID) -> HttpResponse:
    return _form(request, class_for(request.user, class_id), None)


@login_required
@require_http_methods(["GET", "POST"])
def edit(request: AdultRequest, class_id: UUID, group_id: UUID) -> HttpResponse:
    group = group_for(request.user, class_id, group_id)
    return _form(request, group.school_class, group)


def _form(request: HttpRequest, school_class: SchoolClass, group: Group | None) -> HttpResponse:
    form = GroupForm(school_class, request.POST or None, instance=group)
    if request.method == "POST" and form.is_valid():
        try:
            _save(request, form)
        except bounds.Full as full:
            form.add_error("name", full.words)
        else:
            return redirect("classrooms:child_groups", school_class.pk)
    context = {"school_class": school_class, "group": group, "form": form}
    return render(request, "roster/group_form.html", context)


def _save(request: HttpRequest, form: GroupForm) -> None:
    """Save the group. Whoever is taken off it can be put back."""
    group: Group = form.save(commit=False)
    chosen = list(form.cleaned_data["children"])
    had = [] if group._state.adding else list(group.children.all())
    school_class, rows = group.school_class, Group.objects.filter(pk=group.pk)
    back = reverse("classrooms:child_groups", args=[school_class.pk])
    with kept_rows.kept(request.session, school_class, back, rows) as key:
        groups.save(group, chosen)
    if left := [child.name for child in had if child not in chosen]:
        text = ngettext(
            "%(names)s is no longer in the group %(group)s.",
            "%(names)s are no longer in the group %(group)s.",
            len(left),
        )
        way_back = reverse("classrooms:undo", args=[school_class.pk, key])
        say_done(request, text % {"names": listed(left), "group": group.name}, way_back)


@login_required
@require_POST
def remove(request: AdultRequest, class_id: UUID, group_id: UUID) -> HttpResponse:
    """Remove the group, or restore it (`?undo`)."""
    group = group_for(request.user, class_id, group_id)
    if "undo" in request.GET:
        if not groups.give_back(group):
            messages.error(request, _("There is already a group with this name."))
    else:
        groups.remove(group)
        way_back = reverse("classrooms:remove_child_group", args=[class_id, group_id])
        text = _("%(name)s has been removed. The children keep their assignments.")
        say_done(request, text % {"name": group.name}, f"{way_back}?undo=1")
    return redirect("classrooms:child_groups", class_id)
