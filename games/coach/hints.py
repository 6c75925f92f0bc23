"""The steps of a hint, each telling a little more of one row (docs/learning.md, Hints).

1 a row is hiding, and how many; 2 one card of it; 3 its jumps; 4 the name of its times table;
5 a number of it derived from a fact that the child knows; 6 the whole row.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from games.coach.facts import Derivation, Fact, derive, fact
from games.coach.times_tables import RowTable, describe
from games.engine.cards import JOKERS, Card, Laid, is_joker
from games.engine.play_application import Position, form
from games.engine.plays import plays_with_jokers
from games.engine.table import Play

DERIVING_STEP: Final = 5
LAST_STEP: Final = 6
LONGEST_LINE: Final = 5
"""How many numbers of a row are drawn on a number line."""


@dataclass(frozen=True, slots=True)
class Hint:
    """What a hint tells at its step, and no more: what comes later is None or empty.

    `rows`: how many different rows can be made now with fewest jokers. `play`: the one it is about;
    never for the page before the last step. `card`: a hand card of it. `jump`: its step, None for
    a family. `line`: numbers of the row next to the card, to draw their jumps; empty for a
    family. `row_table`: what table the row is in. `derivation`: of a number of the row, None
    where it is in no table. `cards`: all its hand cards; `whole`: all of the row.
    """

    step: int
    rows: int
    play: Play | None
    card: Card | None = None
    jump: int | None = None
    line: tuple[int, ...] = ()
    row_table: RowTable | None = None
    derivation: Derivation | None = None
    cards: tuple[Card, ...] = ()
    whole: tuple[Laid, ...] = ()


def hint(position: Position, step: int, secure: Collection[Fact] = ()) -> Hint:
    """The hint of a step, 1 to `LAST_STEP`; the same row at every step of a position.

    `secure`: the facts that the child is secure in; only step 5 needs them.
    """
    by_jokers = (plays_with_jokers(position, count) for count in range(len(JOKERS) + 1))
    plays = next(filter(None, by_jokers), None)
    if plays is None:
        return Hint(step, 0, None)
    formed = {play: form(position, play).line for play in plays}
    play = min(plays, key=lambda play: _reach(play, formed[play].numbers))
    row_table = describe(formed[play].numbers)
    card = _shown(play)
    number = _number_of(card, play)
    return Hint(
        step,
        len({line.numbers for line in formed.values()}),
        play,
        card=card if step >= 2 else None,
        jump=row_table.step if step >= 3 else None,
        line=_line(row_table, number) if step >= 3 else (),
        row_table=row_table if step >= 4 else None,
        derivation=_derivation(row_table, _number_of(card, play), secure)
        if step == DERIVING_STEP
        else None,
        cards=tuple(sorted(_own(play))) if step >= LAST_STEP else (),
        whole=tuple(formed[play].cards) if step >= LAST_STEP else (),
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
    freed = {swap.card for swap in play.swaps}
    own = [laid.card for laid in play.hand if laid.card not in freed]
    return min(own) if own else play.swaps[0].number


def _own(play: Play) -> list[Card]:
    """The hand cards that a play needs, those that are put where jokers were among them."""
    freed = {swap.card for swap in play.swaps}
    own = [laid.card for laid in play.hand if laid.card not in freed]
    return [*own, *(swap.number for swap in play.swaps)]


def _number_of(card: Card, play: Play) -> int:
    """The number that a card of the play stands for in its row."""
    return next((laid.number for laid in play.hand if laid.card == card), card)


def _line(row: RowTable, number: int) -> tuple[int, ...]:
    """The numbers of an even row around one of them, so many as can be read on a line."""
    if row.step is None or number not in row.numbers:
        return ()
    first = min(max(row.numbers.index(number) - 1, 0), max(len(row.numbers) - LONGEST_LINE, 0))
    return row.numbers[first : first + LONGEST_LINE]


def _derivation(row: RowTable, shown: int, secure: Collection[Fact]) -> Derivation | None:
    """A number of the row besides the shown one, from a fact that the child knows: best from one
    that it is secure in and whose product lies in the row too."""
    ways = [
        derive(times, table, secure)
        for times, table in row.facts
        if times * table != shown and times > 1
    ]
    if not ways:
        return None
    return min(ways, key=lambda way: _strangeness(way, row, secure))


def _strangeness(
    way: Derivation, row: RowTable, secure: Collection[Fact]
) -> tuple[bool, bool, int, int]:
    is_secure = fact(way.known, way.table) in secure
    return not is_secure, way.known_product not in row.numbers, way.steps, way.product
