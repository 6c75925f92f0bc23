from games.engine.cards import LaidCard
from games.engine.table import Line, Table
from games.engine.text.notation import parse_play, parse_table
from tests.games.positions import SIMPLIFIED


def table(*lines: str) -> Table:
    return parse_table(lines, SIMPLIFIED)


def islands(at: Table) -> list[set[str]]:
    return [{str(line) for line in island} for island in at.islands]


def test_a_line_lies_from_low_to_high() -> None:
    line = Line.of([LaidCard(30, 30), LaidCard(101, 20), LaidCard(10, 10)])
    assert str(line) == "10-a=20-30"
    assert line.numbers == (10, 20, 30)


def test_lines_that_cross_are_one_island_directly_or_through_others() -> None:
    assert islands(table("10-20-30", "40-45-50", "20-21-22", "1-2-3", "22-31-40")) == [
        {"10-20-30", "20-21-22", "22-31-40", "40-45-50"},
        {"1-2-3"},
    ]


def test_the_same_number_twice_is_no_crossing() -> None:
    assert len(table("10-20-30", "19-a=20-21").islands) == 2


def test_a_card_lies_in_one_line_or_in_two() -> None:
    at = table("10-20-30", "19-20-21")
    assert at.lines_at[10] == (0,)
    assert at.lines_at[20] == (0, 1)
    assert at.cards == sum(1 << card for card in (10, 19, 20, 21, 30))


def played(at: Table, text: str) -> tuple[Table, Line]:
    return at.with_play(parse_play(text, SIMPLIFIED))


def test_islands_are_the_same_whether_built_up_or_read() -> None:
    built = table("10-20-30")
    for play in ("1 2 3", "21 22 across 20", "40 to 10-20-30", "12 across 2 22"):
        built, _ = played(built, play)
    read = Table.of(built.lines)
    assert [set(island) for island in read.islands] == [set(island) for island in built.islands]
