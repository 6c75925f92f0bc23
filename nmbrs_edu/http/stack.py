"""Room on Python's stack for everything that a request calls.

CPython keeps the frames of calls in pieces of 16 KB. A call for which there is no room gets a piece
from the operating system, and gives it back when it returns. Where a loop stands at the end of a
piece, each of its calls does both: the same page then took up to twice its processor time, which
depended only on how many calls deep the loop happened to be.
"""

from collections.abc import Callable
from types import FunctionType
from typing import Final

from django.http import HttpRequest, HttpResponse

Answer = Callable[[HttpRequest], HttpResponse]

WORDS: Final = 7_500
"""A call with so large a frame gets a piece of 128 KB and leaves half of it to what it calls, which
is enough for some 400 calls within each other. Memory that nobody touches is not taken."""


def _answer(get_response: Answer, request: HttpRequest) -> HttpResponse:
    return get_response(request)


_answer_with_room: Final = FunctionType(
    _answer.__code__.replace(co_stacksize=WORDS), globals(), "_answer_with_room"
)


class RoomOnStackMiddleware:
    """Answers from within a piece of the stack that is large enough for all that follows."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response: HttpResponse = _answer_with_room(self.get_response, request)
        return response
