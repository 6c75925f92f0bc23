"""Stage 2: evidence → counts, by set-based SQL. Counted again, never added to."""

from collections.abc import Collection, Sequence
from datetime import date
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Count, Max, Model, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from .models import ChildAssignment, ChildDay, Evidence, Played, TableDay

UNAIDED = Q(kind=Evidence.Kind.FOUND, hint_step=0)
HINTED = Q(kind=Evidence.Kind.FOUND, hint_step__gt=0)
MISSED = Q(kind=Evidence.Kind.MISSED)
TRIED = Q(kind=Evidence.Kind.TRIED)

PLAYED = {
    "rounds": Count("pk", filter=Q(what=Played.What.ROUND)),
    "turns": Count("pk", filter=Q(what=Played.What.TURN)),
    "hints": Sum("hints_asked"),
    "last_at": Max("at"),
}


def count_again(child_id: UUID, days: Collection[date], assignments: Collection[UUID]) -> None:
    """Replace the counts of a child on these days and for these assignments.

    Runs within the transaction and under the lock of whoever replaced the evidence.
    """
    if not days:
        return
    on_days = Q(child=child_id, day__in=days)
    for_assignments = Q(child=child_id, assignment__in=assignments)
    _replace(TableDay, on_days, _tables(on_days))
    _replace(ChildDay, on_days, _days(on_days))
    _replace(ChildAssignment, for_assignments, _assignments(for_assignments))


def _tables(which: Q) -> QuerySet[Any, Any]:
    group = ("child_id", "school_class_id", "table", "day")
    rows: QuerySet[Any, Any] = (
        Evidence.objects.filter(which)
        .values(*group)
        .annotate(
            found=Count("pk", filter=UNAIDED),
            hinted=Count("pk", filter=HINTED),
            missed=Count("pk", filter=MISSED),
            tried=Count("pk", filter=TRIED),
            last_at=Max("at"),
        )
    )
    return rows


def _days(which: Q) -> QuerySet[Any, Any]:
    group = ("child_id", "school_class_id", "day")
    rows: QuerySet[Any, Any] = Played.objects.filter(which).values(*group).annotate(**PLAYED)
    return rows


def _assignments(which: Q) -> QuerySet[Any, Any]:
    pieces = {
        name: Coalesce(Subquery(_pieces(kind)), 0)
        for name, kind in (("found", UNAIDED), ("hinted", HINTED), ("missed", MISSED))
    }
    group = ("child_id", "assignment_id")
    rows: QuerySet[Any, Any] = (
        Played.objects.filter(which).values(*group).annotate(**PLAYED, **pieces)
    )
    return rows


def _pieces(kind: Q) -> QuerySet[Any, Any]:
    """How many pieces of a kind there are for the child and assignment of the outer row."""
    return (
        Evidence.objects.filter(
            kind, child=OuterRef("child_id"), assignment=OuterRef("assignment_id")
        )
        .order_by()
        .values("child_id")
        .annotate(n=Count("pk"))
        .values("n")
    )


def _replace(model: type[Model], which: Q, rows: QuerySet[Any, Any]) -> None:
    """INSERT … SELECT: the rows go from table to table without passing through Python."""
    model._default_manager.filter(which).delete()
    first = rows.order_by().query
    columns = [*first.values_select, *first.annotation_select]
    select, parameters = first.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(_insert(model, columns) + select, parameters)


def _insert(model: type[Model], columns: Sequence[str]) -> str:
    quote = connection.ops.quote_name
    names = ", ".join(quote(column) for column in columns)
    return f"INSERT INTO {quote(model._meta.db_table)} ({names}) "
