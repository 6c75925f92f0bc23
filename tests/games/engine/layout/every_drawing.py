"""All drawings of an island that the layout could choose from: from every line, both ways round."""

from collections.abc import Sequence

from games.engine.layout.islands import drawings
from games.engine.table import Table


def sizes_of_drawings(table: Table, indices: Sequence[int]) -> set[tuple[int, int]]:
    """Columns and rows of each drawing."""
    return {(drawing.columns, drawing.rows) for drawing in drawings(table, indices, list(indices))}
