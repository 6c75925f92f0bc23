"""Assignments: making and ending them, and starting a child's game of one."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, Literal
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from classrooms.assignments import pacing, weekly_series
from classrooms.assignments.audience import WHOLE_CLASS, Audience
from classrooms.bounds import room_for_assignment
from classrooms.models import Assignment, Attempt, Child, SchoolClass
from games.bots import companion
from games.bots.characters import cast
from games.coach.hints import LAST_STEP
from games.coach.times_tables import FIRST_TABLES
from games.engine.errors import RulesetError
from games.engine.ruleset import EDITIONS, Ruleset, edition
from games.models import Game
from games.play import services
from games.play.services import NewSeat

RowRule = Literal["tables", "zero", "one", "zero-or-one", "anything"]
TABLES: Final = "tables"
ZERO: Final = "zero"
ONE: Final = "one"
ZERO_OR_ONE: Final = "zero-or-one"
ANYTHING: Final = "anything"

COUNTS_BACK_TO: Final[dict[RowRule, list[int] | None]] = {
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
"""The names and faces of the bots: as many as an edition can seat beside a child."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A teacher's choice in the form. `rounds`: None for a match to `target`; `doubling` and
    `opening`: None for the edition's own."""

    edition: str = "simplified"
    rows: RowRule = "tables"
    tables: Sequence[int] = FIRST_TABLES
    families: Sequence[str] = ()
    focus: Sequence[int] = ()
    bots: int = 1
    bot: str = companion.NAME
    kind: bool = True
    rounds: int | None = 3
    target: int = 100
    hint_steps: int = ALL_HINT_STEPS
    missed_rows: bool = True
    checks: bool = True
    offers: bool = False
    doubling: Sequence[str] | None = None
    opening: bool | None = None
    starts_on: date | None = None
    due_on: date | None = None
    weekly: bool = False

    @property
    def options(self) -> dict[str, Any]:
        """The options for the edition, as JSON can hold them."""
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
        """The ruleset for the engine. Raises `RulesetError` where the choice contradicts itself."""
        base = EDITIONS.get(self.edition)
        if self.rounds is None and base is not None and base.scoring != "points":
            raise RulesetError("rounds-needed")
        return edition(self.edition, **self.options, rounds=self.rounds)


def choice_of(assignment: Assignment) -> Choice:
    """The choice behind this assignment, without its days, to make another like it."""
    options = assignment.options
    counts_back_to = options.get("counts_back_to", COUNTS_BACK_TO[ZERO])
    rows: RowRule = next(
        (rows for rows, counts in COUNTS_BACK_TO.items() if counts == counts_back_to), ZERO
    )
    chosen = {name: getattr(assignment, name) for name in CHOICE_FIELDS if not name.endswith("_on")}
    rules = {
        name: options[name]
        for name in ("families", "doubling", "opening", "offers", "target", "tables")
        if name in options
    }
    return Choice(
        edition=assignment.edition,
        rows=TABLES if "tables" in options else rows,
        focus=assignment.focus,
        **chosen,
        **rules,
    )


def assign(
    school_class: SchoolClass, choice: Choice, audience: Audience = WHOLE_CLASS
) -> Assignment:
    """Assign a game to the class or a part of it. Raises `RulesetError` for rules that contradict
    each other, and `bounds.Full`."""
    ruleset = choice.ruleset()
    with transaction.atomic():
        room_for_assignment(school_class)
        assignment = Assignment.objects.create(
            school_class=school_class,
            everyone=audience.everyone,
            edition=ruleset.edition,
            options=choice.options,
            focus=sorted(choice.focus),
            **{name: getattr(choice, name) for name in CHOICE_FIELDS},
        )
        audience.aim(assignment)
        if choice.weekly:
            weekly_series.repeat(assignment)
    return assignment


CHOICE_FIELDS: Final = (
    "bots", "bot", "kind", "hint_steps", "missed_rows", "checks", "rounds", "starts_on", "due_on",
)  # fmt: skip


def end(assignment: Assignment) -> None:
    """End the assignment: it leaves the children's list; what was played stays."""
    Assignment.objects.filter(pk=assignment.pk, ended_at=None).update(ended_at=timezone.now())


def resume(assignment: Assignment) -> None:
    """Undo an end: the assignment is on the children's list again. Raises `bounds.Full`."""
    if assignment.ended_at is None:
        return
    with transaction.atomic():
        room_for_assignment(assignment.school_class)
        Assignment.objects.filter(pk=assignment.pk).update(ended_at=None)


def withdraw(assignment: Assignment) -> bool:
    """Undo an assignment. False where a child has begun it: then it is only ended."""
    with transaction.atomic():
        weekly_series.stop(assignment)
        is_begun = Attempt.objects.filter(assignment=assignment).exists()
        if is_begun:
            end(assignment)
        else:
            Assignment.objects.filter(pk=assignment.pk).delete()
    return not is_begun


def go_on_or_start(child: Child, assignment: Assignment) -> Game:
    """The child's open match of this assignment, or else a new one.

    Locks the child, so that two taps do not start two games.
    """
    with transaction.atomic():
        # no_key: a worker that stores evidence of the child need not wait.
        Child.objects.select_for_update(no_key=True).get(pk=child.pk)
        begun = (
            Attempt.objects.select_related("game")
            .filter(child=child, assignment=assignment, game__finished_at=None)
            .last()
        )
        if begun:
            return _seat_child(begun.game, child, assignment)
        pace = pacing.pace_for(child, assignment)
        game = services.start(
            assignment.ruleset,
            seats_of(child.player, child.name, assignment.bots, pace.bot),
            hint_steps=hint_steps_for(child, assignment),
            kindness=pace.kindness,
            missed_rows=assignment.missed_rows,
        )
        Attempt.objects.create(assignment=assignment, child=child, game=game)
        return _seat_child(game, child, assignment)


def hint_steps_for(child: Child, assignment: Assignment) -> int:
    """The last step of the hints that this child gets in this assignment."""
    own_steps = {Child.Hints.ALL: ALL_HINT_STEPS, Child.Hints.NONE: 0}
    return own_steps.get(Child.Hints(child.hints), assignment.hint_steps)


def _seat_child(game: Game, child: Child, assignment: Assignment) -> Game:
    """Seat the child at the game, with hints by its present settings."""
    Child.objects.filter(pk=child.pk).update(at_table=game)
    hint_steps = hint_steps_for(child, assignment)
    if game.hint_steps != hint_steps:
        Game.objects.filter(pk=game.pk).update(hint_steps=hint_steps)
    return game


def seats_of(player: UUID, name: str, bots: int, bot: str) -> list[NewSeat]:
    """The seats of a game: the player first, at the bottom of its own screen, then the bots."""
    seats = [NewSeat(player=player, name=name)]
    for name, face in cast(bot, BOTS, bots):
        seats.append(NewSeat(bot=bot, name=name, face=face))
    return seats
