"""What is repeated every week, by the class's clock."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from time_machine import Traveller

from classrooms.assignments import services
from classrooms.assignments.choice import Choice, choice_of
from classrooms.assignments.services import Audience
from classrooms.classes.tasks import repeat_weekly
from classrooms.models import Assignment, Child, SchoolClass
from nmbrs_edu.celery import app
from tests.clock import at
from tests.factories import AttemptFactory

pytestmark = pytest.mark.django_db
MONDAY = date(2026, 11, 23)


@pytest.fixture
def clock() -> Iterator[Traveller]:
    with at(datetime(2026, 11, 23, 9, tzinfo=UTC)) as clock:
        yield clock


def days(**which: Any) -> list[tuple[date | None, date | None]]:
    weeks = Assignment.objects.filter(**which).order_by("starts_on")
    return list(weeks.values_list("starts_on", "due_on"))


def week(number: int, first: date = MONDAY) -> tuple[date, date]:
    starts = first + number * timedelta(days=7)
    return starts, starts + timedelta(days=6)


def test_the_week_to_come_is_there_at_once(school_class: SchoolClass, clock: Traveller) -> None:
    services.assign(school_class, Choice(weekly=True))
    assert days() == [week(0), week(1)]


def test_every_week_is_like_the_first(
    school_class: SchoolClass, dora: Child, clock: Traveller
) -> None:
    choice = Choice(tables=(7,), bots=2, kind=False, hint_steps=1, checks=False, weekly=True)
    services.assign(school_class, choice, Audience(children=[dora]))
    first, second = Assignment.objects.order_by("starts_on")
    assert second.ruleset == first.ruleset
    assert choice_of(second) == choice_of(first)
    assert (second.everyone, list(second.children.all())) == (False, [dora])


def test_when_a_week_begins_the_next_is_made_by_the_clock_of_the_class(
    school_class: SchoolClass, clock: Traveller
) -> None:
    services.assign(school_class, Choice(weekly=True))
    clock.move_to(datetime(2026, 11, 29, 22, 30, tzinfo=UTC))  # Sunday evening in Amsterdam.
    repeat_weekly()
    assert days() == [week(0), week(1)]
    clock.move_to(datetime(2026, 11, 29, 23, 30, tzinfo=UTC))  # Monday there, not yet in UTC.
    repeat_weekly()
    assert days() == [week(0), week(1), week(2)]


def test_a_worker_knows_every_task_that_beat_asks_for() -> None:
    app.loader.import_default_modules()
    asked = {entry["task"] for entry in app.conf.beat_schedule.values()}
    assert repeat_weekly.name in asked
    assert asked <= app.tasks.keys()


def test_a_task_that_ran_twice_or_weeks_late_makes_each_week_once(
    school_class: SchoolClass, clock: Traveller
) -> None:
    services.assign(school_class, Choice(weekly=True))
    clock.move_to(datetime(2026, 12, 15, 9, tzinfo=UTC))
    repeat_weekly()
    repeat_weekly()
    assert days() == [week(number) for number in range(5)]


def test_a_week_that_another_worker_has_made_is_left_alone(
    school_class: SchoolClass, clock: Traveller
) -> None:
    first = services.assign(school_class, Choice(weekly=True))
    first.refresh_from_db()
    services.make_ahead(first)
    assert days() == [week(0), week(1)]


def test_first_and_last_day_go_on_by_seven_days(
    school_class: SchoolClass, clock: Traveller
) -> None:
    choice = Choice(starts_on=date(2026, 11, 25), due_on=date(2026, 11, 27), weekly=True)
    assignment = services.assign(school_class, choice)
    assert days() == [(choice.starts_on, choice.due_on)]
    services.stop(assignment)
    assert days() == [(choice.starts_on, choice.due_on)]


def test_stopped_no_week_follows_and_what_is_begun_stays(
    school_class: SchoolClass, dora: Child, clock: Traveller
) -> None:
    assignment = services.assign(school_class, Choice(weekly=True))
    AttemptFactory.create(assignment=assignment, child=dora)
    assignment.refresh_from_db()
    services.stop(assignment)
    assert days() == [week(0)]
    clock.move_to(datetime(2026, 12, 15, 9, tzinfo=UTC))
    repeat_weekly()
    assert days() == [week(0)]


def test_an_ended_week_does_not_keep_the_next_from_coming(
    school_class: SchoolClass, clock: Traveller
) -> None:
    services.end(services.assign(school_class, Choice(weekly=True)))
    assert days(ended_at=None) == [week(1)]


def test_in_an_archived_class_nothing_is_repeated_until_it_is_restored(
    school_class: SchoolClass, clock: Traveller
) -> None:
    services.assign(school_class, Choice(weekly=True))
    clock.move_to(datetime(2026, 12, 15, 9, tzinfo=UTC))
    SchoolClass.objects.update(archived_at=timezone.now())
    repeat_weekly()
    assert days() == [week(0), week(1)]
    SchoolClass.objects.update(archived_at=None)
    repeat_weekly()
    assert days()[-1] == week(4)
