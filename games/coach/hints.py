"""The steps of a hint, each telling a little more of one row (learning: The child).

1 a row is hiding, and how many; 2 one card of it; 3 its jumps; 4 the name of its times table.
"""

from dataclasses import dataclass
from typing import Final

from games.coach.times_tables import RowTable, describe
from games.engine.cards import JOKERS, Card, is_joker
from games.engine.forming import Position, form
from games.engine.plays import plays_with_jokers
from games.engine.table import Play

LAST_STEP: Final = 4


@dataclass(frozen=True, slots=True)
class Hint:
    """What a hint tells at its step, and no more: what comes later is None.

    `rows`: how many different rows can be made now with fewest jokers. `play`: the one it is about;
    never for the page. `card`: a hand card of it. `jump`: its step, None for a family.
    `row_table`: what table the row is in.
    """

    step: int
    rows: int
    play: Play | None
    card: Card | None = None
    jump: int | None = None
    row_table: RowTable | None = None


def hint(position: Position, step: int) -> Hint:
    """The hint of a step, 1 to `LAST_STEP`; the same row at every step of a position."""
    by_jokers = (plays_with_jokers(position, count) for count in range(len(JOKERS) + 1))
    plays = next(filter(None, by_jokers), None)
    if plays is None:
        return Hint(step, 0, None)
    formed = {play: form(position, play).line.numbers for play in plays}
    play = min(plays, key=lambda play: _reach(play, formed[play]))
    row_table = describe(formed[play])
    return Hint(
        step,
        len(set(formed.values())),
        play,
        card=_shown(play) if step >= 2 else None,
        jump=row_table.step if step >= 3 else None,
        row_table=row_table if step >= LAST_STEP else None,
    )


def _reach(play: Play, numbers: tuple[int, ...]) -> tuple[int, int, int, int, str]:
    """How far a row is from a child's reach: jokers and swaps last, rows of a times table
    first, what lies in the hand before what takes from the table; the longer row first."""
    jokers = sum(is_joker(laid.card) for laid in play.hand) + len(play.swaps)
    in_table = describe(numbers).times_table is not None
    taken = len(play.lines) + 2 * len(play.across)
    return jokers, 0 if in_table else 1, taken, -len(play.hand), str(play)


def _shown(play: Play) -> Card:
    """The card that lights up: the lowest hand card laid that is no joker, if there is one."""
    swapped_in = {swap.card for swap in play.swaps}
    own = [laid.card for laid in play.hand if laid.card not in swapped_in]
    return min(own) if own else play.swaps[0].number
