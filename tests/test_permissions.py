"""Every URL is requested with every method by everybody, for own, foreign, mixed and missing
objects.

The URLs come from the resolver: one without a row in `tests/pages.py` fails the test.
"""

import inspect
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern

from classrooms.access import AdultRequest, ChildRequest
from tests.counts import PROOF, times
from tests.pages import METHODS, PAGES, URLS, Kind, address, names_in
from tests.permission_world import World, in_bundles, traceless

TEACHERS_OF_ALICES_CLASS: Final = ("Alice", "Bob")
SIGNED_OUT: Final = ("nobody", "Hugo", "Otto")
NO_ADULTS: Final = (*SIGNED_OUT, "Dora", "Emil", "Finn")
KINDS_OF_A_CLASS: Final = frozenset(
    {
        "school_id",
        "class_id",
        "code",
        "child_id",
        "assignment_id",
        "check_up_id",
        "group_id",
        "download_id",
        "entry",
        "user_id",
        "invitation_id",
        "course_id",
        "platform_id",
        "table_id",
    }
)
ONE_OF_EACH_KIND: Final = ("nobody", "Dora", "Finn", "Alice", "Charlie", "Bob", "Ada")
"""One person of each kind."""
FEW_PEOPLE: Final = ("nobody", "Dora", "Alice")
"""The people for pages that only ask whether somebody has signed in."""
ASK_FOR_OTHERS: Final = {
    "archived": ("Alice", "Charlie", "Dora"),
    "Charlie's": ("Alice", "Charlie", "Dora"),
    "mixed": ("Alice", "Charlie"),
    "missing": ("Alice", "Charlie", "Dora", "Finn"),
}
ALICES: Final = ("Alice's", "archived")
"""Alice's class of this year, and the one of last year."""
ADMIN: Final = sorted(name for name in URLS if name.startswith("admin:"))
ADMIN_NAMED: Final = [name for name in ADMIN if URLS[name].name]


def targets_of(name: str, world: World) -> dict[str, dict[str, Any]]:
    """The objects for which a URL is requested, by owner, with mixed ones if it names a class and
    more. A URL that names nothing is the same address for all."""
    named = names_in(name)
    if not named:
        return {"Alice's": world.targets["Alice's"]}
    mixes = len(KINDS_OF_A_CLASS & named) > 1 and not named.isdisjoint({"class_id", "code"})
    return {whose: t for whose, t in world.targets.items() if mixes or whose != "mixed"}


def methods_for(who: str, whose: str, allowed: Sequence[str]) -> tuple[str, ...]:
    """The methods that this person tries. Everybody tries to read and write everything, and a few
    try the other methods on Alice's objects. Only `make proof` tries all methods on everything, and
    HEAD, which takes as long as the page."""
    if whose == "Alice's" and who in times(("Alice",), ONE_OF_EACH_KIND[:5]):
        return tuple(method for method in METHODS if PROOF or method != "HEAD")
    return tuple(method for method in ("GET", "POST") if PROOF or method in allowed)


def people_for(name: str, whose: str, world: World) -> dict[str, Client]:
    """The people who ask. For Alice's objects, one person of each kind and two of the others in
    turn; for others' objects, people who are refused for different reasons; in `make proof`
    everybody."""
    if PROOF:
        return world.clients
    if PAGES[name].kind == "account":
        return {who: world.clients[who] for who in FEW_PEOPLE}
    surely, others = tuple[str, ...](), ASK_FOR_OTHERS.get(whose, ())
    if whose == "Alice's":
        by_turns = sorted(world.clients.keys() - set(ONE_OF_EACH_KIND))
        first = sorted(PAGES).index(name) * 2
        surely, others = (
            ONE_OF_EACH_KIND,
            tuple(by_turns[(first + n) % len(by_turns)] for n in range(2)),
        )
    refused = [who for who in others if not may(name, who, whose)]
    return {who: world.clients[who] for who in (*surely, *refused)}


def ask(client: Client, method: str, url: str) -> Any:
    """The answer to a request, whose effects are undone for the next request."""
    with traceless([client]):
        return client.generic(method, url, content_type="application/x-www-form-urlencoded")


def may(name: str, who: str, whose: str) -> bool:
    """Whether this person may open the address. An address that names no object is their own."""
    return is_let_in(PAGES[name].kind, who, whose if names_in(name) else _own_class(who))


def is_let_in(kind: Kind, who: str, whose: str) -> bool:
    """Whether this person may do this to that object."""
    match kind:
        case "open" | "account":
            return True
        case "door":
            return whose in ("Alice's", "Charlie's")
        case "invitation":
            return whose in ("Alice's", "Charlie's")
        case "link" | "poll":
            return whose != "missing"
        case "child":
            mine = {"Dora": "Alice's", "Emil": "Alice's", "Finn": "Charlie's"}
            return mine.get(who) == whose
        case "game":
            return (who, whose) in (("Dora", "Alice's"), ("Finn", "Charlie's"))
        case "adult":
            return who in (*TEACHERS_OF_ALICES_CLASS, "Gus", "Charlie", "Ada")
        case "teacher":
            if whose in ALICES:
                return who in TEACHERS_OF_ALICES_CLASS
            return who == "Charlie" and whose == "Charlie's"
        case "owner":
            return (who == "Alice" and whose in ALICES) or (who, whose) == ("Charlie", "Charlie's")
        case "school admin":
            if whose in ALICES:
                return who == "Ada"
            return (who, whose) == ("Charlie", "Charlie's")
    return False


def without_tokens(answer: HttpResponse) -> str:
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", answer.content.decode())


views_of = ""
"""The only module whose views are tried; "" for all. `scripts.permissions` sets it."""


def tried_names(names: Sequence[str]) -> list[str]:
    return [name for name in names if views_of in ("", URLS[name].callback.__module__)]


def test_every_url_is_declared() -> None:
    assert sorted(URLS.keys() - set(ADMIN)) == sorted(PAGES)


def test_a_view_with_a_typed_request_is_guarded() -> None:
    kinds = {
        AdultRequest: ("adult", "teacher", "owner", "school admin"),
        ChildRequest: ("child", "game"),
    }
    typed = {name: request_type(pattern) for name, pattern in URLS.items()}
    assert typed["classrooms:class"] is AdultRequest
    assert typed["classrooms:me"] is ChildRequest
    for name, kind in typed.items():
        assert kind not in kinds or PAGES[name].kind in kinds[kind], name


def request_type(pattern: URLPattern) -> Any:
    parameters = inspect.signature(inspect.unwrap(pattern.callback)).parameters
    return parameters["request"].annotation if "request" in parameters else None


Answers = Mapping[tuple[str, str, str], Any]
"""Answers by the person who asked, the owner of what they asked for, and the method."""


@in_bundles(sorted(PAGES))
def test_only_those_who_may_get_in(
    names: Sequence[str], world: World, subtests: pytest.Subtests
) -> None:
    for name in tried_names(names):
        with subtests.test(name):
            answers = answers_to(name, world)
            _only_those_who_may(name, answers)
            _foreign_as_missing(name, answers)


def answers_to(name: str, world: World) -> Answers:
    return {
        (who, whose, method): ask(client, method, address(name, target))
        for whose, target in targets_of(name, world).items()
        for who, client in people_for(name, whose, world).items()
        for method in methods_for(who, whose, PAGES[name].methods)
    }


def _only_those_who_may(name: str, answers: Answers) -> None:
    kind, allowed = PAGES[name].kind, PAGES[name].methods
    for (who, whose, method), answer in answers.items():
        message = f"{method} {name} as {who} on {whose}: {answer.status_code}"
        assert answer.status_code < 500, message
        if method == "OPTIONS" or kind == "account":
            continue
        if method not in allowed:
            assert answer.status_code in (302, 404, 405), message
            continue
        if may(name, who, whose):
            assert answer.status_code in (200, 204, 302, 400), message
            assert kind in ("open", "door") or not _is_door(answer), message
        elif who in must_sign_in(name, kind):
            assert _is_door(answer), message
        else:
            assert answer.status_code == 404 or _is_door(answer), message


def _foreign_as_missing(name: str, answers: Answers) -> None:
    kind, allowed = PAGES[name].kind, PAGES[name].methods
    if kind == "account":
        return
    for (who, whose, method), foreign in answers.items():
        missing = answers.get((who, "missing", method))
        if missing is None or method not in allowed or may(name, who, whose):
            continue
        assert foreign.status_code == missing.status_code, (name, method, who, whose)
        if foreign.status_code == 404:
            assert without_tokens(foreign) == without_tokens(missing), (name, who, whose)


def must_sign_in(name: str, kind: Kind) -> tuple[str, ...]:
    """The people who learn nothing before signing in, not even that an object is missing."""
    if kind in ("adult", "teacher", "owner", "school admin"):
        return NO_ADULTS
    # An open page polls this address, and must not be redirected.
    is_page = kind in ("child", "game") and name != "classrooms:here"
    return SIGNED_OUT if is_page else ()


@in_bundles(ADMIN_NAMED)
def test_the_operators_pages_are_for_the_operator(
    names: Sequence[str], world: World, subtests: pytest.Subtests
) -> None:
    for name in tried_names(names):
        with subtests.test(name):
            _only_the_operator(name, world)


def _only_the_operator(name: str, world: World) -> None:
    open_to_all = ("admin:login", "admin:logout", "admin:jsi18n")
    for who in times(FEW_PEOPLE, tuple(world.clients)):
        for method in times(("GET", "POST"), METHODS):
            status = ask(world.clients[who], method, address(name, {})).status_code
            assert status < 500
            assert name in open_to_all or status in (302, 404, 405), (name, method, status)


def test_an_unknown_operators_page_opens_for_nobody(world: World) -> None:
    for client in world.clients.values():
        for path in ("/admin/x/", "/admin/classrooms/child/1/"):
            assert client.get(path).status_code in (302, 404)


def test_a_record_is_for_teachers_once_the_match_is_over(world: World) -> None:
    running = {**world.targets["Alice's"], "ended_id": world.targets["Alice's"]["game_id"]}
    for client in world.clients.values():
        answer = client.get(address("classrooms:record", running))
        assert answer.status_code == 404 or _is_door(answer)


def _own_class(who: str) -> str:
    return "Charlie's" if who in ("Charlie", "Finn") else "Alice's"


def _is_door(answer: Any) -> bool:
    """Whether the answer leads to a page for signing in."""
    to = answer.headers.get("Location", "")
    return answer.status_code == 302 and bool(re.match(r"/$|/play/\w{8}/$|/accounts/login/", to))
