import pytest

from games.bots.reasons import Reason, reason
from games.engine.ruleset import Ruleset
from games.engine.text.notation import parse_play
from tests.games.positions import BLOCKS, SIMPLIFIED, position


def why(play: str, hand: str, *lines: str, ruleset: Ruleset = SIMPLIFIED) -> Reason:
    at = position(hand, *lines, ruleset=ruleset)
    return reason(at, parse_play(play, ruleset))


@pytest.mark.parametrize(
    ("play", "lines", "way"),
    [
        ("12 16 20", (), "laid"),
        ("28 to 16-20-24", ("16-20-24",), "added"),
        ("16 to 4-8-12 20-24-28", ("4-8-12", "20-24-28"), "joined"),
        ("12 20 across 16", ("14-15-16",), "crossed"),
    ],
)
def test_a_reason_names_how_a_row_was_made(play: str, lines: tuple[str, ...], way: str) -> None:
    assert why(play, "12 16 20 28 50", *lines).way == way


def test_rows_of_blocks_earn_nothing_and_double_nothing() -> None:
    given = why("12 16 20", "12 16 20 50", ruleset=BLOCKS)
    assert (given.points, given.colours) == (0, None)


def test_a_reason_names_a_joker_taken_and_the_last_card() -> None:
    given = why("a=28 to 16-20-a=24 swap 24 for a", "24", "16-20-a=24")
    assert given.swapped == (24,)
    assert given.last
