"""Middleware for all requests."""

import time
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any, Final

from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse
from django.http.request import UnreadablePostError
from django.shortcuts import render
from django.utils.http import parse_header_parameters

from classrooms.http import Middleware

CHARSET: Final = "utf-8"
NUL: Final = "\0"
BEGIN: Final = b"<!--begin-->"
MARK: Final = b"<!--nmbrs-->"
STATUSES_WITHOUT_BODY: Final = (204, 304)


class ReadableRequest(WSGIRequest):
    """A request that is decoded as UTF-8, whatever character set it names. Django would use any
    codec of Python, and some of them raise errors that no page could answer."""

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        try:
            header = parse_header_parameters(meta.get("CONTENT_TYPE", ""))
        except (LookupError, ValueError):
            header = "", {"charset": "unknown"}
        self.content_type, self.content_params = header

    def get_host(self) -> str:
        """The host of the request. The health check answers under any name, because monitors often
        use a network address."""
        return "localhost" if self.path_info == "/healthz" else super().get_host()


class ReadableMiddleware(Middleware):
    """Answers 400, before any view or query, to what no page of ours sends: another character set
    than UTF-8, or NUL in a text or a header, which no database can store.

    Must come after the middleware that limits the body, because this one reads it, and before all
    that reads a query string, a form or a cookie.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        charset = (request.content_params or {}).get("charset", CHARSET)
        query = request.META.get("QUERY_STRING", "").replace("%00", NUL)
        address_and_headers = (text for text in request.META.values() if isinstance(text, str))
        texts = (query, *address_and_headers, *request.COOKIES.values())
        if charset.lower() != CHARSET or _has_nul(texts):
            return _bad_request(request)
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        """Refuse NUL in a form. Django itself answers 400 to broken multipart, too many fields and
        the like."""
        if request.method != "POST":
            return None
        try:
            posted = request.POST.lists()
        except UnreadablePostError:  # The client has closed the connection.
            return _bad_request(request)
        has_nul = any(_has_nul((name, *values)) for name, values in posted)
        return _bad_request(request) if has_nul else None


def _has_nul(texts: Iterable[str]) -> bool:
    return any(NUL in text for text in texts)


def _bad_request(request: HttpRequest) -> HttpResponse:
    return render(request, "400.html", status=400)


class HeadMiddleware(Middleware):
    """Answers HEAD, which link checkers send first, for every address that answers GET. Views see a
    GET; the server leaves out the body, as the protocol demands."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method != "HEAD":
            return self.get_response(request)
        request.method = "GET"
        response = self.get_response(request)
        request.method = "HEAD"
        return response


class NoIndexMiddleware(Middleware):
    """Tells search engines not to index any answer but the home page and the rules."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code != 200 or not is_public(request.path):
            response["X-Robots-Tag"] = "noindex, nofollow"
        return response


def is_public(path: str) -> bool:
    return path == "/" or path.startswith("/rules/")


class MarkMiddleware(Middleware):
    """Marks the end of each page, each part of a page and each empty answer, so that our scripts
    can tell it from others: a school's filter or a network's portal may answer in place of the
    site, with its own page and status 200.

    The mark is in the text and in a header, because some proxies strip headers and others comments.
    A part of a page also begins with a mark, because a filter may add something before it.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_page = response.get("Content-Type", "").startswith("text/html")
        if is_page and not response.streaming and response.status_code not in STATUSES_WITHOUT_BODY:
            part = request.headers.get("HX-Request")
            response.content = (BEGIN if part else b"") + response.content + MARK
            response["X-Nmbrs"] = "1"
            if response.has_header("Content-Length"):
                response["Content-Length"] = str(len(response.content))
        return response


class UncompressedMiddleware(Middleware):
    """Prevents the compression of each page that may repeat a text from its address.

    Many pages show a secret (a class code, pictures, a QR code, a link that lets somebody in), and
    most repeat the query of their address in links and forms. Somebody who chooses that text and
    sees the length of the compressed answer could guess the secret letter by letter (BREACH).

    Must come after all that compresses. This and the proxy leave an answer that already has an
    encoding alone.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_page = response.get("Content-Type", "").startswith("text/html")
        if is_page and request.META.get("QUERY_STRING"):
            response["Content-Encoding"] = "identity"
        return response


STACK_WORDS: Final = 7_500
"""A function whose frame is this large gets a piece of 128 KB. Half of it is left for the functions
that it calls: enough for some 400 nested calls. Memory that is never touched is not allocated."""


def _call(
    get_response: Callable[[HttpRequest], HttpResponse], request: HttpRequest
) -> HttpResponse:
    return get_response(request)


_answer_with_room: Final = FunctionType(
    _call.__code__.replace(co_stacksize=STACK_WORDS), globals(), "_answer_with_room"
)


class RoomOnStackMiddleware(Middleware):
    """Answers each request in a piece of the stack that is large enough for all its calls.

    CPython keeps frames in pieces of 16 KB. A call that does not fit gets a new piece from the
    operating system and gives it back when it returns; in a loop at the end of a piece, each call
    does both. At 100 depths of calls, CPython 3.11.2 drew a board in 0.9 to 2.3 ms without this and
    in 0.9 to 1.0 ms with it (30 November 2026). Measure again before it stays for Python 3.12.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response: HttpResponse = _answer_with_room(self.get_response, request)
        return response


START_HEADER: Final = "X-Request-Start"
"""The header in which the proxy writes when it passed the request on, in seconds since 1970. It
overwrites what a client sends."""
LONGEST_WAIT: Final = 3.0
PROXY_TIMEOUT: Final = 60.0
"""The proxy itself waits no longer than this, so a longer wait means that a clock is wrong."""
RETRY_AFTER: Final = 5
"""As in deploy/nginx.conf."""


class SheddingMiddleware(Middleware):
    """Answers 503 to a request that has waited so long that its client has given up. Otherwise,
    when more requests come than the machine can answer, it would work only on answers that nobody
    reads. Comes first, so that a rejected request costs neither session nor database."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if LONGEST_WAIT < seconds_waited(request) < PROXY_TIMEOUT:
            # The proxy shows its own page in the client's language; htmx leaves the page as it is.
            return HttpResponse(
                status=503,
                headers={
                    "Retry-After": str(RETRY_AFTER),
                    "Cache-Control": "no-store",
                    "HX-Reswap": "none",
                    "X-Accel-Redirect": "@busy",
                },
            )
        return self.get_response(request)


def seconds_waited(request: HttpRequest) -> float:
    """Seconds since the proxy passed the request on; 0 without the header."""
    try:
        return time.time() - float(request.headers[START_HEADER])
    except (KeyError, ValueError):
        return 0.0


PREFIX: Final = "__Host-"
"""The prefix of all cookies in production. Browsers accept such a cookie only over https and only
for this host, so no other site of the school's domain can plant one. The code uses the names
without the prefix. On a developer's machine, where there is no https, browsers see them too."""


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
