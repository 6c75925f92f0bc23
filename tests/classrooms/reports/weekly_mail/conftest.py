from collections.abc import Iterator
from datetime import datetime, timedelta
from unittest.mock import patch

import pytest
from django.utils import timezone

from classrooms.models import Child, SchoolClass, Teaching, User
from tests.classrooms.reports.weekly_mail.people import due_at, played, wants_mail


@pytest.fixture
def teaching(alice: User, school_class: SchoolClass) -> Teaching:
    return wants_mail(alice, school_class)


@pytest.fixture
def now(school_class: SchoolClass) -> Iterator[datetime]:
    """It is Friday, five past three, at the class's."""
    at = due_at(school_class) + timedelta(minutes=5)
    with patch.object(timezone, "now", lambda: at):
        yield at


@pytest.fixture
def week(dora: Child, emil: Child, now: datetime) -> None:
    """Dora played this week, Emil did not."""
    played(dora)
