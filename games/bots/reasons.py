"""Why a play was good, as data: what everyone at the table can see of it."""

from dataclasses import dataclass
from typing import Any, Literal

from games.coach.times_tables import RowTable, row_table_of
from games.engine.cards import colour
from games.engine.play_application import Position, is_doubled, make_play
from games.engine.table import Play

HowLaid = Literal["laid", "added", "joined", "crossed"]
Colours = Literal["same", "different"]


@dataclass(frozen=True, slots=True)
class Reason:
    way: HowLaid  # how the row was made
    row: RowTable  # which table the row is in
    laid: tuple[int, ...]  # the numbers laid from the hand
    crossed: tuple[int, ...]  # the numbers on the table that the row crosses
    points: int  # what the play earned; doubled if `colours` is set
    colours: Colours | None
    swapped: tuple[int, ...]  # the numbers put in for jokers
    last: bool  # whether the play emptied the hand


def reason(position: Position, play: Play) -> Reason:
    """The reason for a play in this position. Raises `ActionRefused` if the play is not legal."""
    formed = make_play(position, play)
    doubled = formed.points > 0 and is_doubled(position.ruleset, formed.line)
    first, second = formed.line.cards[:2]
    same = colour(first.card) == colour(second.card)
    return Reason(
        way=_way(formed.play),
        row=row_table_of(formed.line.numbers),
        laid=tuple(number for _, number in formed.play.hand),
        crossed=tuple(number for _, number in formed.play.across),
        points=formed.points,
        colours=("same" if same else "different") if doubled else None,
        swapped=tuple(number for _, number in formed.play.swaps),
        last=not formed.hand,
    )


def _way(play: Play) -> HowLaid:
    if play.lines:
        return "joined" if len(play.lines) > 1 else "added"
    return "crossed" if play.across else "laid"


def seen_of(why: Reason) -> dict[str, Any]:
    """The part of a play's reason that the log keeps, as data for JSON."""
    seen: dict[str, Any] = {
        "numbers": list(why.row.numbers),
        "laid": list(why.laid),
        "points": why.points,
    }
    if why.colours is not None:
        seen["colours"] = why.colours
    if why.swapped:
        seen["swapped"] = list(why.swapped)
    if why.last:
        seen["last"] = True
    return seen
