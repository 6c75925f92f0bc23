"""The audit log of a class, for its owner."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from itertools import groupby
from typing import Final, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from ..access import own_class_for
from ..models import AuditEntry, Child

A_PAGE: Final = 50


class Line(NamedTuple):
    """An entry, when it was by the clock of the class, and the name of the child in it."""

    entry: AuditEntry
    at: datetime
    name: str | None


@login_required
@require_GET
def who_looked(request: HttpRequest, class_id: UUID) -> HttpResponse:
    """Who looked at, exported, moved or erased what of the class, the latest first. A child has its
    name there as long as it is in the class."""
    school_class = own_class_for(request.user, class_id)
    entries = AuditEntry.objects.filter(class_id=class_id).select_related("user")
    page = Paginator(entries, A_PAGE).get_page(request.GET.get("page"))
    names: Mapping[UUID, str] = dict(
        Child.everyone.filter(school_class=school_class).values_list("pk", "name")
    )
    context = {
        "school_class": school_class,
        "page": page,
        "days": _by_day(page.object_list, names, ZoneInfo(school_class.time_zone)),
        "kept": settings.AUDIT_DAYS,
    }
    return render(request, "classrooms/who_looked.html", context)


def _by_day(
    entries: Iterable[AuditEntry], names: Mapping[UUID, str], zone: ZoneInfo
) -> list[tuple[date, list[Line]]]:
    """The entries of each day, by the clock of the class."""
    lines = [
        Line(
            entry,
            entry.at.astimezone(zone),
            names.get(entry.child_id) if entry.child_id else None,
        )
        for entry in entries
    ]
    return [(day, list(found)) for day, found in groupby(lines, lambda line: line.at.date())]
