"""Groups of children: made, changed, removed and restored."""

from collections.abc import Iterable

from django.db.models import Prefetch
from django.utils import timezone

from classrooms.assignments.audience import groups_of
from classrooms.bounds import room_for_group, room_for_members
from classrooms.locks import Changed, lock
from classrooms.models import Child, Group, SchoolClass
from classrooms.roster.services import check_present


def save(group: Group, children: Iterable[Child]) -> Group:
    """Store the group with these children of its class. Raises `bounds.Full`, and `Changed` where
    the group or one of them is gone by now, or the name is taken."""
    chosen = list(children)
    with lock(group.school_class, *chosen) as (school_class, *now):
        check_present(school_class, *now)
        others = groups_of(school_class).exclude(pk=group.pk)
        if others.filter(name__iexact=group.name).exists():
            raise Changed
        if group._state.adding:
            room_for_group(school_class)
        elif not groups_of(school_class).filter(pk=group.pk).exists():
            raise Changed
        room_for_members(group, len(now))
        group.save()
        group.children.set(now)
    return group


def remove(group: Group) -> None:
    """Remove the group: it can no longer be chosen; its children keep what it was assigned."""
    with lock(group.school_class):
        Group.objects.filter(pk=group.pk, removed_at=None).update(removed_at=timezone.now())


def give_back(group: Group) -> bool:
    """Undo a removal. False where another group has the name by now. Raises `bounds.Full`."""
    with lock(group.school_class) as (school_class,):
        there = groups_of(school_class)
        if there.filter(pk=group.pk).exists():
            return True
        if there.filter(name__iexact=group.name).exists():
            return False
        room_for_group(school_class)
        room_for_members(group, group.children.count())
        Group.objects.filter(pk=group.pk).update(removed_at=None)
    return True


def with_children(school_class: SchoolClass) -> list[Group]:
    """The groups that can be chosen, with their children, in two queries."""
    here = Prefetch("children", school_class.children.all())
    return list(groups_of(school_class).prefetch_related(here))
