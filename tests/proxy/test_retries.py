"""nginx asks a second time only where nothing can be carried out twice."""

import pytest

from tests.proxy.stand_in import Asked, Proxy, well


class DiesOnce:
    """The first request finds a process that dies while it is served."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, asked: Asked) -> bytes | None:
        self.asked += 1
        return well(asked) if self.asked > 1 else None


@pytest.mark.parametrize("path", ["/", "/me/", "/classes/"])
def test_a_page_is_asked_for_again(proxy: Proxy, path: str) -> None:
    for server in proxy.servers.values():
        server.answer = DiesOnce()
    assert proxy.browser().get(path).text == "well"


@pytest.mark.parametrize("path", ["/games/x/act", "/play/", "/me/", "/classes/"])
def test_what_was_posted_is_not_posted_again(proxy: Proxy, path: str) -> None:
    answers = DiesOnce()
    for server in proxy.servers.values():
        server.answer = answers
    answered = proxy.browser().post(path, data={"a": "b"})
    assert (answered.status_code, answers.asked) == (502, 1)
    assert "Something went wrong here" in answered.text


def test_where_no_process_is_left_a_page_says_so(proxy: Proxy) -> None:
    proxy.servers["door"].answer = lambda asked: None
    answered = proxy.browser().get("/")
    assert (answered.status_code, answered.headers["Retry-After"]) == (502, "5")
