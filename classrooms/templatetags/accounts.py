"""What the pages of an account of an adult say in few words."""

from typing import Any, Final

from django import template
from django.utils.translation import gettext

register = template.Library()

# The first that is found names it: browsers say the names of others as well as their own.
BROWSERS: Final = {
    "Edg": "Edge",
    "OPR": "Opera",
    "Firefox": "Firefox",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
SYSTEMS: Final = {
    "CrOS": "Chromebook",
    "iPad": "iPad",
    "iPhone": "iPhone",
    "Android": "Android",
    "Windows": "Windows",
    "Mac OS": "Mac",
    "Linux": "Linux",
}


@register.filter
def browser(user_agent: str) -> str:
    """A browser and its system by what it says of itself.

    >>> browser("Mozilla/5.0 (X11; CrOS x86_64) AppleWebKit/537 Chrome/131.0 Safari/537")
    'Chrome · Chromebook'
    """
    found = [
        next((name for sign, name in names.items() if sign in user_agent), "")
        for names in (BROWSERS, SYSTEMS)
    ]
    return " · ".join(filter(None, found)) or gettext("another browser")


@register.simple_tag(takes_context=True)
def sign_up_is_open(context: dict[str, Any]) -> bool:
    """Whether whoever sees the page may make an account."""
    from ..accounts.sign_up import is_open  # allauth's forms load before the apps are ready.

    return is_open(context["request"])
