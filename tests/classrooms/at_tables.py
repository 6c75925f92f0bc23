"""Several children play at one table, through the real services."""

from collections.abc import Callable, Sequence

from classrooms.models import Child, GameTable
from games.coach.rows import plain_plays
from games.engine.actions import Action, Discard, DrawClosed
from games.engine.round import OVER_PHASES
from games.engine.view import legal_actions
from games.models import Game
from games.play import services as play
from games.play.moves import Choose, Do, Move
from games.play.services import Outcome
from tests.games.players import act


def game_of(table: GameTable) -> Game:
    """The match at a table, which has begun."""
    assert table.game
    return table.game


def at_turn(game: Game, children: Sequence[Child]) -> Child | None:
    """The child whose turn it is. None if the round is over."""
    for child in children:
        if play.look(game.pk, child.player).view.may_act:
            return child
    return None


def move(game: Game, child: Child, move: Move) -> Outcome:
    outcome = act(game, move, child.player)
    assert not outcome.result.error, outcome.result.error
    return outcome


def play_turn(game: Game, child: Child, *, lays: bool = True) -> None:
    """Play one turn of the child: draw a card, lay everything possible or nothing, discard."""
    outcome = play.look(game.pk, child.player)
    if outcome.view.phase == "draw":
        outcome = move(game, child, Do(DrawClosed()))
    while lays and outcome.view.phase == "play" and outcome.view.may_act:
        rows = sorted(map(str, plain_plays(outcome.view.position)))
        if not rows:
            break
        outcome = move(game, child, Choose(rows[0]))
    if outcome.view.phase == "play" and outcome.view.may_act:
        move(game, child, Do(_discard(outcome)))


def _discard(outcome: Outcome) -> Action:
    return [a for a in legal_actions(outcome.view) if isinstance(a, Discard)][-1]


def play_round(
    game: Game, children: Sequence[Child], *, lays: Callable[[Child], bool] = lambda child: True
) -> None:
    """Play the round to its end, each child in turn."""
    while child := at_turn(game, children):
        play_turn(game, child, lays=lays(child))
    assert play.look(game.pk, children[0].player).view.phase in OVER_PHASES
