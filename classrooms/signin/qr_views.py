"""A child's QR code: one tap on its page signs the child in.

Opening the page signs nobody in, because link previews and scanners open links too.
"""

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.http import require_http_methods

from classrooms.access import child_by_card
from classrooms.signin import child_sign_in, languages
from classrooms.signin.picture_views import device_of, enter


@require_http_methods(["GET", "POST"])
def card(request: HttpRequest, token: str) -> HttpResponse:
    child = child_by_card(token)
    if child is None:
        return render(request, "signin/old_card.html", status=404)
    with translation.override(languages.at_the_door(request, child.school_class)):
        if request.method == "POST":
            device = device_of(request) or str(uuid.uuid4())
            return enter(request, child_sign_in.sign_in_by_card(child, device).token, device)
        context = {"child": child, "school_class": child.school_class}
        response = render(request, "signin/card.html", context)
    languages.remember(response, child.school_class)
    return response
