"""What each page costs, however full the class: few queries, and no long answer."""

from typing import Any, Final

import pytest
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from classrooms.models import Child, SchoolClass
from tests import full_class
from tests.classrooms.people import client_of, client_of_child
from tests.counts import PROOF, times
from tests.every_page import Asked, every_page, is_page, more_children, much_done
from tests.factories import AssignmentFactory, AttemptFactory, ChildFactory, TeachingFactory
from tests.permission_world import World, make_world

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("stopped_clock")]
"""On a slow computer a minute could pass, after which a session is saved again."""

MOST: Final = 20
MOST_BYTES: Final = 500_000
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


def test_no_page_is_long_or_needs_many_queries() -> None:
    """Of a full class, in `make proof`."""
    world = make_world()
    target = much_done(world)
    school_class = SchoolClass.objects.get(pk=target["class_id"])
    if PROOF:
        full_class.fill(school_class, Child.objects.get(pk=target["child_id"]))
    sizes, queries, pages = {}, {}, set()
    for asked in every_page(target):
        answer, number = answered(world, asked)
        if answer.headers["content-type"].startswith("text/html"):
            sizes[asked.called], queries[asked.called] = len(answer.content), number
        if is_page(answer):
            pages.add(asked.called)
    assert {name: size for name, size in sizes.items() if size > MOST_BYTES} == {}
    assert {name: number for name, number in queries.items() if number > MOST} == {}
    longest = min(sizes["Alice-children"], sizes["Alice-cards"], sizes["Alice-child_groups"])
    assert longest > times(0, 100_000)
    assert len(pages) > 90
    assert pages >= SOME


def queries(client: Client, url: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(url).status_code == 200
    return len(captured)


def test_the_list_of_classes_needs_no_more_queries_for_more_classes() -> None:
    alice = TeachingFactory.create().user
    client, url = client_of(alice), reverse("classrooms:classes")
    few = queries(client, url)
    for _ in range(3):
        more_children(TeachingFactory.create(user=alice).school_class)
    assert queries(client, url) == few <= MOST


def test_a_childs_list_needs_no_more_queries_for_more_to_play() -> None:
    dora = ChildFactory.create(name="Dora")
    client, url = client_of_child(dora), reverse("classrooms:me")

    def play_another() -> None:
        given = AssignmentFactory.create(school_class=dora.school_class)
        AttemptFactory.create(child=dora, assignment=given)

    play_another()
    few = queries(client, url)
    for _ in range(3):
        play_another()
    assert queries(client, url) == few <= 8
