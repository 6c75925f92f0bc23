"""What whoever seats the players knows of them and adds to their games, as much as `games` can
use of it: it knows no class and no child. Without an adviser there is nothing to add."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from games.coach.facts import Fact
from games.models import Game
from games.play.round_story import RoundStory


@dataclass(frozen=True, slots=True)
class Goal:
    """What several players reach together: so many of so many, in a sentence."""

    reached: int
    wanted: int
    text: str

    @property
    def drawn(self) -> int:
        """What a bar draws, which cannot be fuller than full."""
        return min(self.reached, self.wanted)


@dataclass(frozen=True, slots=True)
class NextStep:
    """Something to do before the game goes on, at an address."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class AfterRound:
    """What is told after a round besides its own story. `best`: of the player itself."""

    best: str = ""
    goal: Goal | None = None
    step: NextStep | None = None


class Adviser:
    """Knows nothing, and adds nothing."""

    def secure_facts(self, player: UUID) -> Collection[Fact]:
        """The facts that this player is secure in, for hints to derive from."""
        return ()

    def after_round(self, game: Game, player: UUID, story: RoundStory) -> AfterRound:
        """What to tell and offer this player after the round with this story."""
        return AfterRound()


_advisers: Final[list[Adviser]] = [Adviser()]


def adviser() -> Adviser:
    return _advisers[-1]


def listen_to(one: Adviser) -> None:
    """From now on ask this adviser."""
    _advisers[:] = [one]
