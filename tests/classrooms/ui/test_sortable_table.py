from dataclasses import dataclass

import pytest
from django.http import QueryDict

from classrooms.ui.sortable_table import Filter, SortableColumn, SortableTable, plain


@dataclass(frozen=True)
class Row:
    name: str
    played: int | None = None


ROWS = (Row("Zoë", 3), Row("Dora", None), Row("emil", 7), Row("Åsa", 1))
COLUMNS: tuple[SortableColumn[Row], ...] = (
    SortableColumn("name", "Name", lambda row: plain(row.name)),
    SortableColumn("played", "Played", lambda row: row.played, number=True),
    SortableColumn("change", "Change", hidden=True),
)
PLAYED: Filter[Row] = Filter(
    "show",
    "Show",
    (("all", "everyone"), ("played", "who has played")),
    lambda row, choice: choice == "all" or row.played is not None,
)


def table(address: str, prefix: str = "") -> SortableTable[Row]:
    return SortableTable(
        QueryDict(address),
        COLUMNS,
        ROWS,
        text=lambda row: row.name,
        filters=(PLAYED,),
        prefix=prefix,
    )


def names(address: str, prefix: str = "") -> list[str]:
    return [row.name for row in table(address, prefix).rows]


def test_unasked_the_rows_stand_as_they_came() -> None:
    assert names("") == ["Zoë", "Dora", "emil", "Åsa"]


def test_names_are_sorted_without_regard_to_capitals_and_accents() -> None:
    assert names("sort=name") == ["Åsa", "Dora", "emil", "Zoë"]
    assert names("sort=-name") == ["Zoë", "emil", "Dora", "Åsa"]


def test_what_has_no_value_stands_last_either_way() -> None:
    assert names("sort=played") == ["Åsa", "Zoë", "emil", "Dora"]
    assert names("sort=-played") == ["emil", "Zoë", "Åsa", "Dora"]


@pytest.mark.parametrize("address", ["sort=change", "sort=x", "sort=", "sort=--name", "show=x"])
def test_unknown_values_in_the_address_are_ignored(address: str) -> None:
    assert names(address) == names("")


def test_a_search_finds_a_name_without_its_accents() -> None:
    assert names("q=ZOE") == ["Zoë"]
    assert names("q=asa&sort=name") == ["Åsa"]


def test_a_filter_keeps_its_rows_and_the_table_knows_how_many_there_are() -> None:
    played = table("show=played")
    assert [row.name for row in played.rows] == ["Zoë", "emil", "Åsa"]
    assert (played.total, played.is_narrowed) == (4, True)
    assert not table("sort=name").is_narrowed


def test_a_heading_sorts_and_turns_round_and_keeps_the_rest_of_the_address() -> None:
    name, played, change = table("q=e&show=played&sort=name").heads
    assert (name.sorted, name.address) == ("ascending", "?q=e&show=played&sort=-name")
    assert (played.sorted, played.address) == ("", "?q=e&show=played&sort=played")
    assert change.address == ""
    assert table("sort=-name").heads[0].sorted == "descending"
    assert table("sort=-name").heads[0].address == "?sort=name"


def test_showing_everything_keeps_the_order() -> None:
    assert table("q=e&show=played&sort=-name").everything == "?sort=-name"


def test_two_tables_of_a_page_do_not_hear_each_others_words() -> None:
    assert names("sort=name&q=zoe", prefix="b-") == names("")
    assert names("b-q=zoe", prefix="b-") == ["Zoë"]
