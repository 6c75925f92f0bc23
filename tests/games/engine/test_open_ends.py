"""The open ends of rows: each is where a card of the hand can be laid, and none is left out."""

from random import Random

from games.engine.cards import HIGHEST_NUMBER, JOKERS, LaidCard, cards_in
from games.engine.errors import ActionRefused
from games.engine.open_ends import open_ends
from games.engine.play_application import Position, form
from games.engine.ruleset import edition
from games.engine.table import Line, Play
from tests.counts import times
from tests.games.engine import reference
from tests.games.engine.random_positions import engine_position, random_position


def legal_ends(position: Position) -> dict[Line, tuple[set[int], set[int]]]:
    """The same, by trying every card as every number at every row."""
    found: dict[Line, tuple[set[int], set[int]]] = {}
    for line in position.table.lines:
        numbers = line.numbers
        for card in cards_in(position.hand):
            for number in range(1, HIGHEST_NUMBER + 1) if card in JOKERS else (card,):
                if numbers[0] <= number <= numbers[-1]:
                    continue
                try:
                    form(position, Play.of([LaidCard(card, number)], [line]))
                except ActionRefused:
                    continue
                found.setdefault(line, (set(), set()))[number > numbers[-1]].add(number)
    return found


def test_the_open_ends_are_those_that_the_engine_allows() -> None:
    random = Random(16)
    rulesets = (
        edition("classic"),
        edition("simplified", tables=(2, 5, 10)),
        edition("advanced", families=("squares", "primes", "triangular")),
        edition("blocks-simple"),
    )
    seen = 0
    for _ in range(times(60, 2000)):
        ruleset = random.choice(rulesets)
        position = engine_position(
            random_position(random, reference.options_of(ruleset), 3), ruleset
        )
        ends = {
            line: (set(before), set(after)) for line, (before, after) in open_ends(position).items()
        }
        assert ends == legal_ends(position)
        seen += len(ends)
    assert seen > 20
