"""Search engines may index the home page and the rules, nothing else."""

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

ROBOTS: Final = """\
User-agent: *
Allow: /$
Allow: /rules/
Allow: /static/
Disallow: /
"""


@require_safe
def robots_txt(request: HttpRequest) -> HttpResponse:
    return HttpResponse(ROBOTS, content_type="text/plain; charset=utf-8")


class NoIndexMiddleware:
    """Says of every answer but those that it is not to be found by searching. Errors count too."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code != 200 or not is_public(request.path):
            response["X-Robots-Tag"] = "noindex, nofollow"
        return response


def is_public(path: str) -> bool:
    return path == "/" or path.startswith("/rules/")
