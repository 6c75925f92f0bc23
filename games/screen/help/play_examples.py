"""An example of each kind of play, made by the engine and drawn like the table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from games.engine.cards import Card, mask_of
from games.engine.errors import ActionRefused
from games.engine.layout.table_layout import Layout, layout
from games.engine.play_application import Position, form
from games.engine.ruleset import Ruleset
from games.engine.table import Play, Table
from games.engine.text.notation import parse_play, parse_table
from games.screen.card_drawing import face, table_cards, table_rows
from games.screen.view_models import Face, TableCard, TableRow

PlayKind = Literal["lay", "add", "insert", "cross", "join", "link", "joker", "swap"]

EXAMPLES: Final[dict[PlayKind, tuple[tuple[str, ...], str]]] = {
    "lay": ((), "12 16 20"),
    "add": (("12-16-20",), "24 to 12-16-20"),
    "insert": (("10-20-30",), "15 25 to 10-20-30"),
    "cross": (("10-20-30",), "15 25 across 20"),
    "join": (("3-6-9", "15-18-21"), "12 to 3-6-9 15-18-21"),
    "link": (("19-20-21", "29-30-31"), "25 across 20 30"),
    "joker": ((), "10 a=20 30"),
    "swap": (("10-a=20-30",), "a=40 to 10-a=20-30 swap 20 for a"),
}
"""The lines on the table and the play, in the notation of docs/plays.md."""
OF_A_TABLE: Final[dict[PlayKind, tuple[tuple[str, ...], str]]] = {
    "lay": ((), "{1} {2} {3}"),
    "add": (("{1}-{2}-{3}",), "{4} to {1}-{2}-{3}"),
    "cross": (("10-20-30",), "15 25 across 20"),
    "join": (("{1}-{2}-{3}", "{5}-{6}-{7}"), "{4} to {1}-{2}-{3} {5}-{6}-{7}"),
    "link": (("15-20-25", "35-40-45"), "30 across 20 40"),
    "joker": ((), "{1} a={2} {3}"),
    "swap": (("{1}-a={2}-{3}",), "a={4} to {1}-a={2}-{3} swap {2} for a"),
}
"""Examples for games in which only some times tables count: `{3}` is 3 times the first table."""
SPARE: Final = 47
"""A card that stays in the hand, because in some editions a play may not lay the last card."""


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """The cards and rows of a table."""

    cards: tuple[TableCard, ...]
    rows: tuple[TableRow, ...]

    @property
    def label(self) -> str:
        return "; ".join(row.label for row in self.rows)


@dataclass(frozen=True, slots=True)
class PlayExample:
    """A play: the table before it, the cards from the hand, and the table after it."""

    kind: PlayKind
    before: DrawnTable | None
    hand: tuple[Face, ...]
    after: DrawnTable


def example(kind: PlayKind, ruleset: Ruleset) -> PlayExample:
    """The example of this kind of play. Raises `ActionRefused` if the ruleset does not allow it."""
    tables = ruleset.tables
    if tables is None or kind not in OF_A_TABLE:
        return _example(kind, *EXAMPLES[kind], ruleset)
    lines, text = OF_A_TABLE[kind]
    times = [tables[0] * number for number in range(8)]
    return _example(
        kind, tuple(line.format(*times) for line in lines), text.format(*times), ruleset
    )


def _example(kind: PlayKind, lines: tuple[str, ...], text: str, ruleset: Ruleset) -> PlayExample:
    table, play = parse_table(lines, ruleset), parse_play(text, ruleset)
    if any(line.mask not in ruleset.sequences.rows for line in table.lines):
        raise ActionRefused("not-a-sequence", "a row of the table is none")
    own = _own(play)
    position = Position(ruleset, table, mask_of((*own, SPARE)), opened=True)
    lies = layout(table, Layout())
    formed = form(position, play)
    return PlayExample(
        kind,
        _drawn(table, lies, ruleset) if lines else None,
        tuple(face(card, ruleset) for card in own),
        _drawn(formed.table, layout(formed.table, lies), ruleset, new=_laid(play)),
    )


def table_after_play(lines: Sequence[str], text: str, ruleset: Ruleset) -> DrawnTable:
    """The table after a play; the lines before it and the play are given as text. Raises
    `ActionRefused` if the ruleset does not allow the play."""
    table, play = parse_table(lines, ruleset), parse_play(text, ruleset)
    position = Position(ruleset, table, mask_of((*_own(play), SPARE)), opened=True)
    formed = form(position, play)
    lies = layout(formed.table, layout(table, Layout()))
    return _drawn(formed.table, lies, ruleset, new=_laid(play))


def _own(play: Play) -> list[Card]:
    """The cards that a play takes from the hand, including those put in for a joker."""
    taken = {swap.card for swap in play.swaps}
    own = [laid.card for laid in play.hand if laid.card not in taken]
    return sorted([*own, *(swap.number for swap in play.swaps)])


def _laid(play: Play) -> set[int]:
    return {laid.number for laid in play.hand} | {swap.number for swap in play.swaps}


def _drawn(
    table: Table, lies: Layout, ruleset: Ruleset, new: Sequence[int] | set[int] = ()
) -> DrawnTable:
    marked = dict.fromkeys(new, (1, 0))
    cards: list[TableCard] = []
    rows: list[TableRow] = []
    right = 0
    for island in lies.islands:
        cards += table_cards(table, island, ruleset, new=marked, right=right)
        rows += table_rows(table, island, ruleset, right=right)
        right += island.columns + 1
    return DrawnTable(tuple(cards), tuple(rows))
