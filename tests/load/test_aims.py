"""A load says what it missed."""

from scripts.load.aims import Result, missed, most
from scripts.load.crowd import Move
from tests.counts import for_each


def result(
    seconds: list[float], number: int = 300, adults: dict[str, int] | None = None, **answers: int
) -> Result:
    moves = [Move(0.0, each, each) for each in seconds]
    return Result(number, moves, {name.lstrip("_"): n for name, n in answers.items()}, adults or {})


SOON = [0.05] * 100
LATE = [0.05] * 90 + [0.3] * 10
LATEST = [0.05] * 90 + [6.0] * 10


def test_a_load_that_reaches_its_aims_says_nothing() -> None:
    assert missed(result(SOON, adults={"200": 5, "304": 9}), aim=1000) == []


def test_late_moves_are_missed_up_to_the_aim() -> None:
    assert missed(result(LATE), aim=1000) == ["p95 is 300 ms, not under 200"]
    assert missed(result(LATE, number=2000), aim=1000) == []


def test_beyond_the_aim_those_who_are_served_are_served_in_time() -> None:
    assert missed(result(LATEST, number=2000), aim=1000) == [
        "p99 of those served is 6.0 s, not 5 at most"
    ]


@for_each([0, 90, 100, 140, 640, 975, 2000, 2500])
def test_the_largest_number_is_found_by_halves(truth: int) -> None:
    asked = []

    def is_soon(number: int) -> bool:
        asked.append(number)
        return number <= truth

    found = most(is_soon, low=100, high=2000, step=50)
    assert found == (0 if truth < 100 else min(truth, 2000) // 50 * 50)
    assert len(asked) <= 7
    assert len(asked) == len(set(asked))
