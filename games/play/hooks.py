"""The questions of `games` to the app that seats the players: about a player, and about what to
show around their game. The app sets its `Host`; the default one adds nothing."""

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
    """A request with the attributes that the site's middleware adds."""

    htmx: HtmxDetails
    player: UUID | None  # None if the user is not a player


@dataclass(frozen=True, slots=True)
class Link:
    label: str
    url: str
    note: str = ""  # who waits there; not in the label, which a child may be tapping


@dataclass(frozen=True, slots=True)
class CollectionGrowth:
    """Something that the player or their group collects and that grew in the round."""

    text: str  # a sentence about it
    template: str
    drawing: Hashable  # what the template draws
    is_whole: bool = False  # whether it is now complete


@dataclass(frozen=True, slots=True)
class RiddleResult:
    """Each of the `tries` is a sentence and, for each card that could be laid, whether it was."""

    tries: Sequence[tuple[str, Sequence[bool]]]
    others: str  # how many of the group have solved it


@dataclass(frozen=True, slots=True)
class AfterRound:
    """What a page shows after a round besides its story."""

    best: str = ""  # a sentence about the player's own record
    bridges: int = 0  # how many bridges the same table has crossed in earlier matches
    grown: Sequence[CollectionGrowth] = ()
    questions: Link | None = None  # the questions to answer before the game goes on
    begins_with_questions: bool = False  # whether they are what the player was given to do
    again: Link | None = None  # where to post to begin another match like the one that ended
    riddle: RiddleResult | None = None

    @property
    def finished(self) -> CollectionGrowth | None:
        return next((growth for growth in self.grown if growth.is_whole), None)


@dataclass(frozen=True, slots=True)
class Speeds:
    choices: tuple[tuple[str, str], ...]  # pairs of a value and its name
    chosen: str
    url: str  # where to post a choice


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What the site puts around a page of the game."""

    frame: str = "games/frame.html"  # the template to extend, with the blocks of skeleton.html
    leave: Link | None = None  # the way out of a game
    speeds: Speeds | None = None
    has_larger_cards: bool = False  # whether cards are larger
    has_sounds: bool = False  # whether the game makes sounds
    call: Link | None = None  # a link that calls the player to something else on the site
    poll: str = ""  # the address that says when the player should continue elsewhere
    may_give_signs: bool = False  # whether players at a table of several can give each other signs
    learn_url: str = ""  # where to post an edition to start a guided round of it, if anywhere
    rules: Ruleset | None = None  # the rules to show instead of those of the edition
    title: str = ""  # the title, if the rules do not say what kind of game it is
    aim: CollectionGrowth | None = None  # what the player can try to complete in this round


class Host:
    """The default host, which knows nothing and adds nothing."""

    def secure_facts(self, player: UUID) -> Collection[Fact]:
        """The facts in which this player is secure. Hints derive other facts from them."""
        return ()

    def troubles(self, player: UUID) -> Collection[Trouble]:
        """The rows that this player has recently missed or found with a hint. Questions ask about
        the facts of these rows."""
        return ()

    def after_round(self, game: Game, player: UUID, story: RoundStory) -> AfterRound:
        """What to show and offer to this player after the round with this story."""
        return AfterRound()

    def check_may_play(self, request: PlayerRequest, game_id: UUID) -> None:
        """If the player may no longer play this game, raise the exception that answers the request.
        Called before anything else."""

    def around_game(self, request: PlayerRequest, *, game_id: UUID, is_hand: bool) -> Surroundings:
        """What surrounds a game in play. `is_hand`: whether it is one hand for everybody. Called at
        every move."""
        return Surroundings()

    def around_rules(self, request: PlayerRequest) -> Surroundings:
        return Surroundings()


_host = Host()


def host() -> Host:
    return _host


def set_host(app_host: Host) -> None:
    global _host
    _host = app_host
