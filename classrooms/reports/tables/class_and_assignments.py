"""Who is in the class, and what was assigned to it."""

from collections.abc import Iterator
from typing import Any, Final

from django.db.models import QuerySet

from classrooms.models import Assignment, Child, SchoolClass
from classrooms.reports.tables.table_file import Column, Row, Sheet


def _children(school_class: SchoolClass) -> QuerySet[Child]:
    return school_class.children.order_by("pk")


def _assignments(school_class: SchoolClass) -> Iterator[Row]:
    for each in school_class.assignments.order_by("created_at"):
        yield {**_fields(each), "tables": each.options.get("tables") or []}


def _fields(assignment: Assignment) -> dict[str, Any]:
    fields = Assignment._meta.concrete_fields
    return {field.attname: getattr(assignment, field.attname) for field in fields}


def _meant_for(school_class: SchoolClass) -> Iterator[Row]:
    """Whom an assignment that is not for the whole class names, itself or by a group."""
    named = school_class.assignments.filter(everyone=False).order_by()
    here = school_class.children.all()
    own = named.filter(children__in=here).values_list("pk", "children")
    grouped = named.filter(groups__children__in=here).values_list("pk", "groups__children")
    for assignment, child in sorted({*own, *grouped}):
        yield {"assignment": assignment, "child": child}


TOLD: Final = (
    Sheet(
        "children",
        "The children of the class; the other files name a child by its id alone.",
        (
            Column("child", "id", "the child, in all files", "id"),
            Column("name", "text", "its name in the class"),
            Column("added_at", "moment", "when it was added", "created_at"),
            Column("language", "text", "the language that it chose, as en, nl, de or sv"),
            Column("untimed", "yes/no", "agreed: it plays without time"),
            Column("larger_cards", "yes/no", "agreed: larger cards", "larger"),
            Column("quick_checks", "yes/no", "agreed: it gets quick checks", "checks"),
            Column("hints", "text", "agreed: all, none, or nothing for as assigned"),
        ),
        of_class=_children,
    ),
    Sheet(
        "assignments",
        "What the class was asked to play.",
        (
            Column("assignment", "id", "the assignment, in all files", "id"),
            Column("made_at", "moment", "when it was made", "created_at"),
            Column("edition", "text", "the edition of the game"),
            Column("tables", "numbers", "the times tables that rows must be in; none for any"),
            Column("focus", "numbers", "the times tables to practise most"),
            Column("rounds", "number", "rounds of a match; none for a match to a target"),
            Column("bots", "number", "bots at the table"),
            Column("bot", "text", "how strong they are"),
            Column("kind_deals", "yes/no", "whether the deals were kind", "kind"),
            Column("hint_steps", "number", "how many steps a hint could take, 0 for no hints"),
            Column("missed_rows", "yes/no", "whether a missed row was shown after a turn"),
            Column("quick_checks", "yes/no", "whether there were quick checks", "checks"),
            Column("for_all", "yes/no", "for the whole class; else see assigned.csv", "everyone"),
            Column("starts_on", "day", "the first day on which it could be played"),
            Column("due_on", "day", "the last day on which it could be played"),
            Column("series", "id", "the same for the weeks of one that is repeated"),
            Column("ended_at", "moment", "when it was ended by hand"),
        ),
        of_class=_assignments,
    ),
    Sheet(
        "assigned",
        "For which children of the class an assignment is that is not for all.",
        (
            Column("assignment", "id", "the assignment"),
            Column("child", "id", "a child that it is for"),
        ),
        of_class=_meant_for,
    ),
)
