"""Gives, repeats, ends, skips, resumes and withdraws assignments."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Final
from uuid import uuid4

from django.db import IntegrityError
from django.db.models import Exists, OuterRef, Q, prefetch_related_objects
from django.utils import timezone
from django.utils.translation import gettext

from classrooms.assignments.audience import (
    WHOLE_CLASS,
    Audience,
    audience_of,
    members,
    named_children,
)
from classrooms.assignments.choice import SAME_EVERY_WEEK, Choice
from classrooms.bounds import ensure_room_for_assignment
from classrooms.locks import ActRefused, Changed, ensure_locked, lock
from classrooms.models import Assignment, Attempt, Child, SchoolClass

# Keeps children from getting a game twice while it can be played. Only these functions check that;
# the database does not.

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
    """Which of these children do not have the same game from another assignment. Raises
    `GivenAlready` if all have it."""
    same_assignments = [
        item for item in playable if item.pk != assignment.pk and _is_same(item, assignment)
    ]
    have = {child.pk for item in same_assignments for child in members(item, children)}
    lacking = [child for child in children if child.pk not in have]
    if same_assignments and not lacking:
        raise GivenAlready
    return lacking


def _is_same(game: Assignment, other: Assignment) -> bool:
    """Whether two assignments are the same game on days that overlap. Weeks of one series are not,
    because each child should get all of them."""
    if game.series and game.series == other.series:
        return False
    overlap = all(
        first.due_on is None or second.starts_on is None or second.starts_on <= first.due_on
        for first, second in ((game, other), (other, game))
    )
    return overlap and all(getattr(game, name) == getattr(other, name) for name in SAME_GAME_FIELDS)


def audience_without_game(assignment: Assignment, audience: Audience) -> Audience:
    """The audience of a new assignment of a locked class, without children who have the game
    already."""
    children = list(Child.objects.filter(school_class=assignment.school_class))
    prefetch_related_objects(list(audience.groups), "children")
    receivers = children if audience.is_whole_class else named_children(audience, children)
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


# Repeats assignments each week, by the clock of the class. The coming week is created in advance,
# so that no child has to wait even if the worker is a week late. A constraint of the database
# prevents a second assignment for the same week of a series.

ONE_WEEK: Final = timedelta(days=7)


@contextmanager
def lock_assignment(assignment: Assignment) -> Iterator[None]:
    """Lock the class and the assignment, and read both again. Until the transaction ends, no child
    can begin the assignment. Raises `Changed` if it was withdrawn."""
    with lock(assignment.school_class) as (school_class,):
        try:
            assignment.refresh_from_db(from_queryset=Assignment.objects.select_for_update())
        except Assignment.DoesNotExist:
            raise Changed from None
        assignment.school_class = school_class
        yield


def repeat(assignment: Assignment) -> None:
    """Repeat the assignment every week, and give it a first and a last day if it has none. If it
    lasts longer than a week, shorten it to seven days, so that no two weeks overlap. Raises
    `bounds.LimitReached`."""
    with lock_assignment(assignment):
        today = assignment.school_class.today()
        starts_on = assignment.starts_on or today
        due_on = assignment.due_on
        if due_on is None or due_on - starts_on >= ONE_WEEK:
            starts_on += max((today - starts_on) // ONE_WEEK, 0) * ONE_WEEK
            due_on = starts_on + ONE_WEEK - timedelta(days=1)
        assignment.starts_on, assignment.due_on = starts_on, due_on
        assignment.series = assignment.series or uuid4()
        assignment.save(update_fields=("starts_on", "due_on", "series"))
        create_coming_weeks(assignment)


def stop_repeating(assignment: Assignment) -> None:
    """Stop the series of this assignment, and delete its coming weeks that nobody has begun."""
    if assignment.series is None:
        return
    with lock(assignment.school_class):
        weeks = Assignment.objects.filter(
            series=assignment.series, school_class=assignment.school_class
        )
        today = assignment.school_class.today()
        weeks.filter(starts_on__gt=today, attempts=None).exclude(pk=assignment.pk).delete()
        weeks.update(series=None)


def create_coming_weeks(latest: Assignment) -> None:
    """Create the weeks of a series after its latest one, up to the coming week. Raises
    `bounds.LimitReached`, and `Changed` if the series was stopped or the class is gone."""
    today = latest.school_class.today()
    while latest.starts_on and latest.starts_on <= today:
        try:
            latest = create_next_week(latest)
        except IntegrityError:
            return  # Another worker was faster.


def create_all_coming_weeks() -> int:
    """Create the coming week of each series that lacks it, and return how many lacked it. If a
    class has no room for another assignment, a later call creates it."""
    later = Assignment.objects.filter(
        series=OuterRef("series"), starts_on__gt=OuterRef("starts_on")
    )
    tomorrow = timezone.now().date() + timedelta(days=1)  # Somewhere it is already tomorrow.
    latest_weeks = (
        Assignment.objects.filter(~Exists(later), starts_on__lte=tomorrow)
        .filter(school_class__archived_at=None)
        .filter(Q(is_for_everyone=True) | _names("children") | _names("groups"))
        .exclude(series=None)
        .select_related("school_class")
    )
    for latest in latest_weeks:
        with suppress(ActRefused):
            create_coming_weeks(latest)
    return len(latest_weeks)


def _names(whom: str) -> Exists:
    """The condition that an assignment still names any `children` or `groups`; all may have
    left."""
    through = (Assignment.children if whom == "children" else Assignment.groups).through
    return Exists(through.objects.filter(assignment=OuterRef("pk")))


def create_next_week(latest: Assignment) -> Assignment:
    with lock_assignment(latest):
        if latest.series is None or latest.starts_on is None:
            raise Changed
        ensure_room_for_assignment(latest.school_class)
        audience = audience_of(latest)
        next_week = Assignment(
            school_class=latest.school_class,
            is_for_everyone=latest.is_for_everyone,
            options=latest.options,
            series=latest.series,
            starts_on=latest.starts_on + ONE_WEEK,
            due_on=latest.due_on + ONE_WEEK if latest.due_on else None,
            **{name: getattr(latest, name) for name in SAME_EVERY_WEEK},
        )
        next_week.save(force_insert=True)
        audience.assign_to(next_week)
    return next_week


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
        assignment.is_for_everyone = audience.is_whole_class
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
        playable, taken_back = playable_now(school_class), _attempts_taken_back(school_class)
        due_on = school_class.today() + ONE_WEEK - timedelta(days=1)
        at = timezone.now()
        assignments: list[tuple[Assignment, list[Child]]] = []
        for choice, receivers in steps.items():
            new = Assignment(
                school_class=school_class,
                is_for_everyone=False,
                created_at=at,
                **choice.columns | {"due_on": due_on},
            )
            with suppress(GivenAlready):
                keys = {child.pk for child in receivers}
                present = [child for child in children if child.pk in keys]
                if lacking := children_without_game(new, present, playable):
                    assignments += _with_open_matches(new, lacking, taken_back)
        if not assignments:
            raise GivenAlready
        new_ones = [assigned for assigned, _children in assignments if assigned._state.adding]
        ensure_room_for_assignment(school_class, count=len(new_ones))
        Assignment.objects.bulk_create(new_ones)
        by_name = Assignment.children.through
        by_name.objects.bulk_create(
            by_name(assignment=new, child=child)
            for new, receivers in assignments
            for child in receivers
        )
    return assignments


def _attempts_taken_back(school_class: SchoolClass) -> list[Attempt]:
    """The attempts at assignments that were taken back before their last day, those at the latest
    assignment first. One query."""
    attempts = Attempt.objects.filter(
        assignment__school_class=school_class,
        assignment__is_for_everyone=False,
        assignment__groups=None,
        assignment__ended_at__isnull=False,
        assignment__due_on__gte=school_class.today(),
    )
    games = attempts.select_related("assignment", "game").defer("game__snapshot")
    return list(games.order_by("-assignment__ended_at"))


def _with_open_matches(
    new: Assignment, children: list[Child], taken_back: Iterable[Attempt]
) -> list[tuple[Assignment, list[Child]]]:
    """The assignments by which these children of a locked class get the game. If one of them had
    begun it when it was taken back, that assignment is given again, so that they find their match;
    children who have finished it get the `new` one."""
    keys = {child.pk for child in children}
    same = [attempt for attempt in taken_back if _is_same(attempt.assignment, new)]
    is_open = (a.assignment for a in same if a.child_id in keys and a.game.finished_at is None)
    again = next(is_open, None)
    if again is None:
        return [(new, children)]
    finished = {a.child_id for a in same if a.assignment_id == again.pk and a.game.finished_at}
    open_to = [child for child in children if child.pk not in finished]
    if open_to:
        again.created_at, again.due_on, again.ended_at = new.created_at, new.due_on, None
        again.save(update_fields=("created_at", "due_on", "ended_at"))
        again.children.clear()
    others = [child for child in children if child.pk in finished]
    return [row for row in ((again, open_to), (new, others)) if row[1]]


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
    """Take the assignment back from a `child` whom it names among others. Otherwise take it from
    all: delete it or, if a child has begun it, only end it. Return whether nobody had begun."""
    with lock_assignment(assignment):
        if child and (
            assignment.children.exclude(pk=child.pk).exists() or assignment.groups.exists()
        ):
            assignment.children.remove(child)
            return not Attempt.objects.filter(assignment=assignment, child=child).exists()
        stop_repeating(assignment)
        is_begun = Attempt.objects.filter(assignment=assignment).exists()
        if is_begun:
            end(assignment)
        else:
            Assignment.objects.filter(pk=assignment.pk).delete()
    return not is_begun
