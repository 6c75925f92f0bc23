"""Adds the prefix `__Host-` to the names of cookies in production.

Browsers accept such a cookie only over https and only for this host, so no other site of the
school's domain can plant one. The code uses the names without the prefix. On a developer's machine,
where there is no https, browsers see them too.
"""

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from classrooms.http import Middleware

PREFIX: Final = "__Host-"


class HostCookiesMiddleware(Middleware):
    """Removes the prefix from the cookies of a request and adds it to those of the response. The
    site does not see cookies without the prefix. Must come before all middleware that reads or sets
    a cookie."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.COOKIES = {
            name.removeprefix(PREFIX): value
            for name, value in request.COOKIES.items()
            if name.startswith(PREFIX)
        }
        response = self.get_response(request)
        for name in list(response.cookies):
            cookie = response.cookies.pop(name)
            cookie.set(PREFIX + name, cookie.value, cookie.coded_value)
            cookie["secure"], cookie["path"], cookie["domain"] = True, "/", ""
            response.cookies[cookie.key] = cookie
        return response


YEAR: Final = 365 * 24 * 3600
OLD_COOKIES: Final[dict[str, int | None]] = {
    settings.CSRF_COOKIE_NAME: YEAR,
    settings.LANGUAGE_COOKIE_NAME: None,
    "child": None,
    "device": 2 * YEAR,
}
"""How many seconds each cookie lasts under its new name; None: until the browser is closed."""


class OldCookiesMiddleware(Middleware):
    """Renames four cookies that release 0.1.0 set without the prefix. So children stay signed in,
    open pages can post, and known devices stay known; adults sign in once more. Must come before
    `HostCookiesMiddleware`. Delete it with the support for 0.1.0."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        old = {name: value for name, value in request.COOKIES.items() if name in OLD_COOKIES}
        new_cookies = {n: value for n, value in old.items() if PREFIX + n not in request.COOKIES}
        request.COOKIES |= {PREFIX + name: value for name, value in new_cookies.items()}
        response = self.get_response(request)
        for name, value in new_cookies.items():
            if PREFIX + name not in response.cookies:
                response.set_cookie(
                    PREFIX + name,
                    value,
                    max_age=OLD_COOKIES[name],
                    secure=True,
                    httponly=True,
                    samesite="Lax",
                )
        for name in old:
            response.set_cookie(name, max_age=0, secure=True, httponly=True, samesite="Lax")
        return response
