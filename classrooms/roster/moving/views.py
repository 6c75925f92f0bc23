"""A teacher moves children to another class, one or many at once, and takes it back."""

from collections.abc import Sequence
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from classrooms import bounds
from classrooms.access import AdultRequest, child_for, class_for, class_to_move_to
from classrooms.models import Child, SchoolClass
from classrooms.roster.moving import services
from classrooms.ui.undo import say_done
from games.play.posted_values import key, moment
from games.screen.words import listed


@login_required
@require_POST
def move(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    """Move the child to the class in the form."""
    child = child_for(request.user, class_id, child_id)
    wanted = key(request.POST.get("to", ""))
    if wanted is None or wanted == class_id:
        messages.error(request, _("Choose a class."))
        return redirect("classrooms:child", class_id, child_id)
    to = class_to_move_to(request.user, child.school_class, wanted)
    if not _moved(request, class_id, [child], to):
        return redirect("classrooms:child", class_id, child_id)
    return redirect("classrooms:children", class_id)


@login_required
@require_POST
def move_several(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """The ticked children and the class to which they are to go: shown first, then moved."""
    school_class = class_for(request.user, class_id)
    ticked = [found for each in request.POST.getlist("child") if (found := key(each))]
    children = list(school_class.children.filter(pk__in=ticked).select_related("school_class"))
    wanted = key(request.POST.get("to", ""))
    if not children:
        messages.error(request, _("Tick the children first."))
        return redirect("classrooms:children", class_id)
    if wanted is None or wanted == class_id:
        messages.error(request, _("Choose a class."))
        return redirect("classrooms:children", class_id)
    to = class_to_move_to(request.user, school_class, wanted)
    if request.POST.get("do") == "move" and _moved(request, class_id, children, to):
        return redirect("classrooms:children", class_id)
    can, stay = services.split_by_name(children, to)
    room = bounds.MOST_CHILDREN - to.children.count()
    context = {
        "school_class": school_class,
        "to": to,
        "can": can,
        "stay": stay,
        "full": bounds.most_children() if len(can) > room else "",
    }
    return render(request, "roster/move_children.html", context)


def _moved(
    request: AdultRequest, class_id: UUID, children: Sequence[Child], to: SchoolClass
) -> bool:
    """Move the children, and say so with a button to undo it, or why not."""
    try:
        moved, at = services.move(children, to, request.user)
    except bounds.Full as full:
        messages.error(request, full.words)
        return False
    stay = [child.name for child in children if child not in moved]
    if at is None or stay:
        text = _("There is already a %(name)s in %(class)s.")
        messages.error(request, text % {"name": listed(stay), "class": to.name})
    if at is None:
        return False
    undo = reverse("classrooms:move_children_back", args=[to.pk])
    say_done(request, _said(moved, to), f"{undo}?{urlencode({'at': at.isoformat()})}")
    return True


def _said(moved: Sequence[Child], to: SchoolClass) -> str:
    if len(moved) == 1:
        text = _("%(name)s is now in %(class)s. Print a new card.")
        return text % {"name": moved[0].name, "class": to.name}
    text = _("%(n)d children are now in %(class)s. Print new cards.")
    return text % {"n": len(moved), "class": to.name}


@login_required
@require_POST
def back(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Undo what this adult has moved to this class at the moment `at`."""
    school_class = class_for(request.user, class_id)
    at = moment(request.GET.get("at"))
    origin = services.origin_of(request.user, school_class, at) if at else None
    if at is None or origin is None:
        messages.error(request, _("That can no longer be undone."))
        return redirect("classrooms:children", class_id)
    try:
        children = services.move_back(school_class, at, origin, request.user)
    except services.NameTaken as taken:
        text = _("There is now another %(name)s in %(class)s. Rename that child first.")
        messages.error(request, text % {"name": taken.name, "class": origin.name})
    else:
        n = len(children)
        text = ngettext(
            "%(n)d child is back in %(class)s.", "%(n)d children are back in %(class)s.", n
        )
        messages.success(request, text % {"n": n, "class": origin.name})
        return redirect("classrooms:children", origin.pk)
    return redirect("classrooms:children", class_id)
