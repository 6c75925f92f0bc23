from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from classrooms.models import Child, SchoolClass, Teaching, User
from tests.classrooms.reports.weekly_mail.people import due_at, played, wants_mail
from tests.clock import at


@pytest.fixture
def teaching(alice: User, school_class: SchoolClass) -> Teaching:
    return wants_mail(alice, school_class)


@pytest.fixture
def now(school_class: SchoolClass) -> Iterator[datetime]:
    """It is Friday, five past three, at the class's."""
    now = due_at(school_class) + timedelta(minutes=5)
    with at(now):
        yield now


@pytest.fixture
def week(dora: Child, emil: Child, now: datetime) -> None:
    """Dora played this week, Emil did not."""
    played(dora)
