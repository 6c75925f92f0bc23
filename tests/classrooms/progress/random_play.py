"""Two choosers of moves: one does anything (rows, bad rows, hints, take-backs), the other lays
every row."""

from dataclasses import dataclass
from random import Random

from games.coach.rows import plain_plays
from games.engine.actions import Action, Discard, End, Knock, Pass
from games.engine.cards import is_joker
from games.engine.plays import legal_plays, plays_of_tap, plays_without_jokers
from games.engine.table import Play
from games.engine.view import legal_actions, view
from games.play.moves import AskHint, Choose, Do, Draft, Lay, Move, NextRound, TakeBack
from tests.games.rounds import choice

SECONDS = 7.0
PATIENCE = 10


@dataclass
class AnythingChooser:
    """Makes any legal move, and leaves some games in the middle."""

    random: Random
    leaves: float = 0.002
    laid: int = 0
    turn: tuple[int, ...] = ()

    def choose(self, draft: Draft, seat: int) -> tuple[Move, float] | None:
        state = draft.state
        if self.random.random() < self.leaves:
            return None
        if state.phase == "round over":
            return NextRound(), SECONDS
        if (turn := (state.round, *state.turns)) != self.turn:
            self.turn, self.laid = turn, 0
        if state.phase != "play":
            return Do(choice(legal_actions(view(state, seat)), self.random)), SECONDS
        return self._in_play(draft, seat), SECONDS

    def _in_play(self, draft: Draft, seat: int) -> Move:
        draw = self.random.random()
        if draw < 0.15 and draft.game.hint_steps:
            return AskHint()
        if draw < 0.25 and self.laid:
            self.laid -= 1
            return TakeBack()
        if draw < 0.35 and (wrong := self._wrong(draft, seat)):
            return wrong
        position = draft.state.position(seat)
        plays = legal_plays(position) if draw > 0.95 else plays_without_jokers(position)
        if plays and self.random.random() < 0.6:
            self.laid += 1
            return Choose(str(self.random.choice(plays)))
        hand: list[Action] = [Discard(card) for card in view(draft.state, seat).hand]
        may_end = draft.state.ruleset.ending == "free"
        ends = [*hand, End()] if may_end else hand
        return Do(self.random.choice(ends))

    def _wrong(self, draft: Draft, seat: int) -> Lay | None:
        position = draft.state.position(seat)
        hand = view(draft.state, seat).hand
        cards = tuple(self.random.sample(hand, min(len(hand), self.random.randint(1, 4))))
        table_cards = sorted(draft.state.table.laid_cards.items())
        places = tuple(
            card for _, card in self.random.sample(table_cards, min(len(table_cards), 1))
        )
        return None if plays_of_tap(position, cards, places) else Lay(cards, places)


class AllChooser:
    """Lays every plain row until there is none, and leaves after a while."""

    def choose(self, draft: Draft, seat: int) -> tuple[Move, float] | None:
        state = draft.state
        if state.turns[seat] >= PATIENCE:
            return None
        if state.phase == "round over":
            return NextRound(), SECONDS
        actions = legal_actions(view(state, seat))
        if state.phase != "play":
            acts = [action for action in actions if not isinstance(action, Knock | Pass)]
            return Do((acts or actions)[-1]), SECONDS
        plays = sorted(plain_plays(state.position(seat)), key=str)
        if plays:
            return Choose(str(plays[0])), SECONDS
        ends = [action for action in actions if not isinstance(action, Play)]
        numbers = [
            action
            for action in ends
            if not isinstance(action, Discard) or not is_joker(action.card)
        ]
        return Do((numbers or ends)[-1]), SECONDS
