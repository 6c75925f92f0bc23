"""The languages of the site, in the order of locale/languages.toml. A language that nobody has
reviewed is a trial, which the site offers only if the operator asks for it."""

import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from django.conf.locale import LANG_INFO
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

FOLDER: Final = Path(__file__).resolve().parent.parent.parent / "locale"
NAMES: Final[dict[str, str | Promise]] = {
    "en": _("English"),
    "nl": _("Dutch"),
    "de": _("German"),
    "sv": _("Swedish"),
}
"""Languages whose names here differ from Django's."""


@dataclass(frozen=True)
class Language:
    """A table of languages.toml."""

    code: str
    quotes: tuple[str, str]
    unreviewed: str = ""  # "unreviewed" in the language itself; empty after the review
    name: str = ""  # the language's own name, if Django does not know it
    space_before: str = ""  # marks that have a no-break space before them
    not_to_children: str = ""  # a pattern of words that are only for grown-ups
    avoid: dict[str, str] = field(default_factory=dict)  # patterns of words → what to say

    @property
    def own_name(self) -> str:
        local = self.name or LANG_INFO[self.code]["name_local"]
        return local[0].upper() + local[1:]

    @property
    def label(self) -> str | Promise:
        """The language's name in a list of all languages: in the language of the page; for a trial,
        in its own."""
        if self.unreviewed:
            return f"{self.own_name} ({self.unreviewed})"
        if self.code in NAMES:
            return NAMES[self.code]
        return _(self.name or LANG_INFO[self.code]["name"])


def _read_languages() -> Iterator[Language]:
    tables = tomllib.loads((FOLDER / "languages.toml").read_text(encoding="utf-8"))
    for code, fields in tables.items():
        opening, closing = fields.pop("quotes")
        yield Language(code, (opening, closing), **fields)


ALL: Final = {language.code: language for language in _read_languages()}


def offered_languages(trials: Collection[str] = ()) -> list[tuple[str, str | Promise]]:
    """Codes and names of the reviewed languages and of these trials. Raises ValueError for a code
    that languages.toml does not have."""
    for code in trials:
        if code not in ALL:
            raise ValueError(f"{code!r} is not in locale/languages.toml")
    return [
        (language.code, language.label)
        for language in ALL.values()
        if not language.unreviewed or language.code in trials
    ]
