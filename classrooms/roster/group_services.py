"""Creates, changes, removes and restores groups of children."""

from collections.abc import Iterable

from django.db.models import Prefetch
from django.utils import timezone
from django.utils.translation import gettext

from classrooms.assignments.audience import groups_of
from classrooms.bounds import ensure_room_for_group, ensure_room_for_members
from classrooms.locks import ActRefused, Changed, ensure_in_class, lock
from classrooms.models import Child, Group, SchoolClass


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
            raise ActRefused(gettext("There is already a group with this name."))
        ensure_room_for_group(school_class)
        ensure_room_for_members(group, group.children.count())
        Group.objects.filter(pk=group.pk).update(removed_at=None)


def groups_with_children(school_class: SchoolClass) -> list[Group]:
    """The groups of the class that were not removed, with their children. Takes two queries."""
    children = Prefetch("children", school_class.children.all())
    return list(groups_of(school_class).prefetch_related(children))
