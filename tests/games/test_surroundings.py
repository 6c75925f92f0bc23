"""The pages of the game know nothing of the school: all of it comes from the adviser."""

import re
from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest
from django.http import HttpRequest
from django.test import Client
from django.urls import reverse

from classrooms.assignments.choice import FIRST, PRESETS
from classrooms.models import Child
from games.models import Game
from games.play import hooks
from games.play.hooks import Adviser, Link, Speeds, Surroundings
from games.screen.help.rules_page import rules_page
from tests.classrooms.people import client_of_child
from tests.factories import ChildFactory
from tests.games.players import new_game, play_out


class Elsewhere(Adviser):
    """Another site than the school's."""

    def around_game(self, request: HttpRequest, **game: object) -> Surroundings:
        speeds = Speeds((("slow", "calm"), ("fast", "quick")), "fast", "/speed-of-mine/")
        return Surroundings(leave=Link("Home again", "/mine/"), speeds=speeds, larger=True)

    def around_rules(self, request: HttpRequest) -> Surroundings:
        return Surroundings(learn_url="/learn-of-mine/")


@pytest.fixture
def dora(db: None) -> Child:
    return ChildFactory.create(name="Dora")


@pytest.fixture
def advised_by(monkeypatch: pytest.MonkeyPatch) -> Callable[[Adviser], None]:
    return lambda adviser: monkeypatch.setattr(hooks, "_advisers", [adviser])


def texts(client: Client, game: Game) -> Iterator[str]:
    """The page and the answer to a move."""
    page = reverse("games:page", args=[game.pk])
    yield client.get(page).text
    move = {"seen": game.version, "key": uuid4(), "move": "draw-closed"}
    yield client.post(f"{page}act", move, follow=True).text


def test_without_an_adviser_a_game_can_be_played(
    dora: Child, advised_by: Callable[[Adviser], None]
) -> None:
    advised_by(Adviser())
    game, client = new_game(dora.player), client_of_child(dora)
    for text in texts(client, game):
        assert 'id="board"' in text
        assert 'id="round"' in text
        assert 'id="live"' in text
        assert "Bot 1</strong>" in text
        assert "/me/" not in text
        assert 'name="speed"' not in text
    assert Game.objects.get(pk=game.pk).version > game.version


def test_an_adviser_gives_the_ways_out_and_the_settings(
    dora: Child, advised_by: Callable[[Adviser], None]
) -> None:
    advised_by(Elsewhere())
    game, client = new_game(dora.player), client_of_child(dora)
    for text in texts(client, game):
        assert 'class="playing speed-fast larger"' in text
        assert 'action="/speed-of-mine/"' in text
        assert 'href="/mine/">Home again</a>' in text
    game.refresh_from_db()
    play_out(game, dora.player)
    over = client.get(reverse("games:page", args=[game.pk])).text
    assert re.search(r'id="to-list" href="/mine/">\s*Home again\s*</a>', over)
    rules = client.get(reverse("rules", args=["simplified"])).text
    assert 'action="/learn-of-mine/"' in rules


def test_the_front_page_leads_to_the_rules_of_the_game_that_a_class_gets_first(
    client: Client, db: None
) -> None:
    page = client.get(reverse("classrooms:home")).text
    (address,) = set(re.findall(r'href="(/rules/[^"]+)"', page))
    shown = client.get(address).context["rules"]
    assert shown == rules_page(PRESETS[FIRST].choice.ruleset(), is_game=True)
    assert shown != client.get(reverse("rules", args=[shown.edition])).context["rules"]
