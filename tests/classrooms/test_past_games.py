"""A game played out in memory is the same as the services make from the same moves."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from classrooms.demo.model_children import WEAK
from classrooms.demo.model_games import ModelChooser
from classrooms.demo.past_games import PastGame, play_out, store
from games.engine.ruleset import edition
from games.models import Game
from games.play import services
from games.play.log import entries_of, replayed, setting_of, snapshot_of
from games.play.moves import Move, MoveInProgress
from games.play.services import NewSeat

pytestmark = pytest.mark.django_db

BEGINS = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
PLAYER = uuid4()
PAST = PastGame(
    ruleset=edition("simplified", tables=(2, 5, 10), offers=False, rounds=2),
    seats=[NewSeat(player=PLAYER, name="Dora"), NewSeat(bot="steady", name="Ollie", face="owl")],
    begins=BEGINS,
    seed=7,
    hint_steps=4,
)


class Remembering(ModelChooser):
    """A model child whose moves can be repeated."""

    def choose(self, current: MoveInProgress, seat: int) -> tuple[Move, float]:
        chosen = ModelChooser.choose(self, current, seat)
        self.moves.append(chosen[0])
        return chosen

    moves: list[Move]


@pytest.fixture
def chooser() -> Remembering:
    chooser = Remembering(WEAK, 5)
    chooser.moves = []
    return chooser


def log(game: Game) -> list[tuple[object, ...]]:
    return list(game.actions.values_list("number", "kind", "seat", "text", "data"))


def test_it_leaves_the_log_that_the_services_leave(chooser: Remembering) -> None:
    (game,) = store([play_out(PAST, chooser)])
    lived = services.start(PAST.ruleset, PAST.seats, hint_steps=4, seed=7)
    for move in chooser.moves:
        seen = services.look(lived.pk, PLAYER).game.version
        assert not services.act(lived.pk, PLAYER, seen=seen, key=uuid4(), move=move).error
    game.refresh_from_db()
    lived.refresh_from_db()
    assert {kind for _, kind, *_ in log(game)} >= {"deal", "act", "hint", "refused"}
    assert log(game) == log(lived)
    for name in ("version", "phase", "round", "snapshot", "round_winners"):
        assert getattr(game, name) == getattr(lived, name)


def test_its_snapshot_is_the_replay_of_its_log(chooser: Remembering) -> None:
    (game,) = store([play_out(PAST, chooser)])
    game.refresh_from_db()
    assert snapshot_of(game, 2) == replayed(setting_of(game, 2), entries_of(game))


def test_whoever_leaves_leaves_an_open_game() -> None:
    class Leaving:
        def choose(self, current: MoveInProgress, seat: int) -> None:
            return None

    (game,) = store([play_out(PAST, Leaving())])
    assert game.finished_at is None
    assert game.phase == "draw"
