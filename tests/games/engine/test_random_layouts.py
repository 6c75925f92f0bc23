"""Tables of random rounds, of up to 40 cards, laid out on both felts: no island is cut off that
could be seen as a whole, and what did not change stays."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from games.engine.cards import shuffled
from games.engine.layout.islands import Island, drawings
from games.engine.layout.packing import NARROW, WIDE, Felt
from games.engine.layout.table_layout import Layout, layout
from games.engine.match import apply, new_match
from games.engine.round import legal_actions
from games.engine.ruleset import edition
from games.engine.table import Play, Table
from tests.counts import times
from tests.games.engine.test_table_layout import check

RULESETS: Final = (
    edition("simplified", tables=(2, 5, 10)),
    edition("simplified"),
    edition("classic"),
)
MOST_CARDS: Final = 40
TABLES: Final = times(150, 5000)


def sizes_of_drawings(table: Table, indices: Sequence[int]) -> set[tuple[int, int]]:
    """Columns and rows of each drawing that the layout could choose from."""
    return {(drawing.columns, drawing.rows) for drawing in drawings(table, indices)}


def random_rounds(tables: int) -> Iterator[list[Table]]:
    """So many tables, from rounds in which players mostly lay rows."""
    random = Random(40)
    while tables > 0:
        ruleset = random.choice(RULESETS)
        state = new_match(ruleset, 2, shuffled(ruleset.cards, random.getrandbits(40)), 0, 1)
        grown: list[Table] = []
        while state.round == 1 and (actions := legal_actions(state)):
            plays = [action for action in actions if isinstance(action, Play)]
            most = plays if plays and random.random() < 0.9 else actions
            before, state = state.table, apply(state, random.choice(most))
            if len(state.table.laid) > MOST_CARDS:
                break
            if state.table != before and state.table.lines:
                grown.append(state.table)
        tables -= len(grown)
        yield grown


def fits(island: Island, felt: Felt) -> bool:
    return felt.is_wide_enough_for(2 * island.columns, 2 * island.rows + 1)


def lies_across(island: Island) -> bool:
    longest = max(len(line.cards) for line in island.lines)
    return any(row.horizontal for row in island.rows_of if len(row.line.cards) == longest)


def test_no_island_is_cut_off_that_fits_a_felt_at_any_turn() -> None:
    whole = kept = seen = 0
    for tables in random_rounds(TABLES):
        before: Layout | None = None
        for table in tables:
            placed = layout(table, before)
            check(placed, table)
            for indices, island in zip(by_island(table), placed.islands, strict=True):
                possible = sizes_of_drawings(table, indices)
                for felt in (WIDE, NARROW):
                    could = any(felt.is_wide_enough_for(2 * c, 2 * r + 1) for c, r in possible)
                    assert fits(island, felt) == could
                assert lies_across(island) or fits(island, NARROW) or fits(island, WIDE)
            whole += WIDE.is_wide_enough_for(*placed.wide_extent)
            kept += before is None or stays(before, placed)
            before = placed
            seen += 1
    assert whole / seen > 0.6
    assert kept / seen > 0.9


def by_island(table: Table) -> list[list[int]]:
    labels = list(dict.fromkeys(table.island_of))
    return [[at for at, own in enumerate(table.island_of) if own == label] for label in labels]


def stays(before: Layout, after: Layout) -> bool:
    """Whether every island that did not change is where it was, on the wide felt."""
    was = {island.lines: corner for island, corner in zip(before.islands, before.wide, strict=True)}
    now = {island.lines: corner for island, corner in zip(after.islands, after.wide, strict=True)}
    return all(was[lines] == now[lines] for lines in was.keys() & now.keys())
