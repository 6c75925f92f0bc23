"""Checks that every string is translated, plural forms too; --write updates the catalogues."""

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from django.core.management import call_command

ROOT: Final = Path(__file__).resolve().parent.parent
LANGUAGES: Final = ("nl", "de", "sv")
SOURCES: Final = ("games", "classrooms", "nmbrs_edu", "templates")


def extract(folder: Path) -> None:
    """Update the catalogues below `folder` from the sources there."""
    here = Path.cwd()
    os.chdir(folder)
    try:
        call_command(
            "makemessages",
            locale=list(LANGUAGES),
            ignore_patterns=[".venv", "var", "node_modules", "staticfiles", "tests"],
            no_location=True,
            no_obsolete=True,
            verbosity=0,
        )
    finally:
        os.chdir(here)


def catalogue_in(folder: Path, language: str) -> Catalog:
    """A language's catalogue, of the sources in `folder`."""
    with (folder / "locale" / language / "LC_MESSAGES" / "django.po").open("rb") as file:
        return read_po(file, locale=language)


def missing(catalog: Catalog) -> list[str]:
    """What is untranslated, fuzzy, or lacks a plural form."""
    return [
        str(message.id)
        for message in catalog
        if message.id and (message.fuzzy or not _is_whole(message, catalog.num_plurals))
    ]


def _is_whole(message: Message, plurals: int) -> bool:
    texts = message.string if isinstance(message.string, (list, tuple)) else [message.string]
    wanted = plurals if message.pluralizable else 1
    return len(texts) >= wanted and all(texts)


def main() -> int:
    if "--write" in sys.argv:
        extract(ROOT)
        return 0
    with tempfile.TemporaryDirectory() as copy:
        for source in (*SOURCES, "locale"):
            shutil.copytree(ROOT / source, Path(copy) / source)
        extract(Path(copy))
        lacking = {language: missing(catalogue_in(Path(copy), language)) for language in LANGUAGES}
    for language, messages in lacking.items():
        for message in messages:
            print(f"{language}: {message}")
    return 1 if any(lacking.values()) else 0


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nmbrs_edu.settings.local")
    import django

    django.setup()
    sys.exit(main())
