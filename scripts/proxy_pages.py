"""The error pages that nginx serves itself. With --write, makes them from the
site's own templates in each language; without, checks that they are the same."""

import os
import sys
from pathlib import Path
from typing import Final

import django
from babel.messages.frontend import CommandLineInterface

ROOT: Final = Path(__file__).resolve().parent.parent
PAGES: Final = ROOT / "deploy" / "pages"
TEMPLATES: Final = {
    "413": "413.html",
    "429": "429.html",
    "500": "500.html",
    "503": "too_busy.html",
}


def pages() -> dict[str, str]:
    """The text of each page by the name of its file. Its styles come from nginx too, so that the
    page is whole when nothing else answers."""
    from django.conf import settings
    from django.template.loader import render_to_string
    from django.utils import translation

    made = {}
    for code, _ in settings.LANGUAGES:
        with translation.override(code):
            for status, template in TEMPLATES.items():
                text = render_to_string(template)
                made[f"{status}.{code}.html"] = text.replace(f'"{settings.STATIC_URL}', '"/-/')
    return made


def differing() -> list[str]:
    """Files that are missing, left over, or not what the templates make."""
    made = pages()
    there = {path.name: path.read_text(encoding="utf-8") for path in PAGES.glob("*.html")}
    return sorted(name for name in made.keys() | there if made.get(name) != there.get(name))


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nmbrs_edu.settings.test")
    CommandLineInterface().run(["pybabel", "-q", "compile", "-d", "locale", "-D", "django"])
    django.setup()
    if "--write" in sys.argv:
        PAGES.mkdir(exist_ok=True)
        for name in differing():
            (PAGES / name).unlink(missing_ok=True)
        for name, text in pages().items():
            (PAGES / name).write_text(text, encoding="utf-8")
        return 0
    wrong = differing()
    for name in wrong:
        print(f"deploy/pages/{name} is not what the templates make: run `make messages`.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
