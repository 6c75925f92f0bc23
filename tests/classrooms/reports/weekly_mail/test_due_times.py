"""By the clock of the class: across time zones, and where clocks are put forward and back."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.conf import LazySettings

from classrooms.reports.weekly_mail import moment_of, week_due

FRIDAY = date(2026, 11, 20)
ZONES = ("Europe/Amsterdam", "America/New_York", "Pacific/Auckland", "Asia/Kathmandu")


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "moment"),
    [
        ("Europe/Amsterdam", "2026-11-20T14:00"),
        ("America/New_York", "2026-11-20T20:00"),
        ("Pacific/Auckland", "2026-11-20T02:00"),
        ("Asia/Kathmandu", "2026-11-20T09:15"),
    ],
)
def test_it_is_due_on_friday_at_three_by_the_clock_of_the_class(zone: str, moment: str) -> None:
    at = utc(moment)
    assert week_due(at, zone) == FRIDAY
    assert week_due(at - timedelta(seconds=1), zone) is None


@pytest.mark.parametrize(
    ("zone", "friday", "moment"),
    [
        ("Europe/Amsterdam", date(2026, 3, 27), "2026-03-27T14:00"),
        ("Europe/Amsterdam", date(2026, 4, 3), "2026-04-03T13:00"),
        ("America/New_York", date(2026, 10, 30), "2026-10-30T19:00"),
        ("America/New_York", date(2026, 11, 6), "2026-11-06T20:00"),
        ("Pacific/Auckland", date(2026, 9, 25), "2026-09-25T03:00"),
        ("Pacific/Auckland", date(2026, 10, 2), "2026-10-02T02:00"),
    ],
)
def test_it_is_three_before_and_after_clocks_are_changed(
    zone: str, friday: date, moment: str
) -> None:
    assert week_due(utc(moment), zone) == friday
    assert week_due(utc(moment) - timedelta(minutes=1), zone) is None


@pytest.mark.parametrize("zone", ZONES)
def test_each_week_of_a_year_is_due_once_and_for_two_days(zone: str) -> None:
    start = utc("2026-01-01T00:00")
    found: dict[date, int] = {}
    for quarter in range(4 * 24 * 7 * 52):
        week = week_due(start + timedelta(minutes=15 * quarter), zone)
        if week:
            found[week] = found.get(week, 0) + 1
    assert len(found) == 52
    assert all(week.isoweekday() == 5 for week in found)
    assert set(found.values()) == {4 * 48 + 1}


def test_it_is_left_out_after_two_days() -> None:
    at = moment_of(FRIDAY, "Europe/Amsterdam")
    assert week_due(at + timedelta(hours=48), "Europe/Amsterdam") == FRIDAY
    assert week_due(at + timedelta(hours=48, seconds=1), "Europe/Amsterdam") is None


def test_day_and_hour_are_settings(settings: LazySettings) -> None:
    settings.WEEKLY_MAIL_DAY, settings.WEEKLY_MAIL_HOUR = 1, 7
    assert week_due(utc("2026-11-23T06:00"), "Europe/Amsterdam") == date(2026, 11, 23)
    assert week_due(utc("2026-11-23T05:59"), "Europe/Amsterdam") is None
