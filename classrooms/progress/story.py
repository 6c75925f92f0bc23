"""A child's last weeks and best rounds, and their answers about the table of a row."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db.models import Case, Count, F, Max, Q, Sum, When

from classrooms.models import Child
from classrooms.progress.models import CHANCE_COUNTS, LAID, Chance, ChildDay, TableDay
from classrooms.progress.periods import USUAL_PERIOD, first_day
from classrooms.progress.rows import RowCounts, column_of
from classrooms.questions.models import Check
from games.coach.mastery import FEWEST_FOR_A_LEVEL

# The rounds in which children laid more rows than ever before.


@dataclass(frozen=True, slots=True)
class BestRound:
    """The round in which a child laid most rows, or the first of several such rounds."""

    rows: int
    day: date
    record_before: int  # the rows of the best earlier round, 0 if there was none


def best_rounds(children: Iterable[Child]) -> Mapping[UUID, BestRound]:
    """The best round of each child who has laid a row, by child. One query."""
    rounds = (
        Chance.objects.filter(LAID, child__in=children)
        .values_list("child", "game", "round")
        .annotate(rows=Count("pk"), day=Max("day"), ended=Max("at"))
        .order_by("ended")
    )
    bests: dict[UUID, BestRound] = {}
    for child, _game, _round, rows, day, _ended in rounds:
        record = bests[child].rows if child in bests else 0
        if rows > record:
            bests[child] = BestRound(rows, day, record)
    return bests


# A child's story: their last weeks, and what they have done best.

WEEKS: Final = 6


@dataclass(slots=True)
class Week:
    """A child's week from Monday: the days on which they played, and what they did and found."""

    monday: date
    days: int = 0
    rounds: int = 0
    turns: int = 0
    hints: int = 0
    checks: int = 0
    checks_right: int = 0
    rows: RowCounts = field(default_factory=RowCounts)


@dataclass(frozen=True, slots=True)
class Bests:
    """The round and the day on which a child laid most rows. None if they have laid none."""

    round: BestRound | None
    rows_on_a_day: int | None
    day: date | None  # the first day with so many rows


@dataclass(frozen=True, slots=True)
class ChildStory:
    """What a child did in the last weeks, and their best round and day."""

    weeks: Sequence[Week]  # oldest first, with weeks without play
    lately: Mapping[int, RowCounts]  # the rows of the usual period, by column of the map
    bests: Bests
    last_at: datetime | None  # when the child last played or answered


def child_story(child: Child) -> ChildStory:
    """The story of the last `WEEKS` weeks, this one included. Three queries."""
    today = child.school_class.today()
    first = today - timedelta(days=today.weekday(), weeks=WEEKS - 1)
    lately = first_day(today, USUAL_PERIOD)
    assert lately
    recent = Case(When(day__gte=min(first, lately), then=F("table")))
    days = list(
        TableDay.objects.filter(child=child)
        .values("day", recent_table=recent)
        .annotate(**{name: Sum(name) for name in CHANCE_COUNTS})
    )
    rows: dict[int, RowCounts] = defaultdict(RowCounts)
    for day in days:
        if day["day"] >= lately:
            rows[column_of(day["recent_table"])].add(day)
    days_played = list(ChildDay.objects.filter(child=child))
    return ChildStory(
        _weeks([day for day in days_played if day.day >= first], days, first),
        rows,
        _bests(child, days),
        max((day.last_at for day in days_played), default=None),
    )


def _weeks(
    days_played: Iterable[ChildDay], days: Iterable[Mapping[str, Any]], first: date
) -> Sequence[Week]:
    weeks = [Week(first + timedelta(weeks=week)) for week in range(WEEKS)]
    for day in days_played:
        week = weeks[(day.day - first).days // 7]
        week.days += 1
        for name in ("rounds", "turns", "hints", "checks", "checks_right"):
            setattr(week, name, getattr(week, name) + getattr(day, name))
    for counts in days:
        if counts["day"] >= first:
            weeks[(counts["day"] - first).days // 7].rows.add(counts)
    return weeks


def _bests(child: Child, days: Iterable[Mapping[str, Any]]) -> Bests:
    by_day: dict[date, RowCounts] = defaultdict(RowCounts)
    for counts in days:
        by_day[counts["day"]].add(counts)
    row_counts = {day: rows.laid for day, rows in by_day.items() if rows.laid}
    best_day = min(row_counts, key=lambda day: (-row_counts[day], day), default=None)
    return Bests(
        round=best_rounds([child]).get(child.pk),
        rows_on_a_day=row_counts[best_day] if best_day else None,
        day=best_day,
    )


# The short questions in which a child names the times table of a row that they found. The answers
# are shown but count for no level: they recall no fact, because the row is already found.

ANSWERS_SHOWN: Final = 8


@dataclass(frozen=True, slots=True)
class TableQuestionTally:
    """A child's answers to questions about the table of a row."""

    right: int
    asked: int
    latest: Sequence[Check]  # newest first

    @property
    def is_shown(self) -> bool:
        return self.asked >= FEWEST_FOR_A_LEVEL


def table_questions_of(child: Child, since: date | None) -> TableQuestionTally:
    """The child's answers to questions about the table of a row, from the day `since` on. One
    query."""
    days = Q(day__gte=since) if since else Q()
    answers = Check.objects.filter(days, child=child, kind=Check.Kind.TABLE)
    checks = list(answers.order_by("-answered_at", "-pk"))
    return TableQuestionTally(
        sum(check.right for check in checks), len(checks), checks[:ANSWERS_SHOWN]
    )
