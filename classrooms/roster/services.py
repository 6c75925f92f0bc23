"""Adds, renames, removes and erases children of a class."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import chain

from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _

from classrooms.access import classes_of
from classrooms.assignments.audience import groups_of
from classrooms.assignments.tables import get_up_for_leaving_class
from classrooms.audit import What, audit, audit_children
from classrooms.bounds import (
    ensure_room_for_children,
    ensure_room_for_group,
    ensure_room_for_members,
)
from classrooms.child_names import name_key
from classrooms.locks import ActRefused, Changed, ensure_in_class, lock
from classrooms.models import Child, Group, Merge, SchoolClass, User
from classrooms.privacy import erasure
from classrooms.roster.forms import CHILD, HINTS, TICKS
from classrooms.signin import sessions
from games.models import Seat


def add_children(school_class: SchoolClass, names: Iterable[str], by: User | None) -> list[Child]:
    """Add all of these children or none, with pictures and the same `created_at`. Raises
    `IntegrityError` if a name has just been added, and `bounds.LimitReached`."""
    return add_to_classes([(school_class, tuple(names))], by, timezone.now())


def add_to_classes(
    additions: Iterable[tuple[SchoolClass, Sequence[str]]], by: User | None, at: datetime
) -> list[Child]:
    """Like `add_children`, for several classes. `at` becomes the `created_at` of all children.
    Raises what `add_children` raises."""
    new_children = {
        school_class: [Child(school_class=school_class, name=name, created_at=at) for name in names]
        for school_class, names in additions
    }
    with lock(*new_children):
        ensure_room_for_children(
            {school_class: len(children) for school_class, children in new_children.items()}
        )
        added_children = Child.objects.bulk_create(chain.from_iterable(new_children.values()))
        for children in new_children.values():
            audit_children(by, What.ADDED, children)
    return added_children


def rename(child: Child, name: str, by: User | None) -> str:
    """Rename the child, and return the former name. Raises `Changed` if another child of the class
    has this name now."""
    with lock(child.school_class, child) as (school_class, child):
        ensure_in_class(school_class, child)
        if (former := child.name) == name:
            return former
        if name_key(name) != name_key(child.name) and has_child_called(name, school_class):
            raise Changed
        child.name = name
        child.save(update_fields=("name",))
        Seat.objects.filter(player=child.player).update(name=name)
        audit(by, What.RENAMED, child=child)
    return former


def remove(child: Child, by: User | None) -> None:
    """Remove the child from all lists, and sign them out everywhere. Until the child is erased
    (`erasure.REMOVED_KEPT_FOR`), `bring_back` undoes this, with all games, assignments and
    groups."""
    with lock(child.school_class, child) as (school_class, child):
        ensure_in_class(school_class, child)
        _remove([child], by)


def remove_added(school_class: SchoolClass, added_at: datetime, by: User | None) -> int:
    """Undo `add_children`: remove the children who were added at this moment, and return their
    number."""
    added_children = Child.objects.filter(school_class=school_class, created_at=added_at)
    with lock(school_class), lock(*added_children) as children:
        _remove(children, by)
    return len(children)


def _remove(children: Sequence[Child], by: User | None) -> None:
    get_up_for_leaving_class(children)
    sessions.end_sessions(children)
    keys = [child.pk for child in children]
    Child.objects.filter(pk__in=keys).update(removed_at=timezone.now())
    audit_children(by, What.REMOVED, children)


class NameTaken(ActRefused):
    """A child who would come back has the name of another child of the class."""

    def __init__(self, name: str, school_class: SchoolClass) -> None:
        text = _("There is now another %(name)s in %(class)s. Rename that child first.")
        super().__init__(text % {"name": name, "class": school_class.name})
        self.name = name


def bring_back(child: Child, by: User | None) -> None:
    """Undo the removal of a child. Raises `NameTaken`, `bounds.LimitReached`, and `Changed` if the
    child was merged, because only `merges.undo` brings such a child back."""
    with lock(child.school_class, child) as (school_class, child):
        if Merge.objects.filter(child=child).exists():
            raise Changed
        if child.removed_at is None:
            return
        if has_child_called(child.name, school_class):
            raise NameTaken(child.name, school_class)
        ensure_room_for_children({school_class: 1}, are_removed=True)
        child.removed_at = None
        child.save(update_fields=("removed_at",))
        audit(by, What.BROUGHT_BACK, child=child)


def erase(child: Child, by: User) -> None:
    """Erase the child for good.

    Raises `Changed` if the child was merged, because their games belong to another child. Raises it
    too if `by` no longer teaches the class. Only this act checks that again, because only this act
    cannot be undone.
    """
    with lock(child.school_class, child) as (school_class, child):
        is_merged = Merge.objects.filter(child=child).exists()
        if is_merged or not classes_of(by).filter(pk=school_class.pk).exists():
            raise Changed
        erasure.erase_child(child, by)


def removed_children(school_class: SchoolClass) -> list[Child]:
    """The removed children of the class who can still come back, the latest first."""
    rows = Child.all_objects.filter(school_class=school_class, merge=None).exclude(removed_at=None)
    return list(rows.order_by("-removed_at"))


def has_child_called(name: str, school_class: SchoolClass) -> bool:
    names = school_class.children.values_list("name", flat=True)
    return name_key(name) in {name_key(present) for present in names}


def save_group(group: Group, children: Iterable[Child]) -> Group:
    """Store the group with these children of its class. Raises `bounds.LimitReached`. Raises
    `Changed` if the group or a child no longer exists, or if another group has the name."""
    members = list(children)
    with lock(group.school_class, *members) as (school_class, *members):
        ensure_in_class(school_class, *members)
        groups = groups_of(school_class).exclude(pk=group.pk)
        if groups.filter(name__iexact=group.name).exists():
            raise Changed
        if group._state.adding:
            ensure_room_for_group(school_class)
        elif not groups_of(school_class).filter(pk=group.pk).exists():
            raise Changed
        ensure_room_for_members(group, len(members))
        group.save()
        group.children.set(members)
    return group


def remove_group(group: Group) -> None:
    """Remove the group. Nobody can choose it any longer, but its children keep its assignments."""
    with lock(group.school_class):
        Group.objects.filter(pk=group.pk, removed_at=None).update(removed_at=timezone.now())


def bring_group_back(group: Group) -> None:
    """Undo the removal of a group. Raises `ActRefused` if another group now has the name, and
    `bounds.LimitReached`."""
    with lock(group.school_class) as (school_class,):
        groups = groups_of(school_class)
        if groups.filter(pk=group.pk).exists():
            return
        if groups.filter(name__iexact=group.name).exists():
            raise ActRefused(_("There is already a group with this name."))
        ensure_room_for_group(school_class)
        ensure_room_for_members(group, group.children.count())
        Group.objects.filter(pk=group.pk).update(removed_at=None)


def save_settings(school_class: SchoolClass, posted: QueryDict, by: User | None) -> int:
    """Store the posted settings of the children on the page. Return how many children have other
    settings than before."""
    shown_keys = set(posted.getlist(CHILD))
    ticked = {field: set(posted.getlist(name)) for field, (name, _label) in TICKS.items()}
    changed_children = []
    with lock(school_class):
        for child in school_class.children.all():
            if str(child.pk) not in shown_keys:
                continue
            before = _settings_of(child)
            for field, children in ticked.items():
                setattr(child, field, str(child.pk) in children)
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
