"""The context that the pages for the big screen share."""

from typing import Any

from django.http import HttpRequest

from classrooms.models import SchoolClass
from classrooms.progress.goals import goal_of
from classrooms.signin.children_only import door_url


def is_big(request: HttpRequest) -> bool:
    return request.GET.get("screen") == "big"


def board_context(request: HttpRequest, school_class: SchoolClass) -> dict[str, Any]:
    """The context of a page with a board: beside it are the goal of the class, and how to join."""
    return {"goal": goal_of(school_class), **join_context(request, school_class)}


def join_context(request: HttpRequest, school_class: SchoolClass) -> dict[str, str]:
    """The context of `lesson/_door.html`: how to join."""
    address = request.build_absolute_uri(door_url(school_class))
    return {"address": address, "site": request.get_host()}
