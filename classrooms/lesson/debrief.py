"""The class discussion: three positions from the class's own last games, without names, chosen for
what most of the class missed. Without the talk, play at home teaches little."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Count

from classrooms.models import Attempt, SchoolClass
from classrooms.progress.figures import periods
from classrooms.progress.models import Chance
from games.coach.times_tables import RowTable, describe
from games.models import Seat
from games.screen.pictures.number_line import NumberLine, number_line
from games.screen.replay import Scene, ShownRow, scenes, shown_row, turn_with

POSITIONS: Final = 3
MOST_SEARCHED: Final = 30
"""How many of the last missed rows of a table are searched for the clearest one."""
PERIOD: Final = periods.USUAL
WEEKS: Final = periods.PERIODS[PERIOD][0] // 7
STEPS: Final = 4
"""The steps of the reveal: that there is a row; one card of it; the jumps; the whole row."""


@dataclass(frozen=True, slots=True)
class TalkPosition:
    """A position of the talk at a step of its reveal, from 1 to `STEPS`. `row` is shown at the last
    step only."""

    number: int
    step: int
    scene: Scene
    row: ShownRow
    description: RowTable
    line: NumberLine | None

    @property
    def is_open(self) -> bool:
        return self.step >= STEPS


def chosen(school_class: SchoolClass) -> list[Chance]:
    """The rows to talk about: one of each of the tables that the class missed most lately, of
    different children if possible; rows from the hand alone are preferred. None of a deal that
    others still play (`classrooms.lesson.one_deal`)."""
    since = periods.first_day(school_class.today(), PERIOD)
    assert since
    missed = Chance.objects.filter(
        school_class=school_class, outcome=Chance.Outcome.MISSED, day__gte=since, table__gt=0
    ).exclude(assignment__deal_seed__isnull=False, assignment__ended_at=None)
    tables = missed.values("table").annotate(times=Count("pk")).order_by("-times", "table")
    rows: list[Chance] = []
    for table in tables.values_list("table", flat=True)[:POSITIONS]:
        children = {row.child_id for row in rows}
        last = list(missed.filter(table=table).order_by("-at", "-pk")[:MOST_SEARCHED])
        rows.append(min(last, key=lambda row: (row.child_id in children, *_hard_to_see(row))))
    return rows


def _hard_to_see(missed: Chance) -> tuple[bool, int]:
    words = missed.row.split()
    return any(word in ("to", "across", "swap") for word in words), len(words)


def position(rows: Sequence[Chance], number: int, step: int) -> TalkPosition:
    """The position of one of these rows at the end of the turn in which it could last be laid,
    revealed up to this step."""
    missed = rows[number - 1]
    attempt = Attempt.objects.select_related("game", "child").get(game=missed.game_id)
    moments = turn_with(attempt.game, missed.entry)
    row = shown_row(moments[-1], missed.row, attempt.game.ruleset)
    lit = {1: [], 2: sorted(row.cards)[:1]}.get(step, sorted(row.cards))
    seats = list(Seat.objects.filter(game=attempt.game_id))
    scene = scenes(moments, attempt.game, seats, attempt.child.player, lit)[-1]
    line = number_line(missed.numbers) if step > 2 else None
    return TalkPosition(number, step, scene, row, describe(missed.numbers), line)
