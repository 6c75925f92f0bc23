"""Whom an assignment is for: the whole class, or some of its groups and children."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
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
    here = assignment.school_class_id
    children = [child for child in assignment.children.all() if child.school_class_id == here]
    return Audience(list(assignment.groups.all()), children)


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


def leave(children: Collection[Child], at: datetime) -> dict[UUID, dict[str, list[str]]]:
    """Take these children, who leave their class, off what names them; of what is for nobody then,
    end what has not ended. By child, what `come_back` needs: both kinds of assignments."""
    by_name = Assignment.children.through.objects
    found = list(by_name.filter(child__in=children).values_list("child", "assignment"))
    by_name.filter(child__in=children).delete()
    still = Q(groups__removed_at=None, groups__isnull=False) | Q(groups__children__isnull=False)
    left = Assignment.objects.filter(pk__in={pk for _, pk in found}, everyone=False, ended_at=None)
    alone = left.filter(children=None).exclude(pk__in=left.filter(still))
    ended = set(alone.values_list("pk", flat=True))
    Assignment.objects.filter(pk__in=ended).update(ended_at=at)
    kept: dict[UUID, dict[str, list[str]]] = {}
    for child, pk in found:
        own = kept.setdefault(child, {"assignments": [], "ended": []})
        own["assignments"].append(str(pk))
        if pk in ended:
            own["ended"].append(str(pk))
    return kept


def come_back(school_class: SchoolClass, kept: Mapping[UUID, Mapping[str, Any]]) -> None:
    """Undo `leave` for these children of the class, as far as the assignments are still there."""
    wanted = {pk for own in kept.values() for pk in own.get("assignments", ())}
    there = school_class.assignments.filter(pk__in=wanted)
    keys = {str(pk) for pk in there.values_list("pk", flat=True)}
    by_name = Assignment.children.through
    by_name.objects.bulk_create(
        [
            by_name(child_id=child, assignment_id=pk)
            for child, own in kept.items()
            for pk in own.get("assignments", ())
            if pk in keys
        ],
        ignore_conflicts=True,
    )
    there.filter(pk__in={pk for own in kept.values() for pk in own.get("ended", ())}).update(
        ended_at=None
    )


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
