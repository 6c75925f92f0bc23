"""Deals that fit what a seat has seen, and how players who use the outlook play them."""

from collections.abc import Iterator, Sequence
from math import exp
from random import Random
from typing import Final

from games.bots.outlook import Care, Outlook
from games.bots.sharp import TurnChoice
from games.bots.turns import with_card
from games.bots.worth import unseen
from games.engine.actions import Discard, Knock, Pass
from games.engine.cards import Card, cards_in, is_joker, mask_of
from games.engine.match import apply
from games.engine.round import State, View, view

CLOSED: Final = 0.25
"""The worth of a card of the closed pile, in log odds."""
HASTE: Final = Care(turns=10, judged=4, jokers=1)
"""The care with which turns are chosen in imagined rounds: less than in real ones."""


def chance(log_odds: float) -> float:
    """The chance (0–1) that these log odds mean."""
    return 1 / (1 + exp(-log_odds))


class ImaginedRound:
    """One way in which the round may go on. `nodes` is 1 plus the number of positions whose best
    turn was searched."""

    def __init__(self, state: State, seat: int) -> None:
        self.state, self.seat, self.nodes = state, seat, 1

    def chance_after(self, choice: TurnChoice) -> float:
        """The chance of winning that the seat sees after this choice, one turn of everyone else and
        its own next draw; 0, ½ or 1 if the round has ended by then."""
        before = self.state.scores if self.state.round > 1 else (0,) * self.state.seats
        self._make(choice)
        while (following := self._drawn()) and self.state.turn != self.seat:
            self._make(following)
        if following:
            return chance(following.worth)
        gain = self.state.ruleset.gain
        gains = [gain(now - then) for now, then in zip(self.state.scores, before, strict=True)]
        best = max(gain for seat, gain in enumerate(gains) if seat != self.seat)
        return (gains[self.seat] > best) / 2 + (gains[self.seat] >= best) / 2

    def _make(self, choice: TurnChoice) -> None:
        for play in choice.turn.plays:
            self.state = apply(self.state, play)
        if choice.discard is not None and self.state.phase == "play":
            self.state = apply(self.state, Discard(choice.discard))

    def _drawn(self) -> TurnChoice | None:
        """Let the next seat draw, and return the turn that it then chooses; None if the round is
        over."""
        while (seat := self.state.seat) is not None:
            match self.state.phase:
                case "play":
                    self.nodes += 1
                    return self._outlook(seat).best(self.state.position(seat), care=HASTE)
                case "draw" | "redraw":
                    wanted = self._wanted(seat)
                    self.state = apply(self.state, view(self.state, seat).taking(wanted))
                case "knock":
                    wanted = self._wanted(seat)
                    self.state = apply(self.state, Knock(seat) if wanted else Pass(seat))
                case _:
                    self.state = apply(self.state, Pass())
        return None

    def _wanted(self, seat: int) -> Card | None:
        """The open card that promises most, if it promises more than a card of the closed pile."""
        cards = (*self.state.open[-1:], *self.state.market)
        if not cards or any(map(is_joker, cards)):
            return max(cards, default=None)
        self.nodes += 1 + len(cards)
        outlook, position = self._outlook(seat), self.state.position(seat)
        without = outlook.best(position, owed=False, care=HASTE).worth
        worth = {c: outlook.best(with_card(position, c), care=HASTE).worth for c in cards}
        best = max(cards, key=worth.__getitem__)
        return best if worth[best] > without + CLOSED else None

    def _outlook(self, seat: int) -> Outlook:
        return Outlook(view(self.state, seat))


def dealt_like(view: View, random: Random) -> State:
    """A state with this view for its seat. The cards that the seat does not see are dealt at
    random."""
    hidden = sorted((random.random(), card) for card in cards_in(unseen(view)))
    cards = iter([card for _, card in hidden])
    hands = tuple(
        mask_of(view.hand if seat == view.seat else _taken(cards, count))
        for seat, count in enumerate(view.counts)
    )
    shown = () if view.open_top is None else (view.open_top,)
    return State(
        ruleset=view.ruleset,
        seed=random.getrandbits(30),
        round=view.round,
        starter=view.starter,
        phase=view.phase,
        turn=view.turn,
        seat=view.to_act,
        hands=hands,
        table=view.table,
        open=(*_taken(cards, view.open_count - len(shown)), *shown),
        closed=tuple(_taken(cards, view.closed_count)),
        scores=view.scores,
        opened=_mask(view.opened),
        turns=view.turns,
        quiet=tuple(view.quiet if seat == view.seat else 0 for seat in range(len(view.turns))),
        active=True,
        passed=_mask(view.passed),
        plays=view.plays,
        out=tuple(cards),
        market=view.market,
    )


def _taken(cards: Iterator[int], count: int) -> list[int]:
    return [next(cards) for _ in range(count)]


def _mask(flags: Sequence[bool]) -> int:
    return mask_of(seat for seat, flag in enumerate(flags) if flag)
