"""A teacher who wants the weekly mail about a class that has played."""

from datetime import date, datetime, timedelta

from allauth.account.models import EmailAddress

from classrooms.models import Child, SchoolClass, Teaching, User
from classrooms.progress.models import ChildDay, TableDay
from classrooms.progress.table_levels import fold_all_tables
from classrooms.reports.weekly_mail import moment_of
from tests.factories import TeachingFactory

FRIDAY = date(2026, 11, 20)


def wants_mail(user: User, school_class: SchoolClass, *, shown: bool = True) -> Teaching:
    """The teacher has wanted the mail of this class for a long time, and teaches it from now on if
    not before."""
    EmailAddress.objects.get_or_create(
        user=user, email=user.email, defaults={"verified": shown, "primary": True}
    )
    teaching = Teaching.objects.filter(user=user, school_class=school_class).first()
    teaching = teaching or TeachingFactory.create(user=user, school_class=school_class)
    teaching.mailed_since = due_at(school_class) - timedelta(days=30)
    teaching.save()
    return teaching


def due_at(school_class: SchoolClass) -> datetime:
    return moment_of(FRIDAY, school_class.time_zone)


def play_day(child: Child, day: date = FRIDAY, *, rounds: int = 2, found: int = 2) -> None:
    """Store a day of play with possible rows of the 7 times table, most of them missed."""
    at = moment_of(day, child.school_class.time_zone) - timedelta(hours=4)
    values = {"child": child, "school_class": child.school_class, "day": day, "last_at": at}
    ChildDay.objects.create(**values, rounds=rounds, turns=9)
    TableDay.objects.create(**values, table=7, at_once=found, missed=6)
    fold_all_tables([child.pk])
