"""The rules that each composed sentence keeps, in all languages."""

import re
from collections.abc import Iterator
from typing import Final

from tests.games.screen.composed import Composed

MOST_WORDS: Final = 12
LONGER: Final[dict[str, tuple[int, str]]] = {
    "refusal": (21, "the reason names the tables and families of the game"),
    "what to do": (13, "two choices, of which each is named in full"),
}
"""The kinds of text whose sentences may be longer, and why."""
ENDS: Final = (".", "!", "?")
LISTED: Final = re.compile(
    r"(?<![\w×])\d+(?:, \d+)*(?: (?:and|or|en|of|und|oder|och|eller) \d+)?(?![\w×])"
)
"""Numbers in a list: as many as the placeholder brings, and read as one thing."""
JUMPS: Final = re.compile(r"(?:(?:[Ff]rom )?\d+ (?:to|→) \d+ (?:is|ist|är) \+?\d+(?:, )?)+")
"""The jumps of a row in a list, likewise."""
PRODUCT: Final = re.compile(r"\d+\s[×·]\s\d+")
LEFT_OPEN: Final = re.compile(r"%[(sd%]|\{\w*\}|None|\bFalse\b")
TWICE: Final = re.compile(r"(?<![\w-])([^\W\d]+) \1(?![\w-])", re.IGNORECASE)
ARTICLES: Final = {
    "en": r"the|a|an",
    "nl": r"de|een",
    "de": r"der|die|das|dem|den|des|ein|eine|einen|einem|einer",
    "sv": r"en|ett",
}
TOGETHER: Final = re.compile(r"  |[:;,] ?[:;,.]|(?<!\.)\.\.(?!\.)|[!?]\.| [.,:;!?](?!\w)|^ | $")
SEVERAL: Final = {
    "en": r"cards|points|rows|blocks|turns|tries|days|games|jokers|rounds",
    "nl": r"kaarten|(?:straf)?punten|reeksen|blokken|beurten|pogingen|dagen|spellen|jokers|rondes",
    "de": r"Karten|Punkte|Reihen|Steine|Züge|Zügen|Versuchen|Tage|Tagen|Spiele|Runden|Strafpunkte",
    "sv": r"poängen|serier|brickor|turer|dagar|försöken|jokrar|rundor|minuspoängen",
}
"""What stands beside more than one."""


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
        yield from _as_sentences(composed)


def _as_sentences(composed: Composed) -> Iterator[str]:
    if not composed.text.endswith(ENDS):
        yield "no end mark"
    most, _ = LONGER.get(composed.kind, (MOST_WORDS, ""))
    for sentence in re.split(r"(?<=[.!?]) (?=\S)", composed.text):
        if not (sentence[0].isupper() or sentence[0].isdigit() or sentence[0] in "“„”+"):
            yield f"begins small: {sentence}"
        for part in sentence.split(": "):
            if composed.child and (words := _words(part)) > most:
                yield f"{words} words: {part}"


def _words(part: str) -> int:
    """How many words a sentence, or a part of it before or after a colon, has."""
    for listed in (JUMPS, PRODUCT, LISTED):
        part = listed.sub("1", part)
    return len(re.findall(r"\w[\w’'-]*", part))
