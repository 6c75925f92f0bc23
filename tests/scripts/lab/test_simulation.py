"""Model children's rounds: what is counted, and the summary."""

from contextlib import redirect_stdout
from dataclasses import replace
from functools import cache
from io import StringIO

import pytest

from classrooms.demo.model_children import WEAK
from games.coach.deals import PLAIN, Kindness, kindness_for
from games.coach.rating import START
from games.coach.rows import all_rows
from games.engine.ruleset import edition
from scripts.lab import simulate_class, simulation
from scripts.lab.simulate_class import HEAD, main
from scripts.lab.simulation import (
    BETWEEN,
    CHILD,
    DISCARDING,
    DRAWING,
    LAYING,
    RECALLS_A_LOOK,
    WATCHING,
    WRONG_TRY,
    Round,
    Setup,
    career,
    dealt,
    play_round,
    summary,
)

RULESET = edition("simplified", tables=(2, 5, 10), offers=False, rounds=1)
KIND = Setup("middle", RULESET, bots=1)
a_career = cache(career)
A_ROUND = Round(
    won=True,
    turns=5,
    first_row=2,
    turns_with_row=3,
    possible=4,
    empty=1,
    wrong_tries=0,
    seconds=120.0,
    passed=5,
    strength=1000.0,
)


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


def test_a_weak_child_takes_as_long_as_the_time_model_says() -> None:
    slow = replace(KIND, child="weak", kindness=PLAIN)
    look = RECALLS_A_LOOK * WEAK.check_seconds
    for seed in range(10):
        played = play_round(slow, seed, START)
        turn = DRAWING + look + DISCARDING
        least = BETWEEN + turn * (played.turns - 1)
        most = BETWEEN + (turn + WATCHING) * (played.turns + 1) + WRONG_TRY * played.wrong_tries
        rows = (most + 7 * (LAYING + look)) if played.first_row else most
        assert least <= played.seconds <= rows


def test_a_kind_deal_gives_the_child_more_rows_than_plain_luck() -> None:
    def rows(kindness: Kindness | None) -> int:
        setup = replace(KIND, kindness=kindness)
        hands = [dealt(setup, seed, START).hands[CHILD] for seed in range(30)]
        return sum(not row & ~hand for hand in hands for row in all_rows(RULESET))

    assert rows(None) == rows(kindness_for(RULESET)) > 2 * rows(PLAIN)


def test_a_summary_has_shares_and_medians() -> None:
    lost = replace(
        A_ROUND, won=False, turns=9, first_row=None, turns_with_row=1, seconds=300.0, passed=4
    )
    figures = summary([A_ROUND, A_ROUND, lost])
    assert figures.rounds == 3
    assert figures.wins == pytest.approx(2 / 3)
    assert figures.turns == 5
    assert figures.long_turns == 9
    assert figures.first_row == 2
    assert figures.without_row == pytest.approx(1 / 3)
    assert figures.with_row_to_find == pytest.approx(7 / 19)
    assert figures.minutes == 2
    assert figures.dull == pytest.approx(2 / 3)


# The most dull rounds, with room for chance above the figures of docs/pacing.md: three standard
# deviations for so few rounds.
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
