"""Assignments that come back every week, by the class's clock.

The coming week is made ahead, so the worker may be a week late and no child waits. A constraint
keeps a series from having a week twice.
"""

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
from classrooms.bounds import Full, room_for_assignment
from classrooms.locks import Changed, lock
from classrooms.models import Assignment

WEEK: Final = timedelta(days=7)


@contextmanager
def lock_assignment(assignment: Assignment) -> Iterator[None]:
    """Lock the class and the assignment, which is read again; nobody begins it until the end of the
    transaction. Raises `Changed` where it was withdrawn."""
    with lock(assignment.school_class) as (school_class,):
        try:
            assignment.refresh_from_db(from_queryset=Assignment.objects.select_for_update())
        except Assignment.DoesNotExist:
            raise Changed from None
        assignment.school_class = school_class
        yield


def repeat(assignment: Assignment) -> None:
    """Repeat the assignment every week; it gets a first and a last day if it had none. Raises
    `bounds.Full`."""
    with lock_assignment(assignment):
        starts_on = assignment.starts_on or assignment.school_class.today()
        due_on = assignment.due_on or starts_on + WEEK - timedelta(days=1)
        assignment.starts_on, assignment.due_on = starts_on, due_on
        assignment.series = assignment.series or uuid4()
        make_ahead(assignment)
        assignment.save(update_fields=("starts_on", "due_on", "series"))


def stop(assignment: Assignment) -> None:
    """Stop the series; coming weeks that nobody has begun are deleted."""
    if assignment.series is None:
        return
    with lock(assignment.school_class):
        weeks = Assignment.objects.filter(
            series=assignment.series, school_class=assignment.school_class
        )
        today = assignment.school_class.today()
        weeks.filter(starts_on__gt=today, attempts=None).exclude(pk=assignment.pk).delete()
        weeks.update(series=None)


def make_ahead(latest: Assignment) -> None:
    """Make the missing weeks of a series after its latest, up to the coming one. Raises
    `bounds.Full`."""
    today = latest.school_class.today()
    while latest.starts_on and latest.starts_on <= today:
        try:
            latest = _next_week(latest)
        except IntegrityError:
            return  # Another worker has made it.


def make_all_ahead() -> int:
    """Make the coming week of every series that lacks it; returns how many series did. In a class
    without room for another assignment it is made once there is."""
    later = Assignment.objects.filter(
        series=OuterRef("series"), starts_on__gt=OuterRef("starts_on")
    )
    tomorrow = timezone.now().date() + timedelta(days=1)  # Somewhere it is tomorrow already.
    behind = (
        Assignment.objects.filter(~Exists(later), starts_on__lte=tomorrow)
        .filter(school_class__archived_at=None)
        .filter(Q(everyone=True) | _names("children") | _names("groups"))
        .exclude(series=None)
        .select_related("school_class")
    )
    for latest in behind:
        with suppress(Full):
            make_ahead(latest)
    return len(behind)


def _names(whom: str) -> Exists:
    """Whether an assignment names any `children` or `groups`: one may be left for nobody."""
    through = (Assignment.children if whom == "children" else Assignment.groups).through
    return Exists(through.objects.filter(assignment=OuterRef("pk")))


def _next_week(latest: Assignment) -> Assignment:
    if latest.starts_on is None:
        raise ValueError("a week of a series has a first day")
    with lock(latest.school_class) as (school_class,):
        room_for_assignment(school_class)
        audience = audience_of(latest)
        following = Assignment(
            school_class=latest.school_class,
            everyone=latest.everyone,
            options=latest.options,
            series=latest.series,
            starts_on=latest.starts_on + WEEK,
            due_on=latest.due_on + WEEK if latest.due_on else None,
            **{name: getattr(latest, name) for name in SAME_EVERY_WEEK},
        )
        following.save(force_insert=True)
        audience.aim(following)
    return following
