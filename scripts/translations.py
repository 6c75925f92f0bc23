"""Checks that every string is translated, with its plural forms. `--write` updates the catalogues.
`--lacking fr` lists the texts for children that French lacks, with their files.

Of a trial, a language that nobody has reviewed, only the existing translations are checked.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from django.core.management import call_command

from nmbrs_edu.settings.languages import ALL
from scripts.wording_places import CARDS, CHILDREN, any_in

ROOT: Final = Path(__file__).resolve().parent.parent
ENGLISH: Final = "en"
TRIALS: Final = tuple(code for code, language in ALL.items() if language.unreviewed)
LANGUAGES: Final = tuple(code for code in ALL if code not in (ENGLISH, *TRIALS))
SOURCES: Final = ("games", "classrooms", "nmbrs_edu", "templates")


def extract(folder: Path, *, with_places: bool = False) -> None:
    """Update the catalogues below `folder` from the sources there. With `with_places` they name the
    files of each message. Messages are not wrapped and the time of extraction is left out, so that
    a changed text changes only its own lines."""
    folder_before = Path.cwd()
    os.chdir(folder)
    try:
        call_command(
            "makemessages",
            locale=[*LANGUAGES, *TRIALS],
            ignore_patterns=[".venv", "var", "node_modules", "staticfiles", "tests"],
            no_location=not with_places,
            add_location="file" if with_places else None,
            no_wrap=True,
            no_obsolete=True,
            verbosity=0,
        )
    finally:
        os.chdir(folder_before)
    for path in folder.glob("locale/*/LC_MESSAGES/django.po"):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        lines_kept = [line for line in lines if not line.startswith('"POT-Creation-Date:')]
        path.write_text("".join(lines_kept), encoding="utf-8")


@contextmanager
def extracted() -> Iterator[Path]:
    """A copy of the sources, with catalogues that are up to date and name the files."""
    with tempfile.TemporaryDirectory() as copy:
        for source in (*SOURCES, "locale"):
            shutil.copytree(ROOT / source, Path(copy) / source)
        extract(Path(copy), with_places=True)
        yield Path(copy)


def catalogue_in(folder: Path, language: str) -> Catalog:
    """The catalogue of a language, below `folder`."""
    with (folder / "locale" / language / "LC_MESSAGES" / "django.po").open("rb") as file:
        return read_po(file, locale=language)


def missing(catalog: Catalog) -> list[str]:
    """The messages that are untranslated, fuzzy, or lack a plural form."""
    return [
        str(message.id)
        for message in catalog
        if message.id and (message.fuzzy or not _is_whole(message, catalog.num_plurals))
    ]


def lacking_for_children(catalog: Catalog) -> list[str]:
    """The untranslated messages that children read or that are on their cards and letters."""
    return [
        f"{message.id}  [{', '.join(paths)}]"
        for message in catalog
        if message.id
        and (message.fuzzy or not _is_whole(message, catalog.num_plurals))
        and any_in(paths := [path for path, _ in message.locations], (*CHILDREN, *CARDS))
    ]


def half_translated(catalog: Catalog) -> list[str]:
    """The messages with only some of their plural forms. A fuzzy message is shown in English, so it
    may lack some."""
    return [
        str(message.id)
        for message in catalog
        if message.id
        and not message.fuzzy
        and any(_texts(message))
        and not _is_whole(message, catalog.num_plurals)
    ]


def trial_status(catalog: Catalog) -> str:
    """The progress of a trial language, in words."""
    count = sum(
        _is_whole(entry, catalog.num_plurals) and not entry.fuzzy for entry in catalog if entry.id
    )
    return f"a trial, {count} of {len(catalog)} messages translated"


def _texts(message: Message) -> list[str]:
    text = message.string or ""
    return [text] if isinstance(text, str) else list(text)


def _is_whole(message: Message, plurals: int) -> bool:
    texts = _texts(message)
    forms = plurals if message.pluralizable else 1
    return len(texts) >= forms and all(texts)


def main() -> int:
    if "--write" in sys.argv:
        extract(ROOT)
        return 0
    if "--lacking" in sys.argv:
        with extracted() as folder:
            print(*lacking_for_children(catalogue_in(folder, sys.argv[-1])), sep="\n")
        return 0
    with extracted() as folder:
        lacking = {language: missing(catalogue_in(folder, language)) for language in LANGUAGES}
        for language in TRIALS:
            catalogue = catalogue_in(folder, language)
            lacking[language] = half_translated(catalogue)
            print(f"{language}: {trial_status(catalogue)}")
    for language, messages in lacking.items():
        for message in messages:
            print(f"{language}: {message}")
    return 1 if any(lacking.values()) else 0


def set_up() -> None:
    """Set up Django, because `makemessages` needs its settings."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nmbrs_edu.settings.local")
    import django

    django.setup()


if __name__ == "__main__":
    set_up()
    sys.exit(main())
