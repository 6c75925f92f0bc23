"""What lights up in a guided round: rows, cards and free places on the table, and buttons."""

from collections.abc import Iterable
from dataclasses import replace

from games.screen.view_models import Button, Guide, TableIsland, TableRow


def lit_islands(islands: Iterable[TableIsland], guided: Guide) -> tuple[TableIsland, ...]:
    return tuple([_island(island, guided) for island in islands])


def lit_buttons(buttons: Iterable[Button], guided: Guide | None) -> tuple[Button, ...]:
    if guided is None:
        return tuple(buttons)
    return tuple([replace(button, lit=button.move == guided.move) for button in buttons])


def _island(island: TableIsland, guided: Guide) -> TableIsland:
    cards = [replace(card, lit=card.face.card in guided.on_table) for card in island.cards]
    return replace(
        island, cards=tuple(cards), rows=tuple([_row(row, guided) for row in island.rows])
    )


def _row(row: TableRow, guided: Guide) -> TableRow:
    if row.value not in guided.rows:
        return row
    ends = [replace(end, lit=guided.lights(end)) for end in row.ends]
    return replace(row, lit=True, ends=tuple(ends))
