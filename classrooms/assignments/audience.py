"""Whom an assignment is for: the whole class, or some of its groups and children."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import QueryDict

from classrooms.access import for_child
from classrooms.models import Assignment, Child, Group, SchoolClass
from games.play.posted_values import key


@dataclass(frozen=True, slots=True)
class Audience:
    """Groups and single children; if empty, the whole class, with those who join it later."""

    groups: Collection[Group] = ()
    children: Collection[Child] = ()

    @property
    def everyone(self) -> bool:
        return not self.groups and not self.children

    @property
    def names(self) -> list[str]:
        return [str(each) for each in (*self.groups, *self.children)]

    def aim(self, *assignments: Assignment) -> None:
        """Store whom these assignments are for."""
        in_groups, by_name = Assignment.groups.through, Assignment.children.through
        in_groups.objects.filter(assignment__in=assignments).delete()
        by_name.objects.filter(assignment__in=assignments).delete()
        in_groups.objects.bulk_create(
            in_groups(assignment=each, group=group) for each in assignments for group in self.groups
        )
        by_name.objects.bulk_create(
            by_name(assignment=each, child=child) for each in assignments for child in self.children
        )


WHOLE_CLASS: Final = Audience()


def audience_of(assignment: Assignment) -> Audience:
    """Whom the assignment is for; uses prefetched groups and children."""
    if assignment.everyone:
        return WHOLE_CLASS
    return Audience(list(assignment.groups.all()), list(assignment.children.all()))


def asked_for(school_class: SchoolClass, query: QueryDict) -> Audience:
    """The groups and children of the class named in a link or form; others are ignored."""
    groups = _uuids(query.getlist("groups"))
    children = _uuids(query.getlist("children"))
    return Audience(
        list(groups_of(school_class).filter(pk__in=groups)) if groups else (),
        list(school_class.children.filter(pk__in=children)) if children else (),
    )


def groups_of(school_class: SchoolClass) -> QuerySet[Group]:
    """The groups of the class that can be chosen."""
    return school_class.groups.filter(removed_at=None)


def _uuids(texts: Iterable[str]) -> set[UUID]:
    """The valid ids among these texts, each of which may hold several, separated by commas."""
    uuids = {key(text.strip()) for text in ",".join(texts).split(",")}
    return {uuid for uuid in uuids if uuid is not None}


def assigned_now(child: Child) -> QuerySet[Assignment]:
    """The child's assignments that can be played today, by its class's clock."""
    today = child.school_class.today()
    begun = Q(starts_on=None) | Q(starts_on__lte=today)
    not_over = Q(due_on=None) | Q(due_on__gte=today)
    return for_child(child).filter(begun, not_over, ended_at=None)


def members(assignment: Assignment, children: Iterable[Child]) -> list[Child]:
    """Those of these children of its class that it is for, in the same order; uses prefetched
    groups and children."""
    if assignment.everyone:
        return list(children)
    return named(Audience(assignment.groups.all(), assignment.children.all()), children)


def named(audience: Audience, children: Iterable[Child]) -> list[Child]:
    """Those of these children who are in its groups or its children, in the same order."""
    keys = {child.pk for child in audience.children}
    keys |= {child.pk for group in audience.groups for child in group.children.all()}
    return [child for child in children if child.pk in keys]
