"""The audit log of a class, for its owner."""

from collections.abc import Mapping
from typing import Final
from uuid import UUID

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from ..access import own_class_for
from ..models import AuditEntry, Child

A_PAGE: Final = 50


@login_required
@require_GET
def who_looked(request: HttpRequest, class_id: UUID) -> HttpResponse:
    """Who looked at, exported, moved or erased what of the class, the latest first. A child has its
    name there as long as it is in the class."""
    school_class = own_class_for(request.user, class_id)
    entries = AuditEntry.objects.filter(class_id=class_id).select_related("user")
    page = Paginator(entries, A_PAGE).get_page(request.GET.get("page"))
    names = dict(Child.everyone.filter(school_class=school_class).values_list("pk", "name"))
    context = {
        "school_class": school_class,
        "page": page,
        "entries": [(entry, _name_of(entry, names)) for entry in page],
        "days": settings.AUDIT_DAYS,
    }
    return render(request, "classrooms/who_looked.html", context)


def _name_of(entry: AuditEntry, names: Mapping[UUID, str]) -> str | None:
    return names.get(entry.child_id) if entry.child_id else None
