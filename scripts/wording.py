"""Checks how the texts are written, by the rules of docs/translating.md: the words of the glossary,
typography, end marks, placeholders, names of buttons, address and lengths."""

import re
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from babel.messages.catalog import Catalog

from nmbrs_edu.settings.languages import ALL
from scripts.translations import ENGLISH, LANGUAGES, ROOT, TRIALS, catalogue_in, extracted, set_up
from scripts.wording_places import misaddressed, places, too_long

AVOIDED: Final[dict[str, dict[str, str]]] = {
    ENGLISH: {
        r"eras(?:e[ds]?|ing)": "delete the data",
        r"newcomers?": "new devices",
        r"kind deals?": "helpful deals",
        r"quick (?:checks?|questions?)": "short questions",
    },
    "nl": {
        r"rij(?:en)?": "reeks (on the table), regel (in a file)",
        r"snelle vragen": "korte vragen",
        r"vriendelijk delen": "kansrijk delen",
        r"nieuwkomers?": "nieuwe apparaten",
        r"leraar|leraren": "leerkracht",
        r"groep(?:en)?": "groepje",
        r"rapport(?:en)?": "overzicht",
        r"kruis(?:en|t)": "dwars leggen",
        r"ertussen leggen": "tussenvoegen",
        r"blokjes?": "blok, blokken",
        r"klassenkaart": "overzicht",
        r"stappen van (?=%)": "sprongen van",
    },
    "de": {
        r"Blöcken?|Blocks?(?!\w|%)": "Stein, Steine",
        r"Einmaleinsreihen?": "Einmaleins",
        r"schnellen? Fragen": "kurze Fragen",
        r"freundliche[ns]? (?:Aust|G)eben": "günstig austeilen",
        r"kreuz(?:en(?! Sie)|t)": "seitlich anlegen",
        r"dazwischen ?legen": "einfügen",
        r"verblass\w+": "aufzufrischen",
        r"Klassenkarte": "Übersicht",
    },
    "sv": {
        r"hopp om": "hopp på",
        r"snabbfrågor(?:na)?": "korta frågor",
        r"öppe?t kort|öppna kortet": "uppvänt kort",
        r"bygga på": "lägga till",
        r"bots?": "bott, bottar",
        r"veckobrev(?:et)?": "veckorapport",
        r"nykomling(?:ar)?": "nya enheter",
        r"blekn\w+": "behöver friskas upp",
        r"länka ihop": "slå ihop",
    },
}
"""Patterns of whole words, each with what to say instead."""


class AvoidedFor(NamedTuple):
    """A pattern to avoid if `english` matches the English text."""

    english: re.Pattern[str]
    pattern: str
    better: str


_FACT: Final = re.compile(r"^(?!.*numbers?\b).*\bfacts?\b", re.DOTALL | re.IGNORECASE)
_ASSIGN: Final = re.compile(r"\bassign\b", re.IGNORECASE)
_OVERVIEW: Final = re.compile(r"^(?!.*\bcards?\b).*\boverview\b", re.DOTALL | re.IGNORECASE)
_ROW: Final = re.compile(
    r"^(?!.*(?:\b[Ll]ines?\b|heading|At most|more than|for each child)).*[Rr][Oo][Ww]", re.DOTALL
)
"""A row of the game, not a row or line of a file."""
AVOIDED_FOR: Final[dict[str, tuple[AvoidedFor, ...]]] = {
    "nl": (
        AvoidedFor(_ASSIGN, "opgeven", "klaarzetten"),
        AvoidedFor(_OVERVIEW, "kaart", "overzicht"),
    ),
    "de": (
        AvoidedFor(_FACT, "Aufgaben?", "Malaufgabe"),
        AvoidedFor(_OVERVIEW, "Karte", "Übersicht"),
    ),
    "sv": (
        AvoidedFor(_ROW, "rad(?:en|er|erna)?", "serie"),
        AvoidedFor(_ASSIGN, "dela ut", "tilldela"),
        AvoidedFor(_FACT, "tal(?:et|en)?", "multiplikation"),
        AvoidedFor(_OVERVIEW, "kartan?", "översikt"),
    ),
}
PLACEHOLDER: Final = re.compile(r"%\((\w+)\)[sd]|\{(\w*)\}")
PLACEHOLDERS_AND_TAGS: Final = re.compile(rf"{PLACEHOLDER.pattern}|<[^>]*>")
"""Searches put a `%` in their place."""
PRODUCT: Final = re.compile(r"(?:\d|\)[sd]) [×·] ?(?:\d|%\()|(?:\d|\)[sd])[×·] (?:\d|%\()")
PERCENT: Final = re.compile(r"(?:\d|\)[sd]) %%")
END_MARKS: Final = (".", "?", "!")
THE_GAME: Final = "nmbrs!"
QUOTATION: Final[dict[str, re.Pattern[str]]] = {
    code: re.compile("{}(.+?){}".format(*language.quotes), re.DOTALL)
    for code, language in ALL.items()
}
OTHER_MARKS: Final[dict[str, frozenset[str]]] = {
    code: frozenset("“”„«»").difference(*language.quotes) for code, language in ALL.items()
}
"""Quotation marks of other languages."""
TIGHT_MARK: Final = r"(?<=[\w)»%]|[^\S\N{NO-BREAK SPACE}])[MARKS](?=\W|$)"
"""A mark without a no-break space before it."""
OTHER_QUOTATIONS: Final = frozenset(
    {
        "Ms Jansen",  # examples
        "%(name)s B",
        "18 (13–21)",
        "+7 (+1 to +12)",
        "school",
        "class",
        "nmbrs",
        "to",  # words of the notation, which is English
        "across",
        "swap",
        "for",
        "draw",
        "discard",
        "The others",  # a part of two headings
        "Forgot your password?",  # from the catalogue of allauth
    }
)
"""Quotations in English texts that are not texts of the site."""
REQUIRED_FIELDS: Final = ("PO-Revision-Date", "Last-Translator", "Language-Team", "Language")
EMPTY_VALUES: Final = ("YEAR", "FULL NAME", "EMAIL@", "LL@li.org")


class Text(NamedTuple):
    """An English text, its translation, and the files that it is in, if they are known."""

    english: str
    text: str
    paths: Collection[str] = ()


def faults(language: str, english: str, text: str) -> Iterator[str]:
    """The faults of a text by itself, each in a few words. English is compared with itself."""
    spoken = PLACEHOLDERS_AND_TAGS.sub("%", text)
    avoided = [*AVOIDED.get(language, {}).items(), *ALL[language].avoid.items()]
    avoided += [
        (p, better) for source, p, better in AVOIDED_FOR.get(language, ()) if source.search(english)
    ]
    for pattern, better in avoided:
        if match := re.search(rf"(?<!\w)(?:{pattern})(?!\w)", spoken, re.IGNORECASE):
            yield f"“{match[0]}”: say {better}"
    if "'" in spoken or '"' in spoken:
        yield "a straight quotation mark or apostrophe"
    if any(mark in spoken for mark in OTHER_MARKS[language]):
        yield "a quotation mark of another language"
    if (marks := ALL[language].space_before) and _tight(marks, text):
        yield f"no no-break space before one of {marks}"
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


def _tight(marks: str, text: str) -> bool:
    visible = PLACEHOLDERS_AND_TAGS.sub("0", text).replace("%%", "%").replace(THE_GAME, "nmbrs")
    return bool(re.search(TIGHT_MARK.replace("MARKS", re.escape(marks)), visible))


def _is_sentence(english: str) -> bool:
    """Whether a text ends as a sentence does. The game's own name ends in a mark that ends no
    sentence."""
    return english.removesuffix(THE_GAME).endswith(END_MARKS)


def _placeholders(text: str) -> set[str]:
    return {named or positional for named, positional in PLACEHOLDER.findall(text)}


def misnamed(language: str, english: str, text: str, names: Collection[str]) -> Iterator[str]:
    """Every quotation that looks like a name on the site and is not one of `names`."""
    excused = sum(name in OTHER_QUOTATIONS for name in QUOTATION[ENGLISH].findall(english))
    unknown = [name for name in QUOTATION[language].findall(text) if _name(name) not in names]
    if len(unknown) > excused:
        yield f"“{unknown[-1]}” is not a text of the site"


def _name(text: str) -> str:
    """The name in a form that is equal for a button and its quotation, where the first letter may
    differ and a script may fill a placeholder."""
    return PLACEHOLDER.sub("%", text).casefold()


def quotable_texts(texts: Collection[str]) -> frozenset[str]:
    """The texts that may be quoted: each text of the site, and the placeholders that stand for any
    other text."""
    return frozenset({"%", "%…", *map(_name, texts)})


def messages(language: str, folder: Path = ROOT) -> Iterator[Text]:
    """The translated texts of a catalogue; of plurals, the first and the last. English is in every
    catalogue."""
    is_translated = language != ENGLISH
    for message in catalogue_in(folder, language if is_translated else LANGUAGES[0]):
        english = _forms(message.id)
        forms = _forms(message.string or "") if is_translated else english
        paths = {path for path, _ in message.locations}
        is_visible = forms[0] and not (message.fuzzy and language in TRIALS)
        if english[0] and is_visible:
            for pair in {(english[0], forms[0]), (english[-1], forms[-1])}:
                yield Text(*pair, paths)


def _forms(text: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def empty_fields(catalogue: Catalog) -> Iterator[str]:
    """The fields at the head of a catalogue that nobody filled in."""
    head = dict(catalogue.mime_headers)
    for field in REQUIRED_FIELDS:
        value = head.get(field, "")
        if not value or any(empty in value for empty in EMPTY_VALUES):
            yield f"{field} is not filled in"


def all_faults(folder: Path) -> Iterator[str]:
    """The faults in the catalogues of a folder. The catalogues name the files of each message."""
    all_places = places(folder)
    english_texts = [text for _, text, _ in messages(ENGLISH, folder)]
    for language in (ENGLISH, *LANGUAGES, *TRIALS):
        texts = list(messages(language, folder))
        shown_in_english = english_texts if language in TRIALS else []
        names = quotable_texts([*shown_in_english, *(text for _, text, _ in texts)])
        for english, text, paths in texts:
            for fault in (
                *faults(language, english, text),
                *misnamed(language, english, text, names),
                *misaddressed(language, text, paths),
                *too_long(english, text, all_places),
            ):
                yield f"{language}: {text!r}: {fault}"
        if language != ENGLISH:
            yield from (
                f"{language}: {field}" for field in empty_fields(catalogue_in(ROOT, language))
            )


def main() -> int:
    with extracted() as folder:
        faults = list(all_faults(folder))
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    set_up()
    sys.exit(main())
