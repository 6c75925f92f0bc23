"""Room on Python's stack for everything that a request calls.

CPython keeps the frames of calls in pieces of 16 KB. A call that does not fit gets a new piece from
the operating system and gives it back when it returns. In a loop at the end of a piece, each call
does both. Whether a loop runs there depends only on how deep it is nested; docs/scale.md says how
much time a page then took.
"""

from collections.abc import Callable
from types import FunctionType
from typing import Final

from django.http import HttpRequest, HttpResponse

from classrooms.http import Middleware

Answer = Callable[[HttpRequest], HttpResponse]
STACK_WORDS: Final = 7_500
"""A function whose frame is this large gets a piece of 128 KB. Half of it is left for the functions
that it calls: enough for some 400 nested calls. Memory that is never touched is not allocated."""


def _call(get_response: Answer, request: HttpRequest) -> HttpResponse:
    return get_response(request)


_answer_with_room: Final = FunctionType(
    _call.__code__.replace(co_stacksize=STACK_WORDS), globals(), "_answer_with_room"
)


class RoomOnStackMiddleware(Middleware):
    """Answers each request in a piece of the stack that is large enough for all its calls."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response: HttpResponse = _answer_with_room(self.get_response, request)
        return response
