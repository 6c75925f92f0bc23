"""What lights up on a board: what a hint or the coach of a guided round points at, and when a round
is over, one after the other, what the player laid."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Final

from games.coach.hints import Hint
from games.engine.cards import card_text
from games.screen.view_models import Button, Guide, Over, TableIsland, TableRow

MOST_STEPS: Final = 31
"""The number of steps that the styles have: more than anybody lays."""


def lit_hand(hint: Hint | None, guided: Guide | None) -> Collection[str]:
    """The hand cards that a hint or the coach points at."""
    if guided is not None:
        return guided.cards
    return () if hint is None else [card_text(card) for card in hint.lit]


def lit_pile(hint: Hint | None, guided: Guide | None) -> str:
    """The move of the pile that a hint or the coach points at; empty for none."""
    if guided is not None:
        return guided.move
    if hint is not None and hint.market is not None:
        return f"take-{card_text(hint.market)}"
    return (
        "" if hint is None else {"open card": "draw-open", "pile": "draw-closed"}.get(hint.take, "")
    )


def lit_buttons(buttons: Iterable[Button], guided: Guide | None) -> tuple[Button, ...]:
    if guided is None:
        return tuple(buttons)
    return tuple([replace(button, lit=button.move == guided.move) for button in buttons])


def lit_islands(
    islands: Iterable[TableIsland], hint: Hint | None, guided: Guide | None
) -> tuple[TableIsland, ...]:
    """The islands, with the cards, rows and free places that a hint or the coach points at."""
    on_table: Collection[str]
    if guided is not None:
        on_table = guided.on_table
    elif hint is not None and hint.on_table:
        on_table = {card_text(card) for card in hint.on_table}
    else:
        return tuple(islands)
    lit = []
    for island in islands:
        cards = [replace(card, lit=card.face.card in on_table) for card in island.cards]
        rows = [_lit_row(row, guided) for row in island.rows]
        lit.append(replace(island, cards=tuple(cards), rows=tuple(rows)))
    return tuple(lit)


def _lit_row(row: TableRow, guided: Guide | None) -> TableRow:
    if guided is None or row.value not in guided.rows:
        return row
    ends = [replace(end, lit=guided.lights(end)) for end in row.ends]
    return replace(row, lit=True, ends=tuple(ends))


def lit_in_order(islands: Iterable[TableIsland], end: Over, after: int) -> Iterator[TableIsland]:
    """The islands of an ended round. What the player laid lights up, play by play, after this many
    steps of the others."""
    laid = list(enumerate(end.laid, start=after + 1))
    steps_of = {card: min(at, MOST_STEPS) for at, (_, cards) in laid for card in cards}
    for island in islands:
        rows = []
        for row in island.rows:
            there = set(map(int, row.numbers.split()))
            steps = [at for at, (numbers, _) in laid if there.issuperset(numbers)]
            rows.append(replace(row, own=min(max(steps, default=0), MOST_STEPS)))
        lit = [replace(card, own=steps_of.get(card.face.card, 0)) for card in island.cards]
        yield replace(island, cards=tuple(lit), rows=tuple(rows))
