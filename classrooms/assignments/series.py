"""Repeats assignments each week, by the clock of the class. The coming week is created in advance,
so that no child has to wait even if the worker is a week late. A constraint of the database
prevents a second assignment for the same week of a series."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Final
from uuid import uuid4

from django.db import IntegrityError
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from classrooms.assignments.audience import audience_of
from classrooms.assignments.choice import SAME_EVERY_WEEK
from classrooms.bounds import ensure_room_for_assignment
from classrooms.locks import ActRefused, Changed, lock
from classrooms.models import Assignment

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


def stop(assignment: Assignment) -> None:
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
        .filter(Q(everyone=True) | _names("children") | _names("groups"))
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
            everyone=latest.everyone,
            options=latest.options,
            series=latest.series,
            starts_on=latest.starts_on + ONE_WEEK,
            due_on=latest.due_on + ONE_WEEK if latest.due_on else None,
            **{name: getattr(latest, name) for name in SAME_EVERY_WEEK},
        )
        next_week.save(force_insert=True)
        audience.assign_to(next_week)
    return next_week
