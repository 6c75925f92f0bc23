"""Hooks for the app that seats the players: what it knows of them and adds to their games. `games`
itself knows no class and no child. Without an adviser nothing is added."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, Literal
from uuid import UUID

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from games.coach.facts import Fact
from games.coach.questions.quiz import Trouble
from games.models import Game
from games.play.round_story import RoundStory


class PlayerRequest(HttpRequest):
    """A request with what the middleware of the site adds to it."""

    htmx: HtmxDetails
    player: UUID | None  # None for somebody who does not play


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
class Link:
    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Grown:
    """Something of the player's own that grew in the round: a sentence, and the template that draws
    `shown`."""

    text: str
    template: str
    shown: object
    is_whole: bool = False
    """Whether it is finished now."""


Mark = Literal["laid", "added", "crossed", "missing"]
"""A card of a try at a riddle: in a new row, added to a row, in a row across others, not laid."""


@dataclass(frozen=True, slots=True)
class RiddleResult:
    """How a player's tries at a riddle ended: a line of marks for each, what it says to a screen
    reader, and how many of those who play with it have solved it."""

    tries: Sequence[Sequence[Mark]]
    said: str
    others: str


@dataclass(frozen=True, slots=True)
class AfterRound:
    """What is shown after a round beside its story."""

    best: str = ""  # the player's own record, as text
    grown: Sequence[Grown] = ()
    goal: Goal | None = None
    step: Link | None = None  # something to do before the game goes on
    again: Link | None = None  # after a match, where to begin one like it, by a post
    riddle: RiddleResult | None = None

    @property
    def finished(self) -> Grown | None:
        return next((one for one in self.grown if one.is_whole), None)


@dataclass(frozen=True, slots=True)
class Speeds:
    """How fast the others can play: the values with their names, the player's own, and the address
    that a choice is posted to."""

    choices: tuple[tuple[str, str], ...]
    chosen: str
    url: str


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the site puts around a page of the game."""

    frame: str = "games/frame.html"
    """The template that the page extends, with the blocks of `templates/skeleton.html`."""
    leave: Link | None = None  # the way out of a game
    speeds: Speeds | None = None
    larger: bool = False  # larger cards
    sounds: bool = False  # whether the game makes sounds
    learn_url: str = ""
    """Where to post the name of an edition to be led through a round of it; empty where that is not
    offered."""


class Adviser:
    """The default adviser: knows nothing and adds nothing."""

    def secure_facts(self, player: UUID) -> Collection[Fact]:
        """The facts that this player is secure in, for hints to derive from."""
        return ()

    def troubles(self, player: UUID) -> Collection[Trouble]:
        """The rows that this player lately missed or found with a hint, whose facts to ask."""
        return ()

    def after_round(self, game: Game, player: UUID, story: RoundStory) -> AfterRound:
        """What to show and offer this player after the round with this story."""
        return AfterRound()

    def around_game(self, request: PlayerRequest) -> Surroundings:
        """What surrounds a game that is being played. Asked with every move."""
        return Surroundings()

    def around_rules(self, request: PlayerRequest) -> Surroundings:
        return Surroundings()


_advisers: Final[list[Adviser]] = [Adviser()]


def adviser() -> Adviser:
    return _advisers[-1]


def set_adviser(new: Adviser) -> None:
    """Use this adviser from now on."""
    _advisers[:] = [new]
