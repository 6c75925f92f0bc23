"""An expert: it estimates how likely it is to win (`outlook`), and tries the most promising turns
in imagined deals that fit what it has seen, up to its own next draw (docs/bots.md). The search ends
after a number of nodes, never after a time."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from statistics import fmean
from typing import Final, NamedTuple

from games.bots import sharp
from games.bots.outlook import CARE, LOG_ODDS_OF_WIN, Care, Outlook, RowPace, pace_of
from games.bots.sharp import TurnChoice
from games.bots.turns import with_card
from games.bots.worth import unseen_cards
from games.coach.mastery import logistic
from games.engine.actions import Action, Discard, Pass
from games.engine.cards import Card, cards_in, is_joker, mask_of
from games.engine.match import apply
from games.engine.round import DRAW_PHASES, State
from games.engine.view import View, view

WORTH_OF_CLOSED_CARD: Final = 0.25
"""The worth of a card of the closed pile, in log odds."""
HASTY_CARE: Final = Care(turns=10, judged=4, jokers=1)
"""The care with which turns are chosen in imagined rounds: less than in real ones."""


class ImaginedRound:
    """One way in which the round may go on."""

    def __init__(self, state: State, seat: int) -> None:
        self.state = state
        self.seat = seat
        self.nodes = 1  # plus the number of positions whose best turn was searched

    def chance_after(self, choice: TurnChoice) -> float:
        """The chance of winning that the seat sees after this choice, one turn of each other player
        and its own next draw; 0, ½ or 1 if the round has ended by then."""
        before = self.state.scores if self.state.round > 1 else (0,) * self.state.seat_count
        self._make(choice)
        while (next_choice := self._turn_after_draw()) and self.state.turn != self.seat:
            self._make(next_choice)
        if next_choice:
            return logistic(next_choice.worth)
        gain = self.state.ruleset.gain
        gains = [gain(new - old) for new, old in zip(self.state.scores, before, strict=True)]
        best = max(gain for seat, gain in enumerate(gains) if seat != self.seat)
        return (gains[self.seat] > best) / 2 + (gains[self.seat] >= best) / 2

    def _make(self, choice: TurnChoice) -> None:
        for play in choice.turn.plays:
            self.state = apply(self.state, play)
        if choice.discard is not None and self.state.phase == "play":
            self.state = apply(self.state, Discard(choice.discard))

    def _turn_after_draw(self) -> TurnChoice | None:
        """Let the next seat draw, and return the turn that it then chooses, or None if the round is
        over."""
        while (seat := self.state.to_act) is not None:
            match self.state.phase:
                case "play":
                    self.nodes += 1
                    return self._outlook(seat).best(self.state.position(seat), care=HASTY_CARE)
                case "draw" | "redraw" | "knock":
                    card = self._wanted_card(seat)
                    self.state = apply(self.state, view(self.state, seat).action_to_take(card))
                case _:
                    self.state = apply(self.state, Pass())
        return None

    def _wanted_card(self, seat: int) -> Card | None:
        """The open card that promises most, if it promises more than a card of the closed pile."""
        cards = (*self.state.open_pile[-1:], *self.state.market)
        if not cards or any(map(is_joker, cards)):
            return max(cards, default=None)
        self.nodes += 1 + len(cards)
        outlook = self._outlook(seat)
        position = self.state.position(seat)
        least = outlook.best(position, with_discard=False, care=HASTY_CARE).worth
        worth = {c: outlook.best(with_card(position, c), care=HASTY_CARE).worth for c in cards}
        best = max(cards, key=worth.__getitem__)
        return best if worth[best] > least + WORTH_OF_CLOSED_CARD else None

    def _outlook(self, seat: int) -> Outlook:
        return Outlook(view(self.state, seat))


def imagined_state(view: View, random: Random) -> State:
    """A state in which the seat has this view. The cards that it does not see are dealt at
    random."""
    shuffled_cards = sorted((random.random(), card) for card in cards_in(unseen_cards(view)))
    cards = iter([card for _, card in shuffled_cards])
    hands = tuple(
        mask_of(view.hand if seat == view.seat else _take(cards, count))
        for seat, count in enumerate(view.hand_sizes)
    )
    open_pile = () if view.open_top is None else (view.open_top,)
    return State(
        ruleset=view.ruleset,
        seed=random.getrandbits(30),
        round=view.round,
        starter=view.starter,
        phase=view.phase,
        turn=view.turn,
        to_act=view.to_act,
        hands=hands,
        table=view.table,
        open_pile=(*_take(cards, view.open_count - len(open_pile)), *open_pile),
        closed_pile=tuple(_take(cards, view.closed_count)),
        scores=view.scores,
        opened_mask=_mask(view.opened),
        turns=view.turns,
        turns_without_play=tuple(
            view.turns_without_play if seat == view.seat else 0 for seat in range(len(view.turns))
        ),
        has_acted=True,
        passed_mask=_mask(view.passed),
        play_count=view.play_count,
        removed_cards=tuple(cards),
        market=view.market,
    )


def _take(cards: Iterator[int], count: int) -> list[int]:
    return [next(cards) for _ in range(count)]


def _mask(flags: Sequence[bool]) -> int:
    return mask_of(seat for seat, flag in enumerate(flags) if flag)


NODES: Final = 120
"""It begins no further deal after it has found the best turn of this many positions."""
CANDIDATES: Final = 3
MOST_BEHIND: Final = 0.5
"""A turn is not tried if its log odds are this much lower than those of the best."""
DEALS_OF_OUTLOOK: Final = 12
"""The outlook's chance for a turn counts as much as this many deals."""
CARDS_TRIED: Final = 12
"""How many of the cards that may lie on top of the closed pile are tried."""
CARE_OF_PACE: Final[Mapping[RowPace, Care]] = {
    "slow": CARE,
    "quick": Care(turns=200, judged=24, width=12),
}
"""If rows come quickly, a hand has many more turns, and some of them end the round."""


class SearchResult(NamedTuple):
    action: Action
    nodes: int


def choose(view: View, seed: int) -> Action:
    return search(view, seed).action


def search(view: View, seed: int) -> SearchResult:
    pace = pace_of(view.ruleset, len(view.hand_sizes))
    if view.phase == "play":
        return _turn(view, CARE_OF_PACE[pace], Random(seed))
    cards = view.open_cards
    if view.phase in DRAW_PHASES and pace == "slow" and cards and not any(map(is_joker, cards)):
        return _draw(view, Random(seed))
    return SearchResult(sharp.choose(view, seed), 0)


def _draw(view: View, random: Random) -> SearchResult:
    """Take the open card that promises most, if it promises more than the mean of the cards that
    may lie on top of the closed pile; otherwise draw from the pile."""
    outlook = Outlook(view)
    position = view.position
    shuffled_cards = sorted((random.random(), card) for card in cards_in(outlook.unseen))
    sample = [card for _, card in shuffled_cards[:CARDS_TRIED]]

    def promise(card: Card) -> float:
        return logistic(outlook.best(with_card(position, card)).worth)

    promises = {card: promise(card) for card in view.open_cards}
    best = max(promises, key=promises.__getitem__)
    takes_open = not sample or promises[best] > fmean(map(promise, sample))
    action = view.action_to_take(best if takes_open else None)
    return SearchResult(action, len(promises) + len(sample))


def _turn(view: View, care: Care, random: Random) -> SearchResult:
    rivals = _candidates(view, care)
    nodes = 1
    chances: list[list[float]] = [[] for _ in rivals]
    while len(rivals) > 1 and nodes < NODES:
        deal = imagined_state(view, random)
        for choice, outcomes in zip(rivals, chances, strict=True):
            imagined = ImaginedRound(deal, view.seat)
            outcomes.append(imagined.chance_after(choice))
            nodes += imagined.nodes
    best, _ = max(zip(rivals, chances, strict=True), key=lambda pair: _chance_of_turn(*pair))
    return SearchResult(best.first_action, nodes)


def _chance_of_turn(choice: TurnChoice, outcomes: Sequence[float]) -> float:
    """The chance that a turn wins, from the outlook and the deals in which it was tried."""
    prior = DEALS_OF_OUTLOOK * logistic(choice.worth)
    return (sum(outcomes) + prior) / (len(outcomes) + DEALS_OF_OUTLOOK)


def _candidates(view: View, care: Care) -> Sequence[TurnChoice]:
    """The most promising turns, the best first, or only the best one if it wins the round."""
    choices = Outlook(view).choices(view.position, care=care)
    ranked = sorted(choices, key=lambda choice: -choice.worth)
    if ranked[0].worth >= LOG_ODDS_OF_WIN:
        return ranked[:1]
    return [
        choice for choice in ranked[:CANDIDATES] if choice.worth > ranked[0].worth - MOST_BEHIND
    ]
