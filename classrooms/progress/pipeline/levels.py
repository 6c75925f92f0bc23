"""Stage 3 for tables: days → mastery, a fold over the days of a child. The state before the last
day is stored too, so that one more game costs the same after a week and after a year. Facts:
`fact_levels`."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final, cast
from uuid import UUID

from django.db.models import Max, Model, Q, Sum
from msgspec import to_builtins

from classrooms.progress.models import (
    ChildAbility,
    Mastered,
    TableDay,
    TableMastery,
)
from classrooms.progress.pipeline.storing import put
from games.coach.mastery import (
    ROWS,
    Ability,
    Day,
    Knowledge,
    Parameters,
    Reached,
    after_answers,
    after_day,
    difficulty,
    reached_of_table,
)
from games.engine.json_values import read_as

MasteryKey = tuple[int, ...]
DayFigures = Mapping[str, int]


def _rows_of(day: int, figures: DayFigures) -> Day:
    """Only rows found without help count as found; rows with a joker take no part."""
    found = figures["at_once"] + figures["later"]
    chances = found + figures["hinted"] + figures["tried"] + figures["missed"]
    return Day(day, chances, 10 * found)


@dataclass(frozen=True, slots=True)
class EvidenceKind:
    """One kind of evidence: where its days are counted, and where its mastery is stored.

    `figures` of a day are summed over classes; those in `totals` are also summed over all days.
    """

    ability: str
    days: type[Model]
    mastery: type[Mastered]
    key: Sequence[str]
    figures: Sequence[str]
    totals: Sequence[str]
    parameters: Parameters
    day_of: Callable[[int, DayFigures], Day]
    reached: Callable[[Knowledge], Reached]


KINDS: Final = (
    EvidenceKind(
        ability=ChildAbility.Kind.ROWS,
        days=TableDay,
        mastery=TableMastery,
        key=("table",),
        figures=("at_once", "later", "hinted", "tried", "missed", "joker"),
        totals=("at_once", "later", "hinted", "tried", "missed", "joker"),
        parameters=ROWS,
        day_of=_rows_of,
        reached=reached_of_table,
    ),
)


@dataclass(frozen=True, slots=True)
class DayCount:
    """The counts of one table or fact on a day, in all classes."""

    figures: DayFigures
    last_at: datetime


@dataclass(frozen=True, slots=True)
class Folded:
    """The result of folding days: what is known, the level reached, since when, and the totals."""

    known: Knowledge
    reached: Reached
    reached_on: date
    totals: Mapping[str, int]


@dataclass(slots=True)
class MasteryState:
    """A table or fact while its days are folded: `now` after the last day, `before` without it."""

    day: date
    last_at: datetime
    now: Folded
    before: Folded


def fold_again(child_id: UUID, days: Collection[date], ability: str) -> None:
    """Bring the mastery of a child at rows or at facts (`ability`) up to date with its counts,
    which have changed on these days.

    Runs within the transaction and under the lock of the caller, which counted.
    """
    if days:
        for kind in KINDS:
            if kind.ability == ability:
                _Folding(kind, child_id).bring_up(days)


def fold_all(child_id: UUID) -> None:
    """Rebuild the mastery of a child from all its days."""
    for kind in KINDS:
        _Folding(kind, child_id).begin_anew()


class _Folding:
    """The fold of one kind of evidence of one child."""

    def __init__(self, kind: EvidenceKind, child_id: UUID) -> None:
        self.kind = kind
        self.child_id = child_id
        self.standing: dict[MasteryKey, MasteryState] = {}
        self.ability = Ability()
        self.ability_before = Ability()
        self.touched: set[MasteryKey] = set()

    def bring_up(self, days: Collection[date]) -> None:
        first = min(days)
        ability = ChildAbility.objects.filter(child=self.child_id, kind=self.kind.ability).first()
        if ability is None or ability.day > first:
            self.begin_anew()
            return
        counted = self._counted(Q(day__in=days))
        stored = list(self.kind.mastery._default_manager.filter(child=self.child_id))
        self.standing = {self._key(row): _read(row) for row in stored}
        gone = any(
            standing.day == first and key not in counted.get(first, {})
            for key, standing in self.standing.items()
        )
        if gone or (ability.day == first and first not in counted):
            self.begin_anew()
            return
        self.ability = read_as(Ability, ability.before if ability.day == first else ability.ability)
        for standing in self.standing.values():
            if standing.day == first:
                standing.now = standing.before
        self._fold(counted)
        self._store()

    def begin_anew(self) -> None:
        mine = Q(child=self.child_id)
        self.kind.mastery._default_manager.filter(mine).delete()
        ChildAbility.objects.filter(mine, kind=self.kind.ability).delete()
        self.standing, self.ability = {}, Ability()
        self._fold(self._counted(Q()))
        self._store()

    def _counted(self, which: Q) -> dict[date, dict[MasteryKey, DayCount]]:
        """The counts of these days in order, summed over classes."""
        rows = (
            self.kind.days._default_manager.filter(which, child=self.child_id)
            .values("day", *self.kind.key)
            .annotate(
                latest=Max("last_at"), **{f"all_{name}": Sum(name) for name in self.kind.figures}
            )
            .order_by("day", *self.kind.key)
        )
        counted: dict[date, dict[MasteryKey, DayCount]] = defaultdict(dict)
        for row in rows:
            figures = {name: row[f"all_{name}"] for name in self.kind.figures}
            key = tuple(row[name] for name in self.kind.key)
            counted[row["day"]][key] = DayCount(figures, row["latest"])
        return counted

    def _fold(self, counted: Mapping[date, Mapping[MasteryKey, DayCount]]) -> None:
        kind = self.kind
        for day, cells in counted.items():
            evidence = {
                key: kind.day_of(day.toordinal(), cell.figures) for key, cell in cells.items()
            }
            self.ability_before = self.ability
            self.ability = after_answers(
                self.ability,
                [(difficulty(key, kind.parameters), evidence[key]) for key in cells],
                kind.parameters,
            )
            for key, cell in cells.items():
                self._add(key, day, evidence[key], cell)
            self.last_day = day

    def _add(self, key: MasteryKey, day: date, evidence: Day, cell: DayCount) -> None:
        kind = self.kind
        none = Folded(Knowledge(), "learning", day, dict.fromkeys(kind.totals, 0))
        standing = self.standing.setdefault(key, MasteryState(day, cell.last_at, none, none))
        before = standing.now
        known = after_day(before.known, evidence, kind.parameters)
        reached = kind.reached(known)
        standing.before, standing.now = (
            before,
            Folded(
                known,
                reached,
                reached_on=before.reached_on if reached == before.reached else day,
                totals={name: before.totals[name] + cell.figures[name] for name in kind.totals},
            ),
        )
        standing.day, standing.last_at = day, cell.last_at
        self.touched.add(key)

    def _store(self) -> None:
        if not self.touched:
            return
        rows = [self._row(key, self.standing[key]) for key in sorted(self.touched)]
        put(rows, unique=("child", *self.kind.key))
        ability = ChildAbility(
            child_id=self.child_id,
            kind=self.kind.ability,
            day=self.last_day,
            ability=to_builtins(self.ability),
            before=to_builtins(self.ability_before),
        )
        put([ability], unique=("child", "kind"))

    def _row(self, key: MasteryKey, standing: MasteryState) -> Mastered:
        now = standing.now
        return self.kind.mastery(
            child_id=self.child_id,
            **dict(zip(self.kind.key, key, strict=True)),
            **now.totals,
            day=standing.day,
            known=to_builtins(now.known),
            before=to_builtins(standing.before),
            reached=now.reached,
            reached_on=now.reached_on,
            last_at=standing.last_at,
        )

    def _key(self, row: Model) -> MasteryKey:
        return tuple(getattr(row, name) for name in self.kind.key)


def _read(row: Mastered) -> MasteryState:
    before = read_as(Folded, row.before)
    return MasteryState(
        day=row.day,
        last_at=row.last_at,
        now=Folded(
            read_as(Knowledge, row.known),
            cast(Reached, row.reached),
            row.reached_on,
            {name: getattr(row, name) for name in before.totals},
        ),
        before=before,
    )
