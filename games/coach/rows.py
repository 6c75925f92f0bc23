"""All rows that the rules allow, as masks of numbers."""

from functools import lru_cache

from games.engine.cards import NUMBER_MASK, deck, mask_of
from games.engine.play_application import Position
from games.engine.plays import plays_without_jokers
from games.engine.ruleset import Ruleset
from games.engine.sequences import SHORTEST
from games.engine.table import Table


@lru_cache(maxsize=64)
def all_rows(ruleset: Ruleset) -> tuple[int, ...]:
    """The masks of all rows, the lowest first: those that a hand of all numbers could lay."""
    numbers = mask_of(deck(ruleset.highest)) & NUMBER_MASK
    plays = plays_without_jokers(Position(ruleset, Table(), numbers, False))
    return tuple(sorted(mask_of(card for card, _ in play.hand) for play in plays))


@lru_cache(maxsize=64)
def rows_of_three(ruleset: Ruleset) -> tuple[int, ...]:
    """The masks of the shortest rows."""
    return tuple(row for row in all_rows(ruleset) if row.bit_count() == SHORTEST)
