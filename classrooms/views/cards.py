"""Login cards, to print and cut."""

from typing import cast
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.http import require_GET

from .. import roster
from ..access import class_for
from ..models import User
from ..pictures import labelled


@login_required
@require_GET
def cards(request: HttpRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    found = roster.look_up_cards(cast(User, request.user), school_class.children.all())
    with translation.override(school_class.language):
        shown = [(child, labelled(pictures)) for child, pictures in found]
    context = {
        "school_class": school_class,
        "cards": shown,
        "site": request.get_host(),
    }
    return render(request, "classrooms/cards.html", context)
