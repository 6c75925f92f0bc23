"""How deep a request is on Python's stack costs nothing."""

from collections.abc import Callable
from resource import RUSAGE_THREAD, getrusage
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.utils.module_loading import import_string

LAYER: Final = "nmbrs_edu.http.RoomOnStackMiddleware"
CALLS: Final = 300
DEPTHS: Final = range(250)
"""Together their frames take more than one piece of the stack."""
FEW: Final = CALLS // 4


def leaf(a: int = 0, b: int = 0, c: int = 0, d: int = 0, e: int = 0, f: int = 0) -> None:
    """Its frame is larger than `deeper`'s, so that at some depth it is the one without room."""


def deeper(depth: int, call: Callable[[], int]) -> int:
    return deeper(depth - 1, call) if depth else call()


def pages_taken(request: HttpRequest) -> HttpResponse:
    """How many pages of memory a loop of calls takes from the operating system."""
    before = getrusage(RUSAGE_THREAD).ru_minflt
    for _ in range(CALLS):
        leaf()
    return HttpResponse(str(getrusage(RUSAGE_THREAD).ru_minflt - before))


def test_at_no_depth_does_each_call_take_memory_from_the_system() -> None:
    layer, request = import_string(LAYER)(pages_taken), RequestFactory().get("/")
    taken = [deeper(depth, lambda: int(layer(request).content)) for depth in DEPTHS]
    assert max(taken) < FEW, taken


def test_every_request_is_answered_with_room() -> None:
    layers = settings.MIDDLEWARE
    assert layers.index(LAYER) < layers.index("nmbrs_edu.middleware.NoIndexMiddleware")
