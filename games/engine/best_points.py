"""The most points that the plays of one turn can earn together (rules 4)."""

from games.engine.cards import JOKER_MASK, NUMBER_MASK, cards_in
from games.engine.play_application import Position, hand_after, points
from games.engine.plays import legal_plays
from games.engine.table import Line


def best_points(position: Position) -> int:
    """The most points that the plays of one turn can earn together. The result is exact, but leaves
    out the points that draws, discards and the end of the round may bring."""
    return _Search(position).best(position) if position.ruleset.rows_earn else 0


class _Search:
    """A depth-first search that tries the plays with the most points first and cuts branches that
    cannot earn more. It remembers the result of each position, because the same plays in another
    order lead to the same position."""

    def __init__(self, position: Position) -> None:
        self._known: dict[tuple[int, bool, frozenset[Line]], int] = {}
        self._ruleset = position.ruleset
        self._layable = _layable(position)

    def best(self, position: Position) -> int:
        key = (position.hand, position.has_opened, frozenset(position.table.lines))
        best = self._known.get(key)
        if best is None:
            best = self._known[key] = self._search(position)
        return best

    def _search(self, position: Position) -> int:
        ruleset, table = self._ruleset, position.table
        plays = [
            (points(ruleset, play.hand, table.line_of(play)), play)
            for play in legal_plays(position)
        ]
        plays.sort(key=lambda entry: (-entry[0], str(entry[1])))
        best = 0
        for earned, play in plays:
            hand = hand_after(position.hand, play)
            if earned + self._bound(hand) <= best:
                continue
            has_opened = position.has_opened or not play.touches_table
            next_position = Position(ruleset, table.with_play(play)[0], hand, has_opened)
            best = max(best, earned + self.best(next_position))
        return best

    def _bound(self, hand: int) -> int:
        """An upper bound of the points: those of all hand cards that can be laid at all, doubled if
        the rules double any. A swap never earns more, because it lays a joker instead of a card."""
        ruleset, cards = self._ruleset, cards_in(hand & self._layable)
        earned = ruleset.earned(cards)
        if cards and not ruleset.may_empty_hand and not hand & ~self._layable:
            earned -= min(ruleset.earned([card]) for card in cards)
        return (2 if ruleset.doubling else 1) * earned


def _layable(position: Position) -> int:
    """The mask of the hand cards that a play of this turn may use: jokers, numbers that can be
    swapped for a joker, and numbers of a row of three. The hand and the table together must have
    all numbers of that row, or jokers for those that are missing.

    Plays only move numbers from the hand to the table, so the mask holds for the whole turn.
    """
    table = position.table
    swappable = [joker for joker in table.takeable.jokers if position.hand >> joker.number & 1]
    jokers = (position.hand & JOKER_MASK).bit_count() + len(swappable)
    available = position.hand & NUMBER_MASK | table.takeable.numbers
    layable = position.hand & JOKER_MASK
    for joker in swappable:
        layable |= 1 << joker.number
    for row in position.ruleset.sequences.threes:
        if (row & ~available).bit_count() <= jokers:
            layable |= row & position.hand
    return layable
