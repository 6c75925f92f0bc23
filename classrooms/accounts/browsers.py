"""Short names for browsers and systems, from the User-Agent header."""

from typing import Final

from django.utils.translation import gettext

# The first match counts: browsers also send the names of other browsers.
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


def device_of(user_agent: str) -> str:
    """The browser and its system; "" where both are unknown.

    >>> device_of("Mozilla/5.0 (X11; CrOS x86_64) AppleWebKit/537 Chrome/131.0 Safari/537")
    'Chrome · Chromebook'
    """
    names_found = [
        next((name for sign, name in names.items() if sign in user_agent), "")
        for names in (BROWSERS, SYSTEMS)
    ]
    return " · ".join(filter(None, names_found))


def browser_name(user_agent: str) -> str:
    """The browser and its system, or a general name in the language of the page."""
    return device_of(user_agent) or gettext("another browser")
