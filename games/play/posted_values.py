"""Reads numbers, moments and keys from an address, a form or a cookie.

Anyone can send anything there. So all values have limits, and unreadable text gives None.
"""

import unicodedata
from datetime import datetime
from typing import Final
from uuid import UUID

from django.utils import dateparse

LONGEST_MOMENT: Final = 40
LONGEST_KEY: Final = 45
YEARS: Final = range(2000, 2200)
MOST_TYPED: Final = 9_999
MOST_MS: Final = 9_999_999
"""The highest answer of a child that is read, and the longest time from a question to an answer."""


def parse_int(text: str | None, *, most: int, least: int = 0) -> int | None:
    """The number from `least` to `most` that a text of plain digits gives; else None."""
    digits = (text or "").strip()
    if not (digits.isascii() and digits.isdigit()) or len(digits) > len(str(most)):
        return None
    number = int(digits)
    return number if least <= number <= most else None


def parse_typed(text: str | None) -> int | None:
    """A number that a child has typed, in digits of any script, up to `MOST_TYPED`."""
    digits = (str(unicodedata.decimal(char, char)) for char in text or "")
    return parse_int("".join(digits), most=MOST_TYPED)


def parse_uuid(text: str | None) -> UUID | None:
    """The UUID in this text, in any notation that `UUID` accepts; None if it has none."""
    if not text or len(text) > LONGEST_KEY:
        return None
    try:
        return UUID(text)
    except ValueError:
        return None


def parse_datetime(text: str | None) -> datetime | None:
    """The moment, within `YEARS`, of an ISO text with a time zone; else None."""
    if not text or len(text) > LONGEST_MOMENT:
        return None
    try:
        parsed = dateparse.parse_datetime(text)
    except ValueError:
        return None
    return parsed if parsed and parsed.tzinfo and parsed.year in YEARS else None
