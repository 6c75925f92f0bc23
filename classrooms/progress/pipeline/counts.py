"""Stage 2: evidence → counts, by set-based SQL. Counted again, never added to."""

from collections.abc import Collection, Sequence
from datetime import date
from typing import Any, Final
from uuid import UUID

from django.db import connection
from django.db.models import Case, Count, Max, Model, Q, QuerySet, Sum, Value, When
from django.db.models.functions import Greatest, Least

from classrooms.checks.models import Check
from classrooms.progress.models import (
    ChildAssignment,
    ChildDay,
    Evidence,
    FactDay,
    Played,
    TableDay,
)
from games.coach.mastery import HINT_TENTHS

UNAIDED = Q(kind=Evidence.Kind.FOUND, hint_step=0)
HINTED = Q(kind=Evidence.Kind.FOUND, hint_step__gt=0)
MISSED = Q(kind=Evidence.Kind.MISSED)
TRIED = Q(kind=Evidence.Kind.TRIED)
FACT = Q(kind=Check.Kind.FACT)

ROWS = {
    "found": Count("pk", filter=UNAIDED),
    "hinted": Count("pk", filter=HINTED),
    "missed": Count("pk", filter=MISSED),
}
PLAYED = {
    "rounds": Count("pk", filter=Q(what=Played.What.ROUND)),
    "turns": Count("pk", filter=Q(what=Played.What.TURN)),
    "hints": Sum("hints_asked"),
    "last_at": Max("at"),
}
ANSWERED = {
    "checks": Count("pk"),
    "checks_right": Count("pk", filter=Q(right=True)),
    "last_at": Max("answered_at"),
}
TENTHS = Sum(
    Case(
        *(When(hint_step=step, then=Value(tenths)) for step, tenths in enumerate(HINT_TENTHS)),
        default=Value(0),
    ),
    filter=Q(kind=Evidence.Kind.FOUND),
    default=0,
)
LATEST: Final = "last_at"

CountQuery = QuerySet[Any, Any]


def count_again(child_id: UUID, days: Collection[date], assignments: Collection[UUID]) -> None:
    """Replace the counts of a child on these days and for these assignments.

    Runs within the transaction and under the lock of the caller, which replaced the evidence.
    """
    if days:
        count_days(Q(child=child_id, day__in=days))
    if assignments:
        count_assignments(Q(child=child_id, assignment__in=assignments))


def count_days(on_days: Q) -> None:
    """Replace the counts by child and day that the condition selects; all if it is empty."""
    of_tables = ("child_id", "school_class_id", "table", "day")
    _replace(TableDay, on_days, of_tables, [_tables(on_days, of_tables)])
    of_facts = ("child_id", "school_class_id", "low", "high", "day")
    _replace(FactDay, on_days, of_facts, [_facts(on_days, of_facts)])
    of_days = ("child_id", "school_class_id", "day")
    played = Played.objects.filter(on_days).values(*of_days).annotate(**PLAYED)
    answered = Check.objects.filter(on_days).values(*of_days).annotate(**ANSWERED)
    _replace(ChildDay, on_days, of_days, [played, answered])


def count_assignments(for_assignments: Q) -> None:
    """Replace the counts by child and assignment that the condition selects."""
    of_assignments = ("child_id", "assignment_id")
    queries: Sequence[CountQuery] = [
        Played.objects.filter(for_assignments).values(*of_assignments).annotate(**PLAYED),
        Evidence.objects.filter(for_assignments)
        .values(*of_assignments)
        .annotate(**ROWS, last_at=Max("at")),
        Check.objects.filter(for_assignments, assignment__isnull=False)
        .values(*of_assignments)
        .annotate(**ANSWERED),
    ]
    _replace(ChildAssignment, for_assignments, of_assignments, queries)


def _tables(which: Q, group: Sequence[str]) -> CountQuery:
    rows: CountQuery = (
        Evidence.objects.filter(which)
        .values(*group)
        .annotate(**ROWS, tried=Count("pk", filter=TRIED), tenths=TENTHS, last_at=Max("at"))
    )
    return rows


def _facts(which: Q, group: Sequence[str]) -> CountQuery:
    how = {str(how): Count("pk", filter=Q(how=how)) for how in Check.How.values}
    rows: CountQuery = (
        Check.objects.filter(which & FACT)
        .annotate(low=Least("first", "second"), high=Greatest("first", "second"))
        .values(*group)
        .annotate(
            asked=Count("pk"),
            last_at=Max("answered_at"),
            **how,
        )
    )
    return rows


def _replace(
    model: type[Model], which: Q, group: Sequence[str], queries: Sequence[CountQuery]
) -> None:
    """INSERT … SELECT … GROUP BY: the rows go from table to table without passing through Python.

    The counts of several queries for the same group are merged. Existing rows are overwritten,
    which is cheaper than deleting them first; rows whose group is gone are deleted.
    """
    quote = connection.ops.quote_name
    counted = [query.order_by().query for query in queries]
    figures = sorted({name for query in counted for name in query.annotation_select} - {*group})
    selects: list[str] = []
    parameters: list[Any] = []
    for query in counted:
        own, values = query.sql_with_params()
        have = query.annotation_select
        selected = ", ".join(
            quote(name) if name in have else f"0 AS {quote(name)}" for name in figures
        )
        grouped = ", ".join(map(quote, group))
        # Only quoted names are joined here; values are parameters.
        selects.append(f"SELECT {grouped}, {selected} FROM ({own}) AS counted")  # nosec B608
        parameters.extend(values)
    together = selects[0] if len(selects) == 1 else _together(selects, group, figures)
    columns = ", ".join(map(quote, (*group, *figures)))
    table = quote(model._meta.db_table)
    insert = f"INSERT INTO {table} ({columns}) {together}"
    there = model._default_manager.filter(which)
    with connection.cursor() as cursor:
        if connection.vendor != "postgresql":
            there.delete()
            cursor.execute(insert, parameters)
            return
        over = ", ".join(f"{quote(name)} = excluded.{quote(name)}" for name in figures)
        key = ", ".join(map(quote, group))
        chosen, values = there.order_by().values("pk").query.sql_with_params()
        cursor.execute(
            f"WITH fresh AS ({insert} ON CONFLICT ({key}) DO UPDATE SET {over} RETURNING id) "  # nosec B608
            f"DELETE FROM {table} AS old WHERE old.id IN ({chosen}) "
            "AND NOT EXISTS (SELECT 1 FROM fresh WHERE fresh.id = old.id)",
            [*parameters, *values],
        )


def _together(selects: Sequence[str], group: Sequence[str], figures: Sequence[str]) -> str:
    quote = connection.ops.quote_name
    grouped = ", ".join(map(quote, group))
    totals = ", ".join(f"{'MAX' if name == LATEST else 'SUM'}({quote(name)})" for name in figures)
    union = " UNION ALL ".join(selects)
    return f"SELECT {grouped}, {totals} FROM ({union}) AS united GROUP BY {grouped}"  # nosec B608
