"""Several posts at once: one is carried out, and all answers agree."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Barrier
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connections

from games.engine.actions import DrawClosed
from games.models import Action, Game
from games.play import services
from games.play.moves import Do, MoveInProgress
from games.play.services import Outcome
from tests.classrooms.people import client_of_child
from tests.factories import ChildFactory
from tests.games.players import DORA, new_game

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

POSTS = 10
CHILDREN = 20


def at_once(work: Callable[[int], Any], threads: int) -> list[Any]:
    """The results of these threads that begin together, each on its own connection."""
    barrier = Barrier(threads)

    def run(number: int) -> Any:
        try:
            barrier.wait(timeout=120)
            return work(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(run, range(threads)))


@pytest.fixture
def together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every post has read the game and made its move before any of them is stored."""
    barrier, make = Barrier(POSTS), services.make

    def make_and_wait(*args: Any) -> None:
        make(*args)
        barrier.wait(timeout=120)

    monkeypatch.setattr(services, "make", make_and_wait)


def draw(game: Game, key: UUID) -> Outcome:
    return services.act(game.pk, DORA, seen=game.version, key=key, move=Do(DrawClosed()))


@pytest.mark.usefixtures("together")
def test_the_same_post_ten_times_at_once_is_one_action_and_ten_answers_that_agree() -> None:
    game, key = new_game(), uuid4()
    answers = at_once(lambda _: draw(game, key), POSTS)
    assert game.actions.count() == game.version + 1
    assert len({tuple(entry.number for entry in answer.entries) for answer in answers}) == 1
    assert len({(answer.game.version, answer.view) for answer in answers}) == 1
    assert not any(answer.stale or answer.error for answer in answers)


@pytest.mark.usefixtures("together")
def test_of_ten_different_posts_at_once_one_is_carried_out() -> None:
    game = new_game()
    answers = at_once(lambda _: draw(game, uuid4()), POSTS)
    assert game.actions.count() == game.version + 1
    assert sum(not answer.stale for answer in answers) == 1
    assert len({answer.view for answer in answers}) == 1


@pytest.mark.usefixtures("together")
def test_without_the_guard_the_race_would_be_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: without the version's guard, and with numbers that never clash, actions are
    doubled."""
    game = new_game()
    rows, apart = services._rows, count(start=0, step=100)

    def unguarded(stored: Game, seen: int) -> bool:
        return bool(Game.objects.filter(pk=stored.pk).update(version=stored.version))

    def never_clashing(stored: Game, current: MoveInProgress, first: int) -> list[Action]:
        return rows(stored, current, first + next(apart))

    monkeypatch.setattr(services, "advance", unguarded)
    monkeypatch.setattr(services, "_rows", never_clashing)
    at_once(lambda _: draw(game, uuid4()), POSTS)
    assert game.actions.count() == game.version + POSTS


def test_twenty_children_moving_at_once_meet_no_error() -> None:
    games = [new_game(UUID(int=number + 1), seed=number) for number in range(CHILDREN)]

    def move(number: int) -> Outcome:
        game = games[number]
        return services.act(
            game.pk, UUID(int=number + 1), seen=game.version, key=uuid4(), move=Do(DrawClosed())
        )

    answers = at_once(move, CHILDREN)
    assert not any(answer.error or answer.stale for answer in answers)
    assert all(game.actions.count() == game.version + 1 for game in games)


@pytest.mark.usefixtures("together")
def test_ten_pages_that_post_the_same_get_the_same_page() -> None:
    """The same through views, middleware and templates: every byte except tokens and keys."""
    dora = ChildFactory.create(name="Dora")
    game, key = new_game(dora.player), uuid4()
    clients = [client_of_child(dora) for _ in range(POSTS)]
    fields = {"seen": game.version, "key": str(key), "move": "draw-closed"}

    def post(number: int) -> str:
        answer = clients[number].post(
            f"/games/{game.pk}/act", fields, headers={"HX-Request": "true"}
        )
        assert answer.status_code == 200
        return re.sub(r'name="(csrfmiddlewaretoken|key)" value="[^"]+"', "", answer.text)

    assert len(set(at_once(post, POSTS))) == 1
    assert game.actions.count() == game.version + 1
