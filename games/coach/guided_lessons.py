"""Guided first rounds: three prepared deals for each edition, one for each step of learning it.

In the first step a player takes, lays, adds and puts down. In the second, a row crosses another
one, and in editions with cards its points are doubled. In the third, a joker helps, and the cards
left at the end count.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from games.coach.times_tables import FIRST_TABLES
from games.engine.cards import Card, deck, is_joker
from games.engine.round import TO_TAKE, View
from games.engine.ruleset import Ruleset, edition
from games.engine.table import Play
from games.engine.text.notation import parse_cards, parse_play

SEATS: Final = 2
STEPS: Final = 3


@dataclass(frozen=True, slots=True)
class _Plan:
    """One guided round. No other card that comes before the last of `taken` is in a row of its
    tables."""

    hand: str  # the player's cards
    taken: str  # the cards that they take, turn by turn
    plays: tuple[str, ...]  # the plays that they should make, in order, as text


_LAY: Final = _Plan("10 30 43 37", "20 40", ("10 20 30", "40 to 10-20-30"))
_POINTS: Final = _Plan("15 25 40 43 37", "20 30", ("15 20 25", "30 40 across 20"))
_WITH_SEVEN: Final = _Plan(
    "10 30 15 a 43 37 33",
    "20 40 25",
    ("10 20 30", "40 to 10-20-30", "15 25 across 20", "a=50 to 10-20-30-40"),
)
_WITH_NINE: Final = _Plan(
    "10 30 15 2 4 a 43 37 33",
    "20 40 25",
    ("10 20 30", "40 to 10-20-30", "15 25 across 20", "2 4 a=6"),
)
_LAY_BLOCKS: Final = _Plan("10 30 43", "20 37 40 50", ("10 20 30", "40 50 to 10-20-30"))
_CROSS_BLOCKS: Final = _Plan(
    "10 30 15 43", "20 37 25 40", ("10 20 30", "15 25 across 20", "40 to 10-20-30")
)
_PLANS: Final = {
    "simplified": (_LAY, _POINTS, _WITH_SEVEN),
    "simplified-2010": (_LAY, _POINTS, _WITH_SEVEN),
    "classic": (_LAY, _POINTS, _WITH_NINE),
    "advanced": (_LAY, _POINTS, _WITH_NINE),
    "blocks": (
        _LAY_BLOCKS,
        _CROSS_BLOCKS,
        _Plan(
            "10 30 15 2 4 a 43 37 33",
            "20 44 40 25 46 48",
            ("10 20 30", "40 to 10-20-30", "15 25 across 20", "44 46 48", "2 4 a=6"),
        ),
    ),
    "blocks-simple": (
        _LAY_BLOCKS,
        _CROSS_BLOCKS,
        _Plan(
            "10 30 15 a 43",
            "20 37 25 50",
            ("10 20 30", "15 25 across 20", "a=40 to 10-20-30", "50 to 10-20-30-a=40"),
        ),
    ),
}


def lesson_ruleset(name: str, step: int = 1, like: Ruleset | None = None) -> Ruleset:
    """The ruleset of a step of learning an edition; what it says about rows, colours and the end of
    a round fits a game of that edition (`like`). Each step has a hand of another size. Raises
    `RulesetError` for an unknown edition."""
    whole = edition(name, tables=FIRST_TABLES, offers=False, rounds=1)
    if like is not None:
        whole = replace(whole, doubling=like.doubling, piles=like.piles and 1)
        if like.tables is None and 0 in (like.counts_back_to or (0,)):
            whole = replace(whole, tables=None, counts_back_to=like.counts_back_to)
    return replace(whole, hand_of_two=len(_PLANS[name][step - 1].hand.split()))


def lesson_step(ruleset: Ruleset) -> int:
    """The step of a guided round, from 1, by the size of its hands."""
    sizes = [len(plan.hand.split()) for plan in _PLANS[ruleset.edition]]
    return sizes.index(ruleset.hand_of_two) + 1


def lesson_deck(ruleset: Ruleset) -> tuple[Card, ...]:
    """The whole deck in its prepared order. The player sits in seat 0 and begins."""
    plan = _plan(ruleset)
    hand, taken = _cards(plan.hand, ruleset), _cards(plan.taken, ruleset)
    rest = [card for card in deck(ruleset.highest) if card not in (*hand, *taken)]
    odd = [card for card in rest if card % 2 and card % 5 and card <= ruleset.highest]
    others = iter(odd)
    bots = [next(others) for _ in hand]
    on_top = [] if ruleset.with_pot else [next(others)]
    pile = _pile(taken, others, _at_once(ruleset))
    used = {*hand, *bots, *on_top, *pile}
    left = [card for card in rest if card not in used]
    jokers = [card for card in left if is_joker(card)]
    numbers = sorted((card for card in left if not is_joker(card)), key=_helps)
    left = [*jokers[:2], *numbers[:6], *jokers[2:], *numbers[6:]]
    return (*hand, *bots, *on_top, *pile, *left)


def planned(ruleset: Ruleset) -> Iterator[Play]:
    """The plays that the player should make, in order."""
    for text in _plan(ruleset).plays:
        yield parse_play(text, ruleset)


def to_come(view: View) -> tuple[Card, ...]:
    """The prepared cards that the player has yet to take. Empty if somebody has taken a card in
    another way than prepared, because the next prepared cards may then go to the bot."""
    ruleset, at_once = view.ruleset, _at_once(view.ruleset)
    taken = _cards(_plan(ruleset).taken, ruleset)
    dealt = SEATS * ruleset.hand_of_two + (not ruleset.with_pot)
    gone = len(deck(ruleset.highest)) - dealt - view.closed_count
    own = (gone + at_once) // (2 * at_once) * at_once
    as_prepared = gone % at_once == 0 and _takes_as_prepared(view, gone // at_once)
    return tuple(taken[own:]) if as_prepared else ()


def _takes_as_prepared(view: View, takes: int) -> bool:
    """Whether the player and the bot have taken from the pile in each of their turns."""
    has_taken = view.phase not in TO_TAKE and view.turn == view.seat
    other = 1 - view.seat
    return takes == view.turns[view.seat] + view.turns[other] + has_taken


def _helps(card: Card) -> int:
    """The key that sorts the remaining cards for a player who has not followed the plan: those that
    fit the most rows come first."""
    return next((at for at, table in enumerate((10, 5, 2)) if card % table == 0), 3)


def _plan(ruleset: Ruleset) -> _Plan:
    return _PLANS[ruleset.edition][lesson_step(ruleset) - 1]


def _at_once(ruleset: Ruleset) -> int:
    """How many cards a player takes at the beginning of a turn."""
    return 2 if ruleset.with_pot else 1


def _cards(text: str, ruleset: Ruleset) -> tuple[Card, ...]:
    return tuple(parse_cards(text.split(), ruleset))


def _pile(taken: Sequence[Card], others: Iterator[Card], at_once: int) -> list[Card]:
    """The closed pile, top first: by turns the cards for the player and for the bot."""
    pile: list[Card] = []
    for first in range(0, len(taken), at_once):
        pile += taken[first : first + at_once]
        pile += [next(others) for _ in range(at_once)]
    return pile
