"""What a browser says of itself, in few words."""

from typing import Final

from django.utils.translation import gettext

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


def device_of(user_agent: str) -> str:
    """A browser and its system, "" for one that we do not know.

    >>> device_of("Mozilla/5.0 (X11; CrOS x86_64) AppleWebKit/537 Chrome/131.0 Safari/537")
    'Chrome · Chromebook'
    """
    found = [
        next((name for sign, name in names.items() if sign in user_agent), "")
        for names in (BROWSERS, SYSTEMS)
    ]
    return " · ".join(filter(None, found))


def browser_name(user_agent: str) -> str:
    """A browser and its system by what it says of itself, in the language of the page."""
    return device_of(user_agent) or gettext("another browser")
