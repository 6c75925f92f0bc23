"""The settings of a single child in all assignments: untimed games, larger cards, hints, short
questions."""

from collections.abc import Sequence
from typing import Final

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from classrooms.audit import What, audit_children
from classrooms.locks import lock
from classrooms.models import Child, SchoolClass, User
from classrooms.ui.sortable_table import SortableColumn, SortableTable

CHILD: Final = "child"
TICKS: Final[dict[str, Promise]] = {
    "untimed": _("Untimed"),
    "larger": _("Larger cards"),
    "gets_questions": _("Short questions"),
    "may_sit_at_tables": _("Tables with classmates"),
    "signs": _("Signs between children"),
}
POSTED_NAMES: Final = {name: name for name in TICKS} | {
    "gets_questions": "checks",
    "may_sit_at_tables": "tables",
}
"""The names of `TICKS` in the page, as in releases whose pages may still be open."""
HINTS: Final = "hints"


SettingsLine = tuple[Child, Sequence[tuple[str, Promise, bool]]]
"""A child's line on the page of settings, with the name to post, the label, and whether it is
ticked, for each of `TICKS`."""


def settings_table(query: QueryDict, school_class: SchoolClass) -> SortableTable[SettingsLine]:
    """The lines as a table, sorted and filtered by the query."""
    columns: list[SortableColumn[SettingsLine]] = [
        SortableColumn("name", _("Child"), lambda line: line[0].name_order),
        *(_column(name, label) for name, label in TICKS.items()),
        SortableColumn(HINTS, _("Hints"), lambda line: line[0].hints),
    ]
    lines = [
        (
            child,
            [(POSTED_NAMES[name], label, getattr(child, name)) for name, label in TICKS.items()],
        )
        for child in school_class.children.all()
    ]
    return SortableTable(query, columns, lines, text=lambda line: line[0].name)


def _column(name: str, label: Promise) -> SortableColumn[SettingsLine]:
    return SortableColumn(name, label, lambda line: bool(getattr(line[0], name)))


def save_settings(school_class: SchoolClass, posted: QueryDict, by: User | None = None) -> int:
    """Store the posted settings of the children on the page. Return how many children have other
    settings than before."""
    shown_keys = set(posted.getlist(CHILD))
    ticked = {name: set(posted.getlist(POSTED_NAMES[name])) for name in TICKS}
    changed_children = []
    with lock(school_class):
        for child in school_class.children.all():
            if str(child.pk) not in shown_keys:
                continue
            before = _settings_of(child)
            for name, children in ticked.items():
                setattr(child, name, str(child.pk) in children)
            hints = posted.get(f"{HINTS}-{child.pk}")
            if hints is not None and hints in Child.Hints:
                child.hints = hints
            if _settings_of(child) != before:
                changed_children.append(child)
        Child.objects.bulk_update(changed_children, (*TICKS, HINTS))
        audit_children(by, What.SETTINGS, changed_children)
    return len(changed_children)


def _settings_of(child: Child) -> tuple[object, ...]:
    return tuple(getattr(child, name) for name in (*TICKS, HINTS))
