"""The steps of a hint, each showing a little more of one row (docs/learning.md, Hints).

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

NAMING_STEP: Final = 4
"""The step that names the times table."""
DERIVING_STEP: Final = 5
LAST_STEP: Final = 6
LONGEST_LINE: Final = 5
"""How many numbers of a row are drawn on a number line."""


@dataclass(frozen=True, slots=True)
class Hint:
    """What a hint shows at its step; what belongs to later steps is None or empty.

    `rows`: how many different rows can be made now with the fewest jokers. `play`: the play that
    the hint is about; the page must not show it before the last step. `card`: a hand card of it.
    `jump`: the row's step, None for a family. `line`: numbers of the row next to the card, to draw
    their jumps; empty for a family. `row_table`: which table the row is in. `derivation`: of a
    number of the row, None if the row is in no table. `cards`: all its hand cards; `whole`: the
    whole row.
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
    """The hint at a step, 1 to `LAST_STEP`; about the same row at every step of a position.

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
        row_table=row_table if step >= NAMING_STEP else None,
        derivation=_derivation(row_table, _number_of(card, play), secure)
        if step == DERIVING_STEP
        else None,
        cards=tuple(sorted(_own(play))) if step >= LAST_STEP else (),
        whole=tuple(formed[play].cards) if step >= LAST_STEP else (),
    )


def _reach(play: Play, numbers: tuple[int, ...]) -> tuple[int, int, int, int, str]:
    """For sorting, the easiest play first: few jokers and swaps, then rows of a times table, then
    rows from the hand alone, then those that lay more cards."""
    jokers = sum(is_joker(laid.card) for laid in play.hand) + len(play.swaps)
    in_table = describe(numbers).times_table is not None
    taken = len(play.lines) + 2 * len(play.across)
    return jokers, 0 if in_table else 1, taken, -len(play.hand), str(play)


def _shown(play: Play) -> Card:
    """The card that lights up: the lowest hand card laid, a number card if there is one."""
    freed = {swap.card for swap in play.swaps}
    own = [laid.card for laid in play.hand if laid.card not in freed]
    return min(own) if own else play.swaps[0].number


def _own(play: Play) -> list[Card]:
    """The hand cards that a play needs, including those put in for jokers."""
    freed = {swap.card for swap in play.swaps}
    own = [laid.card for laid in play.hand if laid.card not in freed]
    return [*own, *(swap.number for swap in play.swaps)]


def _number_of(card: Card, play: Play) -> int:
    """The number that a card of the play stands for in its row."""
    return next((laid.number for laid in play.hand if laid.card == card), card)


def _line(row: RowTable, number: int) -> tuple[int, ...]:
    """The numbers of an even row around one of them, at most `LONGEST_LINE`."""
    if row.step is None or number not in row.numbers:
        return ()
    first = min(max(row.numbers.index(number) - 1, 0), max(len(row.numbers) - LONGEST_LINE, 0))
    return row.numbers[first : first + LONGEST_LINE]


def _derivation(row: RowTable, shown: int, secure: Collection[Fact]) -> Derivation | None:
    """A number of the row other than the shown one, derived from a fact that the child knows: if
    possible one that it is secure in and whose product is in the row too."""
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
