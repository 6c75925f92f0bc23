"""Nothing is lost by accident: each act that takes something away can be undone, or says first what
will be lost."""

from pathlib import Path

import pytest
from django.apps import apps
from django.db import transaction

from classrooms.models import Assignment
from tests.destructive_acts import LOST, NOTHING_LOST, act_of
from tests.permission_table import DECLARED, address
from tests.permission_world import World, make_world
from tests.test_every_act import taking_posts

DOCS = Path("docs/undo.md")


@pytest.fixture
def world(db: None) -> World:
    world = make_world()
    Assignment.objects.update(deal_seed=1)
    return world


def rows() -> int:
    """How many rows the tables of the school have."""
    return sum(model._base_manager.count() for model in apps.get_models(include_auto_created=True))


def test_every_post_of_an_adult_is_declared_once() -> None:
    assert not LOST.keys() & NOTHING_LOST.keys()
    assert LOST.keys() | NOTHING_LOST.keys() == taking_posts()


def test_the_page_of_the_docs_names_each_of_them() -> None:
    text = DOCS.read_text()
    assert [name for name in LOST if f"`{name.split(':')[1]}`" not in text] == []


def test_each_act_has_a_button_that_undoes_it_or_asks_first(world: World) -> None:
    for name, loss in LOST.items():
        with transaction.atomic():
            if loss.way == "undo":
                undo_is_offered(name, world)
            else:
                it_says_first_what_is_lost(name, world)
            transaction.set_rollback(True)


def undo_is_offered(name: str, world: World) -> None:
    act, data = act_of(name)
    target = dict(world.targets["Alice's"])
    client = world.clients[act.who if act else "Alice"]
    data |= act.prepare(target) if act and act.prepare else {}
    page = client.post(address(name, target), data, follow=True)
    (undo,) = [message.extra_tags for message in page.context["messages"]][-1:]
    assert f'action="{undo}"' in page.text, name
    assert client.post(undo).status_code == 302, name


def it_says_first_what_is_lost(name: str, world: World) -> None:
    act, data = act_of(name)
    client = world.clients[act.who if act else "Alice"]
    url, before = address(name, world.targets["Alice's"]), rows()
    page = client.get(url) if "GET" in DECLARED[name][1] else client.post(url, data)
    assert (page.status_code, LOST[name].words in page.text) == (200, True), name
    assert rows() == before, name
