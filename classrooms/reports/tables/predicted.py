"""What was expected of a child's possible rows before each day, from the days before it."""

from collections.abc import Mapping
from datetime import date
from itertools import groupby
from operator import itemgetter

from django.db.models import F, Sum

from classrooms.models import Child
from classrooms.progress.figures.table_rows import ROWS_FOUND
from classrooms.progress.models import TableDay
from games.coach.mastery import ROWS, Day, predictions


def predicted_finds(child: Child) -> Mapping[tuple[date, int], float]:
    """By day and table, the chance that a possible row is found without help; in one query."""
    counted = (
        TableDay.objects.filter(child=child)
        .values("day", "table")
        .annotate(
            right=Sum(ROWS_FOUND),
            count=Sum(ROWS_FOUND + F("hinted") + F("tried") + F("missed")),
        )
        .order_by("day", "table")
        .values_list("day", "table", "count", "right")
    )
    days = [
        (day, {(table,): Day(day.toordinal(), count, right) for _, table, count, right in rows})
        for day, rows in groupby(counted, key=itemgetter(0))
    ]
    evidence = ((day.toordinal(), own) for day, own in days)
    return {
        (day, table): chance
        for (day, _own), expected in zip(days, predictions(evidence, ROWS), strict=True)
        for (table,), chance in expected.items()
    }
