"""Several players at one table: whose turn it is, who is away, what is due, signs, leaving."""

import re
from datetime import timedelta
from itertools import product
from typing import Any
from uuid import UUID, uuid4

import pytest
import time_machine
from django.template.loader import render_to_string
from django.utils import timezone
from time_machine import Traveller

from games import tasks
from games.bots.registry import find_bot
from games.coach.chances import chances
from games.engine.actions import Discard, DrawClosed, Knock, Pass
from games.engine.cards import is_joker
from games.engine.plays import plays_without_jokers
from games.engine.round import OVER_PHASES
from games.engine.ruleset import EDITIONS
from games.engine.table import Play
from games.engine.text.record import EntryKind, transitions
from games.engine.view import View, view
from games.models import Game, Seat
from games.play import log, presence, services, shared_table, starting
from games.play.moves import AskHint, Do, Lay, Move, NextRound, TakeBack
from games.play.news import NEWS, SECONDS_AT_TURN, news_for, seat_token
from games.play.services import Outcome
from games.play.signs import FOR_ROWS, IN_OTHERS_TURNS, IN_OWN_TURN, MOST_SIGNS, give_sign
from games.play.starting import NewSeat
from games.play.stored_game import load, store
from games.screen.board import board
from tests.counts import at_once, times
from tests.games.players import (
    DORA,
    EMIL,
    FINN,
    GRETA,
    act,
    act_at_table,
    at_turn,
    new_game,
    new_table,
    not_at_turn,
    play_table,
    players_of,
    plays_of,
    shown_version_of,
)
from tests.games.staged import stage

pytestmark = pytest.mark.django_db

EVERYBODY = (DORA, EMIL, FINN, GRETA)
SEEDS = times(1, 12)


def reread(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def is_over(view: View) -> bool:
    return view.phase in OVER_PHASES


def seat_of(game: Game, player: UUID) -> Seat:
    return Seat.objects.get(game=game, player=player)


def news(game: Game, player: UUID, seen: int | None = None) -> str | None:
    """The answer to the poll of a page, which by default shows the latest state."""
    seat, now = seat_of(game, player), timezone.now()
    version = shown_version_of(reread(game), seat.number, now) if seen is None else seen
    return poll(game.pk, seat.number, seat_token(game.pk, seat.number), version)


def poll(game_id: UUID, seat: int, mark: UUID, seen: int) -> str | None:
    return news_for(str(game_id), seat, str(mark), seen)


def let_pages_poll(game: Game, clock: Traveller, seconds: int, *but: UUID) -> None:
    """Let time pass while all pages poll except those of some players."""
    for _ in range(seconds // 5):
        clock.shift(timedelta(seconds=5))
        for player in players_of(game):
            if player not in but:
                news(game, player)


def equals_its_replay(game: Game) -> bool:
    now = reread(game)
    seats = now.seats.count()
    return log.replay_snapshot(log.setting_of(now, seats), log.entries_of(now)) == log.snapshot_of(
        now, seats
    )


@pytest.mark.parametrize(
    ("name", "players"),
    times(list(zip(EDITIONS, (2, 3, 4) * 2, strict=True)), list(product(EDITIONS, (2, 3, 4)))),
)
def test_every_edition_is_played_to_its_end_by_several_players(name: str, players: int) -> None:
    offers = not EDITIONS[name].has_pot
    for seed in range(1, 1 + SEEDS):
        table = EVERYBODY[:players]
        game = new_table(*table, name=name, bots=seed % 2, seed=seed, tables=None, offers=offers)
        play_table(game, is_over, seed)
        assert equals_its_replay(game)
        now = reread(game)
        assert now.awaited_seat is None
        assert now.due_at is None
        acted = set(now.entries.filter(kind=EntryKind.ACT).values_list("seat", flat=True))
        assert acted >= set(range(players))
        assert not now.entries.filter(kind=EntryKind.STAND_IN, seat__lt=players).exists()


@pytest.mark.parametrize("name", ["simplified", "blocks", "blocks-simple"])
def test_a_seat_out_of_turn_changes_nothing(name: str) -> None:
    game = new_table(DORA, EMIL, FINN, name=name, tables=None)
    waits = not_at_turn(game)
    before, entries = reread(game), game.entries.count()
    hand = services.look(game.pk, waits).view.hand
    moves: list[Move] = [
        Do(DrawClosed()), Do(Discard(hand[0])), Do(Pass()), Do(Knock()), Lay(hand[:3]), TakeBack(),
        NextRound(),
    ]  # fmt: skip
    for move in moves:
        outcome = act(game, move, waits)
        assert outcome.result.error is not None
        assert outcome.view == services.look(game.pk, waits).view
    after = reread(game)
    assert game.entries.count() == entries
    assert (after.version, after.snapshot, after.news) == (
        before.version, before.snapshot, before.news,
    )  # fmt: skip


def test_an_old_page_of_a_waiting_seat_gets_the_later_steps() -> None:
    game = new_table()
    first, second = at_turn(game), not_at_turn(game)
    version = reread(game).version
    act_at_table(game, first)
    answer = services.act(game.pk, second, version=version, key=uuid4(), move=Do(DrawClosed()))
    assert answer.result.is_stale
    assert [entry.number for entry in answer.entries if entry.number > version] == [version + 1]


def test_a_page_gets_the_steps_of_others_in_order_with_figures() -> None:
    game = new_table(DORA, EMIL, bots=1)
    first, second = at_turn(game), not_at_turn(game)
    version = reread(game).version
    while services.look(game.pk, first).view.may_act:
        act_at_table(game, first)
    outcome = services.look(game.pk, second, since=version)
    numbers = [entry.number for entry in outcome.entries]
    assert numbers == sorted(numbers)
    assert numbers[-1] == reread(game).version
    assert len(outcome.public_counts) == len(outcome.entries)
    assert outcome.public_counts[-1].hand_sizes == outcome.view.hand_sizes


# Hints


def test_a_hint_is_given_while_another_player_has_the_turn() -> None:
    game = new_table()
    waits = not_at_turn(game)
    first = act(game, AskHint(), waits)
    assert first.hint is not None
    assert (first.hint_step, act(game, AskHint(), waits).hint_step) == (1, 2)
    assert services.look(game.pk, waits).hint_step == 2


def test_a_hint_leaves_the_pages_of_the_others_as_they_are() -> None:
    game = new_table()
    first, waits = at_turn(game), not_at_turn(game)
    before = reread(game)
    act(game, AskHint(), waits)
    assert reread(game).version == before.version + 1
    assert reread(game).news == before.news
    assert services.look(game.pk, first).hint is None
    outcome = services.act(
        game.pk, first, version=before.version, key=uuid4(), move=Do(DrawClosed())
    )
    assert not outcome.result.is_stale
    assert outcome.view.phase == "play"
    assert equals_its_replay(game)


def test_a_hint_stays_until_the_table_changes() -> None:
    game = new_table()
    first, waits = at_turn(game), not_at_turn(game)
    act(game, AskHint(), waits)
    act(game, Do(DrawClosed()), first)
    assert services.look(game.pk, waits).hint_step == 1
    act(game, Do(Discard(services.look(game.pk, first).view.hand[0])), first)
    assert services.look(game.pk, waits).view.may_act
    assert services.look(game.pk, waits).hint_step == 0


def test_a_hint_counts_for_a_row_found_with_it_later() -> None:
    for seed in range(1, 60):
        game = new_table(seed=seed, tables=None)
        first, waits = at_turn(game), not_at_turn(game)
        if not plays_of_hand(game, waits):
            continue
        hint = act(game, AskHint(), waits).hint
        play = hint.play
        assert play is not None
        act(game, Do(DrawClosed()), first)
        act(game, Do(Discard(services.look(game.pk, first).view.hand[-1])), first)
        act(game, Do(DrawClosed()), waits)
        outcome = act(game, Do(play), waits)
        if not outcome.view.may_act:
            continue
        act(game, Do(Discard(outcome.view.hand[0])), waits)
        now = reread(game)
        of_log = transitions(log.setting_of(now, 2), log.entries_of(now))
        steps = [
            chance.hint_step
            for chance in chances(of_log, outcome.seat_number)
            if chance.row == str(play)
        ]
        if steps and steps[0]:
            return
    raise AssertionError("no hint counted")


def plays_of_hand(game: Game, player: UUID) -> bool:
    now = reread(game)
    state = log.snapshot_of(now, now.seats.count()).state
    return bool(plays_without_jokers(state.position(seat_of(game, player).number)))


# Away


def test_a_player_who_has_left_waits_for_nobody() -> None:
    game = new_table()
    first, second = at_turn(game), not_at_turn(game)

    def is_waited_for(player: UUID) -> bool:
        several = board(services.look(game.pk, player)).several
        return several is not None and several.is_waited_for

    assert (is_waited_for(first), is_waited_for(second)) == (True, False)
    shared_table.leave(game.pk, second)
    assert not is_waited_for(first)


def test_a_bot_plays_for_an_absent_player(clock: Traveller) -> None:
    game = new_table()
    leaver, stays = at_turn(game), not_at_turn(game)
    let_pages_poll(game, clock, 55, leaver)
    services.look(game.pk, stays)
    assert at_turn_is(game, leaver)
    let_pages_poll(game, clock, 10, leaver)
    assert news(game, stays) == NEWS
    outcome = services.look(game.pk, stays)
    assert outcome.view.may_act
    assert seat_of(game, leaver).away_since is not None
    for entry in game.entries.filter(seat=seat_of(game, leaver).number):
        assert entry.kind == EntryKind.STAND_IN
    assert equals_its_replay(game)
    services.look(game.pk, leaver)
    assert seat_of(game, leaver).away_since is None
    act_until_turn_ends(game, stays)
    assert services.look(game.pk, leaver).view.may_act
    assert act_at_table(game, leaver) is not None


def test_an_absent_player_is_not_waited_for(clock: Traveller) -> None:
    game = new_table()
    stays, leaver = at_turn(game), not_at_turn(game)
    let_pages_poll(game, clock, 65, leaver)
    act_until_turn_ends(game, stays)
    assert services.look(game.pk, stays).view.may_act
    assert seat_of(game, leaver).away_since is not None


def test_a_present_child_may_think_for_as_long_as_they_like(clock: Traveller) -> None:
    game = new_table()
    thinks = at_turn(game)
    let_pages_poll(game, clock, 600)
    tasks.move_tables_on()
    assert at_turn_is(game, thinks)
    assert not game.entries.filter(kind=EntryKind.STAND_IN).exists()


def test_a_bot_finishes_a_turn_over_its_limit(clock: Traveller) -> None:
    game = new_table(seconds={"turn_seconds": 30})
    slow, other = at_turn(game), not_at_turn(game)
    act(game, Do(DrawClosed()), slow)
    let_pages_poll(game, clock, 35)
    assert services.look(game.pk, other).view.may_act
    assert seat_of(game, slow).away_since is None
    assert game.entries.filter(kind=EntryKind.STAND_IN).exists()


def test_a_table_that_everybody_has_left_stays_as_it_is(clock: Traveller) -> None:
    game = new_table()
    version = reread(game).version
    clock.shift(timedelta(hours=20))
    tasks.move_tables_on()
    assert reread(game).version == version
    first = at_turn_by_state(game)
    assert services.look(game.pk, first).view.may_act
    assert reread(game).version == version


def test_a_table_goes_on_even_if_no_page_polls(clock: Traveller) -> None:
    game = new_table()
    leaver, stays = at_turn(game), not_at_turn(game)
    clock.shift(timedelta(seconds=50))
    news(game, stays)
    clock.shift(timedelta(seconds=25))
    tasks.move_tables_on()
    assert at_turn_by_state(game) == stays
    assert seat_of(game, leaver).away_since is not None


def test_a_leaver_is_not_waited_for_if_a_clock_is_a_day_ahead() -> None:
    game = new_table(seconds={"turn_seconds": 30})
    leaver, stays = at_turn(game), not_at_turn(game)
    with time_machine.travel(timezone.now() + timedelta(days=1)):
        presence.note_presence(seat_of(game, leaver), timezone.now())
        Game.objects.update(due_at=timezone.now() + timedelta(seconds=30))
    tasks.move_tables_on()
    assert not presence.is_here(seat_of(game, leaver), timezone.now() + presence.PRESENT_FOR)
    assert at_turn_by_state(game) == stays


def test_a_bots_play_is_nobodys_evidence(clock: Traveller) -> None:
    for seed in range(1, 40):
        game = new_table(seed=seed, bots=0)
        leaver, stays = at_turn(game), not_at_turn(game)
        let_pages_poll(game, clock, 65, leaver)
        outcome = services.look(game.pk, stays)
        own = seat_of(game, leaver).number
        if not game.entries.filter(kind="stand in", seat=own, data__has_key="laid").exists():
            continue
        now = reread(game)
        of_log = transitions(log.setting_of(now, 2), log.entries_of(now))
        assert list(chances(of_log, own)) == []
        assert outcome.view.table.lines
        return
    raise AssertionError("no bot laid a row")


def test_a_bot_lays_for_an_absent_player_one_row_a_turn_and_no_joker() -> None:
    together: dict[str, Any] = {"goal": 40, "piles": 2, "refill": True, "market": 3}
    for seed, rules in product(range(1, times(15, 60)), ({}, together)):
        game = new_table(seed=seed, bots=1, **rules)
        draft = load(game.pk, at_turn(game)).begin_draft()
        seat = draft.state.turn
        draft.absent = [seat]
        choose = find_bot(draft.bot_at(seat))
        while draft.state.turn == draft.state.to_act == seat:
            seat_view = view(draft.state, seat)
            action = choose(seat_view, seed)
            may_lay = seat_view.phase == "play" and not seat_view.play_count
            has_row = may_lay and bool(plays_without_jokers(seat_view.position))
            draft.act(seat, action, stand_in=True)
            if seat_view.phase == "play":
                assert isinstance(action, Play) == has_row
            if isinstance(action, Play):
                assert not any(is_joker(card) for card, _ in action.hand)


def test_a_player_cannot_take_back_what_a_bot_laid_for_them(clock: Traveller) -> None:
    for seed in range(1, 200):
        game = new_table(seed=seed, seconds={"turn_seconds": 0})
        leaver = at_turn(game)
        own = seat_of(game, leaver)
        current = load(game.pk, leaver).begin_draft()
        current.absent = [own.number]
        current.act(own.number, DrawClosed(), stand_in=True)
        plays = plays_of(view(current.state, own.number))
        if not plays:
            continue
        current.act(own.number, plays[0], stand_in=True)
        if current.state.to_act != own.number:
            continue
        assert store(current, uuid4()) is not None
        assert act(game, TakeBack(), leaver).result.error is not None
        assert equals_its_replay(game)
        return
    raise AssertionError("no bot laid a row")


def at_turn_by_state(game: Game) -> UUID:
    """The player whose turn it is, by the stored state alone."""
    number = reread(game).awaited_seat
    assert number is not None
    seat = Seat.objects.get(game=game, number=number)
    assert seat.player is not None
    return seat.player


def at_turn_is(game: Game, player: UUID) -> bool:
    return at_turn_by_state(game) == player


def act_until_turn_ends(game: Game, player: UUID) -> Outcome:
    outcome = services.look(game.pk, player)
    while outcome.view.turn == outcome.seat_number and outcome.view.may_act:
        move = act_at_table(game, player)
        assert move is not None
        outcome = move
        if not any(entry.seat == outcome.seat_number for entry in outcome.entries):
            break
        if any(
            entry.seat == outcome.seat_number and entry.text.startswith(("discard", "end"))
            for entry in outcome.entries
        ):
            break
    return outcome


# Answers


def at_an_offer(**how: Any) -> tuple[Game, UUID]:
    for seed in range(1, 60):
        game = new_table(DORA, EMIL, FINN, offers=True, tables=None, seed=seed, **how)
        first = at_turn(game)
        act(game, Do(DrawClosed()), first)
        if reread(game).phase == "offer":
            return game, first
    raise AssertionError("no offer")


def test_the_game_passes_for_a_child_who_does_not_answer_in_time(clock: Traveller) -> None:
    game, _ = at_an_offer()
    awaited = at_turn(game)
    let_pages_poll(game, clock, 15)
    services.look(game.pk, awaited)
    assert at_turn_is(game, awaited)
    let_pages_poll(game, clock, 10)
    assert news(game, awaited) == NEWS
    services.look(game.pk, awaited)
    assert not at_turn_is(game, awaited)
    last = game.entries.order_by("-number")[0]
    assert last.is_unasked
    assert seat_of(game, awaited).away_since is None
    assert reread(game).phase == "offer", "the next one has a moment of their own"


def test_nobody_reads_who_has_declined() -> None:
    game, first = at_an_offer()
    game_board = board(services.look(game.pk, first))
    assert game_board.speech.to_do == "The others are choosing."
    assert not game_board.several.waits_for.is_at_turn


def test_the_time_to_answer_is_fixed_at_the_start(clock: Traveller) -> None:
    game, _ = at_an_offer(seconds={"answer_seconds": 60})
    awaited = at_turn(game)
    let_pages_poll(game, clock, 50)
    tasks.move_tables_on()
    assert at_turn_is(game, awaited)
    let_pages_poll(game, clock, 15)
    tasks.move_tables_on()
    assert not at_turn_is(game, awaited)


def at_a_knock(*players: UUID) -> tuple[Game, UUID, list[UUID]]:
    """A block on offer, the seat that discarded it, and the others in the order of the
    rules."""
    game = new_table(*players, name="blocks", tables=None)
    first = at_turn(game)
    hand = services.look(game.pk, first).view.hand
    act(game, Do(Discard(hand[0])), first)
    table = players_of(game)
    begin = table.index(first)
    return game, first, [table[(begin + step) % len(table)] for step in range(1, len(table))]


def test_the_rules_decide_between_knocks_in_the_same_second(clock: Traveller) -> None:
    game, _, (second, third) = at_a_knock(DORA, EMIL, FINN)
    version = reread(game).version
    outcome = act(game, Do(Knock()), third)
    assert outcome.waits_for_others
    assert reread(game).version == version
    clock.shift(timedelta(seconds=0.5))
    act(game, Do(Knock()), second)
    knocks = game.entries.filter(number__gt=version, kind="act")
    assert [knock.seat for knock in knocks] == [seat_of(game, second).number]
    assert knocks[0].text.startswith("knock")
    assert equals_its_replay(game)


def test_a_second_later_the_first_to_knock_has_the_block(clock: Traveller) -> None:
    game, _, (_, third) = at_a_knock(DORA, EMIL, FINN)
    act(game, Do(Knock()), third)
    clock.shift(timedelta(seconds=1))
    assert news(game, third) == NEWS
    services.look(game.pk, third)
    first = game.entries.filter(text__startswith="knock").get()
    assert first.seat == seat_of(game, third).number
    assert not Seat.objects.exclude(answered_at=None).exists()


def test_the_first_seat_by_the_rules_does_not_wait() -> None:
    game, _, (second, _) = at_a_knock(DORA, EMIL, FINN)
    act(game, Do(Knock()), second)
    assert knocks_of(game, second)


def test_a_knock_counts_at_once_if_all_before_have_passed() -> None:
    game, _, (second, third) = at_a_knock(DORA, EMIL, FINN)
    act(game, Do(Knock()), third)
    act(game, Do(Pass()), second)
    assert knocks_of(game, third)


def test_a_block_that_nobody_answers_for_is_out_after_the_time_limit(clock: Traveller) -> None:
    game, _, (second, _) = at_a_knock(DORA, EMIL, FINN)
    let_pages_poll(game, clock, 25)
    tasks.move_tables_on()
    assert reread(game).phase == "play"
    assert at_turn_is(game, second)


def knocks_of(game: Game, player: UUID) -> int:
    number = seat_of(game, player).number
    return game.entries.filter(text__startswith="knock", seat=number).count()


# Leaving


def test_a_bot_plays_for_a_child_who_leaves_until_they_return(
    django_capture_on_commit_callbacks: Any,
) -> None:
    game = new_table()
    leaves, stays = at_turn(game), not_at_turn(game)
    with django_capture_on_commit_callbacks(execute=True):
        shared_table.leave(game.pk, leaves)
        assert at_turn_is(game, leaves), "bots must not play in the transaction of who leaves"
    assert at_turn_is(game, stays)
    assert seat_of(game, leaves).away_since is not None
    services.look(game.pk, leaves)
    assert seat_of(game, leaves).away_since is None


def test_a_child_who_leaves_at_turn_has_time_to_come_back(clock: Traveller) -> None:
    for returns in (True, False):
        game = new_table()
        leaves, stays = at_turn(game), not_at_turn(game)
        version = shown_version_of(reread(game), seat_of(game, stays).number, timezone.now())
        shared_table.leave(game.pk, leaves, may_return=True)
        assert news(game, stays, version) == NEWS
        words = board(services.look(game.pk, stays)).speech.to_do
        assert words.endswith("may be away, but can come back.")
        let_pages_poll(game, clock, 20, leaves)
        tasks.move_tables_on()
        assert at_turn_is(game, leaves)
        if returns:
            assert services.look(game.pk, leaves).view.may_act
        let_pages_poll(game, clock, 15, leaves)
        services.look(game.pk, stays)
        assert at_turn_is(game, leaves) is returns


def test_a_bot_plays_at_once_for_a_child_who_leaves_between_their_turns() -> None:
    game = new_table()
    stays, leaves = at_turn(game), not_at_turn(game)
    shared_table.leave(game.pk, leaves, may_return=True)
    act_until_turn_ends(game, stays)
    assert at_turn_is(game, stays)


def test_the_others_do_not_read_whether_a_child_has_left_or_is_silent(clock: Traveller) -> None:
    for leaves in (True, False):
        game = new_table()
        leaver, stays = at_turn(game), not_at_turn(game)
        if leaves:
            shared_table.leave(game.pk, leaver)
        else:
            let_pages_poll(game, clock, 65, leaver)
        to_do = board(services.look(game.pk, stays)).speech.to_do
        assert re.search(r"^It is your turn! .+ A bot plays for \w+ now\.$", to_do)


def test_a_child_who_reads_that_another_has_left_reads_little_else() -> None:
    game = new_table(DORA, EMIL, FINN)
    leaver, waits = sorted(set(players_of(game)) - {at_turn(game)})

    def to_do() -> str:
        return board(services.look(game.pk, waits)).speech.to_do

    assert to_do().endswith("’s turn. You can choose cards already.")
    shared_table.leave(game.pk, leaver)
    assert re.search(r"A bot plays for \w+ now\. It is ", to_do())
    assert to_do().endswith("’s turn.")


def test_a_table_that_its_last_child_leaves_is_put_aside(clock: Traveller) -> None:
    game = new_table()
    for player in (not_at_turn(game), at_turn(game)):
        shared_table.leave(game.pk, player)
    version = reread(game).version
    clock.shift(timedelta(days=1))
    tasks.move_tables_on()
    assert reread(game).version == version


def test_a_game_of_one_player_is_not_left() -> None:
    game = new_game()
    shared_table.leave(game.pk, DORA)
    assert services.look(game.pk, DORA).view.may_act
    assert Seat.objects.get(player=DORA).away_since is None


def test_a_seat_that_is_given_up_belongs_to_a_bot_for_good(
    django_capture_on_commit_callbacks: Any,
) -> None:
    game = new_table(DORA, EMIL, FINN)
    leaves = at_turn(game)
    seat = seat_of(game, leaves)
    before = reread(game).news
    with django_capture_on_commit_callbacks(execute=True):
        shared_table.give_up_seat(game.pk, leaves)
    seat.refresh_from_db()
    assert (seat.player, seat.away_since, seat.here_until) == (None, None, None)
    assert seat.bot
    assert seat.name not in ("Dora", "Emil", "Finn")
    assert reread(game).news > before
    assert at_turn_by_state(game) != leaves
    with pytest.raises(services.NotFound):
        services.look(game.pk, leaves)
    play_table(game, is_over)
    assert equals_its_replay(game)


def test_an_erased_child_leaves_the_games_of_others_intact() -> None:
    table, _, other = new_table(), new_game(EMIL), new_game(DORA)
    act_at_table(table, at_turn(table))
    entries = table.entries.count()
    services.erase(EMIL)
    assert not Seat.objects.filter(player=EMIL).exists()
    assert not Seat.objects.filter(name="Emil").exists()
    assert set(Game.objects.values_list("pk", flat=True)) == {table.pk, other.pk}
    assert table.entries.count() >= entries
    services.erase(DORA)
    assert not Game.objects.exists()


# Signs


def test_a_sign_is_shown_until_its_givers_next_turn_ends() -> None:
    game = new_table()
    first, second = at_turn(game), not_at_turn(game)
    before = reread(game).news
    give_sign(game.pk, second, "good-game")
    give_sign(game.pk, second, "thank-you")
    assert reread(game).news == before + 2
    assert shown_sign(game, second) == "thank-you"
    act_until_turn_ends(game, first)
    assert shown_sign(game, second) == "thank-you"
    act_until_turn_ends(game, second)
    assert shown_sign(game, second) == ""


def test_a_turn_has_at_most_three_signs() -> None:
    game = new_table()
    first, second = at_turn(game), not_at_turn(game)
    for place, sign in enumerate(("thank-you", "good-game", "thank-you", "good-game")):
        assert may_sign(game, second) == (place < MOST_SIGNS)
        give_sign(game.pk, second, sign)
    assert shown_sign(game, second) == "thank-you"
    act_until_turn_ends(game, first)
    assert may_sign(game, second)
    give_sign(game.pk, second, "good-game")
    assert shown_sign(game, second) == "good-game"


def test_a_hm_is_only_for_the_own_turn() -> None:
    game = new_table()
    first, second = at_turn(game), not_at_turn(game)

    def signs_seen() -> list[str]:
        players = board(services.look(game.pk, second)).players
        return [player.sign.name for player in players if player.sign]

    give_sign(game.pk, second, "hm")
    assert signs_seen() == []
    give_sign(game.pk, first, "hm")
    assert signs_seen() == ["hm"]
    act_until_turn_ends(game, first)
    assert signs_seen() == []


def test_at_the_end_all_have_the_same_signs() -> None:
    game = new_table(DORA, EMIL, FINN)
    play_table(game, is_over)
    panels = [board(services.look(game.pk, player)).several for player in players_of(game)]
    (signs,) = {tuple(sign.name for sign in player.signs) for player in panels if player}
    assert IN_OWN_TURN not in signs
    assert "good-game" in signs


def test_praise_and_surprise_are_due_when_a_child_has_laid_a_row() -> None:
    game = new_table(DORA, EMIL, FINN)
    stage(game, "10 20 30 50 8 45", open_card="37")
    first, second, _ = players_of(game)

    def due(player: UUID) -> str:
        several = board(services.look(game.pk, player)).several
        return several.fitting_sign

    assert due(second) == ""
    for sign in FOR_ROWS:
        give_sign(game.pk, second, sign)
        assert shown_sign(game, second) == ""
    act(game, Lay((10, 20, 30)), first)
    assert (due(first), due(second)) == ("", "well-laid")
    give_sign(game.pk, first, "well-laid")
    assert shown_sign(game, first) == ""
    give_sign(game.pk, second, "oh")
    assert shown_sign(game, second) == "oh"
    give_sign(game.pk, second, "well-laid")
    assert due(second) == ""


def test_praise_says_to_whom_and_stays_when_others_have_moved() -> None:
    game = new_table(DORA, EMIL, FINN)
    stage(game, "10 20 30 50 8 45", open_card="37")
    first, second, third = players_of(game)

    act(game, Lay((10, 20, 30)), first)
    give_sign(game.pk, third, "well-laid")
    assert signs_seen(game, first) == ["Well laid, Dora!"]
    act_until_turn_ends(game, first)
    assert at_turn(game) == second
    act(game, Do(DrawClosed()), second)
    assert signs_seen(game, first) == ["Well laid, Dora!"]
    act_until_turn_ends(game, second)
    assert signs_seen(game, first) == ["Well laid, Dora!"]
    act_until_turn_ends(game, third)
    assert signs_seen(game, first) == []


def test_a_bots_row_needs_no_praise() -> None:
    game = new_table(DORA, EMIL)
    stage(game, "10 20 30 50 8 45", open_card="37")
    leaver, stays = players_of(game)
    shared_table.leave(game.pk, leaver)
    game_board = board(services.look(game.pk, stays))
    assert game_board.felt.rows
    assert game_board.several.fitting_sign == ""


def test_at_the_end_praise_is_due_to_all() -> None:
    game = new_table()
    play_table(game, is_over)
    for player in players_of(game):
        several = board(services.look(game.pk, player)).several
        assert several.fitting_sign == "good-game"


def test_after_a_game_for_points_all_read_everyones_from_their_own_on() -> None:
    game = new_table(DORA, EMIL, FINN)
    play_table(game, is_over)
    for number, player in enumerate(players_of(game)):
        outcome = services.look(game.pk, player)
        over = board(outcome).over
        scores = [*outcome.view.scores[number:], *outcome.view.scores[:number]]
        assert [int(score.total) for score in over.scores] == scores
        assert over.scores[0].name == "You"
        assert not any(score.has_won for score in over.scores)
        assert f"Points: You {scores[0]}, " in over.spoken


def test_after_a_bridge_all_see_how_long_the_next_one_is() -> None:
    game = new_table(goal=4, goal_up=2, piles=2, most_turns=6, refill=True, market=3)
    play_table(game, is_over)
    outcome = services.look(game.pk, DORA)
    over = board(outcome).over
    assert over.next_goal.points == outcome.view.next_goal
    assert f"The next goal is {outcome.view.next_goal}." in over.note
    assert over.bridges == outcome.view.is_goal_reached
    assert over.note in over.spoken


def test_after_a_bridge_all_read_how_many_they_have_crossed() -> None:
    rules: dict[str, Any] = {"piles": 2, "most_turns": 6, "refill": True, "market": 3, "rounds": 2}
    game = new_table(goal=4, goal_up=1, **rules)
    play_table(game, is_over)
    for player in players_of(game):
        wish_next_round(game, player)
    play_table(game, is_over)
    over = board(services.look(game.pk, DORA)).over
    assert over
    assert (over.bridges, over.stars) == (2, "★★")
    assert over.note.endswith("You have crossed 2 bridges so far.")


@pytest.mark.django_db(transaction=True)
def test_the_next_round_is_dealt_once_if_all_want_it_at_the_same_moment() -> None:
    game = at_the_end_of_a_round(DORA, EMIL, FINN)
    version = reread(game).version

    def press(number: int) -> Outcome:
        key, player = uuid4(), players_of(game)[number]
        return services.act(game.pk, player, version=version, key=key, move=NextRound())

    at_once(press, 3)
    assert reread(game).round == 2
    assert game.entries.filter(kind=EntryKind.DEAL).count() == 2
    assert not Seat.objects.exclude(answered_at=None).exists()
    assert equals_its_replay(game)


def test_all_cross_a_whole_bridge_and_who_is_ready_begins_the_next() -> None:
    game = new_table(goal=4, rounds=2, piles=2, most_turns=6, refill=True, market=3)
    play_table(game, is_over)
    wish_next_round(game, EMIL)
    game_board = board(services.look(game.pk, DORA))
    assert game_board.over
    text = render_to_string("games/_crossing.html", {"board": game_board, "over": game_board.over})
    first, second = text.split('class="walkers ready"')
    assert ("crossed" in first) == game_board.over.has_won
    assert (first.count('class="face"'), second.count('class="face"')) == (1, 1)


def test_all_read_the_same_number_of_turns_left() -> None:
    game = new_table(goal=40, piles=2, most_turns=6, refill=True, market=3)
    act_until_turn_ends(game, at_turn(game))
    for player in players_of(game):
        goal = board(services.look(game.pk, player)).goal
        assert goal.turns_left_text == "Your table has 11 turns left"


def test_nobody_is_hurried(clock: Traveller) -> None:
    game = new_table()
    first, second = at_turn(game), not_at_turn(game)

    def hurries() -> bool:
        several = board(services.look(game.pk, second)).several
        offered = any(sign.name == IN_OTHERS_TURNS for sign in several.signs)
        give_sign(game.pk, second, IN_OTHERS_TURNS)
        is_given = shown_sign(game, second).startswith(IN_OTHERS_TURNS)
        assert offered == is_given
        return is_given

    assert not hurries()
    let_pages_poll(game, clock, 20)
    assert not hurries()
    act(game, Do(DrawClosed()), first)
    let_pages_poll(game, clock, 20)
    assert not hurries()
    let_pages_poll(game, clock, 15)
    assert hurries()


def test_your_turn_is_shown_only_in_that_turn(clock: Traveller) -> None:
    game = new_table(DORA, EMIL, FINN)
    let_pages_poll(game, clock, 35)
    first = at_turn(game)
    gives = game.seats.get(number=(seat_of(game, first).number + 2) % 3).player
    assert gives

    give_sign(game.pk, gives, IN_OTHERS_TURNS)
    assert signs_seen(game, first) == [f"{seat_of(game, first).name}, your turn!"]
    act_until_turn_ends(game, first)
    assert at_turn(game) != gives
    assert signs_seen(game, first) == []


def may_sign(game: Game, player: UUID) -> bool:
    table = board(services.look(game.pk, player)).several
    return table is not None and table.may_sign


def signs_seen(game: Game, player: UUID) -> list[str]:
    """The words of all signs on the page of this player."""
    players = board(services.look(game.pk, player)).players
    return [seen.sign.words for seen in players if seen.sign]


def shown_sign(game: Game, player: UUID) -> str:
    sign = board(services.watch(game.pk, player).outcome).players[0].sign
    return sign.name if sign else ""


# News


def test_polls_without_news_become_rarer(clock: Traveller) -> None:
    game = new_table()
    waits = not_at_turn(game)
    answers = []
    for seconds in (1, 25, 40, 300):
        let_pages_poll(game, clock, seconds)
        clock.shift(timedelta(seconds=1))
        answers.append(news(game, waits))
    assert answers == ["1", "2", "4", "8"]
    assert news(game, at_turn(game)) == str(SECONDS_AT_TURN)


def test_a_poll_reports_signs_and_thinking(clock: Traveller) -> None:
    game = new_table()
    first, waits = at_turn(game), not_at_turn(game)
    number = seat_of(game, waits).number
    version = shown_version_of(reread(game), number, timezone.now())
    assert news(game, waits, version) != NEWS
    for but, words in (((), "is thinking."), ((first,), "may be away, but can come back.")):
        let_pages_poll(game, clock, 35, *but)
        assert news(game, waits, version) == NEWS
        assert board(services.look(game.pk, waits)).speech.to_do.endswith(words)
        assert "turn!" in board(services.look(game.pk, first)).speech.to_do
        version = shown_version_of(reread(game), number, timezone.now())
    assert news(game, waits, version) != NEWS
    give_sign(game.pk, first, "hm")
    assert news(game, waits, version) == NEWS


def test_a_turn_begins_only_once(clock: Traveller) -> None:
    """Hints, signs and tries do not begin the turn anew for those who wait."""
    game = new_table()
    first, waits = at_turn(game), not_at_turn(game)
    for _ in range(4):
        let_pages_poll(game, clock, 25)
        act(game, AskHint(), first)
        give_sign(game.pk, first, "hm")
    assert board(services.look(game.pk, waits)).speech.to_do.endswith("is thinking.")


def long_turn(clock: Traveller, *players: UUID) -> tuple[Game, UUID, list[UUID]]:
    """A table whose first turn has become long, the player at turn, and those who wait."""
    game = new_table(*players)
    first = at_turn(game)
    let_pages_poll(game, clock, 115)
    waiting = [player for player in players if player != first]
    assert not any(may_ask_for_bot(game, player) for player in waiting)
    act(game, AskHint(), first)
    let_pages_poll(game, clock, 10)
    return game, first, waiting


def may_ask_for_bot(game: Game, player: UUID) -> bool:
    several = board(services.look(game.pk, player)).several
    assert several
    return several.may_ask_for_bot


def to_do(game: Game, player: UUID) -> str:
    return board(services.look(game.pk, player)).speech.to_do


def test_a_bot_plays_a_long_turn_if_all_others_ask_for_it(clock: Traveller) -> None:
    game, first, (second, third) = long_turn(clock, DORA, EMIL, FINN)
    version = shown_version_of(reread(game), seat_of(game, first).number, timezone.now())
    for player in (first, second):
        shared_table.ask_for_bot(game.pk, player)
    assert "You have asked for a bot." in to_do(game, second)
    assert (may_ask_for_bot(game, second), may_ask_for_bot(game, third)) == (False, True)
    let_pages_poll(game, clock, 25)
    assert at_turn_is(game, first)
    shared_table.ask_for_bot(game.pk, third)
    assert news(game, first, version) == NEWS
    assert "or a bot plays this turn" in to_do(game, first)
    let_pages_poll(game, clock, 15)
    assert at_turn_is(game, first)
    let_pages_poll(game, clock, 10)
    assert news(game, second) == NEWS
    services.look(game.pk, second)
    assert at_turn_by_state(game) == second
    assert seat_of(game, first).away_since is None
    assert "A bot has played for you." in to_do(game, first)
    assert not Seat.objects.exclude(answered_at=None).exists()
    assert equals_its_replay(game)


@pytest.mark.parametrize("acts", [True, False])
def test_no_bot_plays_for_a_child_who_acts_or_taps(clock: Traveller, acts: bool) -> None:
    game, first, waiting = long_turn(clock, DORA, EMIL, FINN)
    for player in waiting:
        shared_table.ask_for_bot(game.pk, player)
        shared_table.go_on(game.pk, player)
    if acts:
        act(game, AskHint(), first)
    else:
        shared_table.go_on(game.pk, first)
    let_pages_poll(game, clock, 60)
    services.look(game.pk, waiting[0])
    assert at_turn_is(game, first)
    assert not any(may_ask_for_bot(game, player) for player in waiting)
    let_pages_poll(game, clock, 70)
    assert all(may_ask_for_bot(game, player) for player in waiting)


def test_one_child_alone_cannot_ask_for_a_bot(clock: Traveller) -> None:
    game, first, (waits,) = long_turn(clock, DORA, EMIL)
    assert not may_ask_for_bot(game, waits)
    shared_table.ask_for_bot(game.pk, waits)
    let_pages_poll(game, clock, 60)
    services.look(game.pk, waits)
    assert at_turn_is(game, first)


def test_a_child_who_comes_back_has_a_new_turn(clock: Traveller) -> None:
    """Both have put the table aside during the turn of one of them."""
    game = new_table()
    first, waits = at_turn(game), not_at_turn(game)
    shared_table.leave(game.pk, waits)
    shared_table.leave(game.pk, first)
    clock.shift(timedelta(hours=1))
    for player in (first, waits):
        services.look(game.pk, player)
    assert services.look(game.pk, first).view.may_act
    assert not board(services.look(game.pk, waits)).speech.to_do.endswith("is thinking.")


def test_the_others_read_what_is_done_meanwhile() -> None:
    game = new_table()
    first, waits = at_turn(game), not_at_turn(game)
    act(game, Do(DrawClosed()), first)
    assert " is looking for a row." in board(services.look(game.pk, waits)).speech.to_do


def test_a_player_who_left_the_page_is_not_shown_as_thinking(clock: Traveller) -> None:
    game = new_table()
    first, waits = at_turn(game), not_at_turn(game)
    let_pages_poll(game, clock, 35, first)
    assert board(services.look(game.pk, waits)).speech.to_do.endswith(
        "may be away, but can come back."
    )


def test_an_address_that_the_site_did_not_make_gets_no_answer() -> None:
    game = new_table()
    own, other = seat_token(game.pk, 0), seat_token(game.pk, 1)
    assert poll(game.pk, 0, own, 0) is not None
    assert poll(game.pk, 0, other, 0) is None
    assert poll(uuid4(), 0, own, 0) is None


def test_polls_write_to_the_database_rarely(
    clock: Traveller, django_assert_num_queries: Any
) -> None:
    game = new_table()
    player = at_turn(game)
    seat = seat_of(game, player)
    mark = seat_token(game.pk, seat.number)
    version = shown_version_of(reread(game), seat.number, timezone.now())
    clock.shift(timedelta(seconds=11))
    with django_assert_num_queries(2):
        poll(game.pk, seat.number, mark, version)
    clock.shift(timedelta(seconds=5))
    with django_assert_num_queries(1):
        poll(game.pk, seat.number, mark, version)


def test_a_round_ended_by_a_stand_in_is_shown() -> None:
    for seed in range(1, 9):
        game = new_table(seed=seed)
        shared_table.leave(game.pk, EMIL)
        while act_at_table(game, DORA):
            pass
        stood_in = game.entries.filter(kind=EntryKind.STAND_IN)
        if any("laid" in entry.data for entry in stood_in):
            break
    assert any("laid" in entry.data for entry in stood_in)
    for player in (DORA, EMIL):
        assert board(services.watch(game.pk, player).outcome).over


def test_the_latest_words_at_a_table_are_marked() -> None:
    """On a phone they cover those of the others."""
    game = new_table(DORA, EMIL, FINN, offers=False)
    for _ in range(4):
        speaker = at_turn(game)
        act_until_turn_ends(game, speaker)
        for player in (DORA, EMIL, FINN):
            players = board(services.look(game.pk, player)).players
            last = [each.seat for each in players if each.speaks_last]
            assert last == ([] if player == speaker else [seat_of(game, speaker).number])


def test_a_bot_does_not_speak_as_the_child_who_is_away() -> None:
    game = new_table()
    leaves, stays = at_turn(game), not_at_turn(game)
    shared_table.leave(game.pk, leaves)
    game_board = board(services.look(game.pk, stays))
    name = "Dora" if leaves == DORA else "Emil"
    assert [player.speaker for player in game_board.players if player.steps] == [f"Bot for {name}:"]
    assert [player.is_spoken_for for player in game_board.players if player.steps] == [True]
    assert f"Bot for {name}: " in game_board.speech.live


def test_a_child_who_comes_back_sees_what_a_bot_played_for_them(
    django_capture_on_commit_callbacks: Any,
) -> None:
    game = new_table()
    leaves = at_turn(game)
    with django_capture_on_commit_callbacks(execute=True):
        shared_table.leave(game.pk, leaves)
    version = reread(game).version
    for since in (None, version - 1):
        game_board = board(services.look(game.pk, leaves, since=since))
        assert [player.speaker for player in game_board.players if player.steps] == ["Bot for you:"]
        assert game_board.players[0].says_now
        assert "A bot has played for you." in game_board.speech.to_do
        assert "Bot for you: " in game_board.speech.live
    again = board(services.look(game.pk, leaves, since=reread(game).version))
    assert "A bot has played for you." not in again.speech.to_do


def at_the_end_of_a_round(*players: UUID) -> Game:
    game = new_table(*players, rounds=2, seconds={"turn_seconds": 5})
    play_table(game, is_over)
    return game


def wish_next_round(game: Game, player: UUID) -> Outcome:
    outcome = act(game, NextRound(), player)
    assert not outcome.result.error
    return outcome


def test_the_next_round_begins_once_all_who_are_there_want_it() -> None:
    game = at_the_end_of_a_round(DORA, EMIL, FINN)
    shared_table.leave(game.pk, FINN)
    before = board(services.look(game.pk, DORA)).several
    assert before
    game_board = board(wish_next_round(game, EMIL))
    assert not game_board.buttons
    assert game_board.several
    assert game_board.several.ready_text == "Ready for the next round: You"
    assert news(game, DORA, before.news) == NEWS
    game_board = board(services.look(game.pk, DORA))
    assert game_board.several
    assert game_board.several.ready_text == "Ready for the next round: Emil"
    assert wish_next_round(game, DORA).view.round == 2
    assert services.look(game.pk, EMIL).view.round == 2
    assert not Seat.objects.exclude(answered_at=None).exists()
    assert equals_its_replay(game)


def test_the_next_round_waits_twenty_seconds_for_a_child_who_reads(clock: Traveller) -> None:
    game = at_the_end_of_a_round(DORA, EMIL)
    clock.shift(timedelta(seconds=30))
    assert services.look(game.pk, DORA).view.round == 1
    wish_next_round(game, EMIL)
    clock.shift(timedelta(seconds=19))
    assert services.look(game.pk, DORA).view.round == 1
    clock.shift(timedelta(seconds=2))
    assert news(game, EMIL) == NEWS
    assert services.look(game.pk, EMIL).view.round == 2
    late = services.act(game.pk, DORA, version=1, key=uuid4(), move=NextRound())
    assert late.result.is_stale


def test_the_next_round_begins_when_the_last_reader_leaves(
    django_capture_on_commit_callbacks: Any,
) -> None:
    game = at_the_end_of_a_round(DORA, EMIL)
    wish_next_round(game, EMIL)
    with django_capture_on_commit_callbacks(execute=True):
        shared_table.leave(game.pk, DORA)
    assert reread(game).round == 2


def test_bots_keep_their_places_between_players() -> None:
    seats = [
        NewSeat(player=DORA, name="Dora"),
        NewSeat(bot="beginner", name="Bruno", face="bear"),
        NewSeat(player=EMIL, name="Emil"),
    ]
    game = starting.start(EDITIONS["simplified"], seats, hint_steps=0, seed=3)
    for _ in range(12):
        player = at_turn(game)
        outcome = act_at_table(game, player)
        assert outcome.result.error is None
    assert equals_its_replay(game)


def test_a_table_that_plays_together_compares_nobody() -> None:
    game = new_table(DORA, EMIL, bots=1, goal=4, piles=2, most_turns=6, refill=True, market=3)
    play_table(game, is_over)
    for player in (DORA, EMIL):
        outcome = services.look(game.pk, player)
        end = board(outcome).over
        assert end.goal is not None
        assert end.scores == ()
        assert end.has_won == outcome.view.is_goal_reached
        planks = outcome.view.earned[outcome.seat_number]
        assert any(f"{planks} plank" in feat for feat in end.achievements) == bool(planks)


def test_after_their_last_turn_a_child_waits_for_the_others_last_turns() -> None:
    game = new_table(goal=90, piles=2, most_turns=1, refill=True, market=3)
    first, second = at_turn(game), not_at_turn(game)

    def turns_left(player: UUID) -> str:
        goal = board(services.look(game.pk, player)).goal
        return goal.turns_left_text if goal else ""

    assert turns_left(first) == turns_left(second) == "Your last turn!"
    act_until_turn_ends(game, first)
    assert turns_left(first) == "Now the others finish."
    assert turns_left(second) == "Your last turn!"


def test_a_row_that_a_bot_laid_for_a_child_does_not_count_as_theirs() -> None:
    game = new_table(DORA, EMIL, bots=1, goal=90, piles=2, most_turns=6, refill=True, market=3)
    shared_table.leave(game.pk, EMIL)
    while act_at_table(game, DORA):
        pass
    emil = seat_of(game, EMIL).number
    assert services.look(game.pk, DORA).view.earned[emil]
    shared_table.load_and_catch_up(game.pk, EMIL)
    end = board(services.look(game.pk, EMIL)).over
    assert not any("from you" in feat for feat in end.achievements)
