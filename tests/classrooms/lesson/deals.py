"""Children who play one deal through the real services, each in their own way."""

from random import Random
from uuid import uuid4

from classrooms.assignments import playing
from classrooms.models import Assignment, Attempt, Child
from games.coach.begun_rounds import rows_to_find
from games.coach.rows import plain_plays
from games.engine.actions import DrawClosed, DrawOpen
from games.engine.plays import plays_without_jokers
from games.engine.round import OVER_PHASES
from games.engine.view import legal_actions
from games.models import Game
from games.play import services
from games.play import services as play
from games.play.moves import Choose, Do, Move, TakeBack
from games.play.services import Outcome
from tests.games.players import act


class DealHand:
    """A child's hand in a deal. `eagerness` is the chance to lay a possible row."""

    def __init__(self, child: Child, deal: Assignment, seed: int, eagerness: float) -> None:
        self.child = child
        self.random = Random(f"child {seed}")
        self.eagerness = eagerness
        self.game_id = playing.continue_or_start(child, deal).pk
        self.outcome = play.look(self.game_id, child.player)

    @property
    def attempt(self) -> Attempt:
        return Attempt.objects.get(game=self.game_id)

    def move(self, move: Move) -> Outcome:
        version = self.outcome.game.version
        self.outcome = play.act(
            self.game_id, self.child.player, version=version, key=uuid4(), move=move
        )
        assert not self.outcome.result.error, self.outcome.result.error
        return self.outcome

    def play_turn(self) -> None:
        view = self.outcome.view
        if view.phase == "draw":
            takes_open = view.open_top is not None and self.random.random() < 0.3
            view = self.move(Do(DrawOpen() if takes_open else DrawClosed())).view
        while view.phase == "play" and self.random.random() < self.eagerness:
            rows = sorted(map(str, plays_without_jokers(view.position)))
            if not rows:
                break
            view = self.move(Choose(self.random.choice(rows))).view
            if view.phase == "play" and self.random.random() < 0.1:
                view = self.move(TakeBack()).view
        if view.phase == "play":
            puts_down = [
                action for action in legal_actions(view) if type(action).__name__ == "Discard"
            ]
            self.move(Do(self.random.choice(puts_down)))

    def play_out(self, most_turns: int = 60) -> None:
        for _ in range(most_turns):
            if self.outcome.view.phase in OVER_PHASES:
                return
            self.play_turn()


def lay(child: Child, game: Game, row: int = 0) -> tuple[int, ...]:
    """Lay the easiest row, or the next easiest."""
    position = services.look(game.pk, child.player).view.position
    numbers = rows_to_find(position)[row]
    play = next(
        play
        for play in plain_plays(position)
        if position.table.with_play(play)[1].numbers == numbers
    )
    outcome = act(game, Choose(str(play)), child.player)
    assert not outcome.result.error
    return numbers
