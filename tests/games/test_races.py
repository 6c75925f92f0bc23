"""Several posts at once: one is carried out, and all answers agree."""

import re
from collections.abc import Mapping
from contextlib import suppress
from copy import deepcopy
from datetime import datetime, timedelta
from itertools import count
from threading import Barrier
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db.models import F
from django.utils import timezone

from games.engine.actions import Claim, Discard, DrawClosed, Knock
from games.models import Entry, Game
from games.play import presence, services, shared_table, stored_game
from games.play.moves import AskHint, Do, Draft, make_move
from games.play.services import Outcome
from games.play.signs import give_sign
from tests.classrooms.people import client_of_child, text_on
from tests.counts import at_once, times
from tests.factories import ChildFactory
from tests.games.players import (
    DORA,
    EMIL,
    FINN,
    GRETA,
    SOME_SEED,
    act,
    at_turn,
    new_game,
    new_table,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

POSTS = 10
CHILDREN = 20


@pytest.fixture
def together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every post read the game and make its move before any of them is stored."""
    barrier, make_move = Barrier(POSTS), services.make_move

    def make_and_wait(*args: Any) -> None:
        make_move(*args)
        barrier.wait(timeout=120)

    monkeypatch.setattr(services, "make_move", make_and_wait)


def draw(game: Game, key: UUID) -> Outcome:
    return services.act(game.pk, DORA, version=game.version, key=key, move=Do(DrawClosed()))


@pytest.mark.usefixtures("together")
def test_ten_equal_posts_make_one_action_and_equal_answers() -> None:
    game, key = new_game(), uuid4()
    answers = at_once(lambda _: draw(game, key), POSTS)
    assert game.entries.count() == game.version + 1
    assert len({tuple(entry.number for entry in answer.entries) for answer in answers}) == 1
    assert len({(answer.game.version, answer.view) for answer in answers}) == 1
    assert not any(answer.result.is_stale or answer.result.error for answer in answers)


@pytest.mark.usefixtures("together")
def test_of_ten_different_posts_at_once_one_is_carried_out() -> None:
    game = new_game()
    answers = at_once(lambda _: draw(game, uuid4()), POSTS)
    assert game.entries.count() == game.version + 1
    assert sum(not answer.result.is_stale for answer in answers) == 1
    assert len({answer.view for answer in answers}) == 1


@pytest.mark.usefixtures("together")
def test_without_the_guard_the_race_would_be_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """This test of the tests shows that actions are doubled without the guard of the version and
    with numbers that never clash."""
    game = new_game()
    rows, apart = stored_game.entries_to_store, count(start=0, step=100)

    def unguarded(stored: Game, columns: Mapping[str, Any], _has_news: object) -> bool:
        return bool(Game.objects.filter(pk=stored.pk).update(version=columns["version"]))

    def never_clashing(draft: Draft, at: datetime) -> list[Entry]:
        entries, distance = rows(draft, at), next(apart)
        for entry in entries:
            entry.number += distance
        return entries

    monkeypatch.setattr(stored_game, "update_if_current", unguarded)
    monkeypatch.setattr(stored_game, "entries_to_store", never_clashing)
    at_once(lambda _: draw(game, uuid4()), POSTS)
    assert game.entries.count() == game.version + POSTS


def test_a_move_that_comes_too_late_leaves_the_game_as_it_was_read() -> None:
    for game in (new_game(), new_table(DORA, EMIL, tables=None)):
        player = at_turn(game)
        stale = stored_game.load(game.pk, player)
        columns = deepcopy(vars(stale.game))
        del columns["_state"]
        act(game, Do(DrawClosed()), player)
        draft = stale.begin_draft()
        make_move(draft, stale.seat_number, Do(DrawClosed()))
        assert stored_game.store(draft, uuid4()) is None
        assert {name: vars(stale.game)[name] for name in columns} == columns


def with_a_block_on_offer(seed: int = SOME_SEED) -> tuple[Game, UUID]:
    """A table where the others may knock, and the player at turn."""
    game = new_table(DORA, EMIL, FINN, GRETA, name="blocks", tables=None, seed=seed)
    player = at_turn(game)
    act(game, Do(Discard(services.look(game.pk, player).view.hand[0])), player)
    return game, player


def lose_all_races(patch: pytest.MonkeyPatch) -> None:
    """Make each move lose a race: just before it is stored, the game changes in a way that makes no
    page stale."""
    update_if_current = stored_game.update_if_current

    def advance_too_late(game: Game, *values: Any) -> bool:
        Game.objects.filter(pk=game.pk).update(version=F("version") + 1)
        return update_if_current(game, *values)

    patch.setattr(stored_game, "update_if_current", advance_too_late)


def test_a_table_says_that_what_is_due_could_not_be_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, _ = with_a_block_on_offer()
    Game.objects.update(due_at=timezone.now())
    lose_all_races(monkeypatch)
    with pytest.raises(stored_game.TableBusy):
        services.look(game.pk, DORA)


def test_a_knock_that_was_not_noted_is_not_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    game, first = with_a_block_on_offer()
    monkeypatch.setattr(presence, "note_answer", lambda _seat: False)
    second = next(player for player in (DORA, EMIL) if player != first)
    with pytest.raises(stored_game.TableBusy):
        act(game, Do(Knock()), second)


def test_a_move_that_loses_all_races_can_be_sent_again() -> None:
    dora = ChildFactory.create(name="Dora")
    game = new_table(dora.player, EMIL, tables=None)
    assert at_turn(game) == dora.player
    client, fields = client_of_child(dora), {"key": str(uuid4()), "move": "draw-closed"}
    client.raise_request_exception = False

    def post() -> Any:
        version = Game.objects.get(pk=game.pk).version
        return client.post(
            f"/games/{game.pk}/act", fields | {"seen": version}, headers={"HX-Request": "true"}
        )

    with pytest.MonkeyPatch.context() as patch:
        lose_all_races(patch)
        answer = post()
    assert (answer.status_code, "Retry-After" in answer.headers) == (503, True)
    assert not game.entries.filter(text="draw-closed").exists()
    assert post().status_code == 200
    assert game.entries.filter(key=fields["key"]).count() == 1


def test_twenty_children_moving_at_once_get_no_error() -> None:
    games = [new_game(UUID(int=number + 1), seed=number) for number in range(CHILDREN)]

    def move(number: int) -> Outcome:
        game = games[number]
        return services.act(
            game.pk, UUID(int=number + 1), version=game.version, key=uuid4(), move=Do(DrawClosed())
        )

    answers = at_once(move, CHILDREN)
    assert not any(answer.result.error or answer.result.is_stale for answer in answers)
    assert all(game.entries.count() == game.version + 1 for game in games)


def test_an_answer_races_with_its_time_limit() -> None:
    for seed in range(1, 1 + times(4, 30)):
        game = new_table(DORA, EMIL, FINN, offers=True, tables=None, seed=seed)
        act(game, Do(DrawClosed()), at_turn(game))
        if Game.objects.get(pk=game.pk).phase != "offer":
            continue
        awaited = at_turn(game)
        fresh_game = Game.objects.get(pk=game.pk)
        Game.objects.update(due_at=timezone.now())
        others = [player for player in (DORA, EMIL, FINN) if player != awaited]

        def answer(
            number: int,
            fresh_game: Game = fresh_game,
            awaited: UUID = awaited,
            others: list[UUID] = others,
        ) -> Outcome:
            if number:
                return services.look(fresh_game.pk, others[number % 2])
            move = Do(Claim())
            return services.act(
                fresh_game.pk, awaited, version=fresh_game.version, key=uuid4(), move=move
            )

        at_once(answer, POSTS)
        seat = game.seats.get(player=awaited).number
        entries = game.entries.filter(number__gt=fresh_game.version, seat=seat)
        assert entries.count() == 1
        assert entries[0].is_unasked or entries[0].text.startswith("claim")


def test_the_rules_decide_between_knocks_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both knocks have the same time, however long the threads take."""
    monkeypatch.setattr(presence, "EQUALLY_FAST", timedelta(hours=1))
    for seed in range(1, 1 + times(3, 20)):
        table = (DORA, EMIL, FINN, GRETA)
        game, first = with_a_block_on_offer(seed)
        fresh_game = Game.objects.get(pk=game.pk)
        begin = table.index(first)
        order = [table[(begin + step) % 4] for step in (1, 2, 3)]

        def knock(number: int, fresh_game: Game = fresh_game, order: list[UUID] = order) -> Outcome:
            return services.act(
                fresh_game.pk,
                order[number % 3],
                version=fresh_game.version,
                key=uuid4(),
                move=Do(Knock()),
            )

        at_once(knock, 9)
        knocks = game.entries.filter(text__startswith="knock")
        assert [knock_entry.seat for knock_entry in knocks] == [table.index(order[0])]
        assert not game.seats.exclude(answered_at=None).exists()


def test_hints_of_others_never_stop_a_move() -> None:
    table = (DORA, EMIL, FINN, GRETA)
    game = new_table(*table, hint_steps=6)
    first = at_turn(game)
    waiting = [player for player in table if player != first]
    version = Game.objects.get(pk=game.pk).version

    def post(number: int) -> Outcome:
        player, move = (first, Do(DrawClosed())) if not number else (waiting[number - 1], AskHint())
        return services.act(game.pk, player, version=version, key=uuid4(), move=move)

    draw, *hints = at_once(post, 4)
    assert not draw.result.is_stale
    assert draw.view.phase == "play"
    kinds = [entry.kind for entry in game.entries.filter(number__gt=version)]
    assert kinds.count("act") == 1
    assert kinds.count("hint") == sum(not hint.result.is_stale for hint in hints)


def test_a_sign_races_with_the_erasure_of_its_giver() -> None:
    for seed in range(1, 1 + times(3, 20)):
        game = new_table(DORA, EMIL, FINN, seed=seed)

        def act_or_go(number: int, game: Game = game) -> None:
            with suppress(services.NotFound):
                if number:
                    give_sign(game.pk, EMIL, "thank-you")
                else:
                    shared_table.give_up_seat(game.pk, EMIL)

        at_once(act_or_go, 6)
        seat = game.seats.get(number=1)
        assert (seat.player, seat.sign) == (None, "")


@pytest.mark.usefixtures("together")
def test_ten_pages_that_post_the_same_get_the_same_page() -> None:
    """The pages that leave the views, templates and middleware are equal in every byte except
    tokens and keys."""
    dora = ChildFactory.create(name="Dora")
    game, key = new_game(dora.player), uuid4()
    clients = [client_of_child(dora) for _ in range(POSTS)]
    fields = {"seen": game.version, "key": str(key), "move": "draw-closed"}

    def post(number: int) -> str:
        answer = clients[number].post(
            f"/games/{game.pk}/act", fields, headers={"HX-Request": "true"}
        )
        assert answer.status_code == 200
        return re.sub(r'name="(csrfmiddlewaretoken|key)" value="[^"]+"', "", text_on(answer))

    assert len(set(at_once(post, POSTS))) == 1
    assert game.entries.count() == game.version + 1
