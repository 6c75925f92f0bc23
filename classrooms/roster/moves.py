"""Moves children to another class, and back. `access.classes_to_move_to` says which classes are
possible."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.utils import timezone

from classrooms.access import classes_of, undoable_moves
from classrooms.assignments.audience import put_back_on_assignments, take_off_assignments
from classrooms.assignments.tables import get_up_for_leaving_class
from classrooms.audit import What, audit_children
from classrooms.bounds import ensure_room_for_children
from classrooms.child_names import name_key
from classrooms.locks import Changed, ensure_in_class, lock
from classrooms.models import Assignment, AuditEntry, Child, Group, SchoolClass, User
from classrooms.models.name_order import name_order
from classrooms.roster.services import NameTaken
from classrooms.signin import sessions


class ClassMove(NamedTuple):
    """The children who moved, and the moment, which identifies the move for its undo. It is None if
    nobody moved."""

    children: Sequence[Child]
    at: datetime | None
    left_games: bool = False  # whether they could still play games of the former class


def split_by_name(children: Sequence[Child], to: SchoolClass) -> tuple[list[Child], list[Child]]:
    """The children who can move to the class, and those whose names are taken there."""
    names = {name_key(name) for name in to.children.values_list("name", flat=True)}
    movable = [child for child in children if name_key(child.name) not in names]
    return movable, [child for child in children if name_key(child.name) in names]


def move(children: Sequence[Child], to: SchoolClass, by: User | None) -> ClassMove:
    """Move these children of one class to the class `to`. Their games stay in the old class.

    Children whose names are taken in `to` do not move. The others leave their groups, their open
    game and the assignments that name them. They are signed out, because they need a card with the
    code of `to`. The logs of both classes show the move. Raises `bounds.LimitReached`, and
    `Changed` if a child has left the class or `to` is archived.
    """
    if not children:
        return ClassMove((), None)
    with lock(children[0].school_class, to, *children) as (before, to, *children):
        ensure_in_class(before, *children)
        if to.archived_at:
            raise Changed
        moving, _stay = split_by_name(children, to)
        if not moving:
            return ClassMove((), None)
        ensure_room_for_children({to: len(moving)})
        audit_children(by, What.MOVED, moving, to=str(to.pk))
        for child in moving:
            child.school_class = to
            child.name_order = name_order(child.name, to.language)
            child.last_game = None
        get_up_for_leaving_class(moving)
        Child.objects.bulk_update(moving, ("school_class", "name_order", "last_game"))
        playable = Assignment.objects.filter(children__in=moving, ended_at=None)
        left_games = playable.exclude(due_on__lt=before.today()).exists()
        groups_left = _take_out_of_groups(moving)
        for child_id, assignments in take_off_assignments(moving, timezone.now()).items():
            groups_left.setdefault(child_id, {}).update(assignments)
        entry = audit_children(by, What.MOVED, moving, details=groups_left, origin=str(before.pk))
        sessions.end_sessions(moving)
    return ClassMove(moving, entry.at if entry else None, left_games)


def _take_out_of_groups(children: Sequence[Child]) -> dict[UUID, dict[str, list[str]]]:
    """Take the children out of their groups, and return the keys of these groups by child."""
    members = Group.children.through.objects.filter(child__in=children)
    groups: dict[UUID, list[str]] = defaultdict(list)
    for child_id, group_id in members.order_by("pk").values_list("child", "group"):
        groups[child_id].append(str(group_id))
    members.delete()
    return {child_id: {"groups": keys} for child_id, keys in groups.items()}


def origin_of(user: User, school_class: SchoolClass, at: datetime) -> SchoolClass | None:
    """The class from which children moved to this one at that moment; None if the move cannot be
    undone, or if the user does not teach that class."""
    entry = undoable_moves(school_class, at).first()
    return classes_of(user).filter(pk=entry.detail["origin"]).first() if entry else None


def move_back(
    school_class: SchoolClass, at: datetime, origin: SchoolClass, by: User
) -> Sequence[Child]:
    """Undo the move of that moment, and return the children. All who are still in `school_class`
    return to `origin`, and to their groups and assignments there. If one cannot, none does. Raises
    `NameTaken` and `bounds.LimitReached`."""
    entries = {
        entry.child_id: entry for entry in undoable_moves(school_class, at) if entry.child_id
    }
    with lock(school_class, origin) as (school_class, origin):
        children_here = Child.objects.filter(pk__in=entries, school_class=school_class)
        children = list(children_here.select_related("school_class"))
        children_back = move(children, origin, by).children
        if len(children_back) < len(children):
            keys = {child.pk for child in children_back}
            name = next(child.name for child in children if child.pk not in keys)
            raise NameTaken(name, origin)
        _put_into_groups(children, origin, entries)
        put_back_on_assignments(origin, {child.pk: entries[child.pk].detail for child in children})
    return children


def _put_into_groups(
    children: Sequence[Child], school_class: SchoolClass, entries: dict[UUID, AuditEntry]
) -> None:
    groups = Group.objects.filter(school_class=school_class, removed_at=None)
    group_keys = {str(pk) for pk in groups.values_list("pk", flat=True)}
    member = Group.children.through
    member.objects.bulk_create(
        [
            member(child_id=child.pk, group_id=group_id)
            for child in children
            for group_id in entries[child.pk].detail.get("groups", ())
            if group_id in group_keys
        ],
        ignore_conflicts=True,
    )
