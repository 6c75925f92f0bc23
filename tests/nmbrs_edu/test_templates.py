"""Every template that is named exists, and every template is named somewhere."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import allauth
from django.contrib import admin

from scripts import proxy
from tests.repository import constants, modules
from tests.servers import ROOT

TEMPLATES: Final = ROOT / "templates"
THEIRS: Final = Path(allauth.__file__).parent / "templates"
DJANGOS: Final = Path(admin.__file__).parent / "templates"
CODE: Final = ("games", "classrooms", "nmbrs_edu")
PLACE_OF_THE_NAME: Final = {"render": 1, "render_to_string": 0, "get_template": 0}
NAME: Final = re.compile(r"((?:[\w-]+/)*[\w-]+\.(?:html|svg|txt))(?:#(\w+))?")
STEM: Final = re.compile(r"[\w-]+(?:/[\w-]+)+")
HANDED_ON = re.compile(r'\w+_help=("[^"]+")')
DRAWN_FROM: Final = re.compile(r"{%-?\s*(?:include|extends|drawn_once)\s+(\S+)")
STEP_OF_A_GAME: Final = re.compile(r'name="(?:seen|key|step|number)" value|partial board')
BY_DJANGO: Final = {"500.html"}
BY_THE_PROXY: Final = frozenset(proxy.TEMPLATES.values())
HTML: Final = re.compile(r"render_to_string|get_template|SafeString|mark_safe|format_html")
ONLY_DATA: Final = ("games/screen/", "classrooms/progress/")
"""What is there is prepared for the templates, which draw it."""
PASSED_ON: Final = {
    "classrooms/downloads/services.py",
    "classrooms/lesson/views.py",
    "classrooms/signin/card_views.py",
    "games/templatetags/drawn_parts.py",
}
"""Where a function draws a template that its caller names."""


@cache
def sources() -> tuple[tuple[str, ast.Module], ...]:
    return tuple(
        (path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8")))
        for path in modules(*CODE)
    )


def test_no_browser_puts_back_what_a_page_knew_before_it_was_loaded_anew() -> None:
    """Firefox gives hidden fields and ticks the values that they had before a reload, if it may."""
    forms = [
        (path.name, form.partition("</form>")[0])
        for path in TEMPLATES.rglob("*.html")
        for form in path.read_text(encoding="utf-8").split("<form")[1:]
    ]
    steps = [each for each in forms if STEP_OF_A_GAME.search(each[1])]
    assert len(steps) >= 5
    assert [name for name, form in steps if 'autocomplete="off"' not in form] == []


@cache
def texts(tree: ast.AST) -> set[str]:
    """All strings, also in f-strings."""
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def drawn(tree: ast.Module) -> Iterator[set[str]]:
    """For each call that draws a template, the templates it can be, as far as the call says so."""
    known = {name: texts(value) for name, value in constants(tree).items()}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        place = PLACE_OF_THE_NAME.get(node.func.id)
        if place is None or len(node.args) <= place:
            continue
        asked = node.args[place]
        names = texts(asked)
        for part in ast.walk(asked):
            if isinstance(part, ast.Name):
                names |= known.get(part.id, set())
        yield {name for name in names if NAME.fullmatch(name)}


@cache
def named_in_code() -> set[str]:
    found, in_no_folder = set(), {path.name for path in TEMPLATES.glob("*.*")}
    for _, tree in sources():
        for names in drawn(tree):
            found |= names
        found |= texts(tree) & in_no_folder
        found |= {text for text in texts(tree) if "/" in text and NAME.fullmatch(text)}
    return found


def pages() -> dict[str, str]:
    return {
        path.relative_to(TEMPLATES).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(TEMPLATES.rglob("*.*"))
    }


def named_in_templates() -> dict[str, list[str]]:
    """The templates that each template includes or extends, or names for one that it includes."""
    return {
        name: DRAWN_FROM.findall(text) + HANDED_ON.findall(text) for name, text in pages().items()
    }


def test_code_says_which_template_it_draws() -> None:
    unclear = {path for path, tree in sources() for names in drawn(tree) if not names}
    assert unclear == PASSED_ON


def test_every_template_that_code_names_exists() -> None:
    named = named_in_code()
    assert len(named) > 60
    there = pages()
    lost = set()
    for text in named:
        found = NAME.fullmatch(text)
        assert found
        page = there.get(found[1])
        if page is None or (found[2] and f"{{% partialdef {found[2]}" not in page):
            lost.add(text)
    assert lost == set()


def test_every_template_that_a_template_names_exists() -> None:
    there = pages()
    lost = {
        f"{name}: {asked}"
        for name, all_asked in named_in_templates().items()
        for asked in all_asked
        if (named := asked.strip("\"'").partition("#")[0]) not in there
        and not (DJANGOS / named).exists()
    }
    assert lost == {
        "games/page.html: around.frame",
        "games/rules.html: around.frame",
        "games/_board.html: board.over.more.finished.template",
        "games/_story.html: one.template",
        "partials/help.html: page_help",
    }


def test_every_template_is_named_somewhere() -> None:
    there = pages()
    named = {text.partition("#")[0] for text in named_in_code()} | BY_DJANGO | BY_THE_PROXY
    named |= {asked.strip("\"'") for each in named_in_templates().values() for asked in each}
    stems = {text for _, tree in sources() for text in texts(tree) if STEM.fullmatch(text)}
    unnamed = {
        name
        for name in there.keys() - named
        if not (THEIRS / name).exists() and not (DJANGOS / name).exists()
        if not any(name.startswith((f"{stem}_subject.", f"{stem}_message.")) for stem in stems)
    }
    assert unnamed == set()


def test_view_models_hold_no_html() -> None:
    texts_of = {path: ast.unparse(tree) for path, tree in sources() if path.startswith(ONLY_DATA)}
    assert len(texts_of) > 30
    assert {path for path, text in texts_of.items() if HTML.search(text)} == set()
    assert HTML.search((ROOT / "games/templatetags/drawn_parts.py").read_text(encoding="utf-8"))
