"""A page that may repeat a text from its address is not compressed.

Many pages show a secret (a class code, pictures, a QR code, a link that lets somebody in), and most
repeat the query of their address in links and forms. Who can choose that text and see how long the
answer is could guess the secret letter by letter (BREACH).
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


class UncompressedMiddleware:
    """Stands within whatever compresses, here and in the proxy: both leave an encoding alone."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_page = response.get("Content-Type", "").startswith("text/html")
        if is_page and request.META.get("QUERY_STRING"):
            response["Content-Encoding"] = "identity"
        return response
