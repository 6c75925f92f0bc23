"""Nothing that a seat may not see leaves the server: in no page, header or hint."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from classrooms.models import Child
from games.engine.cards import card_text, cards_in, mask_of
from games.engine.round import State
from games.engine.text.snapshot import state_to_data
from games.models import Game
from games.play import log
from tests.classrooms.people import client_of_child
from tests.factories import ChildFactory
from tests.games.players import EMIL, before_a_play, new_game, play_on, play_table

pytestmark = pytest.mark.django_db

SEATS = 3
CHANGING = (
    rb'name="csrfmiddlewaretoken" value="[^"]+"',
    rb'name="key" value="[^"]+"',
)
CHANGING_HEADERS = {"Expires", "Set-Cookie"}


@pytest.fixture
def dora() -> Child:
    return ChildFactory.create(name="Dora")


def exchanged(state: State) -> State:
    """The same state for seat 0, with all cards that it cannot see in reverse order."""
    hidden = [*cards_in(state.hands[1]), *cards_in(state.hands[2]), *state.closed]
    hidden.reverse()
    first, second = (state.hands[seat].bit_count() for seat in (1, 2))
    hands = (state.hands[0], mask_of(hidden[:first]), mask_of(hidden[first : first + second]))
    closed = tuple(hidden[first + second :])
    return replace(state, hands=hands, closed=closed, seed=state.seed + 1)


def body_and_headers(answer: HttpResponse) -> tuple[bytes, dict[str, str]]:
    """Everything that a browser gets except tokens and keys."""
    content = answer.content
    for changing in CHANGING:
        content = re.sub(changing, b"", content)
    headers = {key: value for key, value in answer.items() if key not in CHANGING_HEADERS}
    return content, headers


def at_draw(game: Game, child: Child) -> None:
    play_on(game, lambda v: v.phase == "draw" and min(v.turns) >= 1, child.player)


def at_play(game: Game, child: Child) -> None:
    before_a_play(game, child.player)


def at_offer(game: Game, child: Child) -> None:
    play_on(game, lambda v: v.phase == "offer", child.player)


def at_knock(game: Game, child: Child) -> None:
    play_on(game, lambda v: v.phase == "knock", child.player)


def at_a_table(game: Game, child: Child) -> None:
    """Emil sits in the place of a bot, and it is his turn."""
    play_on(game, lambda v: v.phase == "draw" and min(v.turns) >= 1, child.player)
    game.seats.filter(number=1).update(player=EMIL, bot="")
    play_table(game, lambda v: v.to_act == 1)


def get_page(client: Client, game: Game) -> Any:
    return client.get(reverse("games:page", args=[game.pk]))


def post(move: str, **more: str) -> Callable[[Client, Game], Any]:
    """Posts a move, and puts the game back as it was."""

    def posted(client: Client, game: Game) -> Any:
        before = Game.objects.get(pk=game.pk)
        answer = client.post(
            reverse("games:act", args=[game.pk]),
            {"seen": before.version, "key": uuid4(), "move": move, **more},
        )
        game.actions.filter(number__gt=before.version).delete()
        before.save()
        return answer

    return posted


@pytest.mark.parametrize(
    ("moment", "ask", "offers"),
    [
        pytest.param(at_draw, get_page, None, id="page with a market"),
        pytest.param(at_draw, post("hint"), None, id="hint with a market"),
        pytest.param(at_play, get_page, None, id="page while laying with a market"),
        pytest.param(at_draw, get_page, False, id="page while drawing"),
        pytest.param(at_play, get_page, False, id="page while laying"),
        pytest.param(at_offer, get_page, True, id="page with an offer"),
        pytest.param(at_play, post("hint"), False, id="hint"),
        pytest.param(at_draw, post("hint"), False, id="hint before drawing"),
        pytest.param(at_play, post("take-back"), False, id="nothing to take back"),
        pytest.param(at_draw, post("draw-open"), False, id="open card taken"),
        pytest.param(at_a_table, get_page, None, id="page while a classmate has the turn"),
        pytest.param(at_a_table, post("hint"), None, id="hint while a classmate has the turn"),
        pytest.param(at_a_table, post("look"), None, id="look again at a table"),
        pytest.param(at_a_table, post("draw-closed"), None, id="move out of turn at a table"),
    ],
)
def test_pages_are_the_same_to_the_byte_whatever_the_unseen_cards_are(
    dora: Child,
    moment: Callable[[Game, Child], None],
    ask: Callable[[Client, Game], Any],
    offers: bool | None,
) -> None:
    """Without offers or none there is a market, and hands fill up."""
    market: Any = {"market": 3, "refill": True, "piles": 2} if offers is None else {}
    game = new_game(dora.player, bots=2, offers=bool(offers), **market)
    moment(game, dora)
    client = client_of_child(dora)
    one = body_and_headers(ask(client, game))

    stored = Game.objects.get(pk=game.pk)
    assert stored.snapshot is not None
    state = log.snapshot_of(stored, SEATS).state
    other = exchanged(state)
    assert other.hands[1:] != state.hands[1:]
    assert other.closed != state.closed
    Game.objects.update(snapshot={**stored.snapshot, "state": state_to_data(other)})
    assert body_and_headers(ask(client, game)) == one


@pytest.mark.parametrize("moment", [at_offer, at_knock])
def test_a_play_out_of_turn_is_refused_before_any_hand_is_looked_at(
    dora: Child, moment: Callable[[Game, Child], None]
) -> None:
    """Judged by the hand of the seat whose turn it is, it would tell which cards that seat has."""
    name = "blocks" if moment is at_knock else "simplified"
    game = new_game(dora.player, name=name, bots=2, offers=moment is at_offer, tables=None)
    moment(game, dora)
    state = log.snapshot_of(Game.objects.get(pk=game.pk), SEATS).state
    assert state.turn != 0
    theirs, piled = cards_in(state.hands[state.turn])[0], state.closed[-1]
    client = client_of_child(dora)
    answers = [
        body_and_headers(post("", play=card_text(card))(client, game)) for card in (theirs, piled)
    ]
    assert answers[0] == answers[1]
