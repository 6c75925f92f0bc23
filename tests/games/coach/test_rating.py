"""A child's strength, computed from their own rounds."""

import pytest

from games.coach.rating import (
    LEAST_K,
    START_RATING,
    WIN_SHARE,
    Rating,
    Result,
    chance_to_win,
    opponent_for,
    rating_after,
    rating_after_round,
)


def test_the_opponent_for_a_child_loses_a_little_more_than_half() -> None:
    assert chance_to_win(1000, opponent_for(1000)) == pytest.approx(WIN_SHARE)
    assert 0.5 < WIN_SHARE < 0.65


def test_winning_raises_the_rating_and_losing_lowers_it() -> None:
    won, lost = (rating_after_round(Rating(), Result(START_RATING, won)) for won in (True, False))
    assert won.value > START_RATING > lost.value
    assert won.rounds == lost.rounds == 1


def test_each_round_moves_the_rating_less_but_never_below_a_minimum() -> None:
    moves = [
        rating_after_round(Rating(START_RATING, rounds), Result(START_RATING, True)).value
        - START_RATING
        for rounds in (0, 1, 5, 20, 1000)
    ]
    assert moves == sorted(moves, reverse=True)
    assert moves[-1] == LEAST_K / 2


def test_expected_wins_leave_a_rating_unchanged() -> None:
    rating = Rating(1100, 40)
    for number in range(100):
        won = number * 53 % 100 < 100 * WIN_SHARE
        rating = rating_after_round(rating, Result(opponent_for(rating.value), won))
    assert rating.value == pytest.approx(1100, abs=40)


def test_a_rating_ends_at_the_strength_of_the_child() -> None:
    rating = Rating()
    for _ in range(60):
        strength = opponent_for(rating.value)
        rating = rating_after_round(rating, Result(strength, won=strength < 1150))
    assert rating.value == pytest.approx(1150, abs=60)


def test_a_rating_goes_on_from_earlier_rounds() -> None:
    results = [Result(1000, True), Result(1050, False), Result(1020, True)]
    first = rating_after(results[:2])
    assert rating_after(results[2:], first) == rating_after(results)
    assert rating_after([]) == Rating()
