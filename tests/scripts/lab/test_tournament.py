from itertools import product
from threading import Lock

import pytest

from games.engine.ruleset import edition
from scripts.lab import tournament
from scripts.lab.arena import Contest, Seating, Tally, elo, seatings_of

RULES = edition("simplified", tables=range(2, 11))
PAIR = ("beginner", "steady")


def contest(levels: tuple[str, ...] = PAIR, seats: int = 2, rounds: int = 10) -> Contest:
    return Contest(RULES, levels, seats, rounds)


def test_every_deal_is_played_from_both_seats() -> None:
    seatings = seatings_of(contest(rounds=10))
    orders = [PAIR, PAIR[::-1]]
    assert seatings == [Seating(order, deal) for deal, order in product(range(5), orders)]


def test_the_interval_is_that_of_wilson() -> None:
    low, high = Tally(1000, 600).interval
    assert (round(low, 4), round(high, 4)) == (0.5693, 0.6299)
    assert Tally(10, 10).interval[1] == pytest.approx(1)


def test_ten_times_the_odds_are_400_points_of_elo() -> None:
    ratings = elo(PAIR, {PAIR: Tally(110_000, 10_000)})
    assert ratings["beginner"] == 1000
    assert ratings["steady"] == pytest.approx(1400, abs=0.1)


SHORT = ("--levels", "beginner,steady", "--tables", "2,5,10", "--rounds", "16")


def test_a_tournament_prints_the_same_table_however_many_processes_play_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def printed(*options: str) -> str:
        tournament.main([*SHORT, *options])
        return capsys.readouterr().out

    assert printed("--processes", "1") == printed("--processes", "2")
    assert printed("--seed", "1") != printed("--seed", "2")


LOCK = Lock()


def locked(_: int) -> bool:
    return LOCK.locked()
