"""Keeps children from getting a game twice while it can be played. Only these functions check that;
the database does not."""

from collections.abc import Iterable, Sequence
from typing import Final

from django.db.models import Q, prefetch_related_objects
from django.utils.translation import gettext

from classrooms.assignments.audience import Audience, members, named_children
from classrooms.assignments.choice import SAME_EVERY_WEEK
from classrooms.locks import ActRefused, ensure_locked
from classrooms.models import Assignment, Child, SchoolClass

SAME_GAME_FIELDS: Final = (*(name for name in SAME_EVERY_WEEK if name != "note"), "options")
"""Two assignments are the same game if these fields are equal and their days overlap
(`_is_same`)."""


class GivenAlready(ActRefused):
    """All children for whom the game is meant already have it."""

    def __init__(self) -> None:
        super().__init__(gettext("They already have this game. Nothing was given twice."))


def playable_now(school_class: SchoolClass) -> list[Assignment]:
    """The assignments of a locked class that are not over, each with its audience."""
    ensure_locked(school_class)
    not_over = Q(due_on=None) | Q(due_on__gte=school_class.today())
    playable = Assignment.objects.filter(
        not_over, school_class=school_class, ended_at=None, deal_seed=None
    )
    return list(playable.prefetch_related("children", "groups__children"))


def children_without_game(
    assignment: Assignment, children: Sequence[Child], playable: Iterable[Assignment]
) -> list[Child]:
    """The ones of these children who do not have the same game from another assignment. Raises
    `GivenAlready` if all have it."""
    same_assignments = [
        item for item in playable if item.pk != assignment.pk and _is_same(item, assignment)
    ]
    have = {child.pk for item in same_assignments for child in members(item, children)}
    lacking = [child for child in children if child.pk not in have]
    if same_assignments and not lacking:
        raise GivenAlready
    return lacking


def _is_same(one: Assignment, other: Assignment) -> bool:
    """Whether two assignments are the same game on days that overlap. Weeks of one series are not,
    because each child should get all of them."""
    if one.series and one.series == other.series:
        return False
    overlap = all(
        first.due_on is None or second.starts_on is None or second.starts_on <= first.due_on
        for first, second in ((one, other), (other, one))
    )
    return overlap and all(getattr(one, name) == getattr(other, name) for name in SAME_GAME_FIELDS)


def audience_without_game(assignment: Assignment, audience: Audience) -> Audience:
    """The audience of a new assignment of a locked class, without children who have the game
    already."""
    children = list(Child.objects.filter(school_class=assignment.school_class))
    prefetch_related_objects(list(audience.groups), "children")
    receivers = children if audience.everyone else named_children(audience, children)
    lacking = children_without_game(assignment, receivers, playable_now(assignment.school_class))
    return audience if len(lacking) == len(receivers) else Audience(children=lacking)


def ensure_given_once(assignment: Assignment) -> None:
    """Raise `GivenAlready` if a child of the assignment has the same game from another one. One
    deal for the class is never the same game."""
    if assignment.is_one_deal:
        return
    prefetch_related_objects([assignment], "children", "groups__children")
    children = members(assignment, assignment.school_class.children.all())
    if len(
        children_without_game(assignment, children, playable_now(assignment.school_class))
    ) < len(children):
        raise GivenAlready
