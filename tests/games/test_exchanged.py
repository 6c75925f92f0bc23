"""Hidden cards exchanged in whole games: no answer to a child or a teacher depends on them, whether
bots or other children have them.

Games of all editions at some moment of the child's turn. Of each the answers are kept; then its
hidden cards are dealt otherwise many times, and every answer is compared: status, bytes (and so
size) and headers. The views are called as the site calls them, but without the middleware, which
knows of no game; `test_secrecy` goes through all of it. A move after which bots act is not asked
for: what they do depends on their own cards, and everyone may see it.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.http import HttpResponse
from django.test import RequestFactory
from django.utils import timezone

from classrooms.lesson import views as lesson_views
from classrooms.models import Attempt, Child, User
from classrooms.privacy.export import all_of
from classrooms.progress import views as progress
from games import views
from games.bots import beginner
from games.engine.cards import card_text
from games.engine.round import View
from games.engine.ruleset import EDITIONS
from games.play import presence, services
from games.play.moves import Do
from games.play.news import mark_of
from tests.counts import times
from tests.factories import AssignmentFactory, ChildFactory, TeachingFactory
from tests.games.exchanging import Exchange
from tests.games.players import (
    EMIL,
    FINN,
    GRETA,
    act,
    act_at_table,
    ends_of_turns,
    new_game,
    new_table,
    players_of,
    plays_of,
)

pytestmark = pytest.mark.django_db

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


def begun(people: People, name: str, seed: int) -> Exchange | None:
    """A match at some moment of Dora's turn, or one of several children at some moment of anybody's
    turn; None if nothing can be exchanged in it."""
    random, player = Random(f"{name} {seed}"), people.dora.player
    with_pot = EDITIONS[name].with_pot
    others = random.randint(1, 3)
    rules: dict[str, Any] = {"tables": random.choice([None, (2, 5, 10)])}
    rules["offers"] = not with_pot and random.random() < 0.5
    several = random.random() < 0.5
    if several:
        classmates = (EMIL, FINN, GRETA)[:others]
        game = new_table(player, *classmates, name=name, seed=seed, **rules)
    else:
        game = new_game(player, name=name, bots=others, seed=seed, **rules)
    game.missed_rows = True
    game.save(update_fields=["missed_rows"])
    assignment = AssignmentFactory.create(school_class=people.dora.school_class)
    Attempt.objects.create(assignment=assignment, child=people.dora, game=game)
    if several:
        for number in range(random.randint(0, MOST_MOVES)):
            for one in players_of(game):
                act_at_table(game, one, seed + number)
        exchange = Exchange.of(game.pk)
        is_over = exchange.snapshot.state.seat is None
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


def asked(person: Child | User, fields: dict[str, Any] | None = None) -> Any:
    """A request as the middleware leaves it; with fields a post by htmx."""
    factory = RequestFactory()
    request: Any = factory.get("/") if fields is None else factory.post("/", fields)
    child = person if isinstance(person, Child) else None
    request.user = AnonymousUser() if child else person
    request.child, request.player = child, child and child.player
    request.htmx = fields is not None
    return request


def moves_of(view: View, random: Random) -> list[dict[str, Any]]:
    """What the child may post now that makes no bot act."""
    moves: list[dict[str, Any]] = [{"move": "lay"}, {"move": "discard"}, {"play": "1 2 4"}]
    if view.phase in ("draw", "redraw") and not view.ruleset.with_pot:
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
    """All that the child and its teacher may ask of this game."""
    game_id, dora, alice = exchange.game.pk, people.dora, people.alice
    view, version = services.look(game_id, dora.player).view, exchange.game.version

    def move(fields: dict[str, Any]) -> Ask:
        posted = {"seen": version, "key": KEY, **fields}
        return lambda: views.act(asked(dora, posted), game_id)

    def replay(entry: int) -> Ask:
        return lambda: progress.replayed(
            asked(alice), dora.school_class_id, dora.pk, game_id, entry
        )

    def exported() -> HttpResponse:
        return HttpResponse(json.dumps(all_of(dora), cls=DjangoJSONEncoder))

    mark = mark_of(game_id, 0)
    shown = presence.number_of_news(exchange.game, 0, timezone.now())
    last = ends_of_turns(game_id)[-3:]
    return [
        lambda: views.page(asked(dora), game_id),
        lambda: views.news(asked(dora), game_id, 0, mark, shown),
        *map(move, [*moves_of(view, random), {"move": "look"}]),
        *map(replay, last),
        exported,
        lambda: lesson_views.live_page(asked(alice), dora.school_class_id),
    ]


def answer_to(ask: Ask) -> Answer:
    """Everything that a browser gets except tokens and keys; what was done is undone."""
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
        exchange = begun(people, name, seed)
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
def test_an_exchange_is_a_game_by_the_rules_in_which_all_that_is_hidden_differs(
    people: People, name: str
) -> None:
    games = [one for seed in range(1, times(4, 12)) if (one := begun(people, name, seed))]
    assert games
    for before in games:
        after = before.dealt_otherwise(Random(1))
        own, *others = before.snapshot.state.hands
        assert after.snapshot.state.hands[0] == own
        assert after.game.seed != before.game.seed
        hidden = [*others, *before.snapshot.state.closed]
        assert hidden != [*after.snapshot.state.hands[1:], *after.snapshot.state.closed]
        assert after.replayed() == after.snapshot


def test_an_answer_that_depends_on_a_hidden_card_is_found(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The comparison itself: a bot's lowest card in one attribute of the page is enough."""
    exchange = next(one for seed in range(1, 99) if (one := begun(people, "simplified", seed)))
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
