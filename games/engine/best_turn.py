"""The most that the plays of one turn can earn together."""

from dataclasses import replace

from .cards import VALUES, cards_in, is_joker
from .forming import Position, form
from .plays import legal_plays


def best_points(position: Position) -> int:
    """The most points of any sequence of plays, exact: no draw, discard or round end counted."""
    return _Search().best(position)


class _Search:
    """Depth first, with what was found for a position kept: plays in another order meet again."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, bool, frozenset[object]], int] = {}

    def best(self, position: Position) -> int:
        key = (position.hand, position.opened, frozenset(position.table.lines))
        if key in self._known:
            return self._known[key]
        most = 0
        made = [form(position, play) for play in legal_plays(position)]
        made.sort(key=lambda formed: -formed.points)
        for formed in made:
            after = replace(
                position,
                table=formed.table,
                hand=formed.hand,
                opened=position.opened or not formed.play.touches_table,
            )
            if formed.points + _at_most(after) > most:
                most = max(most, formed.points + self.best(after))
        self._known[key] = most
        return most


def _at_most(position: Position) -> int:
    """No turn earns more than every card of the hand, doubled; a joker swapped for one of
    them earns what a joker earns."""
    ruleset = position.ruleset
    if ruleset.earning == "nothing":
        return 0
    cards = list(cards_in(position.hand))
    if ruleset.earning == "one":
        worth = [1] * len(cards)
    else:
        worth = [0 if is_joker(card) else VALUES[card] for card in cards]
    if not ruleset.may_empty_hand and worth:
        worth.remove(min(worth))
    return (2 if ruleset.doubling else 1) * sum(worth)
