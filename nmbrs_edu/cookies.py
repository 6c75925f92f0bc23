"""Adds the prefix `__Host-` to the names of cookies in production.

Browsers accept such a cookie only over https and only for this host, so no other site of the
school's domain can plant one. The code uses the plain names; browsers see them only on a
developer's machine, where there is no https.
"""

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse

PREFIX: Final = "__Host-"


class HostCookiesMiddleware:
    """Hides cookies without the prefix. Must come before all middleware that reads or sets a
    cookie."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

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
