"""Writes every composed sentence in all languages side by side to var/sentences.html. The longest
of each kind come first. Marks what breaks a rule, except in trial languages, whose articles and
plurals no rule knows."""

import os
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Final

from scripts.translations import LANGUAGES, ROOT, TRIALS

if TYPE_CHECKING:
    from tests.games.screen.composed import Composed

ALL: Final = ("en", *LANGUAGES, *TRIALS)
PAGE: Final = ROOT / "var" / "sentences.html"
HEAD: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Composed sentences</title><style>
body { font: 1rem/1.4 sans-serif; margin: 1rem; } table { border-collapse: collapse; width: 100%; }
td, th { border: 1px solid #999; padding: .25rem .5rem; text-align: left; vertical-align: top; }
th { position: sticky; top: 0; background: #eee; } .fault { color: #a00; display: block; }
</style></head><body><h1>Composed sentences</h1>
"""


def page(texts: Mapping[str, Sequence["Composed"]]) -> str:
    """The page. `texts` has the sentences of each language, in the same order."""
    rows = dict.fromkeys(zip(*texts.values(), strict=True))
    head = "".join(f"<th>{language}</th>" for language in texts)
    by_kind = [(kind, list(each)) for kind, each in groupby(rows, lambda row: row[0].kind)]
    return (
        HEAD
        + "".join(_table(kind, head, list(texts), each) for kind, each in by_kind)
        + "</body></html>\n"
    )


def _table(
    kind: str, head: str, languages: Sequence[str], rows: list[tuple["Composed", ...]]
) -> str:
    rows.sort(key=lambda row: -max(len(each.text) for each in row))
    body = "".join(f"<tr>{''.join(_cells(languages, row))}</tr>\n" for row in rows)
    return f"<h2>{escape(kind)} ({len(rows)})</h2>\n<table><tr>{head}</tr>\n{body}</table>\n"


def _cells(languages: Sequence[str], row: tuple["Composed", ...]) -> Iterator[str]:
    from tests.games.screen.sentence_rules import faults

    for language, text in zip(languages, row, strict=True):
        found = () if language in TRIALS else faults(language, text)
        marked = "".join(f'<b class="fault">{escape(fault)}</b>' for fault in found)
        yield f'<td lang="{language}">{escape(text.text)}{marked}</td>'


def write_page() -> None:
    """Write the file with the present sentences."""
    from django.utils.translation import override

    from tests.games.screen.composed import composed

    texts = {}
    for language in ALL:
        with override(language):
            texts[language] = list(composed())
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page(texts))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nmbrs_edu.settings.test")
    import django

    django.setup()
    write_page()
    print(PAGE)
