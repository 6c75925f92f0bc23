"""Products as a page writes and reads them aloud: 6 × 7 or 6 · 7, as the language has it."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from django.utils.translation import gettext, pgettext

_NO_BREAK: Final = "\N{NO-BREAK SPACE}"


def times_sign() -> str:
    return pgettext("sign of multiplication", "×")


def product(first: int, second: int) -> str:
    return f"{first} {times_sign()} {second}"


def products(pairs: Iterable[Sequence[int]]) -> str:
    return ", ".join(product(*pair) for pair in pairs)


def spoken(first: int, second: int) -> str:
    """The product in words, for a voice that would read the sign as a letter or not at all."""
    return gettext("%(first)d times %(second)d") % {"first": first, "second": second}


def unbroken(text: str) -> str:
    """The text with no-break spaces in its products."""
    sign = times_sign()
    return re.sub(rf"(?<=\d) {re.escape(sign)} (?=\d)", f"{_NO_BREAK}{sign}{_NO_BREAK}", text)
