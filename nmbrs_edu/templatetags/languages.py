"""The languages that a reader can choose, in their own names, and names that browsers do not
translate."""

from typing import Any

from django import template
from django.conf import settings
from django.utils.html import format_html
from django.utils.safestring import SafeString

from nmbrs_edu.settings.languages import ALL

register = template.Library()


@register.simple_tag(takes_context=True)
def own_names(context: dict[str, Any]) -> list[tuple[str, str]]:
    """Codes and names of the languages. Only adults see which are unreviewed trials."""
    user = getattr(context.get("request"), "user", None)
    is_adult = user is not None and user.is_authenticated
    return [
        (code, str(ALL[code].label) if is_adult and ALL[code].unreviewed else ALL[code].own_name)
        for code, _ in settings.LANGUAGES
    ]


@register.filter
def untranslated(name: str) -> SafeString:
    """A name within a sentence, marked so that browsers do not translate it.

    >>> untranslated("Rose <3")
    '<span translate="no">Rose &lt;3</span>'
    """
    return format_html('<span translate="no">{}</span>', name)
