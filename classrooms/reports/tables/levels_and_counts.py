"""Sheets of the counts, day by day, and of what each child can do now."""

from collections.abc import Iterator
from typing import Final

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from classrooms.models import Child, SchoolClass
from classrooms.progress.figures.known_facts import cells_of
from classrooms.progress.figures.table_rows import FIGURES, ROWS_FOUND, table_cells
from classrooms.progress.models import ChildAssignment, ChildDay, FactDay, TableDay
from classrooms.reports.tables.common_columns import ASSIGNMENT, CHILD, DAY
from classrooms.reports.tables.table_file import ExportColumn, ExportRow, ExportSheet, rows_of
from games.coach.mastery import Level

TOO_FEW: Final = "too few"
HINTED: Final = ExportColumn("hinted", "number", _("rows found with a hint"))
MISSED: Final = ExportColumn("missed", "number", _("possible rows that were not laid"))
TRIED: Final = ExportColumn("tried", "number", _("rows found after two or more refused tries"))
AT_ONCE: Final = ExportColumn(
    "at_once", "number", _("rows found without help, in their first turn")
)
LATER: Final = ExportColumn("later", "number", _("rows found without help, in a later turn"))
JOKER: Final = ExportColumn(
    "joker", "number", _("rows laid with a joker; they do not count as possible rows")
)
TRIES: Final = ExportColumn("tries", "number", _("refused tries"))
FOUND_TOGETHER: Final = ExportColumn(
    "found", "number", _("rows found without help: at_once + later")
)
FOUND: Final = (FOUND_TOGETHER, HINTED, MISSED)
FOUND_APART: Final = (AT_ONCE, LATER, JOKER)
ANSWERED: Final = (
    ExportColumn("recalled", "number", _("right without help, as quickly as from memory")),
    ExportColumn("derived", "number", _("right without help but slower")),
    ExportColumn("hinted", "number", _("right with help")),
    ExportColumn("guessed", "number", _("wrong")),
)
LAST: Final = ExportColumn("last_at", "moment", _("the time of the last of these"))
TABLE: Final = ExportColumn(
    "table", "number", _("the times table, even above 12; 0 for rows in no table")
)
FACT: Final = (
    ExportColumn("low", "number", _("the smaller factor")),
    ExportColumn("high", "number", _("the larger factor")),
)
LEVEL: Final = ExportColumn(
    "level",
    "text",
    _("learning, secure, fluent, needs refreshing; too few: fewer than 3 rows or answers"),
)
SINCE: Final = ExportColumn(
    "since",
    "day",
    _(
        "the day on which the rows or answers reached this level or a better one; for “needs "
        "refreshing”, the day on which the table stopped being secure, or on which the fact "
        "had become secure or fluent; empty if unknown"
    ),
)
EVIDENCE: Final = ExportColumn(
    "evidence", "number", _("how much evidence the level rests on, over all days")
)


def _assignments(school_class: SchoolClass, child: Child) -> QuerySet[ChildAssignment]:
    rows = ChildAssignment.objects.filter(child=child, assignment__school_class=school_class)
    return rows.annotate(found=ROWS_FOUND).order_by("last_at", "pk")


def _table_days(school_class: SchoolClass, child: Child) -> QuerySet[TableDay]:
    rows = TableDay.objects.filter(child=child, school_class=school_class)
    return rows.annotate(found=ROWS_FOUND).order_by("day", "table")


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
            **{name: getattr(cell.rows, name) for name in FIGURES},
            "late_share": cell.late_share if table else None,
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
    ExportColumn("rounds", "number", _("rounds ended")),
    ExportColumn("turns", "number", _("turns completed")),
    ExportColumn("hints", "number", _("hint steps asked for")),
    ExportColumn("checks", "number", _("short questions answered")),
    ExportColumn("checks_right", "number", _("short questions answered right")),
)
COUNT_SHEETS: Final = (
    ExportSheet(
        "days",
        "What a child did on a day.",
        (CHILD, DAY, *PLAYED, LAST, TRIES),
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
            TRIED,
            LAST,
            *FOUND_APART,
        ),
        of_child=_table_days,
    ),
    ExportSheet(
        "fact_days",
        "A child's answers to a fact on a day, in either order of its factors.",
        (CHILD, *FACT, DAY, ExportColumn("asked", "number", _("answers given")), *ANSWERED, LAST),
        of_child=rows_of(FactDay, "day", "low", "high"),
    ),
    ExportSheet(
        "assignment_counts",
        "What a child did for an assignment.",
        (CHILD, ASSIGNMENT, *PLAYED, *FOUND, LAST, TRIED, *FOUND_APART, TRIES),
        of_child=_assignments,
    ),
    ExportSheet(
        "tables_now",
        "A child's level in a times table, from the rows of all days and classes.",
        (
            CHILD,
            ExportColumn(
                "table",
                "number",
                _(
                    "the times table, 2 to 12; 0 for rows of higher tables and of no table "
                    "together; level, since and late_share are then empty"
                ),
            ),
            LEVEL,
            SINCE,
            EVIDENCE,
            *FOUND,
            ExportColumn(
                "late_share",
                "decimal",
                _("the share of recent possible rows found without help, from 0 to 1"),
            ),
            LAST,
            TRIED,
            *FOUND_APART,
        ),
        of_child=_tables_now,
    ),
    ExportSheet(
        "facts_now",
        "A child's level in a fact, from the short questions of all days and classes.",
        (
            CHILD,
            *FACT,
            LEVEL,
            SINCE,
            EVIDENCE,
            *ANSWERED,
            ExportColumn(
                "chance",
                "decimal",
                _("the chance that the next answer is right without help, from 0 to 1"),
            ),
            ExportColumn("due_on", "day", _("when it should be asked again")),
            LAST,
        ),
        of_child=_facts_now,
    ),
)
