"""The context that the pages for the big screen share."""

from django.http import HttpRequest

from classrooms.models import SchoolClass
from classrooms.signin.children_only import door_url


def is_big(request: HttpRequest) -> bool:
    return request.GET.get("screen") == "big"


def join_context(request: HttpRequest, school_class: SchoolClass) -> dict[str, str]:
    """How to join, for `lesson/_door.html` and `lesson/_door_line.html`."""
    address = request.build_absolute_uri(door_url(school_class))
    return {"address": address, "site": request.get_host()}
