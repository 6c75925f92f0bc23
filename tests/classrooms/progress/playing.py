"""A child who plays through the real services. They lay all rows that they see, or none."""

from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from uuid import uuid4

from classrooms.models import Assignment, Attempt, Child
from games.coach.rows import plain_plays
from games.engine.actions import Discard, DrawClosed
from games.engine.plays import plays_of_tap
from games.engine.view import legal_actions
from games.models import Game
from games.play import services as play
from games.play import starting
from games.play.moves import AskHint, Choose, Do, Lay, Move, NextRound, TakeBack
from games.play.round_story import RoundStory, story_of_round
from games.play.services import Outcome
from games.play.starting import NewSeat

FIRST_GOOD_SEED = 25
"""The seed of the first deal of the simplified game that gives the child a row."""


def begin(child: Child, assignment: Assignment, seed: int) -> Attempt:
    """Begin a match of the child against a beginner. The seed decides all chance."""
    game = starting.start(
        assignment.ruleset,
        [NewSeat(player=child.player, name=child.name), NewSeat(bot="beginner", name="Bo")],
        hint_steps=assignment.hint_steps,
        seed=seed,
    )
    return Attempt.objects.create(assignment=assignment, child=child, game=game)


def begin_with_a_row(child: Child, assignment: Assignment) -> "Hand":
    """Begin a match in which the child is dealt a row, whatever the bots do."""
    for seed in range(FIRST_GOOD_SEED, 500):
        hand = Hand(begin(child, assignment, seed))
        if hand.rows():
            return hand
        hand.attempt.game.delete()
    raise AssertionError("no deal has a row")


@dataclass
class Hand:
    """The hand of an attempt, played move by move."""

    attempt: Attempt
    _last: Outcome | None = field(default=None, init=False, repr=False, compare=False)

    def look(self) -> Outcome:
        """The state of the game. It is read again only if another player has moved."""
        of_game = Game.objects.filter(pk=self.attempt.game_id)
        version = of_game.values_list("version", flat=True).get()
        if self._last is None or self._last.game.version != version:
            self._last = play.look(self.attempt.game_id, self.attempt.child.player)
        return self._last

    def move(self, move: Move) -> Outcome:
        game = self.look().game
        outcome = play.act(
            game.pk, self.attempt.child.player, version=game.version, key=uuid4(), move=move
        )
        assert not outcome.result.error, outcome.result.error
        self._last = outcome
        return outcome

    def draw(self) -> Outcome:
        """Go on until the child may lay, with the next round if necessary."""
        outcome = self.look()
        if outcome.view.phase == "round over":
            outcome = self.move(NextRound())
        return self.move(Do(DrawClosed())) if outcome.view.phase == "draw" else outcome

    def rows(self) -> list[str]:
        return sorted(map(str, plain_plays(self.look().view.position)))

    def lay(self) -> str:
        """Lay the first possible row, and return its text, or "" if there is none."""
        rows = self.rows()
        if rows:
            self.move(Choose(rows[0]))
        return rows[0] if rows else ""

    def draw_until_a_row_is_there(self) -> None:
        while self.draw() and not self.rows():
            self.end()

    def try_wrongly(self) -> None:
        """Try three cards of the hand that make no row. If any three cards make one, do nothing."""
        outcome = self.look()
        for three in combinations(sorted(outcome.view.hand), 3):
            if not plays_of_tap(outcome.view.position, three, ()):
                self.move(Lay(three))
                return

    def hint(self, step: int = 1) -> None:
        for _ in range(step):
            self.move(AskHint())

    def take_back(self) -> None:
        self.move(TakeBack())

    def end(self) -> Outcome:
        """Discard the last card that may be discarded."""
        discards = [
            action for action in legal_actions(self.look().view) if isinstance(action, Discard)
        ]
        return self.move(Do(discards[-1]))

    def play_turn(self, *, lays: bool = True) -> None:
        """Play one turn: draw, lay all possible rows or none, discard."""
        self.draw()
        while lays and self.lay():
            pass
        if self.look().view.phase == "play":
            self.end()

    def play_awkward_turn(self, random: Random) -> None:
        """Play a turn that may have a hint, wrong tries or a row taken back. The game may be over
        before or after it."""
        if self.draw().view.phase != "play":
            return
        for _ in range(random.randrange(4)):
            self.try_wrongly()
        if random.random() < 0.4:
            self.hint()
        if random.random() < 0.4 and self.lay() and self.look().view.phase == "play":
            self.take_back()
        if self.look().view.phase == "play":
            self.play_turn(lays=random.random() < 0.5)

    def play_round(self, *, lays: bool = True) -> None:
        number = self.draw().view.round
        while True:
            view = self.look().view
            if view.round != number or view.phase in ("round over", "match over"):
                return
            self.play_turn(lays=lays)


def real_round(dora: Child, assignment: Assignment) -> tuple[Attempt, RoundStory]:
    """A round that was really played, in which a row was found without help."""
    for seed in range(100):
        attempt = begin(dora, assignment, seed)
        Hand(attempt).play_round()
        attempt.game.refresh_from_db()
        story = story_of_round(attempt.game, 2, 0)
        if story.found_alone_by_table:
            return attempt, story
        attempt.game.delete()
    raise AssertionError("no row in any round")
