"""Who gets an assignment: the whole class, or some of its groups and children."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import QueryDict

from classrooms.access import assignments_given_to
from classrooms.models import Assignment, Child, Group, SchoolClass
from games.play.posted_values import parse_uuid


@dataclass(frozen=True, slots=True)
class Audience:
    """The groups and single children who get an assignment. An empty audience is the whole class,
    with children who join later."""

    groups: Collection[Group] = ()
    children: Collection[Child] = ()

    @property
    def is_whole_class(self) -> bool:
        return not self.groups and not self.children

    @property
    def names(self) -> list[str]:
        return [str(key) for key in (*self.groups, *self.children)]

    def assign_to(self, *assignments: Assignment) -> None:
        """Make these assignments name exactly the groups and children of this audience."""
        in_groups, by_name = Assignment.groups.through, Assignment.children.through
        in_groups.objects.filter(assignment__in=assignments).delete()
        by_name.objects.filter(assignment__in=assignments).delete()
        in_groups.objects.bulk_create(
            in_groups(assignment=assignment, group=group)
            for assignment in assignments
            for group in self.groups
        )
        by_name.objects.bulk_create(
            by_name(assignment=assignment, child=child)
            for assignment in assignments
            for child in self.children
        )


WHOLE_CLASS: Final = Audience()


def audience_of(assignment: Assignment) -> Audience:
    """Who gets the assignment. Uses prefetched groups and children."""
    if assignment.is_for_everyone:
        return WHOLE_CLASS
    class_key = assignment.school_class_id
    children = [child for child in assignment.children.all() if child.school_class_id == class_key]
    return Audience(list(assignment.groups.all()), children)


def requested_audience(school_class: SchoolClass, query: QueryDict) -> Audience:
    """The groups and children of the class that a link or form names. Ignores ids from
    elsewhere."""
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
    """The valid ids in these texts. A text may have several, separated by commas."""
    uuids = {parse_uuid(text.strip()) for text in ",".join(texts).split(",")}
    return {uuid for uuid in uuids if uuid is not None}


def take_off_assignments(
    children: Collection[Child], at: datetime
) -> dict[UUID, dict[str, list[str]]]:
    """Take these children, who leave their class, off the assignments that name them, and end those
    that then name nobody. Return, for each child, what `put_back_on_assignments` needs: the ids of
    the `assignments`, and the ids of those among them that `ended`."""
    by_name = Assignment.children.through.objects
    links = list(by_name.filter(child__in=children).values_list("child", "assignment"))
    by_name.filter(child__in=children).delete()
    has_group = Q(groups__removed_at=None, groups__isnull=False) | Q(groups__children__isnull=False)
    given = Assignment.objects.filter(
        pk__in={pk for _, pk in links}, is_for_everyone=False, ended_at=None
    )
    without_audience = given.filter(children=None).exclude(pk__in=given.filter(has_group))
    ended_keys = set(without_audience.values_list("pk", flat=True))
    Assignment.objects.filter(pk__in=ended_keys).update(ended_at=at)
    record_of: dict[UUID, dict[str, list[str]]] = {}
    for child, pk in links:
        record = record_of.setdefault(child, {"assignments": [], "ended": []})
        record["assignments"].append(str(pk))
        if pk in ended_keys:
            record["ended"].append(str(pk))
    return record_of


def put_back_on_assignments(
    school_class: SchoolClass, records: Mapping[UUID, Mapping[str, Any]]
) -> None:
    """Undo `take_off_assignments` for these children of the class, as far as the assignments still
    exist."""
    pks = {pk for record in records.values() for pk in record.get("assignments", ())}
    existing = school_class.assignments.filter(pk__in=pks)
    keys = {str(pk) for pk in existing.values_list("pk", flat=True)}
    by_name = Assignment.children.through
    by_name.objects.bulk_create(
        [
            by_name(child_id=child, assignment_id=pk)
            for child, record in records.items()
            for pk in record.get("assignments", ())
            if pk in keys
        ],
        ignore_conflicts=True,
    )
    existing.filter(
        pk__in={pk for record in records.values() for pk in record.get("ended", ())}
    ).update(ended_at=None)


def current_assignments(child: Child) -> QuerySet[Assignment]:
    """The child's assignments that can be played today, by the clock of the class."""
    today = child.school_class.today()
    has_begun = Q(starts_on=None) | Q(starts_on__lte=today)
    not_over = Q(due_on=None) | Q(due_on__gte=today)
    return assignments_given_to(child).filter(has_begun, not_over, ended_at=None)


def members(assignment: Assignment, children: Iterable[Child]) -> list[Child]:
    """Which of these children of the class get the assignment, in the same order. Uses prefetched
    groups and children."""
    if assignment.is_for_everyone:
        return list(children)
    return named_children(Audience(assignment.groups.all(), assignment.children.all()), children)


def named_children(audience: Audience, children: Iterable[Child]) -> list[Child]:
    """Which of these children the audience names, by name or by a group, in the same order."""
    keys = {child.pk for child in audience.children}
    keys |= {child.pk for group in audience.groups for child in group.children.all()}
    return [child for child in children if child.pk in keys]
