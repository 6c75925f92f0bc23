"""Hours and networks in which a class lists its names, for tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Final
from unittest import mock

IN_SCHOOL: Final = datetime(2026, 3, 2, 8, 30, tzinfo=UTC)
"""A Monday, half past nine in Amsterdam."""
AT_NIGHT: Final = datetime(2026, 3, 2, 21, 0, tzinfo=UTC)
AT_THE_WEEKEND: Final = datetime(2026, 3, 7, 9, 0, tzinfo=UTC)
SCHOOL: Final = "198.41.0.4"
ELSEWHERE: Final = "198.41.0.9"


class Clock:
    """What the site takes for now."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def turn(self, by: timedelta) -> None:
        self.now += by


@contextmanager
def clock_at(now: datetime) -> Iterator[Clock]:
    turned = Clock(now)
    with mock.patch("django.utils.timezone.now", side_effect=lambda: turned.now):
        yield turned
