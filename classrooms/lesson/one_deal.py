"""One deal for the class: every child plays the same cards against the same bots, and afterwards
the class compares what was found in which turn. Luck plays no part.

While the deal is open, the board says who has finished, never who leads. The comparison is shown
only when the deal is closed, so that no child hears about the cards before playing them. It
includes the children who had finished by then.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Final, Literal
from uuid import UUID

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from classrooms.assignments import services as assignments
from classrooms.assignments import status
from classrooms.assignments.audience import members
from classrooms.assignments.choice import Choice
from classrooms.assignments.playing import pace_of_one_deal
from classrooms.locks import lock
from classrooms.models import Assignment, Attempt, Child, SchoolClass
from games.coach.deal_comparison import ComparedRow, ComparedTurn, DealTurn, compare_turns, turns_of
from games.engine.layout.packing import PROJECTOR
from games.engine.layout.table_layout import layout
from games.engine.text.record import EntryKind, LogEntry, transitions
from games.models import Entry, Seat
from games.play.log import setting_of
from games.play.shared_deals import draw_seed
from games.screen.card_drawing import face
from games.screen.replay import Scene, moments_of_turn, scene_at
from games.screen.view_models import Face

DealState = Literal["finished", "playing", "left", "waiting"]
NAMES: Final[Mapping[DealState, Promise]] = {
    "finished": _("finished"),
    "playing": _("playing"),
    "left": _("left for now"),
    "waiting": _("not started"),
}
"""The names of the states, in the order of the board."""
AWAY_AFTER: Final = timedelta(minutes=15)
"""A child who has not moved for this long has left the deal, but can come back."""
SECOND_TAP_WITHIN: Final = timedelta(seconds=10)
DEAL_PRESETS: Final = ("first", "next", "hard", "all")
"""The presets that can be played as one deal."""


@dataclass(frozen=True, slots=True)
class DealPlayer:
    """A child for whom the deal is meant."""

    child: Child
    state: DealState


@dataclass(frozen=True, slots=True)
class DealBoard:
    """The board of an open deal, which shows who has finished."""

    players: Sequence[DealPlayer]  # in the order of the roster
    is_open: bool  # whether a child can still begin

    @property
    def counts(self) -> list[tuple[DealState, str, int]]:
        by_state = Counter(player.state for player in self.players)
        return [(state, str(name), by_state[state]) for state, name in NAMES.items()]

    @property
    def parts(self) -> list[tuple[DealState, str, list[Child]]]:
        """The states that have children, with these children."""
        return [
            (state, name, [player.child for player in self.players if player.state == state])
            for state, name, count in self.counts
            if count
        ]

    @property
    def finished(self) -> int:
        return sum(player.state == "finished" for player in self.players)

    @property
    def waits(self) -> bool:
        """Whether at least half of the children have not finished but still can, so that closing
        the deal now would leave them out."""
        return self.is_open and 2 * self.finished <= len(self.players)

    @property
    def playing(self) -> int:
        return sum(player.state == "playing" for player in self.players)


@dataclass(frozen=True, slots=True)
class DealRow:
    """A row of the comparison, with its cards."""

    faces: tuple[Face, ...]
    row: ComparedRow


def start(school_class: SchoolClass, choice: Choice, due_on: date | None = None) -> Assignment:
    """Give the class one deal of one round, without short questions. `due_on` is the last day on
    which it can be played, if each child plays when they have time. A second tap returns the same
    deal. Raises `bounds.LimitReached`."""
    choice = replace(
        choice, rounds=1, has_questions=False, weekly=False, starts_on=None, due_on=due_on
    )
    ruleset = choice.ruleset()
    pace = pace_of_one_deal(ruleset, choice)
    with lock(school_class) as (school_class,):
        new = school_class.assignments.filter(created_at__gt=timezone.now() - SECOND_TAP_WITHIN)
        same = new.filter(ended_at=None, deal_seed__isnull=False, attempts=None, **choice.columns)
        if deal := same.first():
            return deal
        seed = draw_seed(ruleset, choice.bots + 1, pace.kindness)
        return assignments.assign(school_class, choice, deal_seed=seed)


def last_closed_deal(school_class: SchoolClass) -> Assignment | None:
    """The deal that the class closed last."""
    deals = school_class.assignments.filter(deal_seed__isnull=False, ended_at__isnull=False)
    return deals.order_by("-ended_at").first()


def board(assignment: Assignment, now: datetime) -> DealBoard:
    children = members(assignment, assignment.school_class.children.all())
    attempts = {attempt.child_id: attempt for attempt in _attempts(assignment)}
    today = assignment.school_class.day_of(now)
    return DealBoard(
        [DealPlayer(child, _state(attempts.get(child.pk), assignment, now)) for child in children],
        is_open=status.when(assignment, today) == "now",
    )


def _attempts(assignment: Assignment) -> list[Attempt]:
    """The attempts that are compared, which are the first of each child at the deal."""
    shared = assignment.attempts.filter(game__has_shared_deal=True, child__removed_at=None)
    in_order = shared.select_related("game", "child").defer("game__snapshot")
    first: dict[UUID, Attempt] = {}
    for attempt in in_order.order_by("created_at", "pk"):
        first.setdefault(attempt.child_id, attempt)
    return list(first.values())


def _state(attempt: Attempt | None, assignment: Assignment, now: datetime) -> DealState:
    if attempt is None:
        return "waiting"
    if _is_compared(attempt, assignment):
        return "finished"
    if assignment.ended_at or now - attempt.game.moved_at > AWAY_AFTER:
        return "left"
    return "playing"


def _is_compared(attempt: Attempt, assignment: Assignment) -> bool:
    """Whether the child finished before the deal was closed."""
    finished, ended_at = attempt.game.finished_at, assignment.ended_at
    return finished is not None and (ended_at is None or finished <= ended_at)


@dataclass(frozen=True, slots=True)
class DealComparison:
    """The turns of the children who had finished when the deal was closed."""

    attempts: Sequence[Attempt]
    turns: Sequence[ComparedTurn]


def comparison(assignment: Assignment) -> DealComparison:
    """The rows that the class found in a closed deal, turn by turn."""
    finished = [attempt for attempt in _attempts(assignment) if _is_compared(attempt, assignment)]
    return DealComparison(finished, compare_turns(_turns(finished)))


def _turns(attempts: Sequence[Attempt]) -> list[list[DealTurn]]:
    """The turns in each of these attempts. Two queries in all."""
    games = [attempt.game_id for attempt in attempts]
    logs: dict[UUID, list[LogEntry]] = defaultdict(list)
    rows = Entry.objects.filter(game__in=games).order_by("game", "number")
    for game, kind, seat, text in rows.values_list("game", "kind", "seat", "text"):
        logs[game].append(LogEntry(EntryKind(kind), seat, text))
    seats: dict[UUID, list[UUID | None]] = defaultdict(list)
    for game, player in Seat.objects.filter(game__in=games).values_list("game", "player"):
        seats[game].append(player)
    return [
        turns_of(
            transitions(
                setting_of(attempt.game, len(seats[attempt.game_id])), logs[attempt.game_id]
            ),
            seats[attempt.game_id].index(attempt.child.player),
        )
        for attempt in attempts
    ]


def scene_of_turn(deal_comparison: DealComparison, turn: ComparedTurn) -> Scene:
    """The table and hand that most children had in this turn after they had drawn a card."""
    attempt = deal_comparison.attempts[turn.example]
    seats = list(Seat.objects.filter(game=attempt.game_id))
    moments = moments_of_turn(attempt.game, turn.entry + 1)
    first = next(moment for moment in moments if moment.before.state.phase == "play")
    projected = layout(first.before.state.table, only=PROJECTOR)
    return scene_at(first, first.before, attempt.game, seats, attempt.child.player, (), projected)


def found_rows(assignment: Assignment, turn: ComparedTurn) -> list[DealRow]:
    ruleset = assignment.ruleset
    return [
        DealRow(tuple(face(number, ruleset) for number in row.numbers), row) for row in turn.rows
    ]
