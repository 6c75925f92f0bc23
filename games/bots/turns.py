"""The turns that a position allows, as sequences of plays, the most promising first."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from games.engine.cards import JOKER_MASK, VALUES, Card, is_joker
from games.engine.play_application import Position, make_play
from games.engine.plays import plays_with_jokers
from games.engine.ruleset import Ruleset
from games.engine.table import Play
from games.engine.view import View

JOKERS_TO_OPEN: Final = 2  # the most jokers that are tried in a first row
JOKERS_ON_TABLE: Final = 1  # the most that are tried later; more could stand for thousands of rows
PLAYS_CONTINUED: Final = 6
"""How many plays of a position are continued by further plays: those that lay the most cards."""


@dataclass(frozen=True, slots=True)
class Turn:
    plays: tuple[Play, ...]
    points: int
    after: Position


def with_card(position: Position, card: Card) -> Position:
    return position._replace(hand=position.hand | 1 << card)


def takes_last_plank(view: View, play: Play) -> bool:
    """Whether the play makes the bridge of the table whole while somebody else still has a turn. A
    bot leaves this to them (rules 9)."""
    most = view.ruleset.most_turns
    if view.goal is None or view.is_goal_reached or most is None:
        return False
    others_turns = (*view.turns[: view.seat], *view.turns[view.seat + 1 :])
    is_last = view.earned_together + make_play(view.position, play).points >= view.goal
    return is_last and min(others_turns) < most


def turns(
    position: Position,
    limit: int,
    jokers_to_open: int = JOKERS_TO_OPEN,
    width: int = PLAYS_CONTINUED,
) -> Iterator[Turn]:
    """At most `limit` turns that a position allows, each outcome once. The first one lays nothing.
    `width` is the number of plays of a position that are continued by further plays."""
    open_turns = [Turn((), 0, position)]
    hands_and_tables = set()
    while open_turns and limit:
        turn = open_turns.pop()
        outcome = turn.after.hand, frozenset(turn.after.table.lines)
        if outcome not in hands_and_tables:
            hands_and_tables.add(outcome)
            limit -= 1
            yield turn
            open_turns += sorted(_longer_turns(turn, jokers_to_open, width), key=_promise)


def _promise(turn: Turn) -> tuple[int, int]:
    return turn.points, -turn.after.hand.bit_count()


def _longer_turns(turn: Turn, jokers_to_open: int, width: int) -> Iterator[Turn]:
    position = turn.after
    ruleset = position.ruleset
    plays = _plays(position, jokers_to_open)
    plays.sort(key=lambda play: (-_worth_of_cards(ruleset, play), play))
    for play in plays[:width]:
        result = make_play(position, play)
        has_opened = position.has_opened or not play.touches_table
        after = Position(ruleset, result.table, result.hand, has_opened)
        yield Turn((*turn.plays, play), turn.points + result.points, after)


def _worth_of_cards(ruleset: Ruleset, play: Play) -> int:
    """What the cards of a play earn before any doubling, or their number if cards do not differ."""
    if ruleset.cards_differ:
        return sum(VALUES[card] for card, _ in play.hand)
    return len(play.hand)


def _plays(position: Position, jokers_to_open: int) -> list[Play]:
    """The plays to try: only one of those that lay the same numbers and the same number of jokers
    in the same way."""
    plays = plays_with_jokers(position, 0)
    limit = JOKERS_ON_TABLE if position.may_use_table else jokers_to_open
    jokers = (position.hand & JOKER_MASK).bit_count()
    for count in range(1, min(jokers, limit) + 1):
        by_way: dict[object, Play] = {}
        for play in plays_with_jokers(position, count):
            numbers = tuple([card for card, _ in play.hand if not is_joker(card)])
            way = numbers, bool(play.lines), bool(play.swaps)
            if way not in by_way or play < by_way[way]:
                by_way[way] = play
        plays += by_way.values()
    return plays
