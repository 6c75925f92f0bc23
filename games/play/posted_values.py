"""Parses numbers, moments and keys of an address, a form or a cookie.

Anybody can send anything there. So all values have limits, and unreadable text gives None.
"""

import unicodedata
from datetime import datetime
from typing import Final
from uuid import UUID

from django.utils import dateparse

LONGEST_MOMENT: Final = 40
LONGEST_KEY: Final = 45
YEARS: Final = range(2000, 2200)
MOST_TYPED: Final = 9_999  # the highest answer of a child that is parsed
MOST_MS: Final = 9_999_999  # the longest time from a question to an answer


def parse_int(text: str | None, *, most: int, least: int = 0) -> int | None:
    """Parse plain digits; None unless they are a number from `least` to `most`."""
    digits = (text or "").strip()
    if not (digits.isascii() and digits.isdigit()) or len(digits) > len(str(most)):
        return None
    number = int(digits)
    return number if least <= number <= most else None


def parse_typed(text: str | None) -> int | None:
    """Parse a number up to `MOST_TYPED` that a child has typed, in digits of any script."""
    digits = (str(unicodedata.decimal(char, char)) for char in text or "")
    return parse_int("".join(digits), most=MOST_TYPED)


def parse_uuid(text: str | None) -> UUID | None:
    """Parse a UUID in any notation that `UUID` accepts."""
    if not text or len(text) > LONGEST_KEY:
        return None
    try:
        return UUID(text)
    except ValueError:
        return None


def parse_datetime(text: str | None) -> datetime | None:
    """Parse an ISO text with a time zone; None unless the moment is within `YEARS`."""
    if not text or len(text) > LONGEST_MOMENT:
        return None
    try:
        parsed = dateparse.parse_datetime(text)
    except ValueError:
        return None
    return parsed if parsed and parsed.tzinfo and parsed.year in YEARS else None
