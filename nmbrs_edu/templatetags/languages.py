"""The languages that a reader can choose, each in its own tongue."""

from typing import Any

from django import template
from django.conf import settings

from nmbrs_edu.settings.languages import ALL

register = template.Library()


@register.simple_tag(takes_context=True)
def own_names(context: dict[str, Any]) -> list[tuple[str, str]]:
    """Codes and names; to a teacher a trial is marked as unreviewed."""
    user = getattr(context.get("request"), "user", None)
    marked = user is not None and user.is_authenticated
    return [
        (code, str(ALL[code].label) if marked and ALL[code].unreviewed else ALL[code].own_name)
        for code, _ in settings.LANGUAGES
    ]
