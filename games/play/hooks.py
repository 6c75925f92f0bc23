"""What `games` asks of the app that seats the players: facts about a player, and what to show
around their game. The app sets its `Host`; the default one adds nothing."""

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from games.coach.questions.short_questions import Trouble
from games.coach.times_tables import Fact
from games.engine.ruleset import Ruleset
from games.models import Game
from games.play.round_story import RoundStory


class PlayerRequest(HttpRequest):
    """A request, with what the site's middleware adds."""

    htmx: HtmxDetails
    player: UUID | None  # None if the user is not a player


@dataclass(frozen=True, slots=True)
class Link:
    label: str
    url: str


@dataclass(frozen=True, slots=True)
class CollectionGrowth:
    """Something of the player's or their group's that grew in the round: a sentence about it, and
    what its template draws."""

    text: str
    template: str
    drawing: Hashable
    is_whole: bool = False
    """Whether it is now complete."""


@dataclass(frozen=True, slots=True)
class RiddleResult:
    """How a player's tries at a riddle ended. Each try has a sentence and, for each card that could
    be laid, whether it was. `others` says how many of the group have solved it."""

    tries: Sequence[tuple[str, Sequence[bool]]]
    others: str


@dataclass(frozen=True, slots=True)
class AfterRound:
    """What a page shows after a round besides its story."""

    best: str = ""  # the player's own record, as text
    grown: Sequence[CollectionGrowth] = ()
    questions: Link | None = None  # to answer before the game goes on
    again: Link | None = None  # after a match, where to post to begin another one like it
    riddle: RiddleResult | None = None

    @property
    def finished(self) -> CollectionGrowth | None:
        return next((growth for growth in self.grown if growth.is_whole), None)


@dataclass(frozen=True, slots=True)
class Speeds:
    """How fast the other seats can play: the choices as pairs of a value and its name, the player's
    choice, and the address to post a choice to."""

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
    larger: bool = False  # whether cards are larger
    sounds: bool = False  # whether the game makes sounds
    call: Link | None = None
    """A link to something else on the site that wants the player while they play."""
    poll: str = ""
    """The address that says when the player should continue elsewhere."""
    signs: bool = False
    """Whether players at a table of several can give each other signs."""
    learn_url: str = ""
    """Where to post the name of an edition to start a guided round of it; empty if the site does
    not offer this."""
    rules: Ruleset | None = None
    """The rules to show instead of those of the edition, if they differ."""
    title: str = ""  # of a game, if its rules do not say it


class Host:
    """The default host: knows nothing and adds nothing."""

    def secure_facts(self, player: UUID) -> Collection[Fact]:
        """The facts that this player is secure in. Hints derive other facts from them."""
        return ()

    def troubles(self, player: UUID) -> Collection[Trouble]:
        """The rows that this player has recently missed or found with a hint. Questions ask their
        facts."""
        return ()

    def after_round(self, game: Game, player: UUID, story: RoundStory) -> AfterRound:
        """What to show and offer to this player after the round with this story."""
        return AfterRound()

    def check_may_play(self, request: PlayerRequest, game_id: UUID) -> None:
        """Raise the exception that answers the request if the player may no longer play this game.
        Called before anything else."""

    def around_game(self, request: PlayerRequest, *, game_id: UUID, is_hand: bool) -> Surroundings:
        """What surrounds a game that is being played; `is_hand` as in `Game`. Called at every
        move."""
        return Surroundings()

    def around_rules(self, request: PlayerRequest) -> Surroundings:
        return Surroundings()


_host = Host()


def host() -> Host:
    return _host


def set_host(app_host: Host) -> None:
    """Set the host that `host` returns from now on."""
    global _host
    _host = app_host
