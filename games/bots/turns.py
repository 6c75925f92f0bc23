"""What one turn can come to: sequences of plays, the most promising ones within a number tried."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from games.engine.cards import JOKER_MASK, VALUES, Card, is_joker
from games.engine.play_application import Position, form
from games.engine.plays import plays_with_jokers
from games.engine.ruleset import Ruleset
from games.engine.table import Play

JOKERS_TO_OPEN: Final = 2
JOKERS_ON_TABLE: Final = 1
"""More jokers than these in one play are not tried: they could stand for thousands of rows."""
WIDE: Final = 6
"""After how many plays of a position, those that lay most, the turn is followed further."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Some plays, the points that they earn together, and the position after them."""

    plays: tuple[Play, ...]
    points: int
    after: Position


def with_card(position: Position, card: Card) -> Position:
    """The same position with a card more in the hand, as when it is drawn."""
    return position._replace(hand=position.hand | 1 << card)


def turns(
    position: Position, most: int, jokers_to_open: int = JOKERS_TO_OPEN, wide: int = WIDE
) -> Iterator[Turn]:
    """The turns open to a position, to lay nothing first; each outcome once, at most `most`.
    `wide`: after how many plays of a position a turn is followed further."""
    waiting = [Turn((), 0, position)]
    known = set()
    while waiting and most:
        turn = waiting.pop()
        outcome = turn.after.hand, frozenset(turn.after.table.lines)
        if outcome not in known:
            known.add(outcome)
            most -= 1
            yield turn
            waiting += sorted(_followed(turn, jokers_to_open, wide), key=_promise)


def _promise(turn: Turn) -> tuple[int, int]:
    return turn.points, -turn.after.hand.bit_count()


def _followed(turn: Turn, jokers_to_open: int, wide: int) -> Iterator[Turn]:
    at = turn.after
    plays = sorted(_plays(at, jokers_to_open), key=lambda play: (-_laid(at.ruleset, play), play))
    for play in plays[:wide]:
        formed = form(at, play)
        opened = at.opened or not play.touches_table
        after = Position(at.ruleset, formed.table, formed.hand, opened)
        yield Turn((*turn.plays, play), turn.points + formed.points, after)


def _laid(ruleset: Ruleset, play: Play) -> int:
    """What its cards earn before any doubling; where nothing earns, how many they are."""
    if ruleset.earning == "value":
        return sum(VALUES[laid.card] for laid in play.hand)
    return len(play.hand)


def _plays(position: Position, jokers_to_open: int) -> list[Play]:
    """The plays to try; of those that lay the same numbers and as many jokers in the same way,
    one."""
    plays = plays_with_jokers(position, 0)
    most = JOKERS_ON_TABLE if position.may_use_table else jokers_to_open
    jokers = (position.hand & JOKER_MASK).bit_count()
    for count in range(1, min(jokers, most) + 1):
        by_way: dict[object, Play] = {}
        for play in plays_with_jokers(position, count):
            numbers = tuple([laid.card for laid in play.hand if not is_joker(laid.card)])
            way = numbers, bool(play.lines), bool(play.swaps)
            if way not in by_way or play < by_way[way]:
                by_way[way] = play
        plays += by_way.values()
    return plays
