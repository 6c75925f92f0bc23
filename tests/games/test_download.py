"""A finished game as a text file, once nothing in it is hidden any more."""

from datetime import UTC, datetime

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from classrooms.models import Child
from games.engine.text.game_text import read, write
from games.models import Action, Game
from games.play import log, services
from games.play.moves import AskHint, Lay
from tests.classrooms.people import client_of_child
from tests.factories import ChildFactory
from tests.games.players import act, new_game, play_on, play_out

pytestmark = pytest.mark.django_db

SEEDS = (20261121, 4)


@pytest.fixture
def dora() -> Child:
    return ChildFactory.create(name="Dora")


@pytest.fixture
def finished(dora: Child) -> Game:
    """Dora's game, in which she asked for a hint and tried cards that form no row."""
    game = new_game(dora.player, seed=SEEDS[0])
    play_on(game, lambda view: view.phase == "play", dora.player)
    act(game, AskHint(), dora.player)
    hand = services.look(game.pk, dora.player).view.hand
    act(game, Lay(hand[:2]), dora.player)
    assert {"hint", "refused"} <= set(game.actions.values_list("kind", flat=True))
    play_out(game, dora.player)
    game.refresh_from_db()
    assert game.finished_at is not None
    return game


def test_the_record_of_a_finished_game_replays_to_how_it_ended(dora: Child, finished: Game) -> None:
    record = read(services.record(finished).text)
    played = log.snapshot_of(finished, 2).state
    ended = record.at(len(record.entries))
    assert (ended.hands, ended.table) == (played.hands, played.table)
    assert (ended.scores, ended.winners) == (played.scores, played.winners)


def test_its_first_lines_say_what_it_is_in_the_language_of_the_reader(finished: Game) -> None:
    with override("de"):
        text = services.record(finished).text
    assert text.startswith("; Ein Spiel nmbrs!, Zug für Zug.")
    said = [line for line in text.splitlines() if line.startswith(";")]
    assert len(said) == 4
    assert read(text) == read(write(read(text))) == read(services.record(finished).text)


def test_it_holds_what_was_done_at_the_table_and_nothing_of_hints_or_tries(
    dora: Child, finished: Game
) -> None:
    record = read(services.record(finished).text)
    done = finished.actions.exclude(kind__in=(Action.Kind.HINT, Action.Kind.REFUSED))
    assert [(e.kind, e.seat, e.text) for e in record.entries] == list(
        done.order_by("number").values_list("kind", "seat", "text")
    )


def test_it_names_nobody(dora: Child, finished: Game) -> None:
    text = services.record(finished).text
    for seat in finished.seats.all():
        assert seat.name not in text
    assert str(dora.player) not in text
    assert str(finished.seed) not in text


def test_the_seed_of_reshuffles_is_in_it_only_where_one_took_place(dora: Child) -> None:
    """It is made from the game's own seed, which cannot be had from it."""
    with_seed = set()
    for seed in SEEDS:
        game = new_game(dora.player, seed=seed)
        play_out(game, dora.player)
        game.refresh_from_db()
        record = log.record_of(game, 2)
        reshuffled = any(state.reshuffles for state in record.states())
        assert record.setting.seed == (log.setting_of(game, 2).seed if reshuffled else 0)
        assert record.states()[-1].scores == log.snapshot_of(game, 2).state.scores
        with_seed.add(reshuffled)
    assert with_seed == {True, False}


def test_its_file_is_named_by_the_day(finished: Game) -> None:
    finished.finished_at = datetime(2026, 11, 20, 23, 30, tzinfo=UTC)
    with timezone.override("Europe/Amsterdam"):
        assert services.record(finished).name == "nmbrs-2026-11-21.txt"


@pytest.mark.parametrize("rounds", [1, 2])
def test_a_game_that_is_not_over_has_no_record_since_it_would_show_every_hand(
    dora: Child, rounds: int
) -> None:
    game = new_game(dora.player, rounds=rounds)
    if rounds == 2:
        assert play_out(game, dora.player).view.phase == "round over"
    game.refresh_from_db()
    with pytest.raises(services.NotFound):
        services.record(game)


def test_no_page_of_a_child_offers_the_file(dora: Child, finished: Game) -> None:
    """It is where the teacher looks at the replay."""
    page = client_of_child(dora).get(reverse("games:page", args=[finished.pk])).text
    assert "download" not in page
