"""The buttons to choose how fast the others at a child's table play."""

from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from classrooms.models import Child

register = template.Library()


@register.simple_tag
def speeds(chosen: str) -> SafeString:
    """The buttons of the form `speed`, which is elsewhere on the page."""
    return _speeds(chosen, get_language())


@lru_cache
def _speeds(chosen: str, language: str | None) -> SafeString:
    return render_to_string("games/_speed.html", {"speeds": Child.Speed.choices, "chosen": chosen})
