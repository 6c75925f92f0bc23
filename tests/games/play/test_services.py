"""Starting, looking and acting: versions, keys, taking back, hints."""

from dataclasses import replace
from typing import Any
from unittest import mock
from uuid import UUID, uuid4

import pytest

from games import signals
from games.engine.actions import Discard, DrawClosed, DrawOpen
from games.engine.cards import JOKERS, LaidCard, cards_in, mask_of
from games.engine.round import OVER_PHASES
from games.engine.ruleset import edition
from games.engine.table import Line
from games.engine.text.notation import parse_action
from games.engine.text.record import EntryKind
from games.engine.text.snapshot import state_to_data
from games.engine.view import view
from games.models import Entry, Game
from games.play import log, moves, services, stored_game
from games.play.log import lowest_seed_for_starter
from games.play.moves import MOST_CHOICES, NO_RESULT, AskHint, Choose, Do, Lay, NextRound, TakeBack
from games.screen.board import board
from tests.games.players import (
    DORA,
    FINN,
    act,
    before_a_play,
    new_game,
    play_on,
    play_out,
    plays_of,
)
from tests.games.staged import stage

TEN_TO_THIRTY = Line.of(LaidCard(number, number) for number in (10, 20, 30))

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_a_new_game_waits_for_the_player() -> None:
    outcome = services.look(new_game(bots=3).pk, DORA)
    assert outcome.view.to_act == outcome.seat_number == 0
    assert outcome.view.phase == "draw"


def test_bots_that_begin_have_played_before_the_page_is_shown() -> None:
    game = new_game(bots=3, seed=lowest_seed_for_starter(edition("simplified"), seats=4, starter=2))
    assert services.look(game.pk, DORA).view.to_act == 0
    by_seat = game.entries.exclude(seat=None).order_by("number").values_list("seat", flat=True)
    assert list(dict.fromkeys(by_seat)) == [2, 3]


def test_a_foreign_game_is_not_found() -> None:
    game = new_game()
    with pytest.raises(services.NotFound):
        services.look(game.pk, FINN)
    with pytest.raises(services.NotFound):
        services.act(game.pk, FINN, version=1, key=uuid4(), move=Do(DrawClosed()))


def test_a_missing_game_is_not_found() -> None:
    with pytest.raises(services.NotFound):
        services.look(uuid4(), DORA)


def test_an_action_is_stored_with_the_bots_answer() -> None:
    game = new_game()
    act(game, Do(DrawClosed()))
    hand = services.look(game.pk, DORA).view.hand
    outcome = act(game, Do(Discard(hand[0])))
    assert parse_action(outcome.entries[0].text, game.ruleset) == Discard(hand[0])
    assert {entry.seat for entry in outcome.entries[1:]} == {1}
    assert outcome.game.version == game.entries.count()


def test_an_entry_is_stored_with_all_its_columns() -> None:
    game = new_game()
    draft = stored_game.load(game.pk, DORA).begin_draft()
    moves.make_move(draft, 0, Do(DrawClosed()))
    entries = stored_game.store(draft, uuid4())
    assert entries
    columns = [field.attname for field in Entry._meta.concrete_fields if not field.primary_key]
    values = [tuple(getattr(entry, name) for name in columns) for entry in entries]
    rows = game.entries.order_by("number").values_list(*columns)
    assert values == list(rows)[-len(values) :]


def test_a_refused_action_changes_nothing() -> None:
    game = new_game()
    before = Game.objects.get(pk=game.pk)
    outcome = act(game, Do(Discard(1)))
    after = Game.objects.get(pk=game.pk)
    assert outcome.result.error == "wrong-phase"
    assert (after.version, after.snapshot) == (before.version, before.snapshot)
    assert game.entries.count() == before.version


def test_a_row_that_cannot_be_laid_is_logged_and_explained() -> None:
    game = new_game()
    hand = act(game, Do(DrawClosed())).view.hand
    before = Game.objects.get(pk=game.pk).snapshot
    cards = next(
        (a, b, c) for a in hand for b in hand for c in hand if a < b < c < 51 and c - b != b - a
    )
    outcome = act(game, Lay(cards))
    assert outcome.result.refusal.code == "not-a-sequence"
    assert outcome.result.refusal.numbers == cards
    assert outcome.entries[0].kind == "refused"
    assert Game.objects.get(pk=game.pk).snapshot == before


def test_the_same_key_is_carried_out_once() -> None:
    game = new_game()
    version, key = game.version, uuid4()
    first = services.act(game.pk, DORA, version=version, key=key, move=Do(DrawClosed()))
    again = services.act(game.pk, DORA, version=version, key=key, move=Do(DrawClosed()))
    assert [entry.number for entry in again.entries] == [entry.number for entry in first.entries]
    assert again.view == first.view
    assert not again.result.is_stale


def test_an_old_key_gets_the_answer_that_it_made() -> None:
    game = new_game()
    draw, discard = (game.version, uuid4()), uuid4()
    hand = services.act(
        game.pk, DORA, version=draw[0], key=draw[1], move=Do(DrawClosed())
    ).view.hand
    version = Game.objects.get(pk=game.pk).version
    services.act(game.pk, DORA, version=version, key=discard, move=Do(Discard(hand[0])))
    again = services.act(game.pk, DORA, version=draw[0], key=draw[1], move=Do(DrawClosed()))
    act_entry = game.entries.get(key=draw[1])
    assert [entry.number for entry in again.entries] == [act_entry.number] == [version]


@pytest.mark.parametrize("steps", [1, 3])
def test_a_repeated_hint_is_the_same_hint(steps: int) -> None:
    game = new_game()
    before_a_play(game)
    for _ in range(steps - 1):
        act(game, AskHint())
    version, key = Game.objects.get(pk=game.pk).version, uuid4()
    first = services.act(game.pk, DORA, version=version, key=key, move=AskHint())
    again = services.act(game.pk, DORA, version=version, key=key, move=AskHint())
    assert first.hint == again.hint
    assert first.hint.step == steps


@pytest.mark.parametrize(
    ("tapped", "error"),
    [
        (Lay((45, 77, 41)), "not-in-hand"),
        (Lay((45,), (LaidCard(49, 49),)), "not-on-table"),
        (Lay((45,), (LaidCard(101, 20),)), "not-on-table"),
        (
            Lay((45,), (Line.of(LaidCard(number, number) for number in (10, 20, 30, 40)),)),
            "not-on-table",
        ),
    ],
)
def test_cards_that_are_not_there_are_refused_and_not_logged(tapped: Lay, error: str) -> None:
    game = new_game()
    stage(game, "45 41", "10-20-30")
    before = game.entries.count()
    assert act(game, tapped).result.error == error
    assert game.entries.count() == before


def test_a_card_or_row_tapped_many_times_is_logged_once() -> None:
    game = new_game()
    stage(game, "45 41", "10-20-30")
    act(game, Lay((45,) * 50, (TEN_TO_THIRTY,) * 60))
    assert game.entries.latest("number").text.split()[1:] == ["45", "10", "20", "30"]


def test_nothing_to_take_back_is_refused_without_reading_the_log() -> None:
    game = new_game()
    with mock.patch.object(moves, "entries_of") as log_reader:
        assert act(game, TakeBack()).result.error == "wrong-phase"
    assert not log_reader.called


@pytest.mark.parametrize(
    ("hand", "tapped"),
    [
        ("7 14 22", Lay((7, 14, 22))),
        ("45 41", Lay((45,), (TEN_TO_THIRTY, LaidCard(20, 20)))),
        ("45 41", Lay((45,), (LaidCard(10, 10), LaidCard(20, 20)))),
        ("45 41", Lay((45,), (LaidCard(10, 10), LaidCard(20, 20), LaidCard(30, 30)))),
        ("45 41", Lay((45, 41), (LaidCard(20, 20), TEN_TO_THIRTY))),
        ("45 41", Lay((45,))),
    ],
)
def test_a_repeated_refusal_gives_the_same_reason(hand: str, tapped: Lay) -> None:
    game = new_game()
    stage(game, hand, "10-20-30")
    version, key = Game.objects.get(pk=game.pk).version, uuid4()
    first = services.act(game.pk, DORA, version=version, key=key, move=tapped)
    again = services.act(game.pk, DORA, version=version, key=key, move=tapped)
    assert first.result.refusal is not None
    assert again.result.refusal == first.result.refusal


def test_tries_beyond_the_limit_are_not_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    game, tapped = new_game(), Lay((45, 41))
    stage(game, "45 41 40", "10-20-30")
    act(game, Lay((40,), (TEN_TO_THIRTY,)))
    act(game, AskHint())
    monkeypatch.setattr(moves, "MOST_ENTRIES", Game.objects.get(pk=game.pk).version)
    version, key = Game.objects.get(pk=game.pk).version, uuid4()
    first = services.act(game.pk, DORA, version=version, key=key, move=tapped)
    again = services.answer_again(game.pk, DORA, version=version, key=key, move=tapped)
    assert first.result.refusal is not None
    assert first.result == again.result
    monkeypatch.setattr(services, "_is_too_soon", lambda stored: False)
    assert act(game, AskHint()).hint is not None
    assert act(game, TakeBack()).result.error == "wrong-phase"
    assert game.entries.count() == version
    assert act(game, Do(Discard(45))).result == NO_RESULT


def test_an_old_page_gets_the_current_board_and_does_nothing() -> None:
    game = new_game()
    version = game.version
    act(game, Do(DrawClosed()))
    count = Entry.objects.count()
    outcome = services.act(game.pk, DORA, version=version, key=uuid4(), move=Do(DrawClosed()))
    assert outcome.result.is_stale
    assert outcome.view.phase == "play"
    assert Entry.objects.count() == count


def test_laying_finds_the_intended_play() -> None:
    game = new_game()
    stage(game, "10 20 30 1")
    outcome = act(game, Lay((10, 20, 30)))
    assert (outcome.view.play_count, list(outcome.result.choices)) == (1, [])


def test_an_offered_row_shows_which_card_is_the_players() -> None:
    game = new_game(tables=(2,))
    stage(game, "32 8 45", "26-28-30", "34-36-38", open_card="37")
    choices = board(act(game, Lay((32,)))).choices
    assert len(choices) > 1
    for choice in choices:
        assert [face.number for face, is_own in choice.faces if is_own] == ["32"]


def test_an_offered_row_says_that_it_swaps_a_joker() -> None:
    game = new_game(tables=(2,))
    stage(game, "16 8 45", "12-14-a=16", "18-20-22", open_card="37")
    choices = board(act(game, Lay((16,)))).choices
    assert {choice.name for choice in choices} == {"2 times table", "Swap the joker: 2 times table"}


def test_an_ambiguous_tap_offers_a_few_rows() -> None:
    """A joker and two numbers: the joker can go between them or at an end."""
    game = new_game(tables=None)
    outcome = act(game, Do(DrawClosed()))
    fresh_game = Game.objects.get(pk=game.pk)
    assert fresh_game.snapshot is not None
    hand = mask_of((10, 20, 33, *JOKERS))
    state = replace(log.snapshot_of(fresh_game, 2).state, hands=(hand, 0))
    Game.objects.update(snapshot={**fresh_game.snapshot, "state": state_to_data(state)})
    of_one_joker = act(game, Lay((10, 20, JOKERS[0])))
    assert [str(play) for play in of_one_joker.result.choices] == ["10 20 a=30", "10 a=15 20"]
    both = act(game, Lay((10, 20, *JOKERS[:2])))
    cards = [
        [(card.card > 0 and card.card, card.number) for card in p.hand] for p in both.result.choices
    ]
    assert len({str(sorted(numbers)) for numbers in cards}) == len(cards) > 1
    many = act(game, Lay((10, *JOKERS[:3])))
    assert len(many.result.choices) == MOST_CHOICES
    assert of_one_joker.game.version == many.game.version == outcome.game.version
    tapped = act(game, Lay((10, 20, JOKERS[0]), open_number=15))
    assert (tapped.result.choices, tapped.view.play_count) == ((), 1)


def test_a_play_taken_back_returns_to_the_hand_and_stays_in_the_log() -> None:
    game = new_game()
    before = before_a_play(game)
    play = plays_of(before.view)[0]
    act(game, Choose(str(play)))
    after = act(game, TakeBack())
    assert after.view == before.view
    assert [a.kind for a in game.entries.order_by("-number")[:2]] == ["take back", "act"]


def test_hints_go_stage_by_stage_and_begin_again_after_a_play() -> None:
    game = new_game()
    outcome = before_a_play(game)
    steps = [act(game, AskHint()).hint for _ in range(5)]
    assert [hint.step for hint in steps if hint] == [1, 2, 3, 4, 4]
    act(game, Choose(str(plays_of(outcome.view)[0])))
    begun_anew = act(game, AskHint()).hint
    assert begun_anew.step == 1


def test_hints_begin_again_after_a_draw() -> None:
    game = new_game()
    steps = [act(game, AskHint()).hint for _ in range(2)]
    assert [hint.step for hint in steps if hint and hint.take] == [1, 2]
    last_hint = services.look(game.pk, DORA).hint
    assert last_hint == steps[-1]
    act(game, Do(DrawClosed()))
    after = act(game, AskHint()).hint
    assert (after.step, after.take) == (1, "")


def test_there_is_no_hint_while_others_are_asked() -> None:
    game = new_game(offers=True, bots=2)
    play_on(game, lambda v: v.phase == "offer", DORA)
    assert act(game, AskHint()).result.error == "wrong-phase"


def test_a_game_without_hints_gives_none() -> None:
    game = new_game()
    Game.objects.update(hint_steps=0)
    before_a_play(game)
    assert act(game, AskHint()).result.error == "wrong-phase"


def test_the_next_round_is_dealt_on_demand() -> None:
    game = new_game(rounds=2)
    assert play_out(game).view.phase == "round over"
    outcome = act(game, NextRound())
    assert outcome.view.round == 2
    assert outcome.view.to_act == outcome.seat_number


def test_a_page_of_a_new_round_shows_nothing_of_the_old_one() -> None:
    game = new_game(rounds=2)
    play_out(game)
    before = Entry.objects.filter(game=game).count()
    act(game, NextRound())
    entries = services.look(game.pk, DORA).entries
    assert entries[0].kind == EntryKind.DEAL
    assert min(entry.number for entry in entries) > before


def test_a_match_that_is_over_is_finished() -> None:
    game = new_game(rounds=1)
    assert play_out(game).view.phase == "match over"
    assert Game.objects.get(pk=game.pk).finished_at is not None
    assert act(game, NextRound()).result.error == "wrong-phase"


@pytest.mark.parametrize("offers", [False, True])
def test_the_snapshot_equals_the_replay_of_the_log(offers: bool) -> None:
    game = new_game(bots=2, offers=offers)
    play_on(game, lambda view: view.to_act is None or min(view.turns) >= 3)
    fresh_game = Game.objects.get(pk=game.pk)
    snapshot = log.snapshot_of(fresh_game, 3)
    fresh_game.snapshot = None
    assert log.snapshot_of(fresh_game, 3) == snapshot


def test_a_game_can_go_on_without_its_snapshot() -> None:
    game = new_game()
    act(game, Do(DrawClosed()))
    Game.objects.update(snapshot=None)
    hand = services.look(game.pk, DORA).view.hand
    assert not act(game, Do(Discard(hand[0]))).result.error


@pytest.mark.parametrize(
    "other", [{"hint_step": "1"}, {"state": {}}, {"layout": {"cells": {}}}, {"colour": 1}]
)
def test_the_snapshot_of_another_release_is_replayed_from_the_log(other: dict[str, Any]) -> None:
    game = new_game()
    act(game, Do(DrawClosed()))
    fresh_game = Game.objects.get(pk=game.pk)
    snapshot = log.snapshot_of(fresh_game, 2)
    fresh_game.snapshot |= other
    assert log.snapshot_of(fresh_game, 2) == snapshot


def test_a_finished_round_is_signalled_after_commit(
    django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_ids: list[UUID] = []
    monkeypatch.setattr(
        signals.round_finished, "send_robust", lambda *a, game_id: game_ids.append(game_id)
    )
    game = new_game()
    with django_capture_on_commit_callbacks(execute=True):
        act(game, Do(DrawClosed()))
        hand = services.look(game.pk, DORA).view.hand
        act(game, Do(Discard(hand[0])))
    assert game_ids == []
    with django_capture_on_commit_callbacks(execute=True):
        while services.look(game.pk, DORA).view.phase not in OVER_PHASES:
            if services.look(game.pk, DORA).view.phase == "draw":
                act(game, Do(DrawClosed()))
            act(game, Do(Discard(services.look(game.pk, DORA).view.hand[0])))
        assert game_ids == []
    assert game_ids == [game.pk]


def test_a_player_sees_nothing_hidden() -> None:
    """The answers are the same whatever cards are in other hands and in the closed pile."""
    game = new_game(bots=2)
    act(game, Do(DrawClosed()))
    fresh_game = Game.objects.get(pk=game.pk)
    snapshot = log.snapshot_of(fresh_game, 3)
    state = snapshot.state
    hidden = [*cards_in(state.hands[1]), *cards_in(state.hands[2]), *state.closed_pile]
    hidden.reverse()
    size = state.hands[1].bit_count()
    hands = (
        state.hands[0],
        sum(1 << card for card in hidden[:size]),
        sum(1 << card for card in hidden[size : 2 * size]),
    )
    other = replace(state, hands=hands, closed_pile=tuple(hidden[2 * size :]), seed=99)
    assert other != state
    assert view(other, 0) == view(state, 0)
    outcome = services.look(game.pk, DORA)
    assert fresh_game.snapshot is not None
    Game.objects.update(snapshot={**fresh_game.snapshot, "state": state_to_data(other)})
    permuted = services.look(game.pk, DORA)
    assert (permuted.view, permuted.snapshot.layout) == (
        outcome.view,
        outcome.snapshot.layout,
    )


def test_a_move_needs_a_fixed_number_of_queries(django_assert_num_queries: Any) -> None:
    game = new_game()
    version = game.version
    with django_assert_num_queries(5):
        services.act(game.pk, DORA, version=version, key=uuid4(), move=Do(DrawClosed()))
    play_on(game, lambda view: min(view.turns) >= 2 and view.phase == "draw")
    version = Game.objects.get(pk=game.pk).version
    with django_assert_num_queries(5):
        services.act(game.pk, DORA, version=version, key=uuid4(), move=Do(DrawClosed()))


def test_a_draw_of_the_open_card_is_visible_to_all() -> None:
    game = new_game()
    top = services.look(game.pk, DORA).view.open_top
    outcome = act(game, Do(DrawOpen()))
    assert top in outcome.view.hand
    assert outcome.entries[0].data["card"]
