"""The buttons to choose how fast the others at a child's table play."""

from django import template
from django.utils.safestring import SafeString

from classrooms.lesson.game_hooks import speeds_with
from games.screen.view_models import speed_buttons

register = template.Library()


@register.simple_tag
def speeds(chosen: str) -> SafeString:
    """Buttons of the form `speed`, which stands elsewhere on the page."""
    return speed_buttons(speeds_with(chosen))
