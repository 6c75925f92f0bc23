"""What each page costs, however full the class: few queries, and no long answer."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.db import connection, transaction
from django.http import HttpResponse
from django.test.utils import CaptureQueriesContext

from classrooms.models import Child, SchoolClass
from tests import full_class
from tests.every_page import Asked, every_page, is_page, much_done
from tests.permission_world import World, make_world

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("stopped_clock")]
"""On a slow computer a minute could pass, after which a session is saved again."""

MOST: Final = 20
MOST_BYTES: Final = 500_000
OF_ADULTS: Final = ("Alice", "Ada", "Charlie")
SOME: Final = frozenset(
    {
        "Alice-class-child",
        "Alice-merge_child-into",
        "Alice-replay-row",
        "Alice-deal_talk",
        "Alice-assign_try-posted",
        "Alice-hand_over-posted",
        "Ada-school_child-posted",
        "Dora-games:page",
    }
)
"""Pages that are surely walked."""


def answered(world: World, asked: Asked) -> tuple[HttpResponse, int]:
    """The page that is answered, also after a post and a redirect, and the queries for it. What it
    changes is undone."""
    client = world.clients[asked.who]
    with transaction.atomic():
        with CaptureQueriesContext(connection) as captured:
            answer: Any = (
                client.get(asked.url) if asked.data is None else client.post(asked.url, asked.data)
            )
        if asked.data is not None and answer.status_code == 302:
            with CaptureQueriesContext(connection) as captured:
                answer = client.get(answer.url)
        transaction.set_rollback(True)
    return answer, len(captured)


def counts(world: World, target: dict[str, Any]) -> Iterator[tuple[str, int]]:
    for asked in every_page(target):
        answer, number = answered(world, asked)
        if is_page(answer):
            yield asked.called, number


def test_no_page_needs_many_queries() -> None:
    world = make_world()
    target = much_done(world)
    dict(counts(world, target))  # What is looked up once for a session is no matter of the page.
    found = dict(counts(world, target))
    assert {name: number for name, number in found.items() if number > MOST} == {}
    assert len(found) > 90
    assert found.keys() >= SOME


def test_no_page_of_a_full_class_is_long_or_needs_more_queries() -> None:
    world = make_world()
    target = much_done(world)
    school_class = SchoolClass.objects.get(pk=target["class_id"])
    full_class.fill(school_class, Child.objects.get(pk=target["child_id"]))
    long, slow = {}, {}
    for asked in every_page(target):
        if asked.who in OF_ADULTS or asked.name == "names":
            answer, number = answered(world, asked)
            if answer.headers["content-type"].startswith("text/html"):
                long[asked.called], slow[asked.called] = len(answer.content), number
    assert {name: size for name, size in long.items() if size > MOST_BYTES} == {}
    assert {name: number for name, number in slow.items() if number > MOST} == {}
    assert min(long["Alice-children"], long["Alice-cards"], long["Alice-child_groups"]) > 100_000
