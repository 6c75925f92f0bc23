"""A key that sorts names in the order of a language, in every database.

The order is that of ICU, which PostgreSQL and browsers use; a test compares the two. ICU itself is
not used, because SQLite and some builds of PostgreSQL lack it. The key has two characters for each
letter. They are digits and the letters a to z, which every database sorts alike, whatever its
collation. After the letters come the accents, which decide between names that are otherwise equal.
Unlike in ICU, both apostrophes are equal, because it is chance which one a teacher types.

Of the site's languages only Swedish needs special rules: å, ä and ö are separate letters after z,
and ü sorts as a y. In the others a letter with an accent comes directly after the plain letter."""

import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from django.utils.translation import get_language

if TYPE_CHECKING:
    from classrooms.models.classes import SchoolClass

LONGEST_ORDER: Final = 200
_AFTER_LETTERS: Final = "00"
_LETTERS_OF_LANGUAGE: Final[Mapping[str, Mapping[str, str]]] = {
    "sv": {
        **dict.fromkeys("å", "z1"),
        **dict.fromkeys("äæę", "z2"),
        **dict.fromkeys("öøőœô", "z3"),
        **dict.fromkeys("üű", "y0"),
        **dict.fromkeys("đð", "d0"),
        "þ": "t0h0",
    }
}
_LETTERS: Final[Mapping[str, str]] = {
    "æ": "a0e0",
    "œ": "o0e0",
    "ø": "o0",
    "ł": "l0",
    "đ": "d0",
    "ħ": "h0",
    "ð": "d0",
    "ı": "i1",
    "ŋ": "n1",
    "þ": "z4",
    "ß": "s0s0",
}
_TWO_LETTERS: Final = frozenset(char for char, key in _LETTERS.items() if len(key) > 2)
_SIGNS: Final[Mapping[str, str]] = {
    " ": "01",
    "-": "02",
    ".": "03",
    "'": "04",
    "’": "04",
    "(": "06",
    ")": "07",
}
_ACCENTS: Final = (
    "\u0301\u0300\u0306\u0302\u030c\u030a\u0308\u030b\u0303\u0307\u0323\u0327\u0328\u0304"
)
"""The accents in their order, the acute first."""


def name_order(name: str, language: str) -> str:
    """The key by which to sort this name in a class of this language.

    >>> sorted(["Zoë", "Åsa", "Anna"], key=lambda name: name_order(name, "sv"))
    ['Anna', 'Zoë', 'Åsa']
    >>> sorted(["Zoë", "Åsa", "Anna", "Bo"], key=lambda name: name_order(name, "nl"))
    ['Anna', 'Åsa', 'Bo', 'Zoë']
    """
    letters = _LETTERS_OF_LANGUAGE.get(language, {})
    chars = unicodedata.normalize("NFC", name).replace("ẞ", "ß")
    composed = "".join(char if char == "ß" else char.casefold() for char in chars)
    keys = [letters.get(char) or _key_of(char) for char in composed]
    accents = [_accent_of(char, language) for char in composed]
    return f"{''.join(keys)}{_AFTER_LETTERS}{''.join(accents)}"[:LONGEST_ORDER]


def class_order(school_class: "SchoolClass") -> str:
    """The key by which a page sorts classes, in the language of the page."""
    return name_order(school_class.name, get_language() or "")


def _key_of(char: str) -> str:
    if char in _SIGNS:
        return _SIGNS[char]
    parts = unicodedata.normalize("NFKD", char)
    return "".join(_key_of_letter(part) for part in parts if not unicodedata.combining(part))


def _key_of_letter(letter: str) -> str:
    if letter in _LETTERS:
        return _LETTERS[letter]
    if "a" <= letter <= "z":
        return f"{letter}0"
    if "0" <= letter <= "9":
        return f"1{letter}"
    return f"z9{ord(letter):06x}" if letter.isalnum() else ""


def _accent_of(char: str, language: str) -> str:
    """The key of this character's accent. That of the plain letter comes first."""
    letters = _LETTERS_OF_LANGUAGE.get(language, {})
    if char in letters:
        alike = [letter for letter in letters if letters[letter] == letters[char]]
        is_plain = letters[char].startswith("z") and alike[0] == char
        return "a" if is_plain else chr(ord("p") + alike.index(char))
    if char in _TWO_LETTERS:
        return "ra"  # "r" sorts after all accents; "a" is for the second letter, which has none.
    if char in _LETTERS:
        return "q" if char == "ð" else "p"
    accents = [part for part in unicodedata.normalize("NFKD", char) if unicodedata.combining(part)]
    if not accents:
        return "a"
    return chr(ord("b") + _ACCENTS.find(accents[0]) % len(_ACCENTS))
