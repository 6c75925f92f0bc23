"""A clock that tests turn, in place of the one that the site reads."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from unittest import mock


class Clock:
    """What the site takes for now."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 2, 8, 30, tzinfo=UTC)

    def turn(self, by: timedelta) -> None:
        self.now += by


@contextmanager
def turned_clock() -> Iterator[Clock]:
    clock = Clock()
    with mock.patch("django.utils.timezone.now", side_effect=lambda: clock.now):
        yield clock
