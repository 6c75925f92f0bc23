"""The rows behind a number of the report."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from classrooms.access import child_for

from .reports import MOST_MOVES, NAMED_TABLES, OTHER, moves_behind


@login_required
@require_GET
def moves(request: HttpRequest, class_id: UUID, child_id: UUID, table: int) -> HttpResponse:
    child = child_for(request.user, class_id, child_id)
    if table not in NAMED_TABLES and table != OTHER:
        raise Http404
    context = {
        "school_class": child.school_class,
        "child": child,
        "table": table,
        "moves": moves_behind(child, table),
        "most": MOST_MOVES,
    }
    return render(request, "classrooms/moves.html", context)
