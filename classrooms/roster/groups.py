"""Groups of children: made, changed, removed and restored."""

from collections.abc import Iterable

from django.db import IntegrityError, transaction
from django.utils import timezone

from classrooms.assignments.audience import groups_of
from classrooms.bounds import room_for_group, room_for_members
from classrooms.models import Child, Group, SchoolClass


def save(group: Group, children: Iterable[Child]) -> Group:
    """Store the group with these children. Raises `IntegrityError` for a name that is taken, and
    `bounds.Full`."""
    members = list(children)
    with transaction.atomic():
        if group._state.adding:
            room_for_group(group.school_class)
        room_for_members(group, len(members))
        group.save()
        group.children.set(members)
    return group


def remove(group: Group) -> None:
    """Remove the group: it can no longer be chosen; its children keep what it was assigned."""
    Group.objects.filter(pk=group.pk, removed_at=None).update(removed_at=timezone.now())


def give_back(group: Group) -> bool:
    """Undo a removal. False where another group has the name by now. Raises `bounds.Full`."""
    if group.removed_at is None:
        return True
    try:
        with transaction.atomic():
            room_for_group(group.school_class)
            room_for_members(group, group.children.count())
            Group.objects.filter(pk=group.pk).update(removed_at=None)
    except IntegrityError:
        return False
    return True


def with_children(school_class: SchoolClass) -> list[Group]:
    """The groups that can be chosen, with their children, in two queries."""
    return list(groups_of(school_class).prefetch_related("children"))
