"""Tables from random rounds, and what must be true of each layout (rules 3.3)."""

from collections.abc import Iterator
from itertools import combinations, product
from random import Random
from typing import Final

from games.engine.cards import shuffled
from games.engine.layout.islands import Island
from games.engine.layout.table_layout import Layout
from games.engine.match import apply, new_match
from games.engine.round import legal_actions
from games.engine.ruleset import EDITIONS, edition
from games.engine.table import Play, Table

Cells = set[tuple[int, int]]


def cells_of(start: tuple[int, int], end: tuple[int, int]) -> Cells:
    return set(product(range(start[0], end[0] + 1), range(start[1], end[1] + 1)))


def check(placed: Layout, at: Table) -> None:
    """Check everything that must be true of a layout (rules 3.3)."""
    assert {cell.laid_card for island in placed.islands for cell in island.cells} == set(
        at.laid_cards.values()
    )
    lines = [line for island in placed.islands for line in island.lines]
    assert sorted(lines) == sorted(at.lines)
    for island in placed.islands:
        check_island(island)
    for corners in (placed.wide, placed.narrow):
        taken: Cells = set()
        for island, (x, y) in zip(placed.islands, corners, strict=True):
            own = {(column + x, row + y) for column, row in halves(island)}
            assert min(x, y) >= 0
            assert not own & {
                (column + dc, row + dr)
                for column, row in taken
                for dc in range(-2, 3)
                for dr in (-1, 0, 1)
            }, "islands have room between them"
            taken |= own


def halves(island: Island) -> Iterator[tuple[int, int]]:
    """The halves of columns and rows that an island's cards and rows cover."""
    for row in island.rows_of:
        (left, top), (right, bottom) = row.start, row.end
        yield from cells_of((2 * left, 2 * top), (2 * right + 1, 2 * bottom + 1))


def check_island(island: Island) -> None:
    places = {cell.laid_card: (cell.column, cell.row) for cell in island.cells}
    assert len(set(places.values())) == len(places), "two cards in one place"
    covered: list[Cells] = []
    for row in island.rows_of:
        own = [places[laid] for laid in row.line.cards]
        assert (own[0], own[-1]) == (row.start, row.end)
        assert own == sorted(set(own)), "numbers grow to the right and downwards"
        fixed, along = (1, 0) if row.horizontal else (0, 1)
        assert len({place[fixed] for place in own}) == 1, "a line is straight"
        assert len({place[along] for place in own}) == len(own)
        covered.append(cells_of(row.start, row.end))
        others = {place for laid, place in places.items() if laid not in row.line.cards}
        assert not covered[-1] & others, "a bar runs over a card of another line"
    for first, second in combinations(range(len(covered)), 2):
        one, other = island.rows_of[first], island.rows_of[second]
        shared = set(one.line.cards) & set(other.line.cards)
        met = covered[first] & covered[second]
        assert met == {places[laid] for laid in shared}, "lines meet only where they cross"
        if shared:
            assert one.horizontal != other.horizontal
        else:
            for place in covered[first]:
                for touched in beside(place) & covered[second]:
                    assert any({place, touched} <= line for line in covered), (
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
    """This many tables, from rounds in which players mostly lay rows."""
    random = Random(40)
    while tables > 0:
        ruleset = random.choice(RULESETS)
        state = new_match(ruleset, 2, shuffled(ruleset.cards, random.getrandbits(40)), 0, 1)
        grown: list[Table] = []
        while state.round == 1 and (actions := legal_actions(state)):
            plays = [action for action in actions if isinstance(action, Play)]
            most = plays if plays and random.random() < 0.9 else actions
            before, state = state.table, apply(state, random.choice(most))
            if len(state.table.laid_cards) > MOST_CARDS:
                break
            if state.table != before and state.table.lines:
                grown.append(state.table)
        tables -= len(grown)
        yield grown
