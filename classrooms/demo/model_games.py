"""A model child plays a game of `past_games`, asks for hints, and tries cards that make no row.
Only for simulations."""

from dataclasses import dataclass, field
from random import Random
from typing import Final

from classrooms.demo.model_children import ModelChild
from classrooms.demo.model_player import (
    BETWEEN_ROUNDS_SECONDS,
    DISCARDING_SECONDS,
    DRAWING_SECONDS,
    LAYING_SECONDS,
    RECALLS_PER_LOOK,
    WRONG_TRY_SECONDS,
    ModelPlayer,
)
from games.engine.actions import Discard
from games.engine.cards import is_joker
from games.engine.plays import plays_of_tap
from games.engine.round import ROUND_OVER, view
from games.engine.table import Play
from games.play.moves import AskHint, Do, Draft, Lay, Move, NextRound

HINT_CHANCE: Final = 0.12
"""The chance to ask for a hint after seeing no row, once a turn."""
NEXT_STEP_CHANCE: Final = 0.6
"""The chance to ask for the next step after one that did not help."""
ROW_CHANCES_AFTER_HINT: Final = (0.35, 0.5, 0.65, 0.85)
"""The chance to find the row after each step of a hint."""


@dataclass(slots=True)
class ModelChooser:
    """Chooses moves for a model child. Everything random follows from `seed`."""

    model: ModelChild
    seed: int
    _tried: set[tuple[int, ...]] = field(default_factory=set)

    def choose(self, draft: Draft, seat: int) -> tuple[Move, float]:
        state = draft.state
        if state.phase == ROUND_OVER:
            return NextRound(), BETWEEN_ROUNDS_SECONDS
        player_view = view(state, seat)
        player = ModelPlayer(self.model, self.seed)
        action = player.choose(player_view)
        look = RECALLS_PER_LOOK * self.model.check_seconds
        if player_view.phase != "play":
            return Do(action), DRAWING_SECONDS
        if player_view.turns not in self._tried:
            self._tried.add(player_view.turns)
            wrong = self._no_row(draft, seat) if player.tries_wrongly(player_view) else None
            if wrong:
                return wrong, WRONG_TRY_SECONDS + look
        if isinstance(action, Play):
            return Do(action), LAYING_SECONDS + look
        return self._without_row(draft, Do(action), look)

    def _without_row(self, draft: Draft, instead: Do, look: float) -> tuple[Move, float]:
        """The move of a child who sees no row: they may ask for a hint, or find the row after
        one."""
        step = draft.snapshot.hint_step
        random = Random(f"{self.seed}/{draft.state.round}/{draft.state.turns}/{step}")
        hint = draft.hint if step else None
        if hint and hint.play and random.random() < ROW_CHANCES_AFTER_HINT[step - 1]:
            return Do(hint.play), LAYING_SECONDS + look
        most = min(draft.game.hint_steps, len(ROW_CHANCES_AFTER_HINT))
        chance = NEXT_STEP_CHANCE if step else HINT_CHANCE
        asks = step < most and random.random() < chance and isinstance(instead.action, Discard)
        return (AskHint(), DRAWING_SECONDS) if asks else (instead, DISCARDING_SECONDS + look)

    def _no_row(self, draft: Draft, seat: int) -> Lay | None:
        """The first three neighbouring cards of the hand that make no row."""
        position = draft.state.position(seat)
        cards = sorted(card for card in view(draft.state, seat).hand if not is_joker(card))
        for first in range(len(cards) - 2):
            three = tuple(cards[first : first + 3])
            if not plays_of_tap(position, three, ()):
                return Lay(three)
        return None
