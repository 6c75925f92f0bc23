"""Tables in markup → sheets. One lenient parser reads web pages, which many programs call .xls, and
spreadsheets in the XML of Excel 2003 or of OpenDocument."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final

from classrooms.roster.importing.columns import Sheet
from classrooms.roster.importing.encodings import UnreadableFile, decode
from classrooms.roster.importing.grid import MOST_CELLS, Grid, Row, cut

_PARTS: Final = {
    tag: part
    for part, tags in {
        "unseen": "script style comment office:annotation",
        "style": "style:style",
        "display": "style:table-properties",
        "name": "worksheet",
        "sheet": "table table:table",
        "visible": "x:visible visible",
        "column": "col column table:table-column",
        "row": "tr row table:table-row",
        "cell": "td th cell table:table-cell table:covered-table-cell",
        "break": "br p div li text:p text:line-break",
    }.items()
    for tag in tags.split()
}
_CHARSET: Final = re.compile(rb"""<[^<>]*(?:charset|encoding)=["']?([\w-]+)""", re.IGNORECASE)
_UNSHOWN: Final = re.compile(r"display\s*:\s*none|^(?:1|collapse|filter)$", re.IGNORECASE)
_MOST_SHEETS: Final = 49
_MOST_REPEATED_ROWS: Final = 50  # rows that are in the file once, with a number of repeats


@dataclass(slots=True)
class _Table:
    name: str
    is_shown: bool
    rows: list[Row] = field(default_factory=list)
    hidden: int = 0
    hidden_columns: set[int] = field(default_factory=set)
    columns: int = 0


def sheets_of_page(data: bytes) -> list[Sheet]:
    """The tables that are shown. Raises `UnreadableFile`."""
    declared = _CHARSET.search(data[:2000])
    try:
        text = data.decode(declared[1].decode() if declared else "utf-8-sig")
    except (LookupError, OSError, UnicodeDecodeError):  # The codec cannot be loaded any longer.
        text = decode(data)[0]
    reader = _Reader()
    with suppress(AssertionError):  # html.parser raises it for a malformed declaration.
        reader.feed(text)
        reader.close()
    reader.end_row()
    if not reader.tables:
        raise UnreadableFile("not a list" if text.lstrip().startswith("<?xml") else "workbook")
    return [
        Sheet(table.name, Grid(tuple(table.rows), "Excel", hidden=table.hidden))
        for table in reader.tables[:_MOST_SHEETS]
        if table.is_shown
    ]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tables: list[_Table] = []
        self._name = self._style = ""
        self._unshown_styles: set[str] = set()
        self._unseen = 0
        self._row: dict[int, str] | None = None
        self._row_repeats = self._cell_repeats = 1
        self._is_hidden = False
        self._line = self._column = 0
        self._spans: dict[int, tuple[int, str]] = {}  # by column: number of rows to fill, and text
        self._row_span = self._column_span = 1
        self._text: list[str] | None = None
        self._is_page = self._is_in_setting = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {key.rpartition(":")[2]: value or "" for key, value in attrs}
        number = {key: int(v) for key, v in has.items() if v.isdecimal() and len(v) < 8}
        is_hidden = any(
            _UNSHOWN.search(has.get(key, "")) for key in ("hidden", "visibility", "style")
        )
        match _PARTS.get(tag):
            case "unseen":
                self._unseen += 1
            case "style":
                self._style = has.get("name", "")
            case "display" if has.get("display") == "false":
                self._unshown_styles.add(self._style)
            case "name":
                self._name = has.get("name", "")
            case "sheet":
                self.end_row()
                is_shown = has.get("style-name") not in self._unshown_styles
                name = has.get("name") or self._name or f"{len(self.tables) + 1}"
                self.tables.append(_Table(name, is_shown))
                self._line, self._spans = 0, {}
            case "visible":
                self._is_in_setting = True
            case "column" if self.tables:
                table = self.tables[-1]
                begin = number.get("index", table.columns + 1) - 1
                columns = number.get("span", 1) + (tag == "column" and "span" in number)
                table.columns = begin + max(1, number.get("number-columns-repeated", columns))
                if is_hidden:
                    table.hidden_columns.update(range(begin, min(table.columns, MOST_CELLS)))
            case "row" if self.tables:
                self.end_row()
                self._row, self._column, self._is_hidden = {}, 0, is_hidden
                self._row_repeats = number.get("number-rows-repeated", 1)
                self._line = number.get("index", self._line + 1)
            case "cell" if self._row is not None:
                self._begin_cell(has, number, is_page=tag in ("td", "th"))
            case "break" if self._text:
                self._text.append("\n")

    def _begin_cell(
        self, has: Mapping[str, str], number: Mapping[str, int], *, is_page: bool
    ) -> None:
        self._end_cell()
        self._fill_from_above()
        self._column = number.get("index", self._column + 1) - 1
        self._cell_repeats = min(number.get("number-columns-repeated", 1), MOST_CELLS)
        self._text, self._is_page = [], is_page
        if self._row is not None and "date-value" in has:
            self._row[self._column] = has["date-value"]
        wide = number.get("colspan", 1) + number.get("mergeacross", 0)
        self._column_span = min(max(wide, self._cell_repeats), MOST_CELLS)
        self._row_span = number.get("rowspan", 1)

    def handle_endtag(self, tag: str) -> None:
        match _PARTS.get(tag):
            case "unseen":
                self._unseen = max(0, self._unseen - 1)
            case "visible":
                self._is_in_setting = False
            case "cell":
                self._end_cell()
            case "row" | "sheet":
                self.end_row()

    def handle_data(self, data: str) -> None:
        if self._is_in_setting and self.tables and "Hidden" in data:
            self.tables[-1].is_shown = False
        elif self._text is not None and not self._unseen:
            self._text.append(re.sub(r"\s+", " ", data) if self._is_page else data)

    def _fill_from_above(self) -> None:
        """Fill the columns into which cells of rows above extend."""
        while self._row is not None and self._column in self._spans:
            rows, text = self._spans.pop(self._column)
            if rows > 1:
                self._spans[self._column] = rows - 1, text
            self._row[self._column] = text
            self._column += 1

    def _end_cell(self) -> None:
        if self._text is not None and self._row is not None:
            text = cut("".join(self._text))
            for column in range(self._column, self._column + self._column_span):
                if text and column < self._column + self._cell_repeats:
                    self._row.setdefault(column, text)
                if self._row_span > 1:
                    self._spans[column] = self._row_span - 1, text
            self._column += self._column_span
        self._text = None

    def end_row(self) -> None:
        """Add the finished row to its table, unless it is empty or hidden."""
        self._end_cell()
        self._fill_from_above()
        if self._row:
            table = self.tables[-1]
            last = min(max(self._row), MOST_CELLS - 1)
            columns = [c for c in range(last + 1) if c not in table.hidden_columns]
            row = Row(self._line, tuple(self._row.get(column, "") for column in columns))
            times = min(self._row_repeats, _MOST_REPEATED_ROWS) if any(row.cells) else 0
            if self._is_hidden:
                table.hidden += times
            else:
                table.rows += [row] * times
        if self._row is not None:
            self._line += self._row_repeats - 1
        self._row, self._row_repeats = None, 1
