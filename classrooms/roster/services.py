"""Adds, renames, removes and erases children of a class, and saves their groups and settings."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Final

from django.db.models import Prefetch
from django.http import QueryDict
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from classrooms.access import classes_of
from classrooms.assignments.audience import groups_of
from classrooms.assignments.tables import leave_class
from classrooms.audit import What, audit, audit_children
from classrooms.bounds import (
    ensure_room_for_children,
    ensure_room_for_group,
    ensure_room_for_members,
)
from classrooms.child_names import same
from classrooms.locks import ActRefused, Changed, lock
from classrooms.models import Child, Group, Merge, SchoolClass, User
from classrooms.privacy import erasure
from classrooms.signin import services
from classrooms.ui.sortable_table import SortableColumn, SortableTable
from games.models import Seat


def add_children(
    school_class: SchoolClass, names: Iterable[str], by: User | None = None
) -> list[Child]:
    """Add all of these children or none. They get pictures, and the same `created_at`. Raises
    `IntegrityError` if a name has just been added, and `bounds.LimitReached`."""
    return add_to_classes([(school_class, tuple(names))], by, timezone.now())


def add_to_classes(
    additions: Iterable[tuple[SchoolClass, Sequence[str]]], by: User | None, at: datetime
) -> list[Child]:
    """Like `add_children`, for several classes. `at` becomes the `created_at` of all children."""
    new = {
        school_class: [Child(school_class=school_class, name=name, created_at=at) for name in names]
        for school_class, names in additions
    }
    with lock(*new):
        ensure_room_for_children(
            {school_class: len(children) for school_class, children in new.items()}
        )
        added = Child.objects.bulk_create(chain.from_iterable(new.values()))
        for children in new.values():
            audit_children(by, What.ADDED, children)
    return added


def check_present(school_class: SchoolClass, *children: Child) -> None:
    """Raise `Changed` unless these locked children are on the list of the class."""
    if any(child.removed_at or child.school_class_id != school_class.pk for child in children):
        raise Changed


def rename(child: Child, name: str, by: User | None = None) -> str:
    """Rename the child. Returns the former name. Raises `Changed` if another child of the class now
    has this name."""
    with lock(child.school_class, child) as (school_class, now):
        check_present(school_class, now)
        if (former := now.name) == name:
            return former
        if same(name) != same(now.name) and has_child_called(name, school_class):
            raise Changed
        now.name = name
        now.save(update_fields=("name",))
        Seat.objects.filter(player=now.player).update(name=name)
        audit(by, What.RENAMED, child=now)
    return former


def remove(child: Child, by: User | None = None) -> None:
    """Remove the child from all lists, and sign them out everywhere. Until they are erased, they
    can be brought back with all their games."""
    with lock(child.school_class, child) as (school_class, now):
        check_present(school_class, now)
        leave_class([now])
        now.removed_at = timezone.now()
        now.save(update_fields=("removed_at",))
        services.end_sessions([now])
        audit(by, What.REMOVED, child=now)


def bring_back(child: Child, by: User | None = None) -> bool:
    """Undo the removal of a child. False if another child of the class has the name by now. Raises
    `bounds.LimitReached`, and `Changed` for a merged child: only undoing the merge brings them
    back."""
    with lock(child.school_class, child) as (school_class, now):
        if Merge.objects.filter(child=now).exists():
            raise Changed
        if now.removed_at is None:
            return True
        if has_child_called(now.name, school_class):
            return False
        ensure_room_for_children({school_class: 1}, brought_back=True)
        now.removed_at = None
        now.save(update_fields=("removed_at",))
        audit(by, What.BROUGHT_BACK, child=now)
    return True


def erase(child: Child, by: User) -> None:
    """Erase the child for good. Raises `Changed` if the child was merged, because their games
    belong to another child, or if `by` no longer teaches the class."""
    with lock(child.school_class, child) as (school_class, now):
        is_merged = Merge.objects.filter(child=now).exists()
        if is_merged or not classes_of(by).filter(pk=school_class.pk).exists():
            raise Changed
        erasure.erase_child(now, by)


def removed_children(school_class: SchoolClass) -> list[Child]:
    """The removed children of the class who can still be brought back, the latest first."""
    gone = Child.all_objects.filter(school_class=school_class, merge=None).exclude(removed_at=None)
    return list(gone.order_by("-removed_at"))


def remove_added(school_class: SchoolClass, added_at: datetime, by: User | None = None) -> int:
    """Undo `add_children`: remove the children who were added at this moment. Returns their
    number."""
    added = Child.objects.filter(school_class=school_class, created_at=added_at)
    with lock(school_class), lock(*added.all()) as children:
        leave_class(children)
        services.end_sessions(children)
        audit_children(by, What.REMOVED, children)
        return added.update(removed_at=timezone.now())


def has_child_called(name: str, school_class: SchoolClass) -> bool:
    names = school_class.children.values_list("name", flat=True)
    return same(name) in {same(other) for other in names}


# Creates, changes, removes and restores groups of children.


def save_group(group: Group, children: Iterable[Child]) -> Group:
    """Store the group with these children of its class. Raises `bounds.LimitReached`, and `Changed`
    if the group or one of the children is gone, or if the name is taken."""
    chosen = list(children)
    with lock(group.school_class, *chosen) as (school_class, *now):
        check_present(school_class, *now)
        others = groups_of(school_class).exclude(pk=group.pk)
        if others.filter(name__iexact=group.name).exists():
            raise Changed
        if group._state.adding:
            ensure_room_for_group(school_class)
        elif not groups_of(school_class).filter(pk=group.pk).exists():
            raise Changed
        ensure_room_for_members(group, len(now))
        group.save()
        group.children.set(now)
    return group


def remove_group(group: Group) -> None:
    """Remove the group. It can no longer be chosen, but its children keep its assignments."""
    with lock(group.school_class):
        Group.objects.filter(pk=group.pk, removed_at=None).update(removed_at=timezone.now())


def bring_group_back(group: Group) -> None:
    """Undo the removal of a group. Raises `ActRefused` if another group now has the name, and
    `bounds.LimitReached`."""
    with lock(group.school_class) as (school_class,):
        there = groups_of(school_class)
        if there.filter(pk=group.pk).exists():
            return
        if there.filter(name__iexact=group.name).exists():
            raise ActRefused(gettext("There is already a group with this name."))
        ensure_room_for_group(school_class)
        ensure_room_for_members(group, group.children.count())
        Group.objects.filter(pk=group.pk).update(removed_at=None)


def groups_with_children(school_class: SchoolClass) -> list[Group]:
    """The groups of the class that can be chosen, with their children. Two queries."""
    here = Prefetch("children", school_class.children.all())
    return list(groups_of(school_class).prefetch_related(here))


# The settings of single children, for all assignments: untimed, larger cards, hints, questions.

CHILD: Final = "child"
TICKS: Final[dict[str, Promise]] = {
    "untimed": _("Untimed"),
    "larger": _("Larger cards"),
    "checks": _("Short questions"),
    "tables": _("Tables with classmates"),
    "signs": _("Signs between children"),
}
HINTS: Final = "hints"


@dataclass(frozen=True, slots=True)
class SettingsLine:
    """A child's line on the page of settings. `ticks` has, for each of `TICKS`, the field's name,
    the label and whether it is ticked."""

    child: Child
    ticks: Sequence[tuple[str, Promise, bool]]
    hints_name: str


def settings_lines(school_class: SchoolClass) -> list[SettingsLine]:
    """The settings of each child of the class, in the order of names."""
    return [
        SettingsLine(
            child,
            [(name, label, getattr(child, name)) for name, label in TICKS.items()],
            _hints_name(child),
        )
        for child in school_class.children.all()
    ]


def settings_table(asked: QueryDict, school_class: SchoolClass) -> SortableTable[SettingsLine]:
    """The lines as a table, sorted and filtered as the address says."""
    columns = [
        SortableColumn("name", _("Child"), lambda line: line.child.name_order),
        *(_column(name, label) for name, label in TICKS.items()),
        SortableColumn(HINTS, _("Hints"), lambda line: line.child.hints),
    ]
    return SortableTable(
        asked, columns, settings_lines(school_class), text=lambda line: line.child.name
    )


def _column(name: str, label: Promise) -> SortableColumn[SettingsLine]:
    return SortableColumn(name, label, lambda line: bool(getattr(line.child, name)))


def save_settings(school_class: SchoolClass, posted: QueryDict, by: User | None = None) -> int:
    """Store the posted settings of the children on the page. Returns how many children's settings
    have changed."""
    shown = set(posted.getlist(CHILD))
    ticked = {name: set(posted.getlist(name)) for name in TICKS}
    changed = []
    with lock(school_class):
        for child in school_class.children.all():
            if str(child.pk) not in shown:
                continue
            before = _settings_of(child)
            for name, children in ticked.items():
                setattr(child, name, str(child.pk) in children)
            hints = posted.get(_hints_name(child))
            if hints is not None and hints in Child.Hints:
                child.hints = hints
            if _settings_of(child) != before:
                changed.append(child)
        Child.objects.bulk_update(changed, (*TICKS, HINTS))
        audit_children(by, What.SETTINGS, changed)
    return len(changed)


def _settings_of(child: Child) -> tuple[object, ...]:
    return tuple(getattr(child, name) for name in (*TICKS, HINTS))


def _hints_name(child: Child) -> str:
    return f"{HINTS}-{child.pk}"
