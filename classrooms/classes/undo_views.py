"""Undoing an act whose rows were kept."""

from typing import Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from classrooms import bounds
from classrooms.access import AdultRequest, class_for
from classrooms.checkups.models import CheckUp
from classrooms.locks import Changed
from classrooms.models import Assignment, Group
from classrooms.undo import kept_rows

ROOM: Final[kept_rows.Room] = {
    Assignment: bounds.room_for_assignment,
    CheckUp: bounds.room_for_check_up,
    Group: bounds.room_for_group,
}


@login_required
@require_POST
def undo(request: AdultRequest, class_id: UUID, key: str) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    back = reverse("classrooms:class", args=[class_id])
    try:
        back = kept_rows.bring_back(request.session, school_class, key, ROOM)
    except Changed:
        text = _(
            "This can no longer be undone: something has changed since, or more than an hour "
            "has passed."
        )
        messages.error(request, text)
    else:
        messages.success(request, _("Undone: everything is as it was before."))
    return redirect(back)
