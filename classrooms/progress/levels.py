"""Stage 3: from counts and answers to a child's levels in times tables and in facts."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, cast
from uuid import UUID

from django.db.models import Max, Model, Q, Sum
from msgspec import convert, to_builtins

from classrooms.progress.models import (
    ANSWER_COUNTS,
    CHANCE_COUNTS,
    FactAbility,
    FactMastery,
    TableDay,
    TableMastery,
)
from classrooms.questions.models import Check
from games.coach.mastery import Ability, ReachedLevel, changes_mastery
from games.coach.questions.recall import AskedDay, KnownFact, Memory, Recall, last_day_of_level
from games.coach.statements.table_levels import KnownTable, TableChances, known_table_after
from games.coach.times_tables import Fact, fact_of
from games.engine.json_values import read_as


def upsert(rows: Iterable[Model], unique: Sequence[str]) -> None:
    """Insert these rows, overwriting rows with the same key."""
    objects = list(rows)
    if not objects:
        return
    model = type(objects[0])
    other_fields = [
        field.name for field in model._meta.concrete_fields if field.name not in {"id", *unique}
    ]
    model._default_manager.bulk_create(
        objects, update_conflicts=True, unique_fields=list(unique), update_fields=other_fields
    )


# Stage 3 for tables: computes a child's level in each times table from their days. The state before
# the last day is stored too, so counting one more game costs as much after a year as after a week.
# The number of queries does not depend on the number of children.


@dataclass(frozen=True, slots=True)
class DayCount:
    """The counts of one table on one day, over all classes."""

    figures: Mapping[str, int]
    last_at: datetime

    def chances(self, day: date) -> TableChances:
        counts = self.figures
        helped_or_missed = counts["hinted"] + counts["tried"] + counts["missed"]
        return TableChances(day.toordinal(), counts["at_once"], counts["later"], helped_or_missed)


CountsByDay = Mapping[date, Mapping[int, DayCount]]
"""The counts by day, in order, and by table."""


@dataclass(frozen=True, slots=True)
class FoldedDays:
    """What is known of a table after some days."""

    known: KnownTable
    reached: ReachedLevel
    reached_on: date  # since this day most rows are found, or are not
    totals: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class TableState:
    """A child's times table while its days are folded."""

    day: date  # the last day
    last_at: datetime
    with_last_day: FoldedDays
    without_last_day: FoldedDays


TableStates = Mapping[int, TableState]


def update_table_levels(days: Mapping[UUID, Collection[date]]) -> None:
    """Bring the table levels of these children up to date with their counts, which changed on these
    days.

    Runs in the transaction and under the locks of the caller, which has counted. Usually only the
    days that changed are folded. All days of a child are folded if nothing is stored, if a table
    has a later day, or if a table lost the counts of its last day.
    """
    days_of = {child: set(changed_days) for child, changed_days in days.items() if changed_days}
    if not days_of:
        return
    stored: dict[UUID, dict[int, TableState]] = defaultdict(dict)
    for row in TableMastery.objects.filter(child__in=days_of):
        stored[row.child_id][row.table] = _table_state(row)
    any_day = set().union(*days_of.values())
    day_counts = {
        child: {day: tables for day, tables in by_day.items() if day in days_of[child]}
        for child, by_day in _counts_by_child(Q(child__in=days_of, day__in=any_day)).items()
    }
    rows: list[TableMastery] = []
    children_to_refold: list[UUID] = []
    for child, changed_days in days_of.items():
        by_day, states = day_counts.get(child, {}), None
        if child in stored:
            states = _states_before(stored[child], min(changed_days), by_day)
        if states is None:
            children_to_refold.append(child)
        else:
            rows.extend(_fold_days(child, by_day, states))
    upsert(rows, unique=("child", "table"))
    if children_to_refold:
        fold_all_tables(children_to_refold)


def fold_all_tables(children: Collection[UUID]) -> None:
    of_children = Q(child__in=children)
    TableMastery.objects.filter(of_children).delete()
    rows = [
        row
        for child, by_day in _counts_by_child(of_children).items()
        for row in _fold_days(child, by_day, {})
    ]
    upsert(rows, unique=("child", "table"))


def _counts_by_child(condition: Q) -> Mapping[UUID, CountsByDay]:
    """The counts that the condition selects, by child and added up over classes."""
    rows = (
        TableDay.objects.filter(condition)
        .values("child", "day", "table")
        .annotate(latest=Max("last_at"), **{f"all_{name}": Sum(name) for name in CHANCE_COUNTS})
        .order_by("child", "day", "table")
    )
    counts: dict[UUID, dict[date, dict[int, DayCount]]] = defaultdict(lambda: defaultdict(dict))
    for row in cast("Iterable[dict[str, Any]]", rows):
        figures = {name: row[f"all_{name}"] for name in CHANCE_COUNTS}
        counts[row["child"]][row["day"]][row["table"]] = DayCount(figures, row["latest"])
    return counts


def _states_before(
    states: TableStates, first: date, counts: CountsByDay
) -> dict[int, TableState] | None:
    """The state of each table before the day `first`; None if it is not stored."""
    of_first = counts.get(first, {})
    if any(
        state.day > first or (state.day == first and table not in of_first)
        for table, state in states.items()
    ):
        return None
    return {
        table: TableState(state.day, state.last_at, state.without_last_day, state.without_last_day)
        if state.day == first
        else state
        for table, state in states.items()
    }


def _fold_days(child: UUID, counts: CountsByDay, before: TableStates) -> list[TableMastery]:
    """The rows to store for the tables that have counts on these days."""
    after = dict(before)
    for day, cells in counts.items():
        for table, cell in cells.items():
            after[table] = _fold_day(after.get(table), day, cell)
    changed = {table for cells in counts.values() for table in cells}
    return [_table_row(child, table, after[table]) for table in sorted(changed)]


def _fold_day(state: TableState | None, day: date, cell: DayCount) -> TableState:
    before = (
        state.with_last_day if state else FoldedDays(KnownTable(), "learning", day, _NO_CHANCES)
    )
    after = known_table_after(before.known, cell.chances(day))
    now = FoldedDays(
        after,
        after.reached,
        reached_on=day if changes_mastery(after.reached, before.reached) else before.reached_on,
        totals={name: before.totals[name] + cell.figures[name] for name in CHANCE_COUNTS},
    )
    return TableState(day, cell.last_at, now, before)


_NO_CHANCES = dict.fromkeys(CHANCE_COUNTS, 0)


def _table_row(child: UUID, table: int, state: TableState) -> TableMastery:
    now = state.with_last_day
    return TableMastery(
        child_id=child,
        table=table,
        **now.totals,
        day=state.day,
        known=to_builtins(now.known),
        before=to_builtins(state.without_last_day),
        reached=now.reached,
        reached_on=now.reached_on,
        last_at=state.last_at,
    )


def _table_state(row: TableMastery) -> TableState:
    # An earlier release did not store the days of the last weeks.
    data = {"lately": (), **row.known}
    now = FoldedDays(
        read_as(KnownTable, data, partly=True),
        cast(ReachedLevel, row.reached),
        row.reached_on,
        {name: getattr(row, name) for name in CHANCE_COUNTS},
    )
    return TableState(row.day, row.last_at, now, read_as(FoldedDays, row.before))


# Stage 3 for facts: computes what a child knows about each fact from their answers. An answer
# changes only what is stored about its fact and the child's ability, so one more answer costs as
# much after a year as after a week. The number of queries does not depend on the number of
# children.

AnswersByChild = Mapping[UUID, Sequence[Check]]
"""The answers to facts, in order, by child."""
FactRows = Mapping[UUID, dict[Fact, FactMastery]]


def update_fact_levels(new_checks: Iterable[Check]) -> None:
    """Fold these answers into what is stored about their children.

    Runs in the transaction and under the locks of the caller. All answers of a child are folded
    again if nothing is stored, or if one of these is not newer than the last one folded. That
    happens when two children were merged, or when `fold_all_facts` folded an answer before it was
    counted.
    """
    by_child = _by_child(new_checks)
    stored = FactAbility.objects.filter(child__in=by_child)
    abilities = {ability.child_id: ability for ability in stored}
    children_to_refold = {
        child
        for child, checks in by_child.items()
        if (ability := abilities.get(child)) is None
        or _sort_key(checks[0]) <= (ability.last_at, ability.last_answer)
    }
    on_time = {
        child: answers for child, answers in by_child.items() if child not in children_to_refold
    }
    if on_time:
        _fold(on_time, abilities, _rows_of(on_time))
    if children_to_refold:
        fold_all_facts(children_to_refold)


def fold_all_facts(children: Collection[UUID]) -> None:
    FactMastery.objects.filter(child__in=children).delete()
    FactAbility.objects.filter(child__in=children).delete()
    _fold(_by_child(Check.objects.filter(child__in=children, kind=Check.Kind.FACT)), {}, {})


def _by_child(checks: Iterable[Check]) -> dict[UUID, list[Check]]:
    checks_of: dict[UUID, list[Check]] = defaultdict(list)
    for check in sorted(checks, key=_sort_key):
        if check.kind == Check.Kind.FACT:
            checks_of[check.child_id].append(check)
    return checks_of


def _sort_key(check: Check) -> tuple[datetime, int]:
    """The key that sorts the answers of a child by time."""
    return check.answered_at, check.pk


def _fact_of(check: Check) -> Fact:
    return fact_of(*check.fact_answer().factors)


def _rows_of(answers: AnswersByChild) -> FactRows:
    """What is stored about the facts of these answers."""
    facts = {_fact_of(check) for checks in answers.values() for check in checks}
    about = Q()
    for low, high in facts:
        about |= Q(low=low, high=high)
    rows: dict[UUID, dict[Fact, FactMastery]] = defaultdict(dict)
    for row in FactMastery.objects.filter(about, child__in=answers):
        rows[row.child_id][row.low, row.high] = row
    return rows


def _fold(answers: AnswersByChild, abilities: Mapping[UUID, FactAbility], rows: FactRows) -> None:
    facts: list[FactMastery] = []
    new_abilities: list[FactAbility] = []
    for child, checks in answers.items():
        by_fact = dict(rows.get(child, {}))
        ability = abilities.get(child)
        recall = Recall({fact: _known_fact(row) for fact, row in by_fact.items()})
        if ability:
            recall.ability = Ability(ability.value, ability.answers)
        for check in checks:
            recall.add(check.fact_answer())
            fact = _fact_of(check)
            by_fact[fact] = _fact_row(check, recall.facts[fact], by_fact.get(fact))
        for fact in sorted({_fact_of(check) for check in checks}):
            by_fact[fact].holds_until = _holds_until(fact, recall.facts[fact])
            facts.append(by_fact[fact])
        new_abilities.append(
            FactAbility(
                child_id=child,
                value=recall.ability.value,
                answers=recall.ability.answers,
                last_at=checks[-1].answered_at,
                last_answer=checks[-1].pk,
            )
        )
    upsert(facts, unique=("child", "low", "high"))
    upsert(new_abilities, unique=("child",))


def _known_fact(row: FactMastery) -> KnownFact:
    memory = Memory(row.stability, row.difficulty, row.day.toordinal(), row.due_on.toordinal())
    count = sum(getattr(row, how) for how in ANSWER_COUNTS)
    lately = convert(row.lately, tuple[AskedDay, ...])
    return KnownFact((row.low, row.high), memory, count, lately, row.ability)


def _holds_until(fact: Fact, known_fact: KnownFact) -> date | None:
    last = last_day_of_level(fact, known_fact.reached, known_fact.memory, known_fact.ability)
    return None if last is None else date.fromordinal(last)


def _fact_row(check: Check, known_fact: KnownFact, before: FactMastery | None) -> FactMastery:
    """The row of a fact after this answer. It lacks `holds_until`, which only the last row
    needs."""
    low, high = _fact_of(check)
    memory = known_fact.memory
    counts = {how: getattr(before, how, 0) + (check.how == how) for how in ANSWER_COUNTS}
    is_new_level = before and changes_mastery(
        known_fact.reached, cast(ReachedLevel, before.reached)
    )
    return FactMastery(
        child_id=check.child_id,
        low=low,
        high=high,
        stability=memory.stability,
        difficulty=memory.difficulty,
        day=date.fromordinal(memory.last_day),
        due_on=date.fromordinal(memory.due),
        ability=known_fact.ability,
        lately=to_builtins(known_fact.lately),
        reached=known_fact.reached,
        reached_on=before.reached_on if before and not is_new_level else check.day,
        last_at=check.answered_at,
        **counts,
    )
