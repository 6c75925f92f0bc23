"""Numbers on a line, with the jumps between them.

The server draws a number line for hints and refusals (`templates/games/_number_line.html`). For the
chosen cards, `static/js/game/number-line.js` draws one. All measures are here; the page passes them
to the script.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Final

from games.coach.times_tables import Derivation


@dataclass(frozen=True, slots=True)
class Measures:
    """Measures in the drawing's own units. Two numbers lie close if their distance is less than
    `apart`. If any do, every second label is `aside` units further from the axis, and the second
    value of a pair is used."""

    left: int = 24  # the x of the first number
    room: int = 232  # the distance between the first and the last number
    y: int = 38  # the y of the axis
    axis: str = "M4 38H276"
    top: int = 2  # the y of the control point of a jump's curve
    number: int = 60  # the y of the labels of numbers
    jump: int = 14  # the y of the labels of jumps
    apart: int = 24
    aside: int = 14
    narrow: int = 12  # the width up to which a jump has no label
    radius: tuple[int, int] = (6, 4)
    box: tuple[str, str] = ("0 0 280 62", "0 -14 280 92")


MEASURES: Final = Measures()
FOR_THE_SCRIPT: Final = json.dumps(asdict(MEASURES), separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Point:
    """A number on the line. `y` is the place of its label."""

    x: int
    y: int
    label: str


@dataclass(frozen=True, slots=True)
class Jump:
    """A jump from one number to the next. `label` is empty if there is no room for it."""

    path: str
    x: int
    y: int
    label: str


@dataclass(frozen=True, slots=True)
class NumberLine:
    points: tuple[Point, ...]
    jumps: tuple[Jump, ...]
    is_close: bool = False  # whether numbers lie close, so that every second label is further off
    measures: Measures = MEASURES

    @property
    def box(self) -> str:
        return self.measures.box[self.is_close]

    @property
    def radius(self) -> int:
        return self.measures.radius[self.is_close]


def number_line(numbers: Sequence[int], child_numbers: Sequence[int] = ()) -> NumberLine | None:
    """The line of these numbers, which go from low to high; None for fewer than two. If the child's
    own numbers are given, jokers stand for the others."""
    if len(numbers) < 2:
        return None
    # Halves are rounded up, as in the script.
    span, room = numbers[-1] - numbers[0], MEASURES.room
    places = [
        MEASURES.left + (2 * (number - numbers[0]) * room + span) // (2 * span)
        for number in numbers
    ]
    is_close = min(after - before for before, after in pairwise(places)) < MEASURES.apart
    offsets = [MEASURES.aside if is_close and index % 2 else 0 for index in range(len(places))]
    labels = [
        f"{number}★" if child_numbers and number not in child_numbers else str(number)
        for number in numbers
    ]
    points = tuple(
        Point(x, MEASURES.number + offset, label)
        for x, offset, label in zip(places, offsets, labels, strict=True)
    )
    jumps = tuple(
        _jump(ends, after - before, offset)
        for ends, (before, after), offset in zip(
            pairwise(places), pairwise(numbers), offsets[1:], strict=True
        )
    )
    return NumberLine(points, jumps, is_close)


def _jump(ends: tuple[int, int], step: int, offset: int) -> Jump:
    (left, right), y = ends, MEASURES.y
    middle = (left + right) // 2
    label = f"+{step}" if right - left > MEASURES.narrow else ""
    path = f"M{left} {y}Q{middle} {MEASURES.top} {right} {y}"
    return Jump(path, middle, MEASURES.jump - offset, label)


DOT: Final = 16
GAP: Final = 6


@dataclass(frozen=True, slots=True)
class Array:
    """A product as two blocks of dots, one under the other, in the drawing's own units. The other
    block is added to the known one or, if `is_away`, taken away from it."""

    width: int
    known_height: int
    other_top: int
    other_height: int
    is_away: bool

    @property
    def height(self) -> int:
        return self.other_top + self.other_height


def array_of(way: Derivation) -> Array:
    """The array for a derivation. Each row has `table` dots. The number of rows is the larger of
    the factors of the two facts."""
    rows = min(way.near_factor, way.times)
    return Array(
        width=way.table * DOT,
        known_height=rows * DOT,
        other_top=rows * DOT + GAP,
        other_height=abs(way.times - way.near_factor) * DOT,
        is_away=way.times < way.near_factor,
    )
