"""The short form of `make fuzz`: thousands of hostile requests, and planted faults that the fuzzer
must find."""

import logging
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.test import override_settings

from classrooms.models import Child, Teaching
from games.models import Game
from scripts.fuzz import pages
from scripts.fuzz.asking import PlannedRequest
from scripts.fuzz.making import Catalogue, address, name_of
from scripts.fuzz.running import Runner, catalogue_of
from scripts.fuzz.values import repeatable
from scripts.fuzz.world import OPERATOR, FuzzWorld, make_fuzz_world
from tests.pages import URLS

pytestmark = [pytest.mark.django_db, pytest.mark.proof]

SEED = 13
WALKS: Sequence[tuple[str, ...]] = (("Dora", "Emil", "Alice"), ("Alice", "Bob"))


@pytest.fixture(scope="module")
def fuzz_world(django_db_setup: None, django_db_blocker: Any) -> Iterator[FuzzWorld]:
    """One world for all tests of the module; each test undoes its changes. Pages are answered as on
    a school's site, without the check on repeated queries."""
    middleware = [name for name in settings.MIDDLEWARE if not name.startswith("zeal")]
    with django_db_blocker.unblock(), transaction.atomic():
        with override_settings(MIDDLEWARE=middleware), repeatable(SEED, "world"):
            world = make_fuzz_world()
        logging.disable()
        yield world
        logging.disable(logging.NOTSET)
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def catalogue(fuzz_world: FuzzWorld) -> Catalogue:
    return catalogue_of(fuzz_world, ("nobody", "Dora", "Alice", "Charlie", OPERATOR))


def findings_text(runner: Runner) -> str:
    """Every finding, with its first request in a form that can be sent again."""
    return "\n\n".join(
        f"{cause}\n{findings[0].plan.as_test()[:2000]}\n{findings[0].detail[-1500:]}"
        for cause, findings in runner.tally.findings.items()
    )


@pytest.mark.parametrize(
    "people",
    [
        ("nobody", "Dora", "Emil"),
        ("Finn", "Hugo", "Otto", "Gus"),
        ("Alice", "Bob", "Charlie"),
        (OPERATOR, "Alice", "Dora"),
    ],
    ids=lambda people: people[0],
)
def test_no_hostile_request_is_answered_wrongly(
    fuzz_world: FuzzWorld, catalogue: Catalogue, people: Sequence[str]
) -> None:
    runner = Runner(fuzz_world, SEED, people, catalogue)
    runner.single(0, size=5000)
    assert not runner.tally.findings, findings_text(runner)
    assert set(runner.tally.people) == set(people)
    assert len(runner.tally.urls) > 30


@pytest.mark.parametrize("people", WALKS, ids="-".join)
def test_no_walk_leaves_anything_half_done(
    fuzz_world: FuzzWorld, catalogue: Catalogue, people: Sequence[str]
) -> None:
    runner = Runner(fuzz_world, SEED, people, catalogue)
    for block in range(20):
        runner.walk(block)
    assert not runner.tally.findings, findings_text(runner)


# A fuzzer that finds nothing may be blind.


def finding_kinds(world: FuzzWorld, plan: PlannedRequest, broken: Any, url: str) -> set[str]:
    """The kinds of findings if the view at this address is replaced by a broken one."""
    runner = Runner(world, SEED, (plan.who,), Catalogue(world))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(URLS[url], "callback", broken)
        with transaction.atomic():
            runner.ask(plan, "0:0")
            transaction.set_rollback(True)
    return {finding.kind for findings in runner.tally.findings.values() for finding in findings}


def test_the_fuzzer_sees_an_error(fuzz_world: FuzzWorld) -> None:
    def view(request: HttpRequest) -> HttpResponse:
        raise KeyError("x")

    assert finding_kinds(
        fuzz_world, PlannedRequest("nobody", "GET", "/"), view, "classrooms:home"
    ) == {"5xx"}


def test_the_fuzzer_sees_a_class_without_an_owner(fuzz_world: FuzzWorld) -> None:
    def view(request: HttpRequest) -> HttpResponse:
        Teaching.objects.filter(role=Teaching.Role.OWNER).update(role="co-teacher")
        return HttpResponse()

    ask = PlannedRequest(OPERATOR, "POST", "/play/", url="classrooms:code")
    assert finding_kinds(fuzz_world, ask, view, "classrooms:code") == {"half-done"}


def test_the_fuzzer_sees_a_refusal_that_changed_something(fuzz_world: FuzzWorld) -> None:
    own = UUID(fuzz_world.classes["Alice's"])

    def view(request: HttpRequest) -> HttpResponse:
        Child.objects.filter(school_class=own).update(has_larger_cards=True)
        return HttpResponse(status=400)

    ask = PlannedRequest("Alice", "POST", "/play/", url="classrooms:code")
    assert finding_kinds(fuzz_world, ask, view, "classrooms:code") == {"half-done"}


def test_the_fuzzer_sees_a_snapshot_that_differs_from_the_log(fuzz_world: FuzzWorld) -> None:
    game = Game.objects.filter(attempt__child=fuzz_world.targets["Alice's"]["child_id"]).first()

    def view(request: HttpRequest) -> HttpResponse:
        Game.objects.filter(pk=game.pk).update(snapshot=None, version=game.version + 1)
        return HttpResponse()

    ask = PlannedRequest("Dora", "POST", "/play/", url="classrooms:code")
    assert finding_kinds(fuzz_world, ask, view, "classrooms:code") == {"half-done"}


@pytest.mark.parametrize(("text", "kinds"), [("Finn", {"leak"}), ("well", set())])
def test_the_fuzzer_sees_only_names_that_are_not_for_this_reader(
    fuzz_world: FuzzWorld, text: str, kinds: set[str]
) -> None:
    ask = PlannedRequest("Alice", "GET", "/", url="classrooms:home")
    findings = finding_kinds(fuzz_world, ask, lambda request: HttpResponse(text), "classrooms:home")
    assert findings == kinds


def test_requests_reach_every_address_of_the_site(fuzz_world: FuzzWorld) -> None:
    target = fuzz_world.targets["Alice's"]
    names = [name for name in URLS if not name.startswith("admin:")]
    assert [name for name in names if name_of(address(name, target)) != name] == []


def test_a_page_is_read_as_a_browser_does() -> None:
    html = """
      <form id="f" method="post" action="/go/"><input name="a" value="1">
      <input type="radio" name="r" value="x"><input type="radio" name="r" value="y" checked>
      <select name="s"><option value="1">
      <option value="2" selected></select><textarea name="t">words</textarea><input name="gone"
      disabled><input type="hidden" name="csrfmiddlewaretoken" value="k"></form>
      <button form="f" name="move" value="draw">x</button><a href="?page=2">more</a>
      <a href="https://elsewhere.example/">away</a><form method="dialog"></form>"""
    page = pages.read_page(html, "/here/")
    (form,) = page.forms
    assert (form.action, form.method) == ("/go/", "POST")
    assert {field.name: field.value for field in form.fields} == {
        "a": "1",
        "r": "y",
        "s": "2",
        "t": "words",
    }
    assert [(button.name, button.value) for button in form.buttons] == [("move", "draw")]
    assert page.links == ["/here/?page=2"]
