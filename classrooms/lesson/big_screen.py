"""What the pages for the big screen have in common."""

from typing import Any

from django.http import HttpRequest

from classrooms.models import SchoolClass
from classrooms.progress.goals import goal_of
from classrooms.signin.children_only import door_url


def is_big(request: HttpRequest) -> bool:
    return request.GET.get("screen") == "big"


def context_beside_board(request: HttpRequest, school_class: SchoolClass) -> dict[str, Any]:
    """The context of what stands beside the board: the class's goal, and how to join."""
    return {"goal": goal_of(school_class), **door(request, school_class)}


def door(request: HttpRequest, school_class: SchoolClass) -> dict[str, str]:
    """The context of `lesson/_door.html`: how to join."""
    address = request.build_absolute_uri(door_url(school_class))
    return {"address": address, "site": request.get_host()}
