"""A teacher moves children to another class, and undoes the move."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from classrooms import bounds
from classrooms.access import AdultRequest, child_for, class_for, class_to_move_to
from classrooms.locks import Changed
from classrooms.models import Child, KeptAct, SchoolClass
from classrooms.roster import moves
from classrooms.signin import cards
from classrooms.undo import class_of, keep_act, success_with_undo, undoes_act
from games.play.posted_values import parse_uuid
from games.screen.words import listed


@login_required
@require_POST
def move(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    child = child_for(request.user, class_id, child_id)
    target = parse_uuid(request.POST.get("to", ""))
    if target is None or target == class_id:
        messages.error(request, _("Choose a class."))
        return redirect("classrooms:child", class_id, child_id)
    to = class_to_move_to(request.user, child.school_class, target)
    if not _move(request, class_id, [child], to):
        return redirect("classrooms:child", class_id, child_id)
    return redirect("classrooms:children", class_id)


@login_required
@require_POST
def move_several(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Show the selected children and the class to which they would move. A second POST moves
    them."""
    school_class = class_for(request.user, class_id)
    ticked = [key for text in request.POST.getlist("child") if (key := parse_uuid(text))]
    children = list(school_class.children.filter(pk__in=ticked).select_related("school_class"))
    target = parse_uuid(request.POST.get("to", ""))
    if not children:
        messages.error(request, _("Tick the children first."))
        return redirect("classrooms:children", class_id)
    if target is None or target == class_id:
        messages.error(request, _("Choose a class."))
        return redirect("classrooms:children", class_id)
    to = class_to_move_to(request.user, school_class, target)
    if request.POST.get("do") == "move" and _move(request, class_id, children, to):
        return redirect("classrooms:children", class_id)
    movable, staying = moves.split_by_name(children, to)
    room = bounds.MOST_CHILDREN - to.children.count()
    context = {
        "school_class": school_class,
        "to": to,
        "movable": movable,
        "staying": staying,
        "full": bounds.most_children_text() if len(movable) > room else "",
    }
    return render(request, "roster/move_children.html", context)


def _move(
    request: AdultRequest, class_id: UUID, children: Sequence[Child], to: SchoolClass
) -> bool:
    """Move the children, and return whether anybody has moved. A message with a button for the undo
    says who has moved; another says who has not."""
    try:
        moved_children, at, left_games = moves.move(children, to, request.user)
    except bounds.LimitReached as full:
        messages.error(request, full.message)
        return False
    staying = [child.name for child in children if child not in moved_children]
    if at is None or staying:
        text = _("%(class)s already has a child named %(name)s.")
        if len(children) == 1:
            text = _(
                "%(class)s already has a child named %(name)s. Give this child another name "
                "here, such as “%(other)s”, then move the child."
            )
        values = {"name": listed(staying), "class": to.name, "other": f"{children[0].name} B"}
        messages.error(request, text % values)
    if at is None:
        return False
    return_url = reverse("classrooms:children", args=[class_id])
    undo_url = keep_act(request, move_children_back, return_url, to, moved_at=at.isoformat())
    text, new_cards = _moved_text(moved_children, to)
    if left_games:
        stays = _("Games given by name do not go along. Give new ones in %(to)s.")
        text = f"{text} {stays % {'to': to.name}}"
    success_with_undo(request, text, undo_url, link=new_cards)
    return True


def _moved_text(children: Sequence[Child], to: SchoolClass) -> tuple[str, tuple[str, str]]:
    """The sentence about the moved children, and the link to their new cards."""
    if len(children) == 1:
        text = _("%(name)s is now in %(class)s.") % {"name": children[0].name, "class": to.name}
        return text, (cards.page_of(children[0]), _("Print the new card"))
    text = _("%(n)d children are now in %(class)s.") % {"n": len(children), "class": to.name}
    return text, (reverse("classrooms:cards", args=[to.pk]), _("Print the new cards"))


@undoes_act
def move_children_back(request: AdultRequest, act: KeptAct) -> str:
    to = class_of(act)
    at = datetime.fromisoformat(act.data["moved_at"])
    origin = moves.origin_of(request.user, to, at)
    if origin is None:
        raise Changed
    n = len(moves.move_back(to, at, origin, request.user))
    text = ngettext("%(n)d child is back in %(class)s.", "%(n)d children are back in %(class)s.", n)
    return text % {"n": n, "class": origin.name}
