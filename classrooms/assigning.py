"""What classes are asked to play, and how a child comes from there to a game."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, Literal
from uuid import UUID

from django.db import transaction
from django.db.models import Count, F
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from games import services
from games.bots import companion
from games.bots.characters import cast
from games.coach.hints import LAST_STEP
from games.drawing import sample_row
from games.drawn import Face
from games.engine.errors import RulesetError
from games.engine.ruleset import EDITIONS, Ruleset, edition
from games.models import Game
from games.services import NewSeat
from games.wording import title

from . import pacing, wording
from .models import Assignment, Attempt, Child, SchoolClass

Rows = Literal["tables", "zero", "one", "zero-or-one", "anything"]
TABLES: Final = "tables"
ZERO: Final = "zero"
ONE: Final = "one"
ZERO_OR_ONE: Final = "zero-or-one"
ANYTHING: Final = "anything"
TABLES_TO_CHOOSE: Final = range(2, 13)

COUNTS_BACK_TO: Final[dict[Rows, list[int] | None]] = {
    "zero": [0],
    "one": [1],
    "zero-or-one": [0, 1],
    "anything": None,
}
ALL_HINT_STEPS: Final = LAST_STEP
BOTS: Final = (
    ("Ollie", "owl"),
    ("Fenna", "fox"),
    ("Bruno", "bear"),
    ("Hanna", "hare"),
    ("Kasper", "cat"),
    ("Filip", "frog"),
    ("Pippa", "penguin"),
)
"""The names and faces of the bots, as many as an edition can seat beside a child."""
ROUND_OVER: Final = "round over"
MATCH_OVER: Final = "match over"


@dataclass(frozen=True, slots=True)
class Choice:
    """What a teacher chose in the form. `rounds`: None for a match to `target`; `doubling` and
    `opening`: None for what the edition has."""

    edition: str = "simplified"
    rows: Rows = "tables"
    tables: Sequence[int] = (2, 5, 10)
    families: Sequence[str] = ()
    bots: int = 1
    bot: str = companion.NAME
    kind: bool = True
    rounds: int | None = 3
    target: int = 100
    hints: bool = True
    offers: bool = False
    doubling: Sequence[str] | None = None
    opening: bool | None = None
    due_on: date | None = None

    @property
    def options(self) -> dict[str, Any]:
        """The options of the edition that it comes down to, as JSON can hold them."""
        options: dict[str, Any] = {}
        if self.rows == TABLES:
            options["tables"] = sorted(set(self.tables))
        else:
            options["counts_back_to"] = COUNTS_BACK_TO[self.rows]
        if self.families:
            options["families"] = sorted(self.families)
        if self.opening is not None:
            options["opening"] = self.opening
        base = EDITIONS.get(self.edition)
        if base is None or base.with_pot:
            return options
        options["offers"] = self.offers
        if self.doubling is not None:
            options["doubling"] = sorted(self.doubling)
        if self.rounds is None:
            options["target"] = self.target
        return options

    def ruleset(self) -> Ruleset:
        """What the engine makes of it. Raises `RulesetError` where it contradicts itself."""
        base = EDITIONS.get(self.edition)
        if self.rounds is None and base is not None and base.scoring != "points":
            raise RulesetError("rounds-needed")
        return edition(self.edition, **self.options, rounds=self.rounds)


@dataclass(frozen=True, slots=True)
class Assigned:
    """An assignment as a child sees it."""

    assignment: Assignment
    rounds_done: int
    is_open: bool
    is_done: bool

    @property
    def title(self) -> str:
        return title(self.assignment.ruleset)

    @property
    def due_on(self) -> date | None:
        return self.assignment.due_on

    @property
    def progress(self) -> str:
        rounds = self.assignment.rounds
        if rounds is None:
            done = self.rounds_done
            return ngettext("%(n)d round done", "%(n)d rounds done", done) % {"n": done}
        return ngettext(
            "%(done)d of %(all)d round done", "%(done)d of %(all)d rounds done", rounds
        ) % {
            "done": self.rounds_done,
            "all": rounds,
        }

    @property
    def sample(self) -> list[Face]:
        """Cards of a row that this game is about."""
        return sample_row(self.assignment.ruleset)

    @property
    def dots(self) -> list[bool]:
        """A dot a round, for those that are done; none where it is played to a target."""
        return [number < self.rounds_done for number in range(self.assignment.rounds or 0)]

    @property
    def button(self) -> str:
        if self.is_open:
            return gettext("Go on")
        return gettext("Play again") if self.is_done else gettext("Play")


def assign(school_class: SchoolClass, choice: Choice) -> Assignment:
    """Ask the class to play. Raises `RulesetError` for rules that contradict each other."""
    ruleset = choice.ruleset()
    return Assignment.objects.create(
        school_class=school_class,
        edition=ruleset.edition,
        options=choice.options,
        bots=choice.bots,
        bot=choice.bot,
        kind=choice.kind,
        hint_steps=ALL_HINT_STEPS if choice.hints else 0,
        rounds=choice.rounds,
        due_on=choice.due_on,
    )


def end(assignment: Assignment) -> None:
    """Take it off the children's list; what was played stays."""
    Assignment.objects.filter(pk=assignment.pk, ended_at=None).update(ended_at=timezone.now())


@dataclass(frozen=True, slots=True)
class Overview:
    """An assignment as its teacher sees it: `players` is how many children have started it."""

    assignment: Assignment
    players: int

    @property
    def title(self) -> str:
        return title(self.assignment.ruleset)

    @property
    def details(self) -> str:
        return wording.details(self.assignment)

    @property
    def due_on(self) -> date | None:
        return self.assignment.due_on


def overview(school_class: SchoolClass) -> list[Overview]:
    """All assignments of the class, the newest first, the ended ones last."""
    assignments = school_class.assignments.annotate(
        players=Count("attempts__child", distinct=True)
    ).order_by(F("ended_at").desc(nulls_first=True), "-created_at")
    return [Overview(assignment, assignment.players) for assignment in assignments]


def assigned_to(child: Child) -> list[Assigned]:
    """What the child may play now, what is due first at the top."""
    attempts: dict[UUID, list[Attempt]] = defaultdict(list)
    for attempt in child.attempts.select_related("game").defer("game__snapshot"):
        attempts[attempt.assignment_id].append(attempt)
    assignments = Assignment.objects.filter(
        school_class=child.school_class_id, ended_at=None
    ).order_by(F("due_on").asc(nulls_last=True), "-created_at")
    return [_as_assigned(assignment, attempts[assignment.pk]) for assignment in assignments]


def _as_assigned(assignment: Assignment, attempts: Sequence[Attempt]) -> Assigned:
    last = attempts[-1].game if attempts else None
    return Assigned(
        assignment,
        rounds_done=_rounds_done(last) if last else 0,
        is_open=last is not None and last.finished_at is None,
        is_done=any(attempt.game.finished_at for attempt in attempts),
    )


def go_on_or_start(child: Child, assignment: Assignment) -> Game:
    """The match that the child has begun and not ended, or else a new one.

    The child is locked meanwhile, so that two taps do not start two games.
    """
    with transaction.atomic():
        Child.objects.select_for_update().get(pk=child.pk)
        begun = (
            Attempt.objects.select_related("game")
            .filter(child=child, assignment=assignment, game__finished_at=None)
            .last()
        )
        if begun:
            return begun.game
        pace = pacing.pace_for(child, assignment)
        game = services.start(
            assignment.ruleset,
            _seats(child, assignment.bots, pace.bot),
            hint_steps=assignment.hint_steps,
            kindness=pace.kindness,
            missed_rows=assignment.missed_rows,
        )
        Attempt.objects.create(assignment=assignment, child=child, game=game)
        return game


def _rounds_done(game: Game) -> int:
    """All rounds that were dealt are over but the one being played."""
    return game.round - (game.phase not in (ROUND_OVER, MATCH_OVER))


def _seats(child: Child, bots: int, bot: str) -> list[NewSeat]:
    """The child first, so that it sits at the bottom of its own table."""
    seats = [NewSeat(player=child.player, name=child.name)]
    for name, face in cast(bot, BOTS, bots):
        seats.append(NewSeat(bot=bot, name=name, face=face))
    return seats
