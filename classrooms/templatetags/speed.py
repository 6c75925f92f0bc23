"""The buttons to choose how fast the others at a child's table play."""

from typing import Any

from django import template

from classrooms.lesson.game_hooks import speeds_with

register = template.Library()


@register.inclusion_tag("games/_speed.html")
def speeds(chosen: str) -> dict[str, Any]:
    """Buttons of the form `speed`, which stands elsewhere on the page."""
    return {"shown": speeds_with(chosen)}
