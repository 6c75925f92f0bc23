"""A limit on the work of one import, whatever the file holds."""

from collections.abc import Callable
from time import thread_time
from typing import Final

from classrooms.roster.importing.import_errors import Unreadable

MOST_LINES: Final = 40_000
"""Lines of all files of an import together, with empty ones."""
MOST_SECONDS: Final = 2.0
"""CPU seconds: several times what the most lines take."""
_LINES_BETWEEN_LOOKS: Final = 200


class Budget:
    """Lines and seconds that reading may still take. `clock`: the CPU seconds of this thread, so
    that a busy machine does not count."""

    def __init__(
        self,
        lines: int = MOST_LINES,
        seconds: float = MOST_SECONDS,
        clock: Callable[[], float] = thread_time,
    ) -> None:
        self._lines = lines
        self._clock = clock
        self._end = clock() + seconds
        self._look_at = lines

    def take(self, lines: int, at: int = 0) -> None:
        """Count these lines, the last of which is line `at` of the file. Raises `Unreadable` once
        there are too many or it has taken too long."""
        self._lines -= lines
        if self._lines < 0:
            raise Unreadable("too much", at)
        if self._lines <= self._look_at:
            self._look_at = self._lines - _LINES_BETWEEN_LOOKS
            if self._clock() > self._end:
                raise Unreadable("too much", at)
