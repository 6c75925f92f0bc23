"""What different spellings of a child's name have in common."""

import unicodedata
from typing import Final

LONGEST_PLAIN: Final = 80
_SPELLED_OUT: Final = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)
_UMLAUTS: Final = (("ae", "a"), ("oe", "o"), ("ue", "u"), ("aa", "a"))


def plain_name(name: str) -> str:
    """The letters and digits of a name without capitals and accents, so that a child finds itself
    however it types its name. Empty where there are none.

    >>> plain_name("  Zoë  van-Dam ")
    'zovandam'
    >>> plain_name("Jürgen") == plain_name("JUERGEN")
    True
    """
    parts = unicodedata.normalize("NFKD", name.casefold()).casefold().translate(_SPELLED_OUT)
    plain = "".join(sign for sign in parts if sign.isalnum())
    for spelled, letter in _UMLAUTS:
        plain = plain.replace(spelled, letter)
    return plain[:LONGEST_PLAIN]
