"""Why a play was good: what everybody at the table can see of it, as data."""

from dataclasses import dataclass
from typing import Literal

from games.coach.times_tables import RowTable, row_table_of
from games.engine.cards import colour
from games.engine.play_application import Position, is_doubled, make_play
from games.engine.ruleset import Doubling
from games.engine.table import Play
from games.engine.text.record import PublicData

HowLaid = Literal["laid", "added", "joined", "crossed"]


@dataclass(frozen=True, slots=True)
class Reason:
    way: HowLaid  # how the row was made
    row: RowTable
    hand_numbers: tuple[int, ...]  # the numbers laid from the hand
    crossed_numbers: tuple[int, ...]  # the numbers of the table that the row crosses
    points: int  # what the play earned; doubled if `colours` is set
    colours: Doubling | None
    swapped_numbers: tuple[int, ...]  # the numbers put in for jokers
    is_last: bool  # whether the play emptied the hand


def reason(position: Position, play: Play) -> Reason:
    """The reason for a play in this position. Raises `ActionRefused` if the play is not legal."""
    result = make_play(position, play)
    has_doubling = result.points > 0 and is_doubled(position.ruleset, result.line)
    first, second = result.line.cards[:2]
    has_one_colour = colour(first.card) == colour(second.card)
    return Reason(
        way=_way(result.play),
        row=row_table_of(result.line.numbers),
        hand_numbers=tuple(number for _, number in result.play.hand),
        crossed_numbers=tuple(number for _, number in result.play.across),
        points=result.points,
        colours=("same" if has_one_colour else "different") if has_doubling else None,
        swapped_numbers=tuple(number for _, number in result.play.swaps),
        is_last=not result.hand,
    )


def _way(play: Play) -> HowLaid:
    if play.lines:
        return "joined" if len(play.lines) > 1 else "added"
    return "crossed" if play.across else "laid"


def reason_to_data(reason: Reason) -> PublicData:
    """The part of a play's reason that the log keeps."""
    data: PublicData = {
        "numbers": list(reason.row.numbers),
        "laid": list(reason.hand_numbers),
        "points": reason.points,
    }
    if reason.colours is not None:
        data["colours"] = reason.colours
    if reason.swapped_numbers:
        data["swapped"] = list(reason.swapped_numbers)
    if reason.is_last:
        data["last"] = True
    return data
