"""Tables from random rounds, and checks of their layouts (rules 3.3)."""

from collections.abc import Iterator
from itertools import combinations, product
from random import Random
from typing import Final

from games.engine.cards import shuffled
from games.engine.layout.islands import Island
from games.engine.layout.table_layout import Layout
from games.engine.match import apply, new_match
from games.engine.ruleset import EDITIONS, edition
from games.engine.table import Play, Table
from games.engine.view import legal_actions

Cells = set[tuple[int, int]]


def cells_of(start: tuple[int, int], end: tuple[int, int]) -> Cells:
    return set(product(range(start[0], end[0] + 1), range(start[1], end[1] + 1)))


def check(placed: Layout, at: Table) -> None:
    """Check that a layout keeps rules 3.3."""
    assert {cell.laid_card for island in placed.islands for cell in island.cells} == set(
        at.laid_cards.values()
    )
    lines = [line for island in placed.islands for line in island.lines]
    assert sorted(lines) == sorted(at.lines)
    for island in placed.islands:
        check_island(island)
    for corners in (placed.wide, placed.narrow):
        cells: Cells = set()
        for island, (x, y) in zip(placed.islands, corners, strict=True):
            own_cells = {(column + x, row + y) for column, row in halves(island)}
            assert min(x, y) >= 0
            assert not own_cells & {
                (column + dc, row + dr)
                for column, row in cells
                for dc in range(-2, 3)
                for dr in (-1, 0, 1)
            }, "islands have room between them"
            cells |= own_cells


def halves(island: Island) -> Iterator[tuple[int, int]]:
    """The halves of columns and rows that an island's cards and rows cover."""
    for row in island.layout_rows:
        (left, top), (right, bottom) = row.start, row.end
        yield from cells_of((2 * left, 2 * top), (2 * right + 1, 2 * bottom + 1))


def check_island(island: Island) -> None:
    places = {cell.laid_card: (cell.column, cell.row) for cell in island.cells}
    assert len(set(places.values())) == len(places), "two cards in one place"
    cells_of_rows: list[Cells] = []
    for row in island.layout_rows:
        row_places = [places[card] for card in row.line.cards]
        assert (row_places[0], row_places[-1]) == (row.start, row.end)
        assert row_places == sorted(set(row_places)), "numbers grow to the right and downwards"
        fixed, along = (1, 0) if row.is_horizontal else (0, 1)
        assert len({place[fixed] for place in row_places}) == 1, "a line is straight"
        assert len({place[along] for place in row_places}) == len(row_places)
        cells_of_rows.append(cells_of(row.start, row.end))
        other_places = {place for card, place in places.items() if card not in row.line.cards}
        assert not cells_of_rows[-1] & other_places, "a bar runs over a card of another line"
    for first, second in combinations(range(len(cells_of_rows)), 2):
        first_row, second_row = island.layout_rows[first], island.layout_rows[second]
        shared = set(first_row.line.cards) & set(second_row.line.cards)
        met = cells_of_rows[first] & cells_of_rows[second]
        assert met == {places[card] for card in shared}, "lines meet only where they cross"
        if shared:
            assert first_row.is_horizontal != second_row.is_horizontal
        else:
            for place in cells_of_rows[first]:
                for touched in beside(place) & cells_of_rows[second]:
                    assert any({place, touched} <= line for line in cells_of_rows), (
                        "lines touch, and not side by side on a line that crosses both"
                    )
    assert all(0 <= column < island.columns for column, _ in places.values())
    assert all(0 <= row < island.rows for _, row in places.values())


def beside(place: tuple[int, int]) -> Cells:
    column, row = place
    return {(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)}


RULESETS: Final = (edition("simplified", tables=(2, 5, 10)), *EDITIONS.values())


MOST_CARDS: Final = 40


def random_rounds(tables: int) -> Iterator[list[Table]]:
    """Rounds in which players mostly lay rows, each as its tables, until there are `tables` of
    them."""
    random = Random(40)
    while tables > 0:
        ruleset = random.choice(RULESETS)
        state = new_match(ruleset, 2, shuffled(ruleset.cards, random.getrandbits(40)), 0, 1)
        grown: list[Table] = []
        while state.round == 1 and (actions := legal_actions(state)):
            plays = [action for action in actions if isinstance(action, Play)]
            choices = plays if plays and random.random() < 0.9 else actions
            before, state = state.table, apply(state, random.choice(choices))
            if len(state.table.laid_cards) > MOST_CARDS:
                break
            if state.table != before and state.table.lines:
                grown.append(state.table)
        tables -= len(grown)
        yield grown
