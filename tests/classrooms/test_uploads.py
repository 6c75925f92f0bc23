"""What a request says about the length of its body."""

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from classrooms.uploads import LARGEST_BODY, LargestBodyMiddleware

middleware = LargestBodyMiddleware(lambda request: HttpResponse("read on"))


def answer_to(length: str) -> int:
    request = RequestFactory().post("/", {"a": "b"}, CONTENT_LENGTH=length)
    return middleware(request).status_code


@pytest.mark.parametrize("length", ["x", "²", "-1", "+5", "1e3", "9" * 4301])
def test_a_length_that_is_no_number_is_refused(length: str) -> None:
    assert answer_to(length) == 400


def test_a_body_may_be_as_large_as_a_page_sends_and_no_larger() -> None:
    assert answer_to(str(LARGEST_BODY)) == 200
    assert answer_to(str(LARGEST_BODY + 1)) == 413
