"""Cards and rows, prepared for the templates."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from django.utils.translation import get_language

from games.coach.times_tables import describe
from games.engine.cards import Card, Laid, colour, is_joker, value
from games.engine.layout import Layout, LayoutCell, LayoutRow
from games.engine.open_ends import OpenEnds
from games.engine.ruleset import Ruleset
from games.engine.table import Line, Table
from games.engine.text.notation import card_text, laid_text
from games.screen import words
from games.screen.view_models import Face, OpenEnd, TableCard, TableRow

WIDEST_TAG: Final = 3
TRIES_FOR_TAGS: Final = 4
_NO_ENDS: Final[Mapping[Line, OpenEnds]] = {}


def face(card: Card, ruleset: Ruleset, number: int | None = None) -> Face:
    """A card's face; `number`: for a card on the table, the number that it stands for."""
    return _face(card, number, words.kind_of(ruleset), get_language())


@lru_cache(maxsize=8192)
def _face(card: Card, number: int | None, kind: words.CardKind, language: str | None) -> Face:
    """Kept: a page shows dozens of faces, and there are few different ones in each language."""
    return Face(
        card=card_text(card),
        value=card_text(card) if number is None else laid_text(Laid(card, number)),
        number=str(number if number is not None else "" if is_joker(card) else card),
        joker=is_joker(card),
        colour="block" if kind == "block" else colour(card),
        pips=value(card) if kind == "valued" else 0,
        label=words.card_label(card, kind, number),
    )


def sample_row(ruleset: Ruleset) -> list[Face]:
    """The cards of a typical row under these rules."""
    return [face(number, ruleset) for number in words.example(ruleset)]


def unbroken(text: str) -> str:
    """The text with no line break inside a product such as 3 × 4."""
    return text.replace(" × ", "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}")


def table_cards(
    table: Table,
    layout: Layout,
    ruleset: Ruleset,
    *,
    new: Mapping[int, tuple[int, int]],
    chosen: Collection[str],
) -> Iterator[TableCard]:
    """The cards on the table. `new`: the numbers that others have just laid, each with the step in
    which it was laid and the seat that laid it."""
    for cell in layout.cells:
        shown = face(cell.laid.card, ruleset, cell.laid.number)
        at = table.lines_at[cell.laid.card]
        step, seat = new.get(cell.laid.number, (0, 0))
        yield TableCard(
            shown,
            words.new_card(shown.label) if step else shown.label,
            _place(cell.column, cell.row),
            crossed=len(at) > 1,
            new=step,
            by=seat,
            rows=" ".join(map(str, at)),
            chosen=shown.value in chosen,
        )


def table_rows(
    layout: Layout,
    ruleset: Ruleset,
    *,
    new: Mapping[int, tuple[int, int]],
    chosen: Collection[str],
    ends: Mapping[Line, OpenEnds] = _NO_ENDS,
) -> Iterator[TableRow]:
    """The rows on the table. `ends`: where the hand can go on with a row."""
    taken = {(cell.column, cell.row) for cell in layout.cells}
    tags = _tag_places(layout.rows_of, layout.cells, taken)
    full = taken.union(*map(_covered, tags)) if ends else taken
    language = get_language()
    for index, row in enumerate(layout.rows_of):
        name, facts, label = _row_words(row.line.numbers, ruleset, language)
        tag_at, side = tags[index]
        (left, top), (right, bottom) = row.start, row.end
        yield TableRow(
            index=index,
            value=str(row.line),
            name=name,
            facts=facts,
            label=label,
            numbers=" ".join(map(str, row.line.numbers)),
            tag_place=f"{_place(*tag_at)} {side}".strip(),
            bar=f"{_place(left, top)} w{right - left + 1} h{bottom - top + 1}",
            ends=tuple(_open_ends(row, ends[row.line], layout, full)) if row.line in ends else (),
            chosen=str(row.line) in chosen,
            new=_new_row(row, new),
        )


@lru_cache(maxsize=4096)
def _row_words(
    numbers: tuple[int, ...], ruleset: Ruleset, language: str | None
) -> tuple[str, str, str]:
    """A row's name, its facts, and its label for a screen reader."""
    described = describe(numbers)
    named = words.row_name(described, ruleset)
    return named, unbroken(words.row_facts(described, ruleset)), words.row_label(described, ruleset)


def _new_row(row: LayoutRow, new: Mapping[int, tuple[int, int]]) -> int:
    """The step in which a row was made, 0 if earlier: all its cards but one crossed are new."""
    steps = [new[number][0] for number in row.line.numbers if number in new]
    return max(steps) if len(steps) >= len(row.line.numbers) - 1 else 0


_Tag = tuple[tuple[int, int], str]
"""The place of the card that a tag belongs to, and the side of the card that the tag is on."""


_Place = tuple[int, int, int, str]
"""The first cell that a tag would cover (column and row), the row of its card, and its side."""


def _tag_places(
    rows: Sequence[LayoutRow], cells: Sequence[LayoutCell], taken: set[tuple[int, int]]
) -> list[_Tag]:
    """Where the tags of rows fit: a tag is two cells wide, on a phone nearly three, and should
    touch neither a card nor another tag. Tags with the fewest possible places choose first; those
    that find no room choose first in the next attempt."""
    tried = [_tried(row, cells) for row in rows]
    choices = [sum(_room(at, taken) == WIDEST_TAG for at in places) for places in tried]
    order = sorted(range(len(rows)), key=lambda index: choices[index])
    best, fewest = _tags_in(order, tried, taken)
    cramped = fewest
    for _ in range(TRIES_FOR_TAGS):
        if not cramped:
            break
        order = [*cramped, *(index for index in order if index not in cramped)]
        tags, cramped = _tags_in(order, tried, taken)
        if len(cramped) < len(fewest):
            best, fewest = tags, cramped
    return [best[index] for index in range(len(rows))]


def _tags_in(
    order: Sequence[int], tried: Sequence[Sequence[_Place]], taken: set[tuple[int, int]]
) -> tuple[dict[int, _Tag], list[int]]:
    """The place of each row's tag if they choose in this order, and those with too little room."""
    full = set(taken)
    tags: dict[int, _Tag] = {}
    cramped: list[int] = []
    tagged: set[tuple[int, int]] = set()
    for index in order:
        free = [place for place in tried[index] if place[:2] not in tagged]
        place = max(free or tried[index], key=lambda at: _room(at, full))
        column, covered, top, side = place
        if not free or _room(place, full) < WIDEST_TAG:
            cramped.append(index)
        tagged.add((column, covered))
        full |= {(column + further, covered) for further in range(WIDEST_TAG)}
        tags[index] = (column, top), side
    return tags, cramped


def _tried(row: LayoutRow, cells: Sequence[LayoutCell]) -> list[_Place]:
    """The possible places of a row's tag, the best first: above or below its cards, then one column
    further right."""
    own = {laid.card for laid in row.line.cards}
    places = sorted((c.row, c.column) for c in cells if c.laid.card in own)
    above: list[_Place] = [(column, row - 1, row, "") for row, column in places]
    below: list[_Place] = [(column, row + 1, row, "below") for row, column in reversed(places)]
    beside = [(column + 1, covered, top, side) for column, covered, top, side in above + below]
    return [*above, *below, *beside]


def _room(place: _Place, full: set[tuple[int, int]]) -> int:
    """How many cells from here to the right are free, up to what the widest tag needs."""
    column, row, _, _ = place
    cells = range(column, column + WIDEST_TAG)
    return next((index for index, at in enumerate(cells) if (at, row) in full), WIDEST_TAG)


def _open_ends(
    row: LayoutRow, ends: OpenEnds, layout: Layout, full: Collection[tuple[int, int]]
) -> Iterator[OpenEnd]:
    """The open ends of a row with the numbers that fit there; none lies under a card or a tag."""
    for at, numbers in zip(_ends(row), ends, strict=True):
        if numbers and at not in full:
            edge = " edge" if _outside(at, layout) else ""
            yield OpenEnd(_place(*at) + edge, " ".join(map(str, numbers)))


def _covered(tag: _Tag) -> Iterator[tuple[int, int]]:
    (column, row), side = tag
    at = row + 1 if side else row - 1
    return ((column + further, at) for further in range(WIDEST_TAG))


def _ends(row: LayoutRow) -> tuple[tuple[int, int], tuple[int, int]]:
    (left, top), (right, bottom) = row.start, row.end
    if row.horizontal:
        return (left - 1, top), (right + 1, bottom)
    return (left, top - 1), (right, bottom + 1)


def _outside(at: tuple[int, int], layout: Layout) -> bool:
    """Whether a place lies beyond all cards, where a narrow column or row is enough."""
    column, row = at
    return min(at) < 0 or column > _last(layout, 0) or row > _last(layout, 1)


def _last(layout: Layout, axis: int) -> int:
    return max((cell.row if axis else cell.column for cell in layout.cells), default=0)


def beyond(layout: Layout) -> str:
    """The place after the last column and row: there is room around the cards for tags and for the
    open ends of rows."""
    return _place(_last(layout, 0) + 1, _last(layout, 1) + 1)


def extent(layout: Layout) -> str:
    """How many columns and rows the cards take, as CSS classes: big tables have smaller cards."""
    return f"w{_last(layout, 0) + 1} h{_last(layout, 1) + 1}"


def _place(column: int, row: int) -> str:
    return f"c{column + 2} r{row + 2}"
