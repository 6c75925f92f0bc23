"""A teacher makes, changes and removes the groups of a class."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.db.models import Prefetch
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from classrooms import bounds
from classrooms.access import AdultRequest, class_for, group_for
from classrooms.assignments.audience import groups_of
from classrooms.models import Group, KeptAct
from classrooms.roster import services
from classrooms.roster.forms import GroupForm
from classrooms.undo import class_of, keep_act, keep_rows, success_with_undo, undoes_act
from games.screen.words import listed


@login_required
@require_GET
def groups(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    children = Prefetch("children", school_class.children.all())
    context = {
        "school_class": school_class,
        "groups": list(groups_of(school_class).prefetch_related(children)),
        "has_children": school_class.children.exists(),
    }
    return render(request, "roster/groups.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def edit_group(request: AdultRequest, class_id: UUID, group_id: UUID | None = None) -> HttpResponse:
    """Change a group of the class, or make a new one."""
    group = group_for(request.user, class_id, group_id) if group_id else None
    school_class = group.school_class if group else class_for(request.user, class_id)
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
        services.save_group(group, members)
        return
    school_class, rows = group.school_class, Group.objects.filter(pk=group.pk)
    return_url = reverse("classrooms:child_groups", args=[school_class.pk])
    with keep_rows(request, school_class, return_url, rows) as undo_url:
        services.save_group(group, members)
    text = ngettext(
        "%(names)s is no longer in the group %(group)s.",
        "%(names)s are no longer in the group %(group)s.",
        len(names_left),
    )
    success_with_undo(request, text % {"names": listed(names_left), "group": group.name}, undo_url)


@login_required
@require_POST
def remove_group(request: AdultRequest, class_id: UUID, group_id: UUID) -> HttpResponse:
    group = group_for(request.user, class_id, group_id)
    services.remove_group(group)
    return_url = reverse("classrooms:child_groups", args=[class_id])
    undo_url = keep_act(
        request, _give_group_back, return_url, group.school_class, group=str(group_id)
    )
    text = _("%(name)s has been removed. The children keep their assignments.")
    success_with_undo(request, text % {"name": group.name}, undo_url)
    return redirect(return_url)


@undoes_act
def _give_group_back(request: AdultRequest, act: KeptAct) -> str:
    services.bring_group_back(group_for(request.user, class_of(act).pk, act.data["group"]))
    return ""
