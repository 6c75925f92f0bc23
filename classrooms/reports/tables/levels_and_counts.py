"""Sheets of the counts, day by day, and of what each child can do now."""

from collections.abc import Iterator
from typing import Final

from django.db.models import QuerySet

from classrooms.models import Child, SchoolClass
from classrooms.progress.figures.known_facts import cells_of
from classrooms.progress.figures.table_rows import table_cells
from classrooms.progress.models import ChildAssignment, ChildDay, FactDay, TableDay
from classrooms.reports.tables.common_columns import ASSIGNMENT, CHILD, DAY
from classrooms.reports.tables.table_file import ExportColumn, ExportRow, ExportSheet, rows_of
from games.coach.mastery import Level

TOO_FEW: Final = "too few"
FOUND: Final = (
    ExportColumn("found", "number", "rows found without a hint"),
    ExportColumn("hinted", "number", "rows found after a hint"),
    ExportColumn("missed", "number", "possible rows that were not laid"),
)
ANSWERED: Final = (
    ExportColumn("recalled", "number", "right without help, as fast as from memory"),
    ExportColumn("derived", "number", "right without help, slower"),
    ExportColumn("hinted", "number", "right with help"),
    ExportColumn("guessed", "number", "wrong"),
)
LAST: Final = ExportColumn("last_at", "moment", "the time of the last one")
TABLE: Final = ExportColumn("table", "number", "the times table; 0 for rows in none")
FACT: Final = (
    ExportColumn("low", "number", "the smaller factor"),
    ExportColumn("high", "number", "the larger factor"),
)
LEVEL: Final = (
    ExportColumn(
        "level", "text", f"learning, secure, fluent, needs refreshing; {TOO_FEW}: of fewer than 3"
    ),
    ExportColumn(
        "since",
        "day",
        "when the level was reached; if it needs refreshing, the level it had before",
    ),
    ExportColumn("evidence", "number", "the pieces of evidence for the level, of all days"),
)


def _assignments(school_class: SchoolClass, child: Child) -> QuerySet[ChildAssignment]:
    rows = ChildAssignment.objects.filter(child=child, assignment__school_class=school_class)
    return rows.order_by("last_at", "pk")


def _tables_now(school_class: SchoolClass, child: Child) -> Iterator[ExportRow]:
    cells = table_cells([child], school_class.today()).get(child.pk, {})
    for table, cell in sorted(cells.items()):
        yield {
            "child": child.pk,
            "table": table,
            "level": _level(cell.level, cell.is_shown) if table else None,
            "since": cell.since if table else None,
            "evidence": cell.evidence,
            "found": cell.rows.found,
            "hinted": cell.rows.hinted,
            "missed": cell.rows.missed,
            "late_share": cell.late_share,
            "last_at": cell.last_at,
        }


def _facts_now(school_class: SchoolClass, child: Child) -> Iterator[ExportRow]:
    cells = cells_of([child], school_class.today()).get(child.pk, {})
    for (low, high), cell in sorted(cells.items()):
        yield {
            "child": child.pk,
            "low": low,
            "high": high,
            "level": _level(cell.level, cell.is_shown),
            "since": cell.since,
            "evidence": cell.evidence,
            "recalled": cell.recalled,
            "derived": cell.derived,
            "hinted": cell.hinted,
            "guessed": cell.guessed,
            "chance": cell.chance,
            "due_on": cell.due_on,
            "last_at": cell.last_at,
        }


def _level(level: Level, is_shown: bool) -> str:
    return level if is_shown else TOO_FEW


PLAYED: Final = (
    ExportColumn("rounds", "number", "rounds ended"),
    ExportColumn("turns", "number", "turns ended"),
    ExportColumn("hints", "number", "hint steps asked for"),
    ExportColumn("checks", "number", "quick checks answered"),
    ExportColumn("checks_right", "number", "quick checks answered right"),
)
COUNT_SHEETS: Final = (
    ExportSheet(
        "days",
        "What a child did on a day.",
        (CHILD, DAY, *PLAYED, LAST),
        of_child=rows_of(ChildDay, "day"),
    ),
    ExportSheet(
        "table_days",
        "A child's possible rows of a times table on a day.",
        (
            CHILD,
            TABLE,
            DAY,
            *FOUND,
            ExportColumn("tried", "number", "rows refused or taken back"),
            LAST,
        ),
        of_child=rows_of(TableDay, "day", "table"),
    ),
    ExportSheet(
        "fact_days",
        "A child's answers to a fact on a day, in either order of its factors.",
        (CHILD, *FACT, DAY, ExportColumn("asked", "number", "answers given"), *ANSWERED, LAST),
        of_child=rows_of(FactDay, "day", "low", "high"),
    ),
    ExportSheet(
        "assignment_counts",
        "What a child did for an assignment.",
        (CHILD, ASSIGNMENT, *PLAYED, *FOUND, LAST),
        of_child=_assignments,
    ),
    ExportSheet(
        "tables_now",
        "A child's level in a times table, from the rows of all days and classes.",
        (
            CHILD,
            ExportColumn("table", "number", "the times table; 0 for all other rows together"),
            *LEVEL,
            *FOUND,
            ExportColumn(
                "late_share",
                "decimal",
                "the share of recent rows found, 0 to 1; a row found with a hint counts less",
            ),
            LAST,
        ),
        of_child=_tables_now,
    ),
    ExportSheet(
        "facts_now",
        "A child's level in a fact, from the quick checks of all days and classes.",
        (
            CHILD,
            *FACT,
            *LEVEL,
            *ANSWERED,
            ExportColumn(
                "chance", "decimal", "the chance that the next answer is right without help, 0 to 1"
            ),
            ExportColumn("due_on", "day", "when it should be asked again"),
            LAST,
        ),
        of_child=_facts_now,
    ),
)
