"""Pages that answer GET also answer HEAD, which programs that check links send first."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


class HeadMiddleware:
    """Views see a GET; the server leaves out the body, as the protocol says."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method != "HEAD":
            return self.get_response(request)
        request.method = "GET"
        response = self.get_response(request)
        request.method = "HEAD"
        return response
