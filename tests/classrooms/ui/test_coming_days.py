"""Days that a teacher sets for something to come."""

from datetime import date, timedelta

import pytest
from django.core.exceptions import ValidationError

from classrooms.ui.pages import FARTHEST, check_coming

TODAY = date(2026, 9, 1)


@pytest.mark.parametrize("day", [None, TODAY, TODAY + FARTHEST])
def test_today_and_two_years_from_now_are_taken(day: date | None) -> None:
    assert check_coming(day, TODAY) == day


@pytest.mark.parametrize(
    ("days", "words"), [(-1, "has passed"), (FARTHEST.days + 1, "more than two years away")]
)
def test_other_days_are_refused_with_the_reason(days: int, words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        check_coming(TODAY + timedelta(days=days), TODAY)
