"""An expert: tries what a sharp player would think of, over deals that fit what it has seen.

It cannot know the other hands and the piles, so it deals what it does not see at random, makes
each of a few turns in that deal, lets players in a hurry finish the round, and looks who won.
The same deals serve all of them, so that luck cancels out. It leaves what a sharp player would
do only for what did better by more than chance. A number of nodes, never time, ends the search.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from typing import Final, NamedTuple

from games.bots import sharp
from games.bots.rollout import hurried
from games.bots.sharp import Choice, Judge
from games.bots.worth import unseen
from games.engine.actions import Action, Discard
from games.engine.cards import cards_in, mask_of
from games.engine.match import apply
from games.engine.round import State, View

NODES: Final = 3000
"""Actions made in imagined rounds before it decides; a round under way is finished."""
CANDIDATES: Final = 4
SAME_PLAYS: Final = 3
"""So many discards after the same plays are tried at most."""
DEALS_AT_ONCE: Final = 8
"""After so many deals, and each time as many more, turns that are surely no better are dropped."""
DOUBT: Final = 1.0
"""By how many standard errors a turn must have done better to be chosen."""
A_POINT: Final = 0.02
"""What a point counts beside the round, which counts 1."""


class Searched(NamedTuple):
    """What was decided, and how many nodes it took."""

    action: Action
    nodes: int


@dataclass
class _Rival:
    """A turn, and how much better (less than 0: worse) than the first one it did in each deal."""

    actions: Sequence[Action]
    better: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float:
        return sum(self.better) / len(self.better)

    @property
    def error(self) -> float:
        mean, deals = self.mean, len(self.better)
        return sqrt(sum((by - mean) ** 2 for by in self.better) / (deals - 1) / deals)


def choose(view: View, seed: int) -> Action:
    """What the bot does; the same for the same view and seed. It must be its turn to act."""
    return searched(view, seed).action


def searched(view: View, seed: int) -> Searched:
    """What the bot does, and what it cost to find out. Only turns are searched: to draw and to
    claim no better than a sharp player could not be found (docs/bots.md)."""
    if view.phase != "play":
        return Searched(sharp.choose(view, seed), 0)
    first, *rest = _candidates(view)
    rivals = [_Rival(actions) for actions in rest]
    random = Random(seed)
    nodes = 0
    while rivals and nodes < NODES:
        for _ in range(DEALS_AT_ONCE):
            nodes += _compared(dealt_like(view, random), view.seat, first, rivals)
        rivals = [rival for rival in rivals if rival.mean + rival.error > 0 < rival.error]
    best = max(rivals, key=lambda rival: rival.mean, default=None)
    beyond_doubt = best is not None and best.mean > DOUBT * best.error
    return Searched((best.actions if best and beyond_doubt else first)[0], nodes)


def _candidates(view: View) -> list[list[Action]]:
    """The turns that a sharp player thinks most of, the best first, as actions."""
    found: list[list[Action]] = []
    with_same_plays: dict[int, int] = {}
    by_worth = sorted(Judge(view).choices(view.position), key=lambda choice: -choice.worth)
    for choice in by_worth:
        tried = with_same_plays.get(choice.turn.after.hand, 0)
        if tried < SAME_PLAYS and len(found) < CANDIDATES:
            with_same_plays[choice.turn.after.hand] = tried + 1
            found.append(list(_actions(choice)))
    return found


def _actions(choice: Choice) -> Iterator[Action]:
    yield from choice.turn.plays
    if choice.discard is not None:
        yield Discard(choice.discard)


def _compared(state: State, seat: int, first: Sequence[Action], rivals: Sequence[_Rival]) -> int:
    """Try all turns in one deal; the nodes that it took."""
    usual, nodes = _played_out(state, first, seat)
    for rival in rivals:
        result, more = _played_out(state, rival.actions, seat)
        rival.better.append(result - usual)
        nodes += more
    return nodes


def _played_out(state: State, actions: Sequence[Action], seat: int) -> tuple[float, int]:
    """What the round comes to for a seat after these actions, and the nodes that it took."""
    nodes = 0
    for action in actions:
        state = apply(state, action)
        nodes += 1
    while state.seat is not None:
        state = apply(state, hurried(state))
        nodes += 1
    sign = -1 if state.ruleset.scoring == "penalty" else 1
    others = [score for other, score in enumerate(state.scores) if other != seat]
    ahead = sign * state.scores[seat] - max(sign * score for score in others)
    return (ahead > 0) + (ahead == 0) / 2 + A_POINT * ahead, nodes


def dealt_like(view: View, random: Random) -> State:
    """A state that looks like this to its seat, with all that it does not see dealt at random."""
    hidden = sorted((random.random(), card) for card in cards_in(unseen(view)))
    cards = iter([card for _, card in hidden])
    hands = tuple(
        mask_of(view.hand if seat == view.seat else _taken(cards, count))
        for seat, count in enumerate(view.counts)
    )
    shown = () if view.open_top is None else (view.open_top,)
    return State(
        ruleset=view.ruleset,
        seed=random.getrandbits(30),
        round=view.round,
        starter=view.starter,
        phase=view.phase,
        turn=view.turn,
        seat=view.to_act,
        hands=hands,
        table=view.table,
        open=(*_taken(cards, view.open_count - len(shown)), *shown),
        closed=tuple(_taken(cards, view.closed_count)),
        scores=view.scores,
        opened=_mask(view.opened),
        turns=view.turns,
        active=True,
        passed=_mask(view.passed),
        plays=view.plays,
        out=tuple(cards),
    )


def _taken(cards: Iterator[int], count: int) -> list[int]:
    return [next(cards) for _ in range(count)]


def _mask(flags: Sequence[bool]) -> int:
    return mask_of(seat for seat, flag in enumerate(flags) if flag)
