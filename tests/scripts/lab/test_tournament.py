from itertools import combinations, product
from math import log10
from threading import Lock

import pytest

from games.engine.ruleset import EDITIONS, edition
from scripts.lab import tournament
from scripts.lab.arena import Contest, Seating, Tally, added, elo, play, play_round, seatings_of
from scripts.lab.processes import mapped

RULES = edition("simplified", tables=range(2, 11))
PAIR = ("beginner", "steady")


def contest(levels: tuple[str, ...] = PAIR, seats: int = 2, rounds: int = 10) -> Contest:
    return Contest(RULES, levels, seats, rounds)


def test_every_deal_is_played_from_both_seats() -> None:
    seatings = seatings_of(contest(rounds=10))
    orders = [PAIR, PAIR[::-1]]
    assert seatings == [Seating(order, deal) for deal, order in product(range(5), orders)]


def test_a_deal_is_the_same_whoever_plays_it() -> None:
    assert play_round(RULES, PAIR, "1/0") == play_round(RULES, PAIR, "1/0")
    alike = play_round(RULES, ("steady", "steady"), "1/3")
    assert alike == play_round(RULES, ("steady", "steady"), "1/3")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_level_sits_in_every_seat_and_every_pair_has_its_rounds(seats: int) -> None:
    levels = ("beginner", "steady", "sharp")
    seatings = seatings_of(contest(levels, seats, rounds=12))
    for level, seat in product(levels, range(seats)):
        assert any(seating.order[seat] == level for seating in seatings)
    for one, other in (levels[:2], levels[1:], levels[::2]):
        met = sum({one, other} <= set(seating.order) for seating in seatings)
        assert met >= 12


def test_each_level_is_alone_against_two_as_often_as_the_other() -> None:
    orders = [seating.order for seating in seatings_of(contest(seats=3, rounds=12))]
    alone = [order.count("steady") == 1 for order in orders]
    assert sum(alone) == len(orders) / 2


def test_a_level_with_two_seats_counts_by_their_mean() -> None:
    order = ("beginner", "steady", "beginner")
    gains = play_round(RULES, order, "1/0")
    tally = play(contest(seats=3), Seating(order, 0))[PAIR]
    assert tally.points == (gains[0] + gains[2]) / 2
    assert tally.others == gains[1]
    assert tally.won == (tally.points > tally.others) + (tally.points == tally.others) / 2


@pytest.mark.parametrize("name", EDITIONS)
def test_a_round_counts_as_it_ends(name: str) -> None:
    gains = play_round(edition(name), PAIR, "2/1")
    if name == "blocks":
        assert max(gains) <= 0
    if name == "blocks-simple":
        assert set(gains) <= {0, 1}


def test_the_interval_is_that_of_wilson() -> None:
    low, high = Tally(1000, 600).interval
    assert (round(low, 4), round(high, 4)) == (0.5693, 0.6299)
    assert Tally(10, 10).interval[1] == pytest.approx(1)


def test_what_one_has_won_the_other_has_lost() -> None:
    tally = Tally(10, 6.5, 30, 20)
    assert tally.turned == Tally(10, 3.5, 20, 30)
    assert tally.turned.turned == tally


def test_results_add_up() -> None:
    one, two = {PAIR: Tally(1, 1, 5, 3)}, {PAIR: Tally(1, 0.5, 2, 2)}
    assert added([one, two]) == {PAIR: Tally(2, 1.5, 7, 5)}


def test_ten_times_the_odds_are_400_points_of_elo() -> None:
    ratings = elo(PAIR, {PAIR: Tally(110_000, 10_000)})
    assert ratings["beginner"] == 1000
    assert ratings["steady"] == pytest.approx(1400, abs=0.1)


def test_the_ratings_of_several_levels_fit_what_each_pair_won() -> None:
    strengths = {"beginner": 1, "steady": 3, "sharp": 4, "expert": 10}
    total = {
        (one, other): Tally(10**9, 10**9 * strengths[one] / (strengths[one] + strengths[other]))
        for one, other in combinations(strengths, 2)
    }
    for level, rating in elo(tuple(strengths), total).items():
        assert rating == pytest.approx(1000 + 400 * log10(strengths[level]), abs=1e-3)


def test_whoever_never_lost_has_a_rating_all_the_same() -> None:
    assert 1400 < elo(PAIR, {PAIR: Tally(10, 0)})["steady"] < 3000


SHORT = ("--levels", "beginner,steady", "--tables", "2,5,10", "--rounds", "16")


def test_a_tournament_prints_the_same_table_however_many_processes_play_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def printed(*options: str) -> str:
        tournament.main([*SHORT, *options])
        return capsys.readouterr().out

    assert printed("--processes", "1") == printed("--processes", "2")
    assert printed("--seed", "1") != printed("--seed", "2")


def test_a_tournament_reports_who_won_how_often_and_how_strong_that_makes_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    tournament.main(SHORT)
    output = capsys.readouterr().out
    assert "simplified, tables 2, 5, 10, 2 seats, seed 1" in output
    assert "cards left in hand" in output
    row = next(line for line in output.splitlines() if line.startswith("steady     beginner"))
    assert "16" in row.split()
    assert "beginner   Elo 1000" in output


def test_steady_beats_the_beginner() -> None:
    total = added(play(contest(rounds=100), one) for one in seatings_of(contest(rounds=100)))
    assert total[PAIR].turned.interval[0] > 0.5


@pytest.mark.parametrize(
    "options",
    [
        ("--levels", "steady"),
        ("--levels", "steady,nobody"),
        ("--seats", "9"),
        ("--rounds", "0"),
        ("--tables", "40"),
    ],
)
def test_a_tournament_that_cannot_be_played_is_refused(options: tuple[str, str]) -> None:
    with pytest.raises(SystemExit):
        tournament.main([*SHORT, *options])


LOCK = Lock()


def square(number: int) -> int:
    return number * number


def locked(_: int) -> bool:
    return LOCK.locked()


@pytest.mark.parametrize("processes", [1, 2])
def test_results_come_in_the_order_of_the_items(processes: int) -> None:
    assert list(mapped(square, range(7), processes, chunk=2)) == [0, 1, 4, 9, 16, 25, 36]


def test_a_process_inherits_no_lock() -> None:
    with LOCK:
        assert list(mapped(locked, range(2), 2)) == [False, False]
