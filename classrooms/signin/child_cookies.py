"""The cookies of a child's browser: setting and deleting them."""

from datetime import timedelta
from typing import Final

from django.conf import settings
from django.http import HttpResponse

from classrooms.signin import languages
from games import shown_once

SESSION_COOKIE: Final = "child"
PICKS_COOKIE: Final = "picks"
NAME_COOKIE: Final = "name"
DEVICE_LASTS: Final = timedelta(days=2 * 365)
"""How long a child's device stays known, in its cookie and in the database."""


def set_session_cookie(response: HttpResponse, token: str) -> None:
    """A cookie that lasts until the browser closes; the server decides how long it is valid."""
    response.set_cookie(
        SESSION_COOKIE,
        token,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def delete_session_cookie(response: HttpResponse) -> None:
    response.delete_cookie(SESSION_COOKIE, samesite="Lax")


def forget_child(response: HttpResponse) -> None:
    """Remove everything of a child from the device, except the device's random id, which names
    nobody, and the site's images and styles, since pages are never cached."""
    delete_session_cookie(response)
    response.delete_cookie(PICKS_COOKIE, samesite="Lax")
    response.delete_cookie(NAME_COOKIE, samesite="Lax")
    languages.forget(response)
    shown_once.forget(response)
    response["Clear-Site-Data"] = '"storage"'
