"""What one play forms and earns, and why it may be refused (rules 3.3–3.5, 4)."""

from collections.abc import Sequence
from typing import NamedTuple

from games.engine.cards import COLOURS, LaidCard, card_text, is_joker, mask_of
from games.engine.errors import ActionRefused
from games.engine.ruleset import Ruleset
from games.engine.sequences import SHORTEST
from games.engine.table import Line, Play, Table


class Position(NamedTuple):
    """Everything that decides which plays are legal. `hand` is a mask of cards."""

    ruleset: Ruleset
    table: Table
    hand: int
    has_opened: bool

    @property
    def may_use_table(self) -> bool:
        """Whether a play may use the table, and not only lay a row from the hand (3.4)."""
        return self.has_opened or not self.ruleset.opening


class PlayResult(NamedTuple):
    play: Play
    line: Line
    table: Table
    hand: int
    points: int


def make_play(position: Position, play: Play) -> PlayResult:
    """Make the play. Raises `ActionRefused` with the first reason that applies (docs/rules.md)."""
    if not play.is_well_formed:
        raise ActionRefused("bad-text", str(play))
    ruleset, table, hand, _ = position
    _check_in_hand(hand, play)
    if play.touches_table and not _surely_may_take(position, play):
        play = _with_joker_numbers(table, play)
        _check_taken(position, play)
    table_after, line = table.with_play(play)
    _check_line(ruleset, play, line)
    hand_left = hand_after(hand, play)
    if not hand_left and not ruleset.may_empty_hand:
        raise ActionRefused("must-keep-a-card")
    return PlayResult(play, line, table_after, hand_left, points(ruleset, play.hand, line))


def hand_after(hand: int, play: Play) -> int:
    """The hand after a play: a joker swapped in is laid in the same play (3.5)."""
    for joker, number in play.swaps:
        hand = hand & ~(1 << number) | 1 << joker
    for card, _ in play.hand:
        hand &= ~(1 << card)
    return hand


def points(ruleset: Ruleset, hand: Sequence[LaidCard], line: Line) -> int:
    """The points of a play: those of its hand cards, doubled if the colours of the whole line
    double them (4.1–4.3).

    A joker swapped in earns what any joker earns; the card put in for it earns nothing (3.5).
    """
    earned = ruleset.points_of([card for card, _ in hand])
    return 2 * earned if is_doubled(ruleset, line) else earned


def is_doubled(ruleset: Ruleset, line: Line) -> bool:
    """Whether the colours of a line double its points (4.3)."""
    kinds = len({COLOURS[card] for card, _ in line.cards})
    return (kinds == 1 and "same" in ruleset.doubling) or (
        kinds == len(line.cards) and "different" in ruleset.doubling
    )


def _check_in_hand(hand: int, play: Play) -> None:
    """Raise `ActionRefused` unless the hand has all cards that are laid or put in. A joker that is
    swapped in counts as a hand card."""
    cards = mask_of([card for card, _ in play.hand])
    for joker, number in play.swaps:
        cards = (cards & ~(1 << joker)) | 1 << number
    if lacking := cards & ~hand:
        raise ActionRefused("not-in-hand", card_text(lacking.bit_length() - 1))


def _surely_may_take(position: Position, play: Play) -> bool:
    """Whether the play certainly takes only what it may take. If False, as for every swap and every
    joker without its number, the ordered checks must decide; they take three times as long."""
    if play.swaps or not position.may_use_table:
        return False
    takeable = position.table.takeable
    islands = [bit for line, bit in takeable.lines if line in play.lines]
    if len(islands) < len(play.lines):
        return False
    for crossed in play.across:
        crossable = takeable.crossable_cards.get(crossed.card)
        if crossable is None or crossable[0] != crossed:
            return False
        islands.append(crossable[1])
    return len(islands) < 2 or len(set(islands)) == len(islands)


def _with_joker_numbers(table: Table, play: Play) -> Play:
    """The play with the numbers of the jokers that it crosses. Raises `ActionRefused` if it takes
    something that is not on the table."""
    for line in play.lines:
        if line not in table.lines:
            raise ActionRefused("not-on-table", str(line))
    across = []
    for card, number in play.across:
        laid_card = table.laid_cards.get(card)
        if laid_card is None or number not in (0, laid_card.number):
            raise ActionRefused("not-on-table", card_text(card))
        across.append(laid_card)
    for joker, _ in play.swaps:
        if joker not in table.laid_cards:
            raise ActionRefused("not-on-table", card_text(joker))
    return Play.of(play.hand, play.lines, across, play.swaps)


def _check_taken(position: Position, play: Play) -> None:
    """Raise `ActionRefused` for the first thing that the play may not take (docs/rules.md)."""
    if not position.may_use_table:
        raise ActionRefused("not-opened")
    table = position.table
    for joker, number in play.swaps:
        if table.laid_cards[joker].number != number:
            raise ActionRefused("swap-mismatch", card_text(joker))
    for joker, _ in play.swaps:
        if all(card != joker for card, _ in play.hand):
            raise ActionRefused("joker-not-laid", card_text(joker))
    indices = [table.lines.index(line) for line in play.lines]
    islands = [table.island_of[index] for index in indices]
    for card, _ in play.across:
        lines = table.lines_at[card]
        if len(lines) > 1 or lines[0] in indices:
            raise ActionRefused("already-crossed", card_text(card))
        islands.append(table.island_of[lines[0]])
    if len(islands) > 1 and len(set(islands)) < len(islands):
        raise ActionRefused("same-island")


def _check_line(ruleset: Ruleset, play: Play, line: Line) -> None:
    if line.mask in ruleset.sequences.rows and line.mask.bit_count() == len(line.cards):
        return
    for card, number in play.hand:
        if is_joker(card) and not 1 <= number <= ruleset.highest:
            raise ActionRefused("out-of-range", str(number))
    raise ActionRefused("too-short" if len(line.cards) < SHORTEST else "not-a-sequence")
