"""The rules that each composed sentence keeps, in all languages."""

import re
from collections.abc import Iterator
from typing import Final

from tests.games.screen.composed import Composed

MOST_WORDS: Final = 12
ENDS: Final = (".", "!", "?")
LISTED: Final = re.compile(
    r"(?<![\w×])\d+(?:, \d+)*(?: (?:and|or|en|of|und|oder|och|eller) \d+)?(?![\w×])"
)
"""Numbers in a list: as many as the placeholder brings, and read as one thing."""
PRODUCT: Final = re.compile(r"\d+\s[×·]\s\d+")
LEFT_OPEN: Final = re.compile(r"%[(sd%]|\{\w*\}|None|\bFalse\b")
TWICE: Final = re.compile(r"(?<![\w-])([^\W\d]+) \1(?![\w-])", re.IGNORECASE)
ARTICLES: Final = {
    "en": r"the|a|an",
    "nl": r"de|het|een",
    "de": r"der|die|das|dem|den|des|ein|eine|einen|einem|einer",
    "sv": r"en|ett",
}
TOGETHER: Final = re.compile(r"  |[:;,] ?[:;,.]|(?<!\.)\.\.(?!\.)|[!?]\.| [.,:;!?](?!\w)|^ | $")
SEVERAL: Final = {
    "en": r"cards|points|rows|blocks|turns|tries|days|games|jokers|rounds",
    "nl": r"kaarten|punten|reeksen|blokken|beurten|pogingen|dagen|spellen|jokers|rondes|strafpunten",
    "de": r"Karten|Punkte|Reihen|Steine|Züge|Zügen|Versuchen|Tage|Tagen|Spiele|Runden|Strafpunkte",
    "sv": r"poängen|serier|brickor|turer|dagar|försöken|jokrar|rundor|minuspoängen",
}
"""What stands beside more than one."""
EXCEPTIONS: Final[dict[str, str]] = {}
"""Parts of long sentences, and why they are long."""


def faults(language: str, composed: Composed) -> Iterator[str]:
    """What is wrong with a composed text, each fault in a few words."""
    text = composed.text
    if LEFT_OPEN.search(text):
        yield "a placeholder is left"
    if found := TWICE.search(text):
        yield f"“{found[0]}” twice"
    articles = ARTICLES[language]
    if found := re.search(rf"(?<![\w])(?:{articles}) (?:{articles})(?!\w)", text, re.IGNORECASE):
        yield f"two articles: {found[0]}"
    if found := TOGETHER.search(text):
        yield f"badly joined: “{found[0]}”"
    if found := re.search(rf"(?<![\w,.–-])(?<!\d )1 (?:{SEVERAL[language]})(?!\w)", text):
        yield f"one, and several: {found[0]}"
    if composed.sentence:
        yield from _as_sentences(text, composed.child)


def _as_sentences(text: str, child: bool) -> Iterator[str]:
    if not text.endswith(ENDS):
        yield "no end mark"
    for sentence in sentences(text):
        if not (sentence[0].isupper() or sentence[0].isdigit() or sentence[0] in "“„”"):
            yield f"begins small: {sentence}"
        words = re.findall(r"\w[\w’'-]*", PRODUCT.sub("1", LISTED.sub("1", sentence)))
        if child and len(words) > MOST_WORDS and not any(part in text for part in EXCEPTIONS):
            yield f"{len(words)} words: {sentence}"


def sentences(text: str) -> list[str]:
    return [each for each in re.split(r"(?<=[.!?])[”“]? (?=\S)", text) if each]
