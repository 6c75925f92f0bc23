"""Parts of a board that are drawn once and cached, because a move changes few cards and rows.

The key of a part is its template, its data and the language, so a part is never out of date.
`make bench` times a move with and without these parts.
"""

from collections.abc import Hashable
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Final

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()

MOST_PARTS: Final = 4096
"""The most cached parts in each process; together they take some MB."""


@register.simple_tag
def drawn_once(template_name: str, data: Hashable) -> SafeString:
    """`{% drawn_once "games/_table_card.html" card %}` draws the template with `card` as
    `table_card`, or takes it from the cache."""
    return draw(template_name, data, get_language())


@lru_cache(maxsize=MOST_PARTS)
def draw(template_name: str, data: Hashable, language: str | None) -> SafeString:
    """Draw a template with this data, in the current language."""
    name = PurePosixPath(template_name).stem.removeprefix("_")
    return render_to_string(template_name, {name: data})
