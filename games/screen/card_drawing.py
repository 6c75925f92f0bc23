"""Prepares cards and rows for the templates."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from itertools import pairwise

from django.utils.translation import get_language, gettext

from games.coach.times_tables import row_table_of
from games.engine.cards import VALUES, Card, LaidCard, card_text, colour, is_joker, laid_card_text
from games.engine.layout.islands import Island, LayoutRow
from games.engine.layout.packing import NARROW, WIDE, Corner
from games.engine.layout.table_layout import Layout
from games.engine.layout.tags import GridPlace
from games.engine.plays import OpenEnds
from games.engine.ruleset import Ruleset
from games.engine.table import Line, Play, Table
from games.screen import words
from games.screen.view_models import Face, OpenEnd, TableCard, TableIsland, TableRow
from games.screen.words import unbroken


def face(card: Card, ruleset: Ruleset, number: int | None = None) -> Face:
    """The face of a card. For a card on the table, `number` is the number that it stands for."""
    return _face(card, number, words.kind_of(ruleset), get_language())


@lru_cache(maxsize=8192)
def _face(card: Card, number: int | None, kind: words.DeckKind, language: str | None) -> Face:
    """The face, cached: a page shows dozens of faces, and a language has few different ones."""
    return Face(
        card=card_text(card),
        value=card_text(card) if number is None else laid_card_text(LaidCard(card, number)),
        number=str(number if number is not None else "" if is_joker(card) else card),
        is_joker=is_joker(card),
        colour="block" if kind == "block" else colour(card),
        pips=VALUES[card] if kind == "valued" else 0,
        label=words.card_label(card, kind, number),
    )


def sample_row(ruleset: Ruleset) -> list[Face]:
    return [face(number, ruleset) for number in words.example(ruleset)]


def new_cards(play: Play) -> tuple[Card, ...]:
    """The cards that a play puts on the table, including those that it puts in a joker's place."""
    return (*[card for card, _ in play.hand], *[swap.number for swap in play.swaps])


@dataclass(frozen=True, slots=True)
class TableDrawing:
    """Draws a table for the templates. With only a table and its rules, it marks nothing."""

    table: Table
    ruleset: Ruleset
    laid_at: Mapping[Card, tuple[int, int]] = field(default_factory=dict)
    """The step and the seat of each card that others have just laid."""
    taps: Collection[str] = ()
    """The posted values of the cards and rows that the player has chosen."""
    ends: Mapping[Line, OpenEnds] = field(default_factory=dict)
    """The numbers with which the hand can lengthen a row at each end."""

    def islands(self, layout: Layout) -> Iterator[TableIsland]:
        for island, wide, narrow in zip(layout.islands, layout.wide, layout.narrow, strict=True):
            yield TableIsland(
                f"{_felt_classes(wide, narrow)} w{island.columns}",
                tuple(self.cards(island)),
                tuple(self.rows(island)),
            )

    def cards(self, island: Island, shift: int = 0) -> Iterator[TableCard]:
        """The cards of an island, moved `shift` columns to the right."""
        for cell in island.cells:
            card_face = face(cell.laid_card.card, self.ruleset, cell.laid_card.number)
            rows = self.table.lines_at[cell.laid_card.card]
            step, seat = self.laid_at.get(cell.laid_card.card, (0, 0))
            label = gettext("%(card)s, new") % {"card": card_face.label}
            yield TableCard(
                card_face,
                label if step else card_face.label,
                _place(cell.column + shift, cell.row),
                laid_at_step=step,
                by_seat=seat,
                rows=rows,
                is_chosen=card_face.value in self.taps,
            )

    def rows(self, island: Island, shift: int = 0) -> Iterator[TableRow]:
        """The rows of an island, moved `shift` columns to the right."""
        language = get_language()
        for row in island.layout_rows:
            name, facts, label = _row_words(row.line.numbers, self.ruleset, language)
            ends = self.ends.get(row.line)
            yield TableRow(
                index=self.table.lines.index(row.line),
                value=str(row.line),
                name=name,
                facts=facts,
                label=label,
                numbers=row.line.numbers,
                tag_place=_tag_place(row, island, shift),
                bar=_grid_classes(row.start, row.end, shift),
                grounds=tuple([_grid_classes(*part, shift) for part in _row_parts(row, island)]),
                ends=tuple(_open_ends(row, ends, island, self.table)) if ends else (),
                is_chosen=str(row.line) in self.taps,
                laid_at_step=_new_row(row, self.laid_at),
            )


@lru_cache(maxsize=4096)
def _row_words(
    numbers: tuple[int, ...], ruleset: Ruleset, language: str | None
) -> tuple[str, str, str]:
    row_table = row_table_of(numbers)
    name, facts = words.row_name(row_table, ruleset), words.row_facts(row_table, ruleset)
    label = reduce(words.with_explanation, filter(None, (words.listed(numbers), name, facts)))
    return name, unbroken(facts), label


def _new_row(row: LayoutRow, laid_at: Mapping[Card, tuple[int, int]]) -> int:
    """The step in which a row was made; 0 for an older row. A row is new if its cards are, except
    perhaps one that it crosses."""
    steps = [laid_at[card][0] for card, _ in row.line.cards if card in laid_at]
    return max(steps) if len(steps) >= len(row.line.numbers) - 1 else 0


def _grid_classes(start: GridPlace, end: GridPlace, shift: int) -> str:
    """Grid classes of the cells from `start` to `end`, moved `shift` columns to the right."""
    (first, top), (last, bottom) = start, end
    return f"{_place(first + shift, top)} w{last - first + 1} h{bottom - top + 1}"


def _row_parts(row: LayoutRow, island: Island) -> list[tuple[GridPlace, GridPlace]]:
    """The first and last cell of each part of a row; empty if all its cards lie side by side."""
    if sum(row.end) - sum(row.start) < len(row.line.cards):
        return []
    cells = sorted((c.column, c.row) for c in island.cells if c.laid_card in row.line.cards)
    parts = [[cells[0]]]
    for before, cell in pairwise(cells):
        if sum(cell) - sum(before) > 1:
            parts.append([])
        parts[-1].append(cell)
    return [(part[0], part[-1]) for part in parts]


def _tag_place(row: LayoutRow, island: Island, shift: int) -> str:
    """Grid classes of the tag of a row. They contain `beside` if it stands beside an upright row,
    and `tight` if the tag on one line would cover a card."""
    tag = row.tag
    side = " below" if tag.side == "below" else ""
    left = " left" if tag.leftwards else ""
    is_beside = not row.is_horizontal and tag.column != row.start[0]
    beside = " beside" if is_beside else ""
    tight = "" if island.full_places.isdisjoint(tag.covered) else " tight"
    return _place(tag.column + shift, tag.row) + side + left + beside + tight


def _open_ends(row: LayoutRow, ends: OpenEnds, island: Island, table: Table) -> Iterator[OpenEnd]:
    """The ends of a row where no card lies and a number of the hand fits. Above and below a row,
    and beyond the island, they are edges: there is less room than for a card."""
    (left, top), (right, bottom) = row.start, row.end
    right_step, down_step = (1, 0) if row.is_horizontal else (0, 1)
    places = ((left - right_step, top - down_step), (right + right_step, bottom + down_step))
    sides = ("left", "right") if row.is_horizontal else ("top", "bottom")
    for place, numbers, side in zip(places, ends, sides, strict=True):
        if numbers and place not in island.full_places:
            covered = [other.line for other in island.layout_rows if place in other.tag.covered]
            is_edge = not (row.is_horizontal and 0 <= place[0] < island.columns)
            yield OpenEnd(
                _place(*place) + (f" edge edge-{side}" if is_edge else ""),
                numbers,
                covered_rows=tuple([table.lines.index(line) for line in covered]),
            )


def felt_classes(layout: Layout) -> str:
    """Classes for the room that the table takes on both felts. They also say on which of them a
    closer look makes its cards clearly larger ("far")."""
    wide, narrow = layout.wide_extent, layout.narrow_extent
    classes = [_felt_classes(wide, narrow)]
    for felt, extent, name in ((WIDE, wide, "far"), (NARROW, narrow, "far-narrow")):
        if layout.islands and felt.card_width(*extent) < 0.85 * felt.most_width:
            classes.append(name)
    return " ".join(classes)


def _felt_classes(wide: Corner, narrow: Corner) -> str:
    """Classes for halves of columns and rows on the wide felt (x, y) and on the narrow one (u, v).
    Capital letters count tens."""
    counts = zip("xyuv", (*wide, *narrow), strict=True)
    return " ".join(f"{name.upper()}{count // 10} {name}{count % 10}" for name, count in counts)


def _place(column: int, row: int) -> str:
    return f"c{column + 2} r{row + 2}"
