"""A teacher's pages about the groups of a class."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from classrooms import bounds
from classrooms.access import AdultRequest, class_for, group_for
from classrooms.models import Group, KeptAct, SchoolClass
from classrooms.roster import group_services
from classrooms.roster.forms import GroupForm
from classrooms.undo import class_of, keep_act, keep_rows, success_with_undo, undoes
from games.screen.words import listed


@login_required
@require_GET
def groups(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    context = {
        "school_class": school_class,
        "groups": group_services.groups_with_children(school_class),
        "has_children": school_class.children.exists(),
    }
    return render(request, "roster/groups.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def new_group(request: AdultRequest, class_id: UUID) -> HttpResponse:
    return _group_form(request, class_for(request.user, class_id), None)


@login_required
@require_http_methods(["GET", "POST"])
def edit_group(request: AdultRequest, class_id: UUID, group_id: UUID) -> HttpResponse:
    group = group_for(request.user, class_id, group_id)
    return _group_form(request, group.school_class, group)


def _group_form(
    request: AdultRequest, school_class: SchoolClass, group: Group | None
) -> HttpResponse:
    form = GroupForm(school_class, request.POST or None, instance=group)
    if request.method == "POST" and form.is_valid():
        try:
            _save_group(request, form)
        except bounds.LimitReached as full:
            form.add_error("name", full.message)
        else:
            return redirect("classrooms:child_groups", school_class.pk)
    context = {"school_class": school_class, "group": group, "form": form}
    return render(request, "roster/group_form.html", context)


def _save_group(request: AdultRequest, form: GroupForm) -> None:
    """Save the group. If children have left it, show a message with a button that undoes this."""
    group: Group = form.save(commit=False)
    members = list(form.cleaned_data["children"])
    members_before = [] if group._state.adding else list(group.children.all())
    names_left = [child.name for child in members_before if child not in members]
    if not names_left:
        group_services.save_group(group, members)
        return
    school_class, rows = group.school_class, Group.objects.filter(pk=group.pk)
    return_url = reverse("classrooms:child_groups", args=[school_class.pk])
    with keep_rows(request, school_class, return_url, rows) as undo:
        group_services.save_group(group, members)
    text = ngettext(
        "%(names)s is no longer in the group %(group)s.",
        "%(names)s are no longer in the group %(group)s.",
        len(names_left),
    )
    success_with_undo(request, text % {"names": listed(names_left), "group": group.name}, undo)


@login_required
@require_POST
def remove_group(request: AdultRequest, class_id: UUID, group_id: UUID) -> HttpResponse:
    group = group_for(request.user, class_id, group_id)
    group_services.remove_group(group)
    return_url = reverse("classrooms:child_groups", args=[class_id])
    undo = keep_act(request, "group removed", return_url, group.school_class, group=str(group_id))
    text = _("%(name)s has been removed. The children keep their assignments.")
    success_with_undo(request, text % {"name": group.name}, undo)
    return redirect(return_url)


@undoes("group removed")
def _give_group_back(request: AdultRequest, act: KeptAct) -> str:
    group_services.bring_group_back(group_for(request.user, class_of(act).pk, act.data["group"]))
    return ""
