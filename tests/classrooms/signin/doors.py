"""Hours and networks in which a class lists its names, for tests."""

from datetime import UTC, datetime
from typing import Final

IN_SCHOOL: Final = datetime(2026, 3, 2, 8, 30, tzinfo=UTC)
"""A Monday, half past nine in Amsterdam."""
AT_NIGHT: Final = datetime(2026, 3, 2, 21, 0, tzinfo=UTC)
AT_THE_WEEKEND: Final = datetime(2026, 3, 7, 9, 0, tzinfo=UTC)
SCHOOL: Final = "198.41.0.4"
ELSEWHERE: Final = "198.41.0.9"
