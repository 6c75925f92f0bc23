"""Hooks for the app that seats the players: what it knows of them and adds to their games. `games`
itself knows no class and no child. Without an adviser nothing is added."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from games.coach.facts import Fact
from games.models import Game
from games.play.round_story import RoundStory


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal that several players reach together: `reached` of `wanted`, and a sentence."""

    reached: int
    wanted: int
    text: str

    @property
    def drawn(self) -> int:
        """The length of its bar, at most `wanted`."""
        return min(self.reached, self.wanted)


@dataclass(frozen=True, slots=True)
class NextStep:
    """Something to do before the game goes on, at an address."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class AfterRound:
    """What is shown after a round besides its story. `best`: the player's own record, as text."""

    best: str = ""
    goal: Goal | None = None
    step: NextStep | None = None


class Adviser:
    """The default adviser: knows nothing and adds nothing."""

    def secure_facts(self, player: UUID) -> Collection[Fact]:
        """The facts that this player is secure in, for hints to derive from."""
        return ()

    def after_round(self, game: Game, player: UUID, story: RoundStory) -> AfterRound:
        """What to show and offer this player after the round with this story."""
        return AfterRound()


_advisers: Final[list[Adviser]] = [Adviser()]


def adviser() -> Adviser:
    return _advisers[-1]


def listen_to(one: Adviser) -> None:
    """Use this adviser from now on."""
    _advisers[:] = [one]
