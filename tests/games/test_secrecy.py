"""Nothing that a seat may not see leaves the server, and no answer depends on it."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from classrooms.lesson import live_views
from classrooms.models import Attempt, Child, User
from classrooms.progress import views as progress
from games import views
from games.bots import beginner
from games.engine.cards import card_text, cards_in, mask_of
from games.engine.round import State
from games.engine.ruleset import EDITIONS
from games.engine.text.snapshot import state_to_data
from games.engine.view import View
from games.models import Game
from games.play import log, services
from games.play.moves import Do
from games.play.news import seat_token
from tests.classrooms.people import all_of, client_of_child
from tests.counts import times
from tests.factories import AssignmentFactory, ChildFactory, TeachingFactory
from tests.games.exchanging import Exchange
from tests.games.players import (
    EMIL,
    FINN,
    GRETA,
    act,
    act_at_table,
    before_a_play,
    ends_of_turns,
    new_game,
    new_table,
    play_on,
    play_table,
    players_of,
    plays_of,
    shown_version_of,
)

pytestmark = pytest.mark.django_db

SEATS = 3
CHANGING = (
    rb'name="csrfmiddlewaretoken" value="[^"]+"',
    rb'name="key" value="[^"]+"',
)
CHANGING_HEADERS = {"Expires", "Set-Cookie"}


def exchange_hidden(state: State) -> State:
    """A state that is the same to seat 0: all cards that it cannot see are in reverse order."""
    hidden = [*cards_in(state.hands[1]), *cards_in(state.hands[2]), *state.closed_pile]
    hidden.reverse()
    first, second = (state.hands[seat].bit_count() for seat in (1, 2))
    hands = (state.hands[0], mask_of(hidden[:first]), mask_of(hidden[first : first + second]))
    closed = tuple(hidden[first + second :])
    return replace(state, hands=hands, closed_pile=closed, seed=state.seed + 1)


def body_and_headers(answer: HttpResponse) -> tuple[bytes, dict[str, str]]:
    """Everything that a browser gets, except tokens and keys."""
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
    """Emil has the seat of a bot, and it is his turn."""
    play_on(game, lambda v: v.phase == "draw" and min(v.turns) >= 1, child.player)
    game.seats.filter(number=1).update(player=EMIL, bot="")
    play_table(game, lambda v: v.to_act == 1)


def get_page(client: Client, game: Game) -> Any:
    return client.get(reverse("games:page", args=[game.pk]))


def post(move: str, **more: str) -> Callable[[Client, Game], Any]:
    """Post a move, then put the game back as it was."""

    def post_and_undo(client: Client, game: Game) -> Any:
        before = Game.objects.get(pk=game.pk)
        answer = client.post(
            reverse("games:act", args=[game.pk]),
            {"seen": before.version, "key": uuid4(), "move": move, **more},
        )
        game.entries.filter(number__gt=before.version).delete()
        before.save()
        return answer

    return post_and_undo


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
def test_unseen_cards_change_no_byte_of_a_page(
    dora: Child,
    moment: Callable[[Game, Child], None],
    ask: Callable[[Client, Game], Any],
    offers: bool | None,
) -> None:
    """The rulesets without offers have a market and refilled hands."""
    market: Any = {"market": 3, "refill": True, "piles": 2} if offers is None else {}
    game = new_game(dora.player, bots=2, offers=bool(offers), **market)
    moment(game, dora)
    client = client_of_child(dora)
    answer = body_and_headers(ask(client, game))

    fresh_game = Game.objects.get(pk=game.pk)
    assert fresh_game.snapshot is not None
    state = log.snapshot_of(fresh_game, SEATS).state
    other = exchange_hidden(state)
    assert other.hands[1:] != state.hands[1:]
    assert other.closed_pile != state.closed_pile
    Game.objects.update(snapshot={**fresh_game.snapshot, "state": state_to_data(other)})
    assert body_and_headers(ask(client, game)) == answer


@pytest.mark.parametrize("moment", [at_offer, at_knock])
def test_a_play_out_of_turn_reads_no_hand(
    dora: Child, moment: Callable[[Game, Child], None]
) -> None:
    """An answer that depended on the hand of the seat whose turn it is would reveal that hand."""
    name = "blocks" if moment is at_knock else "simplified"
    game = new_game(dora.player, name=name, bots=2, offers=moment is at_offer, tables=None)
    moment(game, dora)
    state = log.snapshot_of(Game.objects.get(pk=game.pk), SEATS).state
    assert state.turn != 0
    theirs, piled = cards_in(state.hands[state.turn])[0], state.closed_pile[-1]
    client = client_of_child(dora)
    answers = [
        body_and_headers(post("", play=card_text(card))(client, game)) for card in (theirs, piled)
    ]
    assert answers[0] == answers[1]


# Hidden cards exchanged in whole games


ANSWERS = times(18, 100_200)
DEALS_OF_A_GAME = times(3, 60)
MOST_MOVES = 30
KEY = "5f0b2c1e-64a8-4c8b-9d35-0b0e6f2a7c11"
OF_EACH_ANSWER = re.compile(rb'name="(?:csrfmiddlewaretoken|key)" value="[^"]+"')
Ask = Callable[[], HttpResponse]
Answer = tuple[int, bytes, dict[str, str]]


@dataclass(frozen=True)
class People:
    alice: User
    dora: Child


@pytest.fixture
def people() -> People:
    teaching = TeachingFactory.create()
    dora = ChildFactory.create(name="Dora", school_class=teaching.school_class)
    return People(teaching.user, dora)


def new_exchange(people: People, name: str, seed: int) -> Exchange | None:
    """The exchange in a match at some moment of Dora's turn, or in one of several children at some
    moment of anybody's turn. None if nothing can be exchanged there."""
    random, player = Random(f"{name} {seed}"), people.dora.player
    has_pot = EDITIONS[name].has_pot
    others = random.randint(1, 3)
    rules: dict[str, Any] = {"tables": random.choice([None, (2, 5, 10)])}
    rules["offers"] = not has_pot and random.random() < 0.5
    several = random.random() < 0.5
    if several:
        classmates = (EMIL, FINN, GRETA)[:others]
        game = new_table(player, *classmates, name=name, seed=seed, **rules)
    else:
        game = new_game(player, name=name, bots=others, seed=seed, **rules)
    game.shows_missed_rows = True
    game.save(update_fields=["shows_missed_rows"])
    assignment = AssignmentFactory.create(school_class=people.dora.school_class)
    Attempt.objects.create(assignment=assignment, child=people.dora, game=game)
    if several:
        for number in range(random.randint(0, MOST_MOVES)):
            for player_at_table in players_of(game):
                act_at_table(game, player_at_table, seed + number)
        exchange = Exchange.of(game.pk)
        is_over = exchange.snapshot.state.to_act is None
        return exchange if exchange.is_possible and not is_over else None
    outcome = services.look(game.pk, player)
    for number in range(random.randint(0, MOST_MOVES)):
        if not outcome.view.may_act:
            return None
        outcome = act(game, Do(beginner.choose(outcome.view, seed + number)), player)
    if not outcome.view.may_act:
        return None
    exchange = Exchange.of(game.pk)
    return exchange if exchange.is_possible else None


def request_of(person: Child | User, fields: dict[str, Any] | None = None) -> Any:
    """A request as the middleware leaves it. With fields, it is a post by htmx."""
    factory = RequestFactory()
    request: Any = factory.get("/") if fields is None else factory.post("/", fields)
    child = person if isinstance(person, Child) else None
    request.user = AnonymousUser() if child else person
    request.child, request.player = child, child and child.player
    request.htmx = fields is not None
    return request


def moves_of(view: View, random: Random) -> list[dict[str, Any]]:
    """The child's possible posts that make no bot act."""
    moves: list[dict[str, Any]] = [{"move": "lay"}, {"move": "discard"}, {"play": "1 2 4"}]
    if view.phase in ("draw", "redraw") and not view.ruleset.has_pot:
        moves.append({"move": "draw-open"})
        if not view.ruleset.offers:  # Otherwise a bot may claim the open card first.
            moves.append({"move": "draw-closed"})
    if view.phase == "play":
        some = random.sample(view.hand, min(2, len(view.hand)))
        moves += [{"move": "hint"}, {"move": "take-back"}]
        moves += [{"move": "lay", "card": [card_text(card) for card in some]}]
        moves += [{"play": str(p)} for p in plays_of(view)[:1] if len(p.hand) < len(view.hand)]
    return moves


def questions(people: People, exchange: Exchange, random: Random) -> list[Ask]:
    """Everything that the child and their teacher may request of this game."""
    game_id, dora, alice = exchange.game.pk, people.dora, people.alice
    view, version = services.look(game_id, dora.player).view, exchange.game.version

    def move(fields: dict[str, Any]) -> Ask:
        posted = {"seen": version, "key": KEY, **fields}
        return lambda: views.act(request_of(dora, posted), game_id)

    def replay(entry: int) -> Ask:
        return lambda: progress.replay_page(
            request_of(alice), dora.school_class_id, dora.pk, game_id, entry
        )

    def exported() -> HttpResponse:
        return HttpResponse(json.dumps(all_of(dora), cls=DjangoJSONEncoder))

    mark = seat_token(game_id, 0)
    news_version = shown_version_of(exchange.game, 0, timezone.now())
    last = ends_of_turns(game_id)[-3:]
    return [
        lambda: views.page(request_of(dora), game_id),
        lambda: views.news(request_of(dora), game_id, 0, mark, news_version),
        *map(move, [*moves_of(view, random), {"move": "look"}]),
        *map(replay, last),
        exported,
        lambda: live_views.live_page(request_of(alice), dora.school_class_id),
    ]


def answer_to(ask: Ask) -> Answer:
    """Everything that a browser gets, except tokens and keys. The changes of the request are
    undone."""
    with transaction.atomic():
        answer = ask()
        transaction.set_rollback(True)
    return answer.status_code, OF_EACH_ANSWER.sub(b"", answer.content), dict(answer.headers)


@pytest.mark.usefixtures("stopped_clock")
@pytest.mark.parametrize("name", EDITIONS)
def test_no_answer_depends_on_a_card_that_the_child_has_not_seen(people: People, name: str) -> None:
    wanted, compared, seed, kinds = ANSWERS // len(EDITIONS), 0, 0, set()
    while compared < wanted:
        seed += 1
        exchange = new_exchange(people, name, seed)
        if exchange is None:
            continue
        random = Random(seed)
        asks = questions(people, exchange, random)
        first = [answer_to(ask) for ask in asks]
        kinds |= {status for status, _, _ in first}
        for _ in range(DEALS_OF_A_GAME):
            exchange.dealt_otherwise(random).store()
            for ask, before in zip(asks, first, strict=True):
                assert answer_to(ask) == before, (name, seed)
            compared += len(asks)
    assert 200 in kinds


@pytest.mark.parametrize("name", EDITIONS)
def test_an_exchange_differs_in_all_hidden_cards(people: People, name: str) -> None:
    games = [
        exchange
        for seed in range(1, times(4, 12))
        if (exchange := new_exchange(people, name, seed))
    ]
    assert games
    for before in games:
        after = before.dealt_otherwise(Random(1))
        own, *others = before.snapshot.state.hands
        assert after.snapshot.state.hands[0] == own
        assert after.game.seed != before.game.seed
        hidden = [*others, *before.snapshot.state.closed_pile]
        assert hidden != [*after.snapshot.state.hands[1:], *after.snapshot.state.closed_pile]
        assert after.replayed() == after.snapshot


def test_an_answer_that_depends_on_a_hidden_card_is_found(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This tests the comparison itself. A bot's lowest card in one attribute of the page is
    enough."""
    exchange = next(
        exchange for seed in range(1, 99) if (exchange := new_exchange(people, "simplified", seed))
    )
    look = services.look

    def leaky(*args: Any) -> services.Outcome:
        outcome = look(*args)
        state = Exchange.of(outcome.game.pk).snapshot.state
        outcome.seats[1].name = f"Bot {state.hands[1].bit_length()}"
        return replace(outcome)

    monkeypatch.setattr(services, "look", leaky)
    asks, random = questions(people, exchange, Random(1))[:1], Random(1)
    first = answer_to(asks[0])
    answers = []
    for _ in range(10):
        exchange.dealt_otherwise(random).store()
        answers.append(answer_to(asks[0]))
    assert any(answer != first for answer in answers)
