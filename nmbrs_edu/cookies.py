"""Cookies as a school's browsers keep them: each name with `__Host-` before it.

A browser takes a cookie of such a name only over https, for the whole site and this host alone, so
that no other site of the school's domain can plant one here. The code knows the plain names, which
are also what a browser keeps on one's own machine, where there is no https.
"""

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse

PREFIX: Final = "__Host-"


class HostCookiesMiddleware:
    """Stands outside of all that reads or sets a cookie. Cookies of other names are not ours."""

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
            cookie.update({"secure": True, "path": "/", "domain": ""})
            response.cookies[cookie.key] = cookie
        return response
