"""What stands beside a page for the big screen of a classroom, without names."""

from typing import Any, Final

from django.http import HttpRequest

from classrooms.models import SchoolClass
from classrooms.progress.figures.class_goal import goal_of
from classrooms.signin.children_only import door_url

BIG: Final = "big"


def is_big(request: HttpRequest) -> bool:
    return request.GET.get("screen") == BIG


def beside(request: HttpRequest, school_class: SchoolClass) -> dict[str, Any]:
    """The goal of the class, and how to join in."""
    return {
        "goal": goal_of(school_class),
        "address": request.build_absolute_uri(door_url(school_class)),
        "site": request.get_host(),
    }
