"""Numbers on a line, with the jumps between them.

The server draws it for hints and refusals (`templates/games/_number_line.html`), and
`static/js/game/number-line.js` for the cards that are chosen at the moment. All measures are here;
the page passes them to the script.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Final

from games.coach.times_tables import Derivation


@dataclass(frozen=True, slots=True)
class Measures:
    """Measures in the drawing's own units. The second of a pair is for numbers that lie close
    together. `number` and `jump` are the heights of the labels."""

    left: int = 24  # where the first number stands
    room: int = 232  # from the first number to the last one
    y: int = 38  # the height of the axis, `axis` its path
    axis: str = "M4 38H276"
    top: int = 2  # the height of the control point of a jump's curve
    number: int = 60
    jump: int = 14
    apart: int = 24
    """Two numbers lie close if they are less than this apart. If any do, every second label is
    `aside` further from the axis."""
    aside: int = 14
    narrow: int = 12  # the widest jump that has no label
    radius: tuple[int, int] = (6, 4)
    box: tuple[str, str] = ("0 0 280 62", "0 -14 280 92")


MEASURES: Final = Measures()
FOR_THE_SCRIPT: Final = json.dumps(asdict(MEASURES), separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Point:
    """A number on the line; `y` is the height of its label."""

    x: int
    y: int
    label: str


@dataclass(frozen=True, slots=True)
class Jump:
    """A jump from one number to the next; `label` is empty if there is no room for it."""

    path: str
    x: int
    y: int
    label: str


@dataclass(frozen=True, slots=True)
class NumberLine:
    """A number line with jumps, as the templates draw it."""

    points: tuple[Point, ...]
    jumps: tuple[Jump, ...]
    close: bool = False
    """Whether numbers lie so close that every second label is further from the axis."""

    @property
    def axis(self) -> str:
        return MEASURES.axis

    @property
    def y(self) -> int:
        return MEASURES.y

    @property
    def box(self) -> str:
        return MEASURES.box[self.close]

    @property
    def radius(self) -> int:
        return MEASURES.radius[self.close]


def number_line(numbers: Sequence[int], own: Sequence[int] = ()) -> NumberLine | None:
    """The line of these numbers, which go from low to high; None for fewer than two. Where only
    some are the `own` numbers of a child, jokers stand for the others."""
    if len(numbers) < 2:
        return None
    at = [_at(number - numbers[0], numbers[-1] - numbers[0]) for number in numbers]
    close = min(after - before for before, after in pairwise(at)) < MEASURES.apart
    offsets = [MEASURES.aside if close and index % 2 else 0 for index in range(len(at))]
    points = tuple(
        Point(
            x, MEASURES.number + further, f"{number}★" if own and number not in own else str(number)
        )
        for x, further, number in zip(at, offsets, numbers, strict=True)
    )
    jumps = tuple(
        _jump(ends, after - before, further)
        for ends, (before, after), further in zip(
            pairwise(at), pairwise(numbers), offsets[1:], strict=True
        )
    )
    return NumberLine(points, jumps, close)


def _at(beyond: int, span: int) -> int:
    """The place of a number this far beyond the first one. Halves are rounded up, as in the
    script."""
    return MEASURES.left + (2 * beyond * MEASURES.room + span) // (2 * span)


def _jump(ends: tuple[int, int], step: int, further: int) -> Jump:
    (left, right), y = ends, MEASURES.y
    middle = (left + right) // 2
    label = f"+{step}" if right - left > MEASURES.narrow else ""
    path = f"M{left} {y}Q{middle} {MEASURES.top} {right} {y}"
    return Jump(path, middle, MEASURES.jump - further, label)


# A product as an array of dots: the known part, and the part that is added or taken away


DOT: Final = 16
GAP: Final = 6


@dataclass(frozen=True, slots=True)
class Array:
    """Two blocks of dots, one under the other, in the drawing's own units: the known block, and the
    other one, which is added or, if `is_away`, taken away."""

    width: int
    known_height: int
    other_top: int
    other_height: int
    is_away: bool

    @property
    def height(self) -> int:
        return self.other_top + self.other_height


def array_of(way: Derivation) -> Array:
    """The array for a derivation. Each row has `table` dots, and there are as many rows as the
    larger of the two facts has times."""
    columns = min(way.near_factor, way.times)
    return Array(
        width=way.table * DOT,
        known_height=columns * DOT,
        other_top=columns * DOT + GAP,
        other_height=abs(way.times - way.near_factor) * DOT,
        is_away=way.times < way.near_factor,
    )
