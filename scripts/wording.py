"""Checks how the translations are written: the words of the glossary, typography, end marks and
placeholders. The rules are those of docs/translating.md."""

import re
import sys
from collections.abc import Iterator
from typing import Final

from scripts.translations import LANGUAGES, ROOT, catalogue_in

AVOIDED: Final[dict[str, dict[str, str]]] = {
    "nl": {
        r"rij(?:en)?": "reeks (on the table), regel (in a file)",
        r"snelle vragen": "korte vragen",
        r"vriendelijk delen": "kansrijk delen",
        r"nieuwkomers": "nieuwe apparaten",
        r"leraar|leraren": "leerkracht",
        r"groep(?:en)?": "groepje",
        r"rapport(?:en)?": "overzicht",
        r"kruis(?:en|t)": "dwars leggen",
        r"stappen van (?=%)": "sprongen van",
    },
    "de": {
        r"Blöcken?": "Steine",
        r"Einmaleinsreihen?": "Einmaleins",
        r"schnellen? Fragen": "kurze Fragen",
        r"freundliche[ns]? (?:Aust|G)eben": "günstig austeilen",
        r"kreuz(?:en(?! Sie)|t)": "seitlich anlegen",
    },
    "sv": {
        r"hopp om": "hopp på",
        r"snabbfrågor(?:na)?": "korta frågor",
        r"öppe?t kort|öppna kortet": "uppvänt kort",
        r"bygga på": "lägga till",
        r"bots?": "bott, bottar",
        r"veckobrev(?:et)?": "veckorapport",
    },
}
"""Patterns of whole words, and what is said instead."""
ROW_IN_SWEDISH: Final = re.compile(r"\brad(?:en|er|erna)?\b", re.IGNORECASE)
OF_A_FILE: Final = re.compile(r"\b[Ll]ines?\b|heading|At most|more than|for each child")
"""In English: a row or line of a file, not of the game."""
PLACEHOLDER: Final = re.compile(r"%\((\w+)\)[sd]|\{(\w*)\}")
NOT_SPOKEN: Final = re.compile(rf"{PLACEHOLDER.pattern}|<[^>]*>")
"""What stands for other text, or for none: a `%` is searched in its place."""
PRODUCT: Final = re.compile(r"(?:\d|\)[sd]) [×·] ?(?:\d|%\()|(?:\d|\)[sd])[×·] (?:\d|%\()")
PERCENT: Final = re.compile(r"(?:\d|\)[sd]) %%")
END_MARKS: Final = (".", "?", "!")
THE_GAME: Final = "nmbrs!"


def faults(language: str, english: str, text: str) -> Iterator[str]:
    """What is wrong with a translation of this English text, each fault in a few words."""
    spoken = NOT_SPOKEN.sub("%", text)
    for pattern, better in AVOIDED[language].items():
        if found := re.search(rf"(?<!\w)(?:{pattern})(?!\w)", spoken, re.IGNORECASE):
            yield f"“{found[0]}”: say {better}"
    of_the_game = "row" in english.lower() and not OF_A_FILE.search(english)
    if language == "sv" and of_the_game and (found := ROW_IN_SWEDISH.search(spoken)):
        yield f"“{found[0]}”: say serie"
    if "'" in spoken or '"' in spoken:
        yield "a straight quotation mark or apostrophe"
    if PRODUCT.search(text):
        yield "a product without no-break spaces"
    if PERCENT.search(text):
        yield "an ordinary space before %"
    if _is_sentence(english) and not text.endswith(END_MARKS):
        yield "no end mark, as in English"
    if text.endswith(".") and not english.endswith((".", ",", "!", "?")):
        yield "a full stop that is not in English"
    if _placeholders(english) != _placeholders(text):
        yield "other placeholders than in English"


def _is_sentence(english: str) -> bool:
    """Whether it ends as a sentence does. The game's own name ends in a mark that is none."""
    return english.removesuffix(THE_GAME).endswith(END_MARKS)


def _placeholders(text: str) -> set[str]:
    return {named or positional for named, positional in PLACEHOLDER.findall(text)}


def messages(language: str) -> Iterator[tuple[str, str]]:
    """Each English text of a catalogue with its translation; of plurals, the first and last."""
    for message in catalogue_in(ROOT, language):
        english, forms = _forms(message.id), _forms(message.string or "")
        if english[0]:
            yield from {(english[0], forms[0]), (english[-1], forms[-1])}


def _forms(text: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def main() -> int:
    found = [
        f"{language}: {text!r}: {fault}"
        for language in LANGUAGES
        for english, text in messages(language)
        for fault in faults(language, english, text)
    ]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
