"""A block on offer: every player chooses before a bot does, and nobody for another (rules 7.4)."""

import pytest

from games.engine.actions import Discard, Knock, Pass
from games.engine.ruleset import edition
from games.models import Game
from games.play import services
from games.play.moves import Do
from games.play.services import NewSeat, Outcome
from games.screen.board import board
from tests.games.players import DORA, EMIL, act, new_game, play_on

pytestmark = pytest.mark.django_db


def asked(name: str = "blocks", bots: int = 2) -> tuple[Game, Outcome]:
    """A bot has put a block down, and Dora may have it."""
    game = new_game(name=name, bots=bots)
    return game, play_on(game, lambda view: view.phase == "knock" and view.may_act)


def test_the_bots_wait_until_the_child_has_answered() -> None:
    _, outcome = asked()
    view = outcome.view
    assert not any(view.passed)
    shown = board(outcome)
    assert shown.my_turn
    assert shown.piles.asked
    assert [button.move for button in shown.answers] == ["pass", "knock"]


def test_the_child_is_asked_before_the_bot_whose_turn_is_next() -> None:
    game = new_game(name="blocks", bots=2)
    outcome = play_on(
        game, lambda view: view.phase == "knock" and view.may_act and view.to_act == 2
    )
    assert outcome.view.turn == 1


def test_to_knock_is_to_take_the_block_and_one_more() -> None:
    game, before = asked()
    offered, count = before.view.open_top, before.view.counts[0]
    outcome = act(game, Do(Knock()))
    assert offered in outcome.view.hand
    assert outcome.view.counts[0] >= count + 2
    knock = game.actions.get(text="knock 0")
    assert knock.data == {"card": str(offered)}


def test_who_passes_leaves_it_to_the_bots() -> None:
    game, before = asked()
    outcome = act(game, Do(Pass()))
    assert game.actions.filter(text="pass 0", seat=0).exists()
    assert before.view.open_top not in outcome.view.hand


def test_nobody_answers_for_another() -> None:
    game, before = asked()
    count = before.view.counts[0]
    outcome = act(game, Do(Knock(1)))
    assert game.actions.filter(text="knock 0").exists()
    assert outcome.view.counts[0] >= count + 2


def test_whoever_put_it_down_cannot_have_it_back() -> None:
    game = new_game(name="blocks", bots=1)
    outcome = play_on(game, lambda view: view.phase == "play")
    outcome = act(game, Do(Discard(outcome.view.hand[0])))
    assert outcome.view.phase != "knock" or outcome.view.turn != 0


def test_two_children_choose_in_any_order() -> None:
    seats = [
        NewSeat(player=DORA, name="Dora"),
        NewSeat(player=EMIL, name="Emil"),
        NewSeat(bot="beginner", name="Bot", face="owl"),
    ]
    ruleset = edition("blocks", rounds=1)
    games = (services.start(ruleset, seats, hint_steps=0, seed=seed) for seed in range(50))
    game = next(game for game in games if services.look(game.pk, DORA).view.turn == 2)
    assert services.look(game.pk, DORA).view.may_act
    assert services.look(game.pk, EMIL).view.may_act
    outcome = act(game, Do(Pass()), EMIL)
    assert outcome.view.passed == (False, True, False)
    assert services.look(game.pk, DORA).view.may_act
    assert not outcome.view.may_act


def test_in_simple_blocks_the_child_is_the_youngest() -> None:
    _, outcome = asked("blocks-simple")
    assert outcome.view.to_act == 0
    assert "You choose first" in board(outcome).to_do
