"""`manage.py replay` prints a game as text, position by position."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

GAME = """edition simplified offers=no rounds=1
seats 2
starter 0

round 1
deal 1 2 3 10 20 30 40 | 4 5 6 7 8 9 49 | 50 | 11 12
1. seat 0: draw open | 1 2 3 | take back | 10 20 30 | discard 3
2. seat 1: draw open | 3 4 5 6 7 8 9 | discard 49

result 22 27 winners 1
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.txt"
    path.write_text(GAME, encoding="utf-8")
    return path


def replayed(*arguments: object) -> list[str]:
    out = StringIO()
    call_command("replay", *map(str, arguments), stdout=out, no_color=True)
    return out.getvalue().rstrip("\n").split("\n\n")


def test_each_action_is_printed_with_the_position_after_it(game: Path) -> None:
    positions = replayed(game)
    assert [position.splitlines()[0] for position in positions] == [
        "1. deal of round 1",
        "2. seat 0: draw open",
        "3. seat 0: 1 2 3",
        "4. seat 0: take back",
        "5. seat 0: 10 20 30",
        "6. seat 0: discard 3",
        "7. seat 1: draw open",
        "8. seat 1: 3 4 5 6 7 8 9",
        "9. seat 1: discard 49",
    ]
    rules = "simplified offers=no rounds=1"
    assert positions[4].splitlines()[1:] == [
        f"   {rules} | table 10-20-30 | hand 1 2 3 40 50 | opened yes",
        "   seat 0: score 26, hand 1 2 3 40 50",
        "   seat 1: score 20, hand 4 5 6 7 8 9 49",
        "   open none, closed 2",
        "   phase play, seat 0 to act",
    ]
    assert positions[-1].splitlines()[2:] == [
        "   seat 0: score 22, hand 1 2 40 50",
        "   seat 1: score 27, hand none",
        "   open 49, closed 2",
        "   phase match over",
    ]


def test_a_single_position_can_be_printed(game: Path) -> None:
    assert replayed(game, "--at", 5) == replayed(game)[4:5]


def test_a_result_that_is_not_the_games_is_refused(game: Path) -> None:
    game.write_text(GAME.replace("22 27", "27 22"), encoding="utf-8")
    with pytest.raises(CommandError, match="line 10: result-differs"):
        replayed(game)
