"""The aims of a load, and a sentence for each that was missed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scripts.load.crowd import Move, share

SOON_SECONDS: Final = 0.2
"""The p95 of the seconds until a move is answered."""
SHOWN_SECONDS: Final = 1.5
"""The p95 of the seconds until a move at a table is on the pages of the others."""
LATEST_SECONDS: Final = 5.0
"""The p99 of the seconds until a served move is answered, however many children come."""
SOON_AT_THE_DOOR: Final = 1.0
"""The p95 of the seconds until a request of a sign-in is answered."""
SOON_IN_REPORT: Final = 5.0
"""The median of the seconds until a finished round is in the report. The comparison at the end
fails if one takes longer than a minute."""
MOST_SERVED_SOON: Final = 1000
"""The largest number of children who must all be served soon."""
SHED: Final = ("503", "503 at sign-in")
UNCHANGED: Final = frozenset({"200", "304"})


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a load for its children: times in seconds, and answers other than a page."""

    number: int
    moves: Sequence[Move]
    answers: Mapping[str, int]
    adults: Mapping[str, int]
    shown: Sequence[float] = ()
    """The seconds until a move was on another child's page at the table."""

    @property
    def served(self) -> list[float]:
        return [move.served for move in self.moves]

    @property
    def refused(self) -> dict[str, int]:
        """Requests of children that were refused, except those told to come again."""
        return {name: n for name, n in self.answers.items() if name not in SHED and n}

    @property
    def shed(self) -> int:
        """Requests of children that were told to come again."""
        return sum(self.answers.get(name, 0) for name in SHED)

    @property
    def is_soon(self) -> bool:
        """Whether all these children are served as they should be."""
        return share(self.served, 0.95) < SOON_SECONDS and not self.refused and not self.shed


def missed_aims(result: Result) -> list[str]:
    """The aims that were missed with this many children."""
    lines = []
    slow, latest = share(result.served, 0.95), share(result.served, 0.99)
    if not result.moves:
        lines.append("no move was answered")
    elif result.number <= MOST_SERVED_SOON and not slow < SOON_SECONDS:
        lines.append(f"p95 is {slow * 1e3:.0f} ms, not under {SOON_SECONDS * 1e3:.0f}")
    elif not latest <= LATEST_SECONDS:
        lines.append(f"p99 of those served is {latest:.1f} s, not {LATEST_SECONDS:.0f} at most")
    if result.shown and not (slowest := share(result.shown, 0.95)) <= SHOWN_SECONDS:
        lines.append(f"others saw 95 of 100 moves within {slowest:.1f} s, not {SHOWN_SECONDS:g}")
    if result.refused:
        lines.append(f"children got {result.refused}")
    if result.number <= MOST_SERVED_SOON and result.shed:
        lines.append(f"{result.shed} requests were told to come again")
    answers = {name: n for name, n in result.adults.items() if name not in UNCHANGED and n}
    if result.number > MOST_SERVED_SOON:
        answers.pop("503", None)
    if answers:
        lines.append(f"teachers got {answers}")
    return lines


def missed_at_the_door(
    seconds: Sequence[float], answers: Mapping[str, int], adults: Mapping[str, int]
) -> list[str]:
    """The aims that were missed for children who sign in and for teachers who work at the same
    time."""
    lines = []
    slow = share(seconds, 0.95)
    if not slow <= SOON_AT_THE_DOOR:
        lines.append(f"p95 is {slow:.1f} s, not {SOON_AT_THE_DOOR:.0f} at most")
    if bad_answers := {name: count for name, count in answers.items() if count}:
        lines.append(f"children got {bad_answers}")
    if bad_answers := {name: n for name, n in adults.items() if name not in UNCHANGED and n}:
        lines.append(f"teachers got {bad_answers}")
    return lines


def most(is_soon: Callable[[int], bool], *, low: int, high: int, step: int) -> int:
    """The largest number of children, in steps, who are all served within the aims; 0 if even `low`
    are not. This searches by halving, because fewer children are never more work."""
    if not is_soon(low):
        return 0
    reached, beyond = low, high + step
    while beyond - reached > step:
        middle = reached + max((beyond - reached) // 2 // step, 1) * step
        if is_soon(middle):
            reached = middle
        else:
            beyond = middle
    return reached
