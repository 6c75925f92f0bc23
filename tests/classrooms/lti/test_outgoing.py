"""What the site asks of a platform; `tests/classrooms/test_outgoing.py` has the limits."""

from time import monotonic
from typing import Any

import pytest

from classrooms.lti import outgoing
from classrooms.lti.outgoing import Unreachable, ask, is_allowed
from classrooms.outgoing import Answer, NoAnswer
from tests.counts import for_each

URL = "https://moodle.example/keys?x=1"


def answering(monkeypatch: pytest.MonkeyPatch, answer: Answer | NoAnswer) -> list[dict[str, Any]]:
    """Let the platform give this answer. Returns the requests that it gets."""
    asked: list[dict[str, Any]] = []

    def send(method: str, url: str, **more: Any) -> Answer:
        asked.append({"method": method, "url": url, **more})
        if isinstance(answer, NoAnswer):
            raise answer
        return answer

    monkeypatch.setattr(outgoing, "send", send)
    return asked


def why(url: str) -> str:
    with pytest.raises(Unreachable) as refused:
        ask(url)
    return refused.value.why


def test_keys_are_asked_for_and_fields_are_posted(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = answering(monkeypatch, Answer(201, {"link": "next"}, b'{"keys": []}'))
    found = ask(URL)
    assert (found.json(), found.headers) == ({"keys": []}, {"link": "next"})
    ask(URL, fields={"a": "ä"}, headers={"Accept": "x"})
    ask(URL, body={"b": 1})
    assert [(one["method"], one["body"]) for one in asked] == [
        ("GET", None),
        ("POST", b"a=%C3%A4"),
        ("POST", b'{"b": 1}'),
    ]
    assert asked[1]["headers"] == {
        "Accept": "x",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    assert {one["most"] for one in asked} == {outgoing.LARGEST}
    assert all(one["until"] < monotonic() + outgoing.SECONDS for one in asked)


def test_a_platform_that_is_away_or_sends_no_json_is_said_to_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answering(monkeypatch, NoAnswer("slow"))
    assert why(URL) == "slow"
    answering(monkeypatch, Answer(200, {}, b"<"))
    with pytest.raises(Unreachable):
        ask(URL).json()


@for_each(
    [
        "http://a.example/",
        "https:///x",
        "https://u:p@a.example/",
        "https://a.example/\r\nX: y",
        "https://a.example/ä",
        "https://a.example:99999/",
        "https://a.example, b.example/",
        "ftp://a.example/",
        "https://[x",
        f"https://a.example/{'x' * 600}",
    ]
)
def test_such_an_address_is_never_asked(url: str) -> None:
    assert not is_allowed(url)
    assert why(url) == "address"
