"""Writes two things for nginx: its error pages, from the templates in each language, and the parts
of its configuration that follow from the site's addresses. Each part stands between `# <name>` and
`# </name>`. Without --write, checks that both are up to date."""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import django
from babel.messages.frontend import CommandLineInterface

ROOT: Final = Path(__file__).resolve().parent.parent
PAGES: Final = ROOT / "deploy" / "pages"
CONF: Final = ROOT / "deploy" / "nginx.conf"
MARKS: Final = ("mail", "guess", "heavy")
TEMPLATES: Final = {
    "413": "413.html",
    "429": "429.html",
    "500": "500.html",
    "503": "too_busy.html",
}


def pages() -> dict[str, str]:
    """The text of each page by its file name. nginx serves the styles too, so that the page is
    complete when nothing else answers."""
    from django.conf import settings
    from django.template.loader import render_to_string
    from django.utils import translation

    texts = {}
    for code, _ in settings.LANGUAGES:
        with translation.override(code):
            for status, template in TEMPLATES.items():
                text = render_to_string(template)
                texts[f"{status}.{code}.html"] = text.replace(f'"{settings.STATIC_URL}', '"/-/')
    return texts


def outdated_pages() -> list[str]:
    """The files that are missing, superfluous, or differ from the templates."""
    texts = pages()
    stored = {path.name: path.read_text(encoding="utf-8") for path in PAGES.glob("*.html")}
    return sorted(name for name in texts.keys() | stored if texts.get(name) != stored.get(name))


def maps() -> Iterator[str]:
    """The maps for the kind of a page and for requests with their own limits. `$read_as` is the
    method, with GET for HEAD. `$list` is 1 if a list of children is posted."""
    from nmbrs_edu.addresses import addresses, kinds

    heads = sorted(head.replace(".", "\\.") for head in kinds() if head)
    yield "map $request_uri $part {"
    yield '    default "(another page)";'
    yield f'    "~^/(?<head>{"|".join(heads)})(?:[/?]|$)" "/$head/";'
    yield '    "~^/(?:\\?|$)" "/";'
    yield "}"
    yield "map $uri $kind {"
    yield "    default other;"
    yield '    "/" door;'
    for kind in sorted(set(kinds().values()) - {"other"}):
        yield f'    "~^/(?:{_heads(kind)})(?:/|$)" {kind};'
    yield "}"
    yield f'map $uri $list {{ default 0; "~^{_lists()}$" 1; }}'
    yield 'map "$read_as $uri" $work {'
    yield '    default "";'
    for mark in MARKS:
        for methods, path in dict.fromkeys((a.methods(mark), a.path) for a in addresses()):
            if methods:
                yield f'    "~^(?:{"|".join(methods)}) {path}$" {mark};'
    yield "}"


def sizes() -> Iterator[str]:
    """The largest bodies. They are a little larger than in classrooms/http.py, so that the site
    itself refuses."""
    for pattern, size in (f"{_lists()}$", "4m"), (f"/(?:{_heads('adult')})/", "200k"):
        yield f'location ~ "^{pattern}" {{'
        yield f"    client_max_body_size {size};"
        yield "    proxy_pass http://$group;"
        yield "}"


def _lists() -> str:
    from classrooms.http import PAGES_WITH_A_LIST
    from nmbrs_edu.addresses import addresses

    lists = [a.path for a in addresses() if f"classrooms:{a.name}" in PAGES_WITH_A_LIST]
    return f"(?:{'|'.join(lists)})"


def _heads(kind: str) -> str:
    from nmbrs_edu.addresses import kinds

    return "|".join(
        head.replace(".", "\\.") for head, each in kinds().items() if head and each == kind
    )


def conf() -> str:
    """The text that deploy/nginx.conf should have."""
    text = CONF.read_text(encoding="utf-8")
    for name, lines in ("maps", maps()), ("sizes", sizes()):
        block = re.compile(rf"^( *)(# <{name}>.*\n)(?:.*\n)*?( *# </{name}>)$", re.MULTILINE)
        match = block.search(text)
        assert match, f"deploy/nginx.conf has no # <{name}>"
        inside = "".join(f"{match[1]}{line}\n" for line in lines)
        text = f"{text[: match.start()]}{match[1]}{match[2]}{inside}{match[3]}{text[match.end() :]}"
    return text


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nmbrs_edu.settings.test")
    CommandLineInterface().run(["pybabel", "-q", "compile", "-d", "locale", "-D", "django"])
    django.setup()
    if "--write" in sys.argv:
        PAGES.mkdir(exist_ok=True)
        for name in outdated_pages():
            (PAGES / name).unlink(missing_ok=True)
        for name, text in pages().items():
            (PAGES / name).write_text(text, encoding="utf-8")
        CONF.write_text(conf(), encoding="utf-8")
        return 0
    wrong = [f"pages/{name}" for name in outdated_pages()]
    if CONF.read_text(encoding="utf-8") != conf():
        wrong.append(CONF.name)
    for name in wrong:
        print(f"deploy/{name} is not what the site makes: run `make messages`.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
