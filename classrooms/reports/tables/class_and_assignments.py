"""Sheets of the children of the class and of its assignments."""

from collections.abc import Iterator
from typing import Any, Final

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from classrooms.models import Assignment, Child, SchoolClass
from classrooms.reports.tables.common_columns import ASSIGNMENT
from classrooms.reports.tables.table_file import ExportColumn, ExportRow, ExportSheet
from classrooms.ui.fact_texts import listed


def _children(school_class: SchoolClass) -> QuerySet[Child]:
    return school_class.children.order_by("pk")


def _assignments(school_class: SchoolClass) -> Iterator[ExportRow]:
    for each in school_class.assignments.order_by("created_at"):
        tables = each.options.get("tables") or []
        yield {**_fields(each), "tables": tables, "facts": listed(each.facts)}


def _fields(assignment: Assignment) -> dict[str, Any]:
    fields = Assignment._meta.concrete_fields
    return {field.attname: getattr(assignment, field.attname) for field in fields}


def _meant_for(school_class: SchoolClass) -> Iterator[ExportRow]:
    """The children of each assignment that is not for the whole class, named singly or by a
    group."""
    named = school_class.assignments.filter(everyone=False).order_by()
    here = school_class.children.all()
    own = named.filter(children__in=here).values_list("pk", "children")
    grouped = named.filter(groups__children__in=here).values_list("pk", "groups__children")
    for assignment, child in sorted({*own, *grouped}):
        yield {"assignment": assignment, "child": child}


CLASS_SHEETS: Final = (
    ExportSheet(
        "children",
        "The children of the class; the other files name a child by its id alone.",
        (
            ExportColumn("child", "id", _("the child, in all files"), "id"),
            ExportColumn("name", "text", _("the child’s name in the class")),
            ExportColumn("added_at", "moment", _("when the child was added"), "created_at"),
            ExportColumn(
                "language", "text", _("the language that the child chose, such as en or nl")
            ),
            ExportColumn("untimed", "yes/no", _("agreed: plays untimed")),
            ExportColumn("larger_cards", "yes/no", _("agreed: larger cards"), "larger"),
            ExportColumn("quick_checks", "yes/no", _("agreed: gets short questions"), "checks"),
            ExportColumn(
                "hints", "text", _("agreed: all, none, or empty to keep what is assigned")
            ),
        ),
        of_class=_children,
    ),
    ExportSheet(
        "assignments",
        "What the class was asked to play.",
        (
            ExportColumn("assignment", "id", _("the assignment, in all files"), "id"),
            ExportColumn("made_at", "moment", _("when it was made"), "created_at"),
            ExportColumn("edition", "text", _("the edition of the game")),
            ExportColumn(
                "tables", "numbers", _("the times tables that rows must be in; empty for any")
            ),
            ExportColumn("focus", "numbers", _("the times tables to practise most")),
            ExportColumn("facts", "text", _("the facts to ask first")),
            ExportColumn(
                "rounds", "number", _("rounds in a game; empty for a game played to a target score")
            ),
            ExportColumn("bots", "number", _("bots at the table")),
            ExportColumn("bot", "text", _("the bots’ strength")),
            ExportColumn("kind_deals", "yes/no", _("whether the deals were helpful"), "kind"),
            ExportColumn(
                "hint_steps", "number", _("how many steps a hint could take, 0 for no hints")
            ),
            ExportColumn("missed_rows", "yes/no", _("whether a missed row was shown after a turn")),
            ExportColumn(
                "quick_checks", "yes/no", _("whether there were short questions"), "checks"
            ),
            ExportColumn(
                "for_all", "yes/no", _("for the whole class; if not, see assigned.csv"), "everyone"
            ),
            ExportColumn("starts_on", "day", _("the first day on which it could be played")),
            ExportColumn("due_on", "day", _("the last day on which it could be played")),
            ExportColumn("series", "id", _("the id shared by all weeks of a repeated assignment")),
            ExportColumn("ended_at", "moment", _("when it was ended by hand")),
            ExportColumn("note", "text", _("the note to the children")),
        ),
        of_class=_assignments,
    ),
    ExportSheet(
        "assigned",
        "For which children of the class an assignment is that is not for all.",
        (
            ASSIGNMENT,
            ExportColumn("child", "id", _("a child to whom it is assigned")),
        ),
        of_class=_meant_for,
    ),
)
