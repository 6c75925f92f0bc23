"""Tables that the URL sorts and filters, so that each view of a table can be bookmarked.

`?sort=name` sorts by a column, `?sort=-name` in reverse. `?q=em` keeps the rows with these letters.
Each filter has its own parameter, such as `?show=removed`. `?page=2` shows the next rows of a long
table. Unknown values are ignored.
"""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.http import QueryDict
from django.utils.functional import Promise

RowT = TypeVar("RowT")
Text = str | Promise

SORT: Final = "sort"
SEARCH: Final = "q"
PAGE: Final = "page"
MOST_ROWS: Final = 100
"""The most rows on a page: more than twice the size of a class, which thus fits on one page."""
LONGEST_SEARCH: Final = 80
LONGEST_PLAIN: Final = 200
"""The length of a text in characters. No name is longer, and removing accents takes quadratic
time."""


class _Comparable(Protocol):
    def __lt__(self, other: Any, /) -> bool: ...


@dataclass(frozen=True, slots=True)
class SortableColumn(Generic[RowT]):
    """`value` gives the sort key of a row; rows whose key is None come last in both directions.
    Without it, the table cannot be sorted by this column."""

    name: str
    label: Text
    value: Callable[[RowT], _Comparable | None] | None = None
    number: bool = False
    is_hidden: bool = False  # the heading is for screen readers only


@dataclass(frozen=True, slots=True)
class Filter(Generic[RowT]):
    """A choice of the rows to show. The first of `choices` is the default."""

    name: str
    label: Text
    choices: Sequence[tuple[str, Text]]
    keeps: Callable[[RowT, str], bool]  # whether a row belongs to this choice


@dataclass(frozen=True, slots=True)
class Head:
    label: Text
    address: str  # the URL that sorts by it
    sorted: str  # for `aria-sort`
    number: bool
    is_hidden: bool


class SortableTable(Generic[RowT]):
    """The rows of a table, filtered and sorted as the URL says.

    `rows` are in their default order. `text` gives the text of a row in which a search looks;
    without it there is no search. `total` is the number of rows before filtering, and `page` has
    the rows of the current page. `chosen` has each filter with its current value.
    """

    def __init__(
        self,
        query: QueryDict,
        columns: Sequence[SortableColumn[RowT]],
        rows: Sequence[RowT],
        *,
        text: Callable[[RowT], str] | None = None,
        filters: Sequence[Filter[RowT]] = (),
    ) -> None:
        self._query = query
        self._columns = columns
        self.searches = text is not None
        self.search = query.get(SEARCH, "").strip()[:LONGEST_SEARCH]
        self.chosen = [(each, self._value_of(each)) for each in filters]
        self.total = len(rows)
        rows_left = [
            row for row in rows if all(each.keeps(row, value) for each, value in self.chosen)
        ]
        if text and self.search:
            rows_left = [row for row in rows_left if plain(self.search) in plain(text(row))]
        self.sort, self._falling = self._query_sort()
        self.rows = self._sorted(rows_left)
        self.page: Page[RowT] = page_of(query, self.rows)

    @property
    def is_narrowed(self) -> bool:
        """Whether the URL filters rows out."""
        is_filtered = any(value != each.choices[0][0] for each, value in self.chosen)
        return bool(self.search) or is_filtered

    @property
    def sort_value(self) -> str:
        """The sort order as the URL writes it; "" for the default order."""
        return f"-{self.sort}" if self.sort and self._falling else self.sort

    @property
    def everything(self) -> str:
        """The URL of the same order without search and filters."""
        names = {SEARCH, *(each.name for each, _ in self.chosen)}
        return self._address(dict.fromkeys(names))

    @property
    def heads(self) -> list[Head]:
        return [self._head(column) for column in self._columns]

    def _head(self, column: SortableColumn[RowT]) -> Head:
        falls = self.sort == column.name and not self._falling
        direction = ""
        if self.sort == column.name:
            direction = "descending" if self._falling else "ascending"
        address = ""
        if column.value is not None:
            address = self._address({SORT: ("-" if falls else "") + column.name})
        return Head(column.label, address, direction, column.number, column.is_hidden)

    def _value_of(self, row_filter: Filter[RowT]) -> str:
        value = self._query.get(row_filter.name, "")
        values = [choice for choice, _ in row_filter.choices]
        return value if value in values else values[0]

    def _query_sort(self) -> tuple[str, bool]:
        sort = self._query.get(SORT, "")
        name = sort.removeprefix("-")
        names = {column.name for column in self._columns if column.value is not None}
        return (name, sort.startswith("-")) if name in names else ("", False)

    def _sorted(self, rows: list[RowT]) -> list[RowT]:
        value = next((c.value for c in self._columns if c.name == self.sort), None)
        if value is None:
            return rows
        valued = [(value(row), row) for row in rows]
        with_key = [(sort_key, row) for sort_key, row in valued if sort_key is not None]
        with_key.sort(key=lambda pair: pair[0], reverse=self._falling)
        return [row for _, row in with_key] + [row for sort_key, row in valued if sort_key is None]

    def _address(self, changes: dict[str, str | None]) -> str:
        pairs = [
            (key, value)
            for key, values in self._query.lists()
            if key not in changes and key != PAGE
            for value in values
            if value
        ]
        pairs += [(key, value) for key, value in changes.items() if value]
        return "?" + urlencode(pairs)


def page_of(query: QueryDict, rows: Sequence[RowT], name: str = PAGE) -> Page[RowT]:
    """The page of these rows whose number is in the parameter `name` of the URL."""
    return Paginator(rows, MOST_ROWS).get_page(query.get(name))


def plain(text: str) -> str:
    """The text without accents and capitals, for searching.

    >>> plain("Zoë")
    'zoe'
    """
    decomposed = unicodedata.normalize("NFKD", text[:LONGEST_PLAIN])
    return "".join(char for char in decomposed if not unicodedata.combining(char)).casefold()
