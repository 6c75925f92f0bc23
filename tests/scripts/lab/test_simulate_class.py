from contextlib import redirect_stdout
from io import StringIO

import pytest

from scripts.lab import simulate_class, simulation
from scripts.lab.simulate_class import HEAD, main

COUNTS = 4


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "SETTLES", 1)
    monkeypatch.setattr(simulation, "COUNTS", COUNTS)
    monkeypatch.setattr(simulate_class, "COUNTS", COUNTS)


def table(*args: str) -> list[str]:
    out = StringIO()
    with redirect_stdout(out):
        main(["--rounds", str(COUNTS), "--processes", "1", *args])
    return out.getvalue().splitlines()


def rows(*args: str) -> list[str]:
    _, head, *lines = table(*args)
    assert head == HEAD
    return lines


ONE = ("--tables", "2,5,10", "--children", "strong")


def test_the_same_seed_prints_the_same_table() -> None:
    assert table(*ONE, "--seed", "4") == table(*ONE, "--seed", "4")
    assert rows(*ONE, "--seed", "4") != rows(*ONE, "--seed", "5")


@pytest.mark.proof
def test_the_deals_the_hand_the_bots_and_the_opening_can_be_set() -> None:
    ways = (
        (),
        ("--plain",),
        ("--decks", "4", "--draws", "2"),
        ("--hand", "5"),
        ("--bots", "2"),
        ("--no-opening",),
        ("--strength", "700"),
    )
    assert len({rows(*ONE, *way)[0] for way in ways}) == len(ways)
    assert rows(*ONE, "--kind") == rows(*ONE)


@pytest.mark.parametrize(
    "wrong",
    [
        ("--tables", "0,5"),
        ("--tables", "two"),
        ("--bots", "9"),
        ("--bots", "0"),
        ("--hand", "27"),
    ],
)
def test_what_cannot_be_played_is_refused(wrong: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit):
        table(*wrong)
