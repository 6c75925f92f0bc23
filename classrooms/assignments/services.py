"""Gives, ends, skips, resumes and withdraws assignments."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta

from django.utils import timezone

from classrooms.assignments.audience import WHOLE_CLASS, Audience
from classrooms.assignments.choice import Choice
from classrooms.assignments.given_once import (
    GivenAlready,
    audience_without_game,
    children_without_game,
    ensure_given_once,
    playable_now,
)
from classrooms.assignments.series import ONE_WEEK, create_next_week, lock_assignment, repeat, stop
from classrooms.bounds import ensure_room_for_assignment
from classrooms.locks import Changed, lock
from classrooms.models import Assignment, Attempt, Child, SchoolClass


def assign(
    school_class: SchoolClass,
    choice: Choice,
    audience: Audience = WHOLE_CLASS,
    *,
    deal_seed: int | None = None,
) -> Assignment:
    """Assign a game to the class or a part of it, except to children who have it already. With
    `deal_seed`, all children first play the one deal that has this seed. Raises `RulesetError` for
    rules that contradict each other, `GivenAlready` and `bounds.LimitReached`."""
    choice.ruleset()  # This raises the error; `columns` would not.
    with lock(school_class) as (school_class,):
        ensure_room_for_assignment(school_class)
        assignment = Assignment(school_class=school_class, deal_seed=deal_seed, **choice.columns)
        if deal_seed is None:
            audience = audience_without_game(assignment, audience)
        assignment.everyone = audience.everyone
        assignment.save(force_insert=True)
        audience.assign_to(assignment)
        if choice.weekly:
            repeat(assignment)
    return assignment


def assign_to_classes(
    school_class: SchoolClass, others: Sequence[SchoolClass], choice: Choice, audience: Audience
) -> list[Assignment]:
    """Assign a game to a class or a part of it, and to each of these other classes, except to
    children who have it already. If one class has no room for it, no class gets it. Raises what
    `assign` raises."""
    assignments = []
    with lock(school_class, *others) as (school_class, *others):
        for other_class in (school_class, *others):
            with suppress(GivenAlready):
                assignments.append(
                    assign(other_class, choice, WHOLE_CLASS if other_class in others else audience)
                )
        if not assignments:
            raise GivenAlready
    return assignments


def give(
    school_class: SchoolClass, steps: Mapping[Choice, Collection[Child]]
) -> list[tuple[Assignment, list[Child]]]:
    """Give each of these games to its children for a week, except to those who have it already. If
    the class has no room for all of them, none is given. Return each assignment with the children
    who got it. Raises `GivenAlready` if nobody got one, and `bounds.LimitReached`."""
    with lock(school_class) as (school_class,):
        children = list(school_class.children.all())
        playable = playable_now(school_class)
        due_on = school_class.today() + ONE_WEEK - timedelta(days=1)
        at = timezone.now()
        assignments = []
        for choice, receivers in steps.items():
            new = Assignment(
                school_class=school_class,
                everyone=False,
                created_at=at,
                **choice.columns | {"due_on": due_on},
            )
            with suppress(GivenAlready):
                keys = {child.pk for child in receivers}
                present = [child for child in children if child.pk in keys]
                if lacking := children_without_game(new, present, playable):
                    assignments.append((new, lacking))
        if not assignments:
            raise GivenAlready
        ensure_room_for_assignment(school_class, count=len(assignments))
        Assignment.objects.bulk_create(new for new, _children in assignments)
        by_name = Assignment.children.through
        by_name.objects.bulk_create(
            by_name(assignment=new, child=child)
            for new, receivers in assignments
            for child in receivers
        )
    return assignments


def end(assignment: Assignment) -> None:
    """End the assignment. The children no longer see it; what they played is kept."""
    Assignment.objects.filter(pk=assignment.pk, ended_at=None).update(ended_at=timezone.now())


def skip(week: Assignment) -> Assignment:
    """End a coming week of a series, and return the next one, which is made if it is not there.
    Raises `Changed` if the week cannot be skipped, and `bounds.LimitReached`."""
    with lock_assignment(week):
        if week.series is None or week.ended_at:
            raise Changed
        end(week)
        weeks = week.school_class.assignments.filter(series=week.series, ended_at=None)
        later = weeks.filter(starts_on__gt=week.starts_on).order_by("starts_on")
        return later.first() or create_next_week(week)


def resume(assignment: Assignment) -> None:
    """Undo `end`: the children see the assignment again. Raises `GivenAlready` and
    `bounds.LimitReached`."""
    with lock_assignment(assignment):
        if assignment.ended_at:
            ensure_room_for_assignment(assignment.school_class)
            ensure_given_once(assignment)
            assignment.ended_at = None
            assignment.save(update_fields=("ended_at",))


def withdraw(assignment: Assignment, child: Child | None = None) -> bool:
    """Take the assignment back from a `child` whom it names, or from all, also if it names nobody
    else. Then delete it, or only end it if a child has begun it. Return whether nobody had."""
    with lock_assignment(assignment):
        if child and (
            assignment.children.exclude(pk=child.pk).exists() or assignment.groups.exists()
        ):
            assignment.children.remove(child)
            return not Attempt.objects.filter(assignment=assignment, child=child).exists()
        stop(assignment)
        is_begun = Attempt.objects.filter(assignment=assignment).exists()
        if is_begun:
            end(assignment)
        else:
            Assignment.objects.filter(pk=assignment.pk).delete()
    return not is_begun
