"""A guided first round: a prepared deal for each edition, and what to do next in it.

The deal lets a player lay, add, cross and use a joker one after the other, and then go out. The
advice follows from the cards on the table, so a player who does something else still gets some.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from games.coach.hints import LAST_STEP, hint
from games.coach.times_tables import FIRST_TABLES
from games.engine.cards import Card, deck
from games.engine.errors import Refused
from games.engine.play_application import form
from games.engine.round import View
from games.engine.ruleset import Ruleset, edition
from games.engine.table import Play
from games.engine.text.notation import parse_cards, parse_play

SEATS: Final = 2
PLANNED_TURNS: Final = 3

AdviceKind = Literal["take", "play", "put down", "answer", "wait"]


@dataclass(frozen=True, slots=True)
class _Plan:
    """`hand`: the player's cards; `taken`: the cards that it takes, turn by turn; `plays`: what it
    should lay, in order, as text. All other cards dealt or taken are in no row of these tables."""

    hand: str
    taken: str
    plays: tuple[str, ...]


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
_PLANS: Final = {
    "simplified": _WITH_SEVEN,
    "simplified-2010": _WITH_SEVEN,
    "classic": _WITH_NINE,
    "advanced": _WITH_NINE,
    "blocks": _Plan(
        "10 30 15 2 4 a 43 37 33",
        "20 44 40 25 46 48",
        ("10 20 30", "40 to 10-20-30", "15 25 across 20", "44 46 48", "2 4 a=6"),
    ),
    "blocks-simple": _Plan(
        "10 30 15 a 43",
        "20 37 25 50",
        ("10 20 30", "15 25 across 20", "a=40 to 10-20-30", "50 to 10-20-30-a=40"),
    ),
}


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do next: lay `play`, or put `card` down. `cards`: the hand cards for it."""

    kind: AdviceKind
    play: Play | None = None
    card: Card | None = None

    @property
    def cards(self) -> tuple[Card, ...]:
        if self.play is not None:
            return tuple(laid.card for laid in self.play.hand)
        return () if self.card is None else (self.card,)


def lesson_ruleset(name: str) -> Ruleset:
    """The ruleset of an edition's guided round. Raises `RulesetError` for an unknown edition."""
    return edition(name, tables=FIRST_TABLES, offers=False, rounds=1)


def lesson_deck(ruleset: Ruleset) -> tuple[Card, ...]:
    """The whole deck in its prepared order; the player sits in seat 0 and begins."""
    plan = _PLANS[ruleset.edition]
    hand, taken = _cards(plan.hand, ruleset), _cards(plan.taken, ruleset)
    rest = [card for card in deck(ruleset.highest) if card not in (*hand, *taken)]
    odd = [card for card in rest if card % 2 and card % 5 and card <= ruleset.highest]
    others = iter(odd)
    bots = [next(others) for _ in hand]
    on_top = [] if ruleset.with_pot else [next(others)]
    pile = _pile(taken, others, 2 if ruleset.with_pot else 1)
    used = {*hand, *bots, *on_top, *pile}
    return (*hand, *bots, *on_top, *pile, *(card for card in rest if card not in used))


def advice(view: View) -> Advice:
    """The best thing to do next in this lesson."""
    if not view.may_act:
        return Advice("wait")
    if view.phase in ("draw", "redraw"):
        return Advice("take")
    if view.phase in ("offer", "knock"):
        return Advice("answer")
    plans = list(_planned(view.ruleset))
    play = _next(view, plans)
    kept = {laid.card for play in plans for laid in play.hand}
    spare = [card for card in view.hand if card not in kept]
    if play is None:
        play = _hinted_play(view, kept if spare else set())
    if play is not None:
        return Advice("play", play)
    return Advice("put down", card=max(spare or view.hand))


def _cards(text: str, ruleset: Ruleset) -> tuple[Card, ...]:
    return tuple(parse_cards(text.split(), ruleset))


def _pile(taken: Sequence[Card], others: Iterator[Card], at_once: int) -> list[Card]:
    """The closed pile, top first: the player's cards of a turn, then the bot's, and so on."""
    pile: list[Card] = []
    for first in range(0, len(taken), at_once):
        pile += taken[first : first + at_once]
        pile += [next(others) for _ in range(at_once)]
    return pile


def _planned(ruleset: Ruleset) -> Iterator[Play]:
    for text in _PLANS[ruleset.edition].plays:
        yield parse_play(text, ruleset)


def _next(view: View, plans: Sequence[Play]) -> Play | None:
    """The first planned play that is still to be made, if it is legal now. A player who is not
    done after all planned turns has gone another way: then any legal play of the plan."""
    to_do = [play for play in plans if any(laid.card in view.hand for laid in play.hand)]
    if view.turns[view.seat] < PLANNED_TURNS:
        to_do = to_do[:1]
    return next((play for play in to_do if _is_legal(view, play)), None)


def _is_legal(view: View, play: Play) -> bool:
    try:
        form(view.position, play)
    except Refused:
        return False
    return True


def _hinted_play(view: View, kept: Collection[Card]) -> Play | None:
    """The play that a hint would show, for a player who has gone another way; None if it takes a
    card that the lesson still needs."""
    play = hint(view.position, LAST_STEP).play
    if play is None or any(laid.card in kept for laid in play.hand):
        return None
    return play
