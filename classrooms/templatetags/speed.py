"""How fast a child likes to see what the others at its table do, to choose from."""

from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from classrooms.models import Child

register = template.Library()


@register.simple_tag
def speeds(chosen: str) -> SafeString:
    """Buttons of the form `speed`, which stands elsewhere on the page."""
    return _speeds(chosen, get_language())


@lru_cache
def _speeds(chosen: str, language: str | None) -> SafeString:
    return render_to_string("games/_speed.html", {"speeds": Child.Speed.choices, "chosen": chosen})
