"""The table: lines, islands, crossings and open ends."""

from random import Random

from games.engine.cards import HIGHEST_NUMBER, JOKERS, LaidCard, cards_in
from games.engine.errors import ActionRefused
from games.engine.play_application import Position, make_play
from games.engine.plays import open_ends
from games.engine.ruleset import edition
from games.engine.table import Line, Play, Table
from games.engine.text.notation import parse_play, parse_table
from tests.counts import times
from tests.games.engine import reference
from tests.games.engine.random_positions import engine_position, random_position
from tests.games.positions import SIMPLIFIED


def table(*lines: str) -> Table:
    return parse_table(lines, SIMPLIFIED)


def islands(at: Table) -> list[set[str]]:
    return [{str(at.lines[index]) for index in island} for island in at.islands]


def test_a_line_lies_from_low_to_high() -> None:
    line = Line.of([LaidCard(30, 30), LaidCard(101, 20), LaidCard(10, 10)])
    assert str(line) == "10-a=20-30"
    assert line.numbers == (10, 20, 30)


def test_lines_that_cross_are_one_island() -> None:
    assert islands(table("10-20-30", "40-45-50", "20-21-22", "1-2-3", "22-31-40")) == [
        {"10-20-30", "20-21-22", "22-31-40", "40-45-50"},
        {"1-2-3"},
    ]


def test_the_same_number_twice_is_not_a_crossing() -> None:
    assert len(table("10-20-30", "19-a=20-21").islands) == 2


def test_a_card_lies_in_one_line_or_in_two() -> None:
    at = table("10-20-30", "19-20-21")
    assert at.lines_at[10] == (0,)
    assert at.lines_at[20] == (0, 1)
    assert at.card_mask == sum(1 << card for card in (10, 19, 20, 21, 30))


def lay(at: Table, text: str) -> tuple[Table, Line]:
    return at.with_play(parse_play(text, SIMPLIFIED))


def test_islands_are_the_same_whether_played_or_read() -> None:
    built = table("10-20-30")
    for play in ("1 2 3", "21 22 across 20", "40 to 10-20-30", "12 across 2 22"):
        built, _ = lay(built, play)
    same = Table.of(built.lines)
    assert same.islands == built.islands


def legal_ends(position: Position) -> dict[Line, tuple[set[int], set[int]]]:
    """The open ends of each row, found by trying every card as every number."""
    ends: dict[Line, tuple[set[int], set[int]]] = {}
    for line in position.table.lines:
        numbers = line.numbers
        for card in cards_in(position.hand):
            for number in range(1, HIGHEST_NUMBER + 1) if card in JOKERS else (card,):
                if numbers[0] <= number <= numbers[-1]:
                    continue
                try:
                    make_play(position, Play.of([LaidCard(card, number)], [line]))
                except ActionRefused:
                    continue
                ends.setdefault(line, (set(), set()))[number > numbers[-1]].add(number)
    return ends


def test_the_open_ends_are_those_that_the_engine_allows() -> None:
    random = Random(16)
    rulesets = (
        edition("classic"),
        edition("simplified", tables=(2, 5, 10)),
        edition("advanced", families=("squares", "primes", "triangular")),
        edition("blocks-simple"),
    )
    count = 0
    for _ in range(times(60, 2000)):
        ruleset = random.choice(rulesets)
        position = engine_position(
            random_position(random, reference.options_of(ruleset), 3), ruleset
        )
        ends = {
            line: (set(before), set(after)) for line, (before, after) in open_ends(position).items()
        }
        assert ends == legal_ends(position)
        count += len(ends)
    assert count > 20
