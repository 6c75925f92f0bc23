"""Values from an address or a form are bounded, and never cause an error."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from games.play.posted_values import parse_datetime, parse_int, parse_typed, parse_uuid
from tests.counts import for_each

KEY = UUID("5f0b2c1e-64a8-4c8b-9d35-0b0e6f2a7c11")


@pytest.mark.parametrize(("text", "number"), [("1", 1), (" 12 ", 12), ("007", 7), ("100", 100)])
def test_plain_digits_are_a_number(text: str, number: int) -> None:
    assert parse_int(text, most=100) == number


@for_each([None, "", "-1", "+1", "1e3", "1.0", "²", "٣", "1\x002", "101", "9" * 4301, "0" * 5000])
def test_anything_else_is_not_a_number(text: str | None) -> None:
    assert parse_int(text, most=100) is None


@pytest.mark.parametrize("text", ["42", "٤٢", "۴۲", "４２", "४२"])
def test_a_childs_number_may_come_from_any_keyboard(text: str) -> None:
    assert parse_typed(text) == 42


@pytest.mark.parametrize("text", [None, "", "²", "four", "4٫2", "٣٣٣٣٣"])
def test_anything_else_is_not_a_childs_number(text: str | None) -> None:
    assert parse_typed(text) is None


def test_a_number_below_the_minimum_is_none() -> None:
    assert parse_int("0", least=1, most=9) is None
    assert parse_int("1", least=1, most=9) == 1


def test_a_key_may_be_written_in_any_form() -> None:
    assert parse_uuid(str(KEY)) == parse_uuid(KEY.hex) == parse_uuid(KEY.urn) == KEY


@pytest.mark.parametrize("text", [None, "", "x", "9" * 4301, f"{KEY}0", "\x00" * 32])
def test_anything_else_is_not_a_key(text: str | None) -> None:
    assert parse_uuid(text) is None


def test_a_moment_has_its_time_zone() -> None:
    text = "2026-11-22T05:37:00+00:00"
    assert parse_datetime(text) == datetime(2026, 11, 22, 5, 37, tzinfo=UTC)


@for_each(
    [
        None,
        "",
        "2026-02-31",
        "2026-02-31T10:00:00+00:00",
        "2026-11-22T05:37:00",
        "0001-01-01T00:00:00+23:59",
        "9999-12-31T23:59:59-23:59",
        "9" * 4301,
    ]
)
def test_anything_else_is_not_a_moment(text: str | None) -> None:
    assert parse_datetime(text) is None
