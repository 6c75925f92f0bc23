"""An expert: it estimates how likely it is to win, and looks ahead one turn of every player.

It has learned from many rounds how good a turn is (`outlook.py`). It tries the most promising turns
in the same imagined deals, which fit all that it has seen, until it has drawn again. So it takes
into account what others can do with the cards that it lays and discards, and what it can do next.
It never sees a hidden card. The search ends after a number of nodes, never after a time.

If rows come slowly, it works out before it draws what each card that may come would be worth. If
they come quickly, others claim nearly every open card. Then it draws like a sharp player, and
searches more turns, because often one of them ends the round.
"""

from collections.abc import Mapping, Sequence
from random import Random
from statistics import fmean
from typing import Final, NamedTuple

from games.bots import sharp
from games.bots.imagined import ImaginedRound, chance, dealt_like
from games.bots.outlook import CARE, SURE, Care, Outlook, Pace, pace_of
from games.bots.sharp import TurnChoice
from games.bots.turns import with_card
from games.engine.actions import Action
from games.engine.cards import Card, cards_in, is_joker
from games.engine.round import TO_TAKE, View

NODES: Final = 120
"""It decides after it has found the best turn of this many positions; but it finishes a deal that
it has begun."""
CANDIDATES: Final = 3
BEHIND: Final = 0.5
"""Turns are not tried if their log odds are this much lower than the best."""
DEALS_OF_OUTLOOK: Final = 12
"""The outlook's chance for a turn counts as much as this many deals."""
CARDS_TRIED: Final = 12
"""The number of cards tried of those that may lie on top of the closed pile."""
CARES: Final[Mapping[Pace, Care]] = {"slow": CARE, "quick": Care(turns=200, judged=24, wide=12)}
"""If rows come quickly, a hand has many more turns, and some of them end the round."""


class SearchResult(NamedTuple):
    """The chosen action, and the number of nodes that the search took."""

    action: Action
    nodes: int


def choose(view: View, seed: int) -> Action:
    """What the bot does; it depends only on the view and the seed. The bot must be the one to
    act."""
    return searched(view, seed).action


def searched(view: View, seed: int) -> SearchResult:
    """What the bot does, and the number of nodes that the search took."""
    pace = pace_of(view.ruleset, len(view.counts))
    if view.phase == "play":
        return _turn(view, CARES[pace], Random(seed))
    cards = view.open_cards
    if view.phase in TO_TAKE and pace == "slow" and cards and not any(map(is_joker, cards)):
        return _draw(view, Random(seed))
    return SearchResult(sharp.choose(view, seed), 0)


def _draw(view: View, random: Random) -> SearchResult:
    """Take the open card that promises most, if it promises more than the mean of the cards that
    may lie on top of the closed pile; otherwise draw from the pile."""
    outlook, position = Outlook(view), view.position
    hidden = sorted((random.random(), other) for other in cards_in(outlook.unseen))
    tried = [other for _, other in hidden[:CARDS_TRIED]]

    def promise(card: Card) -> float:
        return chance(outlook.best(with_card(position, card)).worth)

    promised = {card: promise(card) for card in view.open_cards}
    best = max(promised, key=promised.__getitem__)
    wanted = not tried or promised[best] > fmean(map(promise, tried))
    return SearchResult(view.taking(best if wanted else None), len(promised) + len(tried))


def _turn(view: View, care: Care, random: Random) -> SearchResult:
    rivals = _candidates(view, care)
    nodes = 1
    chances: list[list[float]] = [[] for _ in rivals]
    while len(rivals) > 1 and nodes < NODES:
        deal = dealt_like(view, random)
        for choice, outcomes in zip(rivals, chances, strict=True):
            round_ = ImaginedRound(deal, view.seat)
            outcomes.append(round_.chance_after(choice))
            nodes += round_.nodes
    best, _ = max(zip(rivals, chances, strict=True), key=lambda tried: _judged(*tried))
    return SearchResult(best.first, nodes)


def _judged(choice: TurnChoice, outcomes: Sequence[float]) -> float:
    """The chance that a turn wins, by the outlook and by the deals in which it was tried."""
    prior = DEALS_OF_OUTLOOK * chance(choice.worth)
    return (sum(outcomes) + prior) / (len(outcomes) + DEALS_OF_OUTLOOK)


def _candidates(view: View, care: Care) -> Sequence[TurnChoice]:
    """The most promising turns, the best first; only the best one if it wins the round."""
    choices = Outlook(view).choices(view.position, care=care)
    ranked = sorted(choices, key=lambda choice: -choice.worth)
    if ranked[0].worth >= SURE:
        return ranked[:1]
    return [choice for choice in ranked[:CANDIDATES] if choice.worth > ranked[0].worth - BEHIND]
