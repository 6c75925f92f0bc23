"""A teacher chooses, compares and merges two entries of a child, and undoes it."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count, Max
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from classrooms.access import AdultRequest, any_child_for, child_for, classmate_of
from classrooms.accounts.services import needs_proof
from classrooms.models import Child, Merge
from classrooms.progress.facts import secure_facts
from classrooms.progress.models import ChildDay
from classrooms.progress.rows import TableCell, table_cells
from classrooms.roster import merges
from classrooms.undo import success_with_undo
from games.coach.mastery import GOOD_LEVELS
from games.play.posted_values import parse_uuid


@needs_proof
@require_http_methods(["GET", "POST"])
def merge(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    """Merge two entries of the same child: the games of `child` become those of `into`."""
    child = child_for(request.user, class_id, child_id)
    context: dict[str, Any] = {"school_class": child.school_class, "child": child}
    query = request.POST if request.method == "POST" else request.GET
    into_key = parse_uuid(query.get("into", ""))
    if into_key is None or into_key == child_id:
        if "into" in query:
            messages.error(request, _("Choose a child."))
        others = child.school_class.children.exclude(pk=child.pk)
        return render(request, "roster/merge_child.html", context | {"others": others})
    into = classmate_of(child, into_key)
    if request.method == "POST":
        merges.merge(child, into, request.user)
        text = _(
            "%(name)s has been merged into %(into)s. The report will be up to date within a minute."
        )
        undo_url = reverse("classrooms:undo_merge", args=[class_id, child_id])
        success_with_undo(request, text % {"name": child.name, "into": into.name}, undo_url)
        return redirect("classrooms:child", class_id, into_key)
    cells = table_cells([child, into], child.school_class.today())
    entries = [_merge_side(side, cells[side.pk]) for side in (child, into)]
    context |= {"into": into, "entries": entries}
    return render(request, "roster/merge_child.html", context)


@login_required
@require_POST
def undo_merge(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    child = any_child_for(request.user, class_id, child_id)
    record = Merge.objects.filter(child=child).select_related("child__school_class", "into").first()
    if record is None:
        messages.error(request, _("That can no longer be undone."))
        return redirect("classrooms:children", class_id)
    merges.undo(record, request.user)
    text = _("%(name)s and %(into)s are two separate children again.")
    messages.success(request, text % {"name": child.name, "into": record.into.name})
    return redirect("classrooms:children", class_id)


def _merge_side(child: Child, cells: Mapping[int, TableCell]) -> dict[str, Any]:
    """What the page shows about an entry, so that the teacher recognises the child."""
    matches = child.attempts.aggregate(number=Count("pk"), last=Max("game__moved_at"))
    return {
        "child": child,
        "matches": matches["number"],
        "days": ChildDay.objects.filter(child=child).values("day").distinct().count(),
        "last_played": matches["last"],
        "tables": [cell for _table, cell in sorted(cells.items()) if cell.level in GOOD_LEVELS],
        "facts": len(secure_facts(child)),
        "devices": child.known_devices.count(),
    }
