"""The page knows what the row earned that the player has just laid, and why it counted double."""

import pytest

from games.bots import beginner
from games.engine.actions import DrawClosed
from games.engine.cards import colour
from games.engine.ruleset import EDITIONS
from games.engine.table import Play
from games.models import Game
from games.play import services
from games.play.moves import Do, NextRound
from games.play.services import Outcome
from games.screen.board import board
from tests.counts import times
from tests.games.players import DORA, act, new_game, play_on, play_out

pytestmark = pytest.mark.django_db
SEEDS = range(1, times(2, 30))


def praise_of(outcome: Outcome, numbers: str) -> str:
    """Why this row on the table counts double, by the colours of its cards."""
    lines = [
        line for line in outcome.view.table.lines if " ".join(map(str, line.numbers)) == numbers
    ]
    doubling = outcome.view.ruleset.doubling
    praises = set()
    for line in lines:
        kinds = {colour(laid.card) for laid in line.cards}
        if len(kinds) == 1 and "same" in doubling:
            praises.add("All one colour: double!")
        elif len(kinds) == len(line.cards) and "different" in doubling:
            praises.add("All colours different: double!")
        else:
            praises.add("")
    assert len(praises) == 1
    return praises.pop()


@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize("seed", SEEDS)
def test_points_and_praise_are_true(name: str, seed: int) -> None:
    game = new_game(name=name, seed=seed)
    outcome = services.look(game.pk, DORA)
    while outcome.view.may_act:
        before = outcome.view.scores[0]
        action = beginner.choose(outcome.view, seed + outcome.game.version)
        outcome = act(game, Do(action))
        own = board(outcome).own_play
        assert (own is not None) == isinstance(action, Play)
        if own is None or outcome.view.to_act is None:
            continue
        assert own.points == outcome.view.scores[0] - before
        assert own.praise == (praise_of(outcome, own.numbers) if own.points else "")
        assert f"{own.praise} {own.earned}".strip() in board(outcome).live
        assert bool(own.earned) == bool(own.points)
        assert own.earned.startswith(f"+{own.points} for ") or not own.points


def test_a_page_opened_again_praises_nothing_anew() -> None:
    game = new_game()
    play_on(game, lambda view: bool(view.table.lines))
    assert board(services.look(game.pk, DORA)).own_play is None


def test_the_hand_is_dealt_at_the_start_of_each_round_and_then_lies_there() -> None:
    game = new_game(rounds=2)
    assert board(services.look(game.pk, DORA)).dealt
    play_on(game, lambda view: view.phase == "draw")
    assert not board(act(game, Do(DrawClosed()))).dealt
    assert not board(play_out(game)).dealt
    assert Game.objects.get(pk=game.pk).phase == "round over"
    assert board(act(game, NextRound())).dealt
