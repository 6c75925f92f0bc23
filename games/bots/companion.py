"""A companion: plays so that it is a good game for the child, at the strength that it is given.

It sees its seat's view and nothing else and makes only honest plays. What its strength sets is
how many rows it notices, how soon it goes out, and what it leaves to others: a mild one lays
rows to add to and discards cards that fit there, a keen one does neither. However strong, it
does not go out before everyone else has had their say: some turns, and a row of their own.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import Final

from games.bots.need import need
from games.bots.sight import Sight, in_sight, jokers_of, noticed
from games.bots.turns import with_card
from games.engine.actions import Action, Claim, Discard, DrawClosed, DrawOpen, Knock, Pass
from games.engine.cards import Card
from games.engine.play_application import hand_after
from games.engine.round import View
from games.engine.table import Play

NAME: Final = "companion"
MILDEST: Final = 600.0
KEENEST: Final = 1200.0
SAY: Final = 4
"""The turns that everyone else has before it goes out."""
PATIENCE: Final = 9
"""After these turns of everyone else it goes out as soon as it can, if they have laid a row."""
LONGEST_WAIT: Final = 24
"""The turn from which it waits no longer for a row of theirs."""
HOLDS: Final = 2
"""The cards that it keeps after a play while it does not go out."""
TAKES: Final = 4.0
"""A keen one takes an open card that it needs this much (`need`)."""
HELPS: Final = 3.0
"""What it costs to discard a card that others could add to the table."""


@dataclass(frozen=True, slots=True)
class Manner:
    """What a strength comes down to, all of it chances from 0 to 1.

    `notices`: to notice a row that is there. `ends`: each turn, to go out once it may.
    `keen`: to take a card that helps and to leave none that helps others.
    """

    notices: float
    ends: float
    keen: float


def manner_of(strength: float) -> Manner:
    """The manner of a strength, on the scale of `coach.rating`."""
    skill = min(max((strength - MILDEST) / (KEENEST - MILDEST), 0.0), 1.0)
    return Manner(notices=0.7 + 0.3 * skill, ends=0.05 * 20**skill, keen=skill)


def name_of(strength: float) -> str:
    """What a game's log calls the companion of a strength, to the nearest point."""
    return f"{NAME} {strength:.0f}"


def strength_in(name: str) -> float | None:
    """The strength of the companion of that name; None for another bot."""
    kind, _, strength = name.partition(" ")
    return float(strength) if kind == NAME else None


def at(strength: float) -> Callable[[View, int], Action]:
    """The companion of a strength: what it does for its seat's view and a seed."""
    manner = manner_of(strength)

    def choose(view: View, seed: int) -> Action:
        return _Turn(view, seed, manner).action()

    return choose


@dataclass(frozen=True, slots=True)
class _Turn:
    view: View
    seed: int
    manner: Manner

    def action(self) -> Action:
        view = self.view
        match view.phase:
            case "draw" | "redraw":
                return DrawOpen() if self._wants() else DrawClosed()
            case "offer":
                return Claim() if self._wants() else Pass()
            case "knock":
                return Knock(view.seat) if self._wants() else Pass(view.seat)
        goes_out = self._goes_out
        sights = in_sight(view.position)
        gifts = frozenset[Card]() if goes_out or self._is_keen else self._gifts(sights)
        play = self._best(self._noticed(sights), 0 if goes_out else HOLDS, gifts)
        return play if play is not None else Discard(self._given_away(sights, gifts))

    @property
    def _is_keen(self) -> bool:
        return self._happens("keen", self.manner.keen)

    @property
    def _goes_out(self) -> bool:
        """Whether it goes out if it can: everyone else has had their say, and it is its time."""
        view = self.view
        others = [seat for seat in range(len(view.turns)) if seat != view.seat]
        turns = min(view.turns[seat] for seat in others)
        if turns >= LONGEST_WAIT:
            return True
        laid = not view.ruleset.opening or all(view.opened[seat] for seat in others)
        if not laid or turns < SAY:
            return False
        return turns >= PATIENCE or self._happens("ends", self.manner.ends)

    def _happens(self, what: str, chance: float) -> bool:
        return Random(f"{self.seed}/{what}").random() < chance

    def _wants(self) -> bool:
        """Whether it is keen on the open card: it needs it, or it makes a row that it notices."""
        card = self.view.open_top
        if card is None or not self._is_keen:
            return False
        if need(self.view, card) >= TAKES:
            return True
        drawn = with_card(self.view.position, card)
        return bool(self._noticed(in_sight(drawn, card)))

    def _noticed(self, sights: Iterable[Sight]) -> list[Play]:
        seen = noticed(sights, lambda _: self.manner.notices, self.seed)
        return [play for sight in seen for play in sight.plays]

    def _gifts(self, sights: Iterable[Sight]) -> frozenset[Card]:
        """Cards that whoever is next could add to the table, where they may."""
        view = self.view
        following = (view.seat + 1) % len(view.turns)
        if not view.opened[following]:
            return frozenset()
        return _single(sights)

    def _best(self, plays: list[Play], keeps: int, gifts: frozenset[Card]) -> Play | None:
        hand = self.view.position.hand
        fit = [
            play
            for play in plays
            if hand_after(hand, play).bit_count() >= keeps
            and not any(laid.card in gifts for laid in play.hand)
        ]
        return max(
            fit, key=lambda play: (len(play.hand), -jokers_of(play), str(play)), default=None
        )

    def _given_away(self, sights: Iterable[Sight], gifts: frozenset[Card]) -> Card:
        """A gift, or the card that it needs least; a keen one keeps back what helps others."""
        if gifts:
            return min(gifts)
        helps = _single(sights) if self._is_keen else frozenset[Card]()
        random = Random(f"{self.seed}/discard")

        def loss(card: Card) -> tuple[float, float]:
            return need(self.view, card) + HELPS * (card in helps), random.random()

        return min(self.view.hand, key=loss)


def _single(sights: Iterable[Sight]) -> frozenset[Card]:
    """Cards that can be added to the table alone."""
    return frozenset(
        play.hand[0].card
        for sight in sights
        if not sight.joker
        for play in sight.plays
        if len(play.hand) == 1
    )
