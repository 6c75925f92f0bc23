"""Stage 2: from evidence to counts, by SQL for many children at once. A count is always replaced,
never added to."""

from collections.abc import Callable, Collection, Sequence
from datetime import date
from typing import Any, Final
from uuid import UUID

from django.db import connection
from django.db.models import Count, Max, Model, Q, QuerySet, Sum
from django.db.models.functions import Greatest, Least

from classrooms.progress.models import Chance, ChildAssignment, ChildDay, FactDay, Played, TableDay
from classrooms.questions.models import Check

CHANCE_FIGURES = {
    name: Count("pk", filter=Q(outcome=outcome))
    for name, outcome in (
        ("at_once", Chance.Outcome.AT_ONCE),
        ("later", Chance.Outcome.LATER),
        ("hinted", Chance.Outcome.WITH_HINT),
        ("tried", Chance.Outcome.AFTER_TRIES),
        ("missed", Chance.Outcome.MISSED),
        ("joker", Chance.Outcome.WITH_JOKER),
    )
} | {"last_at": Max("at")}
PLAY_FIGURES = {
    "rounds": Sum("rounds_ended"),
    "turns": Sum("turns_ended"),
    "hints": Sum("hints_asked"),
    "tries": Sum("tries_refused"),
    "last_at": Max("at"),
}
ANSWER_FIGURES = {
    "checks": Count("pk"),
    "checks_right": Count("pk", filter=Q(right=True)),
    "last_at": Max("answered_at"),
}
LATEST: Final = "last_at"

CountQuery = QuerySet[Any, Any]


def count_again(
    count_kind: Callable[[Q], None],
    children: Collection[UUID],
    days: Collection[date],
    assignments: Collection[UUID],
) -> None:
    """Count again what these children did on these days and in these assignments: `count_kind` is
    `count_tables` or `count_facts`. Runs in the transaction and under the locks of the caller,
    which has replaced the evidence. The number of statements does not depend on the number of
    children."""
    if days:
        on_days = Q(child__in=children, day__in=days)
        count_kind(on_days)
        _count_child_days(on_days)
    if assignments:
        _count_assignments(Q(child__in=children, assignment__in=assignments))


def count_all(condition: Q) -> None:
    """Count again everything of the children that the condition selects. An empty one selects
    all."""
    count_tables(condition)
    count_facts(condition)
    _count_child_days(condition)
    _count_assignments(condition)


def _count_assignments(condition: Q) -> None:
    group = ("child_id", "assignment_id")
    queries: Sequence[CountQuery] = [
        Played.objects.filter(condition).values(*group).annotate(**PLAY_FIGURES),
        _chances(condition).values(*group).annotate(**CHANCE_FIGURES),
        Check.objects.filter(condition, assignment__isnull=False)
        .values(*group)
        .annotate(**ANSWER_FIGURES),
    ]
    _replace(ChildAssignment, condition, group, queries)


def _chances(condition: Q) -> CountQuery:
    return Chance.objects.filter(condition).exclude(outcome=Chance.Outcome.TAKEN_UP)


def count_tables(condition: Q) -> None:
    group = ("child_id", "school_class_id", "table", "day")
    chances = _chances(condition).values(*group).annotate(**CHANCE_FIGURES)
    _replace(TableDay, condition, group, [chances])


def count_facts(condition: Q) -> None:
    group = ("child_id", "school_class_id", "low", "high", "day")
    by_how = {str(how): Count("pk", filter=Q(how=how)) for how in Check.How.values}
    answers = (
        Check.objects.filter(condition, kind=Check.Kind.FACT)
        .annotate(low=Least("first", "second"), high=Greatest("first", "second"))
        .values(*group)
        .annotate(asked=Count("pk"), last_at=Max("answered_at"), **by_how)
    )
    _replace(FactDay, condition, group, [answers])


def _count_child_days(condition: Q) -> None:
    group = ("child_id", "school_class_id", "day")
    days = (
        Played.objects.filter(condition)
        .values(*group)
        .annotate(**PLAY_FIGURES, hint_turns=Sum("turns_with_hint"))
    )
    answers = Check.objects.filter(condition).values(*group).annotate(**ANSWER_FIGURES)
    _replace(ChildDay, condition, group, [days, answers])


def _replace(
    model: type[Model], condition: Q, group: Sequence[str], queries: Sequence[CountQuery]
) -> None:
    """Replace the rows that the condition selects by the results of these queries. Counts with
    INSERT … SELECT … GROUP BY, so that no row passes through Python.

    If several queries count the same group, their counts are added up. Existing rows are
    overwritten, which is cheaper than deleting them first. Rows of groups that are gone are
    deleted.
    """
    quote = connection.ops.quote_name
    statements = [query.order_by().query for query in queries]
    figures = sorted({name for query in statements for name in query.annotation_select} - {*group})
    selects: list[str] = []
    parameters: list[Any] = []
    for query in statements:
        sql, values = query.sql_with_params()
        annotations = query.annotation_select
        selected = ", ".join(
            quote(name) if name in annotations else f"0 AS {quote(name)}" for name in figures
        )
        grouped = ", ".join(map(quote, group))
        # Only quoted names are inserted here; values are parameters.
        selects.append(f"SELECT {grouped}, {selected} FROM ({sql}) AS counted")  # nosec B608
        parameters.extend(values)
    statement = selects[0] if len(selects) == 1 else _united_sql(selects, group, figures)
    columns = ", ".join(map(quote, (*group, *figures)))
    table = quote(model._meta.db_table)
    insert = f"INSERT INTO {table} ({columns}) {statement}"
    stored_rows = model._default_manager.filter(condition)
    with connection.cursor() as cursor:
        if connection.vendor != "postgresql":
            stored_rows.delete()
            cursor.execute(insert, parameters)
            return
        over = ", ".join(f"{quote(name)} = excluded.{quote(name)}" for name in figures)
        key = ", ".join(map(quote, group))
        keys, values = stored_rows.order_by().values("pk").query.sql_with_params()
        cursor.execute(
            f"WITH fresh AS ({insert} ON CONFLICT ({key}) DO UPDATE SET {over} RETURNING id) "  # nosec B608
            f"DELETE FROM {table} AS old WHERE old.id IN ({keys}) "
            "AND NOT EXISTS (SELECT 1 FROM fresh WHERE fresh.id = old.id)",
            [*parameters, *values],
        )


def _united_sql(selects: Sequence[str], group: Sequence[str], figures: Sequence[str]) -> str:
    quote = connection.ops.quote_name
    grouped = ", ".join(map(quote, group))
    totals = ", ".join(f"{'MAX' if name == LATEST else 'SUM'}({quote(name)})" for name in figures)
    union = " UNION ALL ".join(selects)
    return f"SELECT {grouped}, {totals} FROM ({union}) AS united GROUP BY {grouped}"  # nosec B608
