"""Tables sorted and filtered by their address, so that a link to what one sees can be kept.

`?sort=name` sorts by a column, `?sort=-name` the other way round, `?q=em` keeps the rows that have
these letters, and each filter has a word of its own: `?show=removed`. What an address names that
is not there counts as not said. A page with several tables gives each a `prefix`.
"""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.functional import Promise

RowT = TypeVar("RowT")
Text = str | Promise

SORT: Final = "sort"
SEARCH: Final = "q"
LONGEST_SEARCH: Final = 80
LONGEST_PLAIN: Final = 200
"""Taking accents off takes quadratic time; no name is longer."""


class _Comparable(Protocol):
    def __lt__(self, other: Any, /) -> bool: ...


@dataclass(frozen=True, slots=True)
class SortableColumn(Generic[RowT]):
    """A column of a table. `value`: what it is sorted by, None for rows that have nothing there,
    which stand last either way; without it the column is not sorted by. `hidden`: its heading is
    for who listens only."""

    name: str
    label: Text
    value: Callable[[RowT], _Comparable | None] | None = None
    number: bool = False
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Filter(Generic[RowT]):
    """A choice of which rows are shown; the first of `choices` is what an address without it means.

    `keeps` says whether a row belongs to the choice taken.
    """

    name: str
    label: Text
    choices: Sequence[tuple[str, Text]]
    keeps: Callable[[RowT, str], bool]


@dataclass(frozen=True, slots=True)
class Head:
    """The heading of a column: `address` sorts by it, `sorted` is what `aria-sort` says."""

    label: Text
    address: str
    sorted: str
    number: bool
    hidden: bool


@dataclass(frozen=True, slots=True)
class Chosen:
    """A filter as the form shows it."""

    name: str
    label: Text
    choices: Sequence[tuple[str, Text]]
    value: str


class SortableTable(Generic[RowT]):
    """The rows of a table in the order, and of the choice, that the address asks for.

    `text`: the words of a row that are searched; without it there is no search. The rows come as
    they should stand where nothing is asked. `total` is how many there are before any choice.
    """

    def __init__(
        self,
        asked: QueryDict,
        columns: Sequence[SortableColumn[RowT]],
        rows: Sequence[RowT],
        *,
        text: Callable[[RowT], str] | None = None,
        filters: Sequence[Filter[RowT]] = (),
        prefix: str = "",
    ) -> None:
        self._asked = asked
        self._columns = columns
        self._prefix = prefix
        self.searches = text is not None
        self.search_name = prefix + SEARCH
        self.search = asked.get(self.search_name, "").strip()[:LONGEST_SEARCH]
        self.chosen = [self._chosen(filter_) for filter_ in filters]
        self.total = len(rows)
        kept = [
            row
            for row in rows
            if all(f.keeps(row, c.value) for f, c in zip(filters, self.chosen, strict=True))
        ]
        if text and self.search:
            kept = [row for row in kept if plain(self.search) in plain(text(row))]
        self.sort_name = prefix + SORT
        self.sort, self._falling = self._asked_sort()
        self.rows = self._sorted(kept)

    @property
    def is_narrowed(self) -> bool:
        """Whether the address leaves rows out."""
        others = any(chosen.value != chosen.choices[0][0] for chosen in self.chosen)
        return bool(self.search) or others

    @property
    def sort_value(self) -> str:
        """How it is sorted, as the address says it; nothing where the address does not."""
        return f"-{self.sort}" if self.sort and self._falling else self.sort

    @property
    def everything(self) -> str:
        """The address that leaves nothing out, in the same order."""
        named = {self.search_name, *(chosen.name for chosen in self.chosen)}
        return self._address(dict.fromkeys(named))

    @property
    def heads(self) -> list[Head]:
        return [self._head(column) for column in self._columns]

    def _head(self, column: SortableColumn[RowT]) -> Head:
        falls = self.sort == column.name and not self._falling
        sorted_ = ""
        if self.sort == column.name:
            sorted_ = "descending" if self._falling else "ascending"
        address = ""
        if column.value is not None:
            address = self._address({self.sort_name: ("-" if falls else "") + column.name})
        return Head(column.label, address, sorted_, column.number, column.hidden)

    def _chosen(self, filter_: Filter[RowT]) -> Chosen:
        name = self._prefix + filter_.name
        value = self._asked.get(name, "")
        if value not in (choice for choice, _ in filter_.choices):
            value = filter_.choices[0][0]
        return Chosen(name, filter_.label, filter_.choices, value)

    def _asked_sort(self) -> tuple[str, bool]:
        asked = self._asked.get(self.sort_name, "")
        name = asked.removeprefix("-")
        known = {column.name for column in self._columns if column.value is not None}
        return (name, asked.startswith("-")) if name in known else ("", False)

    def _sorted(self, rows: list[RowT]) -> list[RowT]:
        value = next((c.value for c in self._columns if c.name == self.sort), None)
        if value is None:
            return rows
        valued = [(value(row), row) for row in rows]
        there = [pair for pair in valued if pair[0] is not None]
        there.sort(key=lambda pair: pair[0], reverse=self._falling)  # type: ignore[arg-type,return-value]
        return [row for _, row in there] + [row for found, row in valued if found is None]

    def _address(self, changes: dict[str, str | None]) -> str:
        pairs = [
            (key, value)
            for key, values in self._asked.lists()
            if key not in changes
            for value in values
            if value
        ]
        pairs += [(key, value) for key, value in changes.items() if value]
        return "?" + urlencode(pairs)


def plain(text: str) -> str:
    """The text without accents and capitals: what one finds it by, and sorts names by.

    >>> plain("Zoë")
    'zoe'
    """
    parts = unicodedata.normalize("NFKD", text[:LONGEST_PLAIN])
    return "".join(sign for sign in parts if not unicodedata.combining(sign)).casefold()
