"""Model children's rounds: what is counted, and the summary."""

from contextlib import redirect_stdout
from dataclasses import replace
from functools import cache
from io import StringIO

import pytest

from games.coach.deals import PLAIN, Kindness, kindness_for
from games.coach.rating import START
from games.coach.rows import all_rows
from games.engine.ruleset import edition
from scripts.lab import simulate_class, simulation
from scripts.lab.simulate_class import HEAD, main
from scripts.lab.simulation import (
    CHILD,
    Setup,
    career,
    dealt,
    play_round,
    summary,
)

RULESET = edition("simplified", tables=(2, 5, 10), offers=False, rounds=1)
KIND = Setup("middle", RULESET, bots=1)
a_career = cache(career)


def test_the_same_seed_plays_the_same_career() -> None:
    assert career(KIND, 7) == a_career(KIND, 7) != a_career(KIND, 8)


@pytest.mark.proof
def test_a_companion_of_a_fixed_strength_does_not_follow_the_child() -> None:
    fixed = career(replace(KIND, strength=700), 7)
    assert {played.strength for played in fixed} == {700}
    assert summary(fixed).wins > summary(a_career(KIND, 7)).wins


def test_what_is_counted_of_a_round_fits_together() -> None:
    for seed in range(20):
        played = play_round(KIND, seed, START)
        assert played.turns >= 1
        assert played.turns_with_row <= played.turns
        if played.first_row is None:
            assert not played.won
        else:
            assert 1 <= played.first_row <= played.turns
            assert played.turns_with_row >= 1
        if played.won:
            assert played.first_row is not None


def test_a_kind_deal_gives_the_child_more_rows_than_plain_luck() -> None:
    def rows(kindness: Kindness | None) -> int:
        setup = replace(KIND, kindness=kindness)
        hands = [dealt(setup, seed, START).hands[CHILD] for seed in range(30)]
        return sum(not row & ~hand for hand in hands for row in all_rows(RULESET))

    assert rows(None) == rows(kindness_for(RULESET)) > 2 * rows(PLAIN)


# The share of dull rounds in 400, as `simulate_class --rounds 400` measured it, rounded up.
MOST_DULL = {
    ("middle", (2, 5, 10)): 0.03,
    ("weak", (2, 3, 4, 5, 6, 7, 8, 9, 10)): 0.03,
    ("middle", (3, 4, 6)): 0.05,
    ("strong", (6, 7, 8, 9)): 0.06,
}


@pytest.mark.proof
@pytest.mark.parametrize(("child", "tables"), [*MOST_DULL][:4])
def test_a_companion_seldom_passes_five_turns_in_a_row(child: str, tables: tuple[int, ...]) -> None:
    setup = Setup(child, edition("simplified", tables=tables, offers=False, rounds=1), bots=1)
    careers = 25
    played = [one for seed in range(careers) for one in career(setup, seed)]
    bound, rounds = MOST_DULL[child, tables], len(played)
    assert summary(played).dull <= bound + 3 * (bound * (1 - bound) / rounds) ** 0.5


@pytest.mark.proof
def test_hands_that_fill_up_and_a_market_give_more_turns_with_a_row() -> None:
    more = edition(
        "simplified",
        tables=(2, 5, 10),
        offers=False,
        rounds=1,
        market=3,
        refill=True,
        piles=2,
    )
    now, then = summary(career(replace(KIND, ruleset=more), 7)), summary(a_career(KIND, 7))
    assert now.possible > then.possible
    assert now.empty < then.empty


COUNTS = 4


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "SETTLING_ROUNDS", 1)
    monkeypatch.setattr(simulation, "COUNTED_ROUNDS", COUNTS)
    monkeypatch.setattr(simulate_class, "COUNTED_ROUNDS", COUNTS)


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
