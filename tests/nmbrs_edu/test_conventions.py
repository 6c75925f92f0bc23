"""Conventions of the whole tree: texts to translate, forms, examples in docstrings, headers."""

import ast
import doctest
import importlib
import re
from typing import Final

import pytest
from django.test import Client

from tests.repository import ROOT, modules


def test_no_string_to_translate_hides_in_an_f_string() -> None:
    """xgettext would not find the string, so no catalogue would have it."""
    hidden = [
        f"{path}:{call.lineno}"
        for path in modules("games", "classrooms", "nmbrs_edu")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.JoinedStr)
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and "gettext" in ast.unparse(call.func)
        if any(isinstance(argument, ast.Constant) for argument in call.args)
    ]
    assert hidden == []


STEP_OF_A_GAME: Final = re.compile(r'name="(?:seen|key|step|number)" value|partial board')


def test_no_browser_restores_the_fields_of_a_reloaded_page() -> None:
    """Otherwise Firefox restores the values that hidden fields and ticks had before a reload."""
    forms = [
        (path.name, form.partition("</form>")[0])
        for path in (ROOT / "templates").rglob("*.html")
        for form in path.read_text(encoding="utf-8").split("<form")[1:]
    ]
    steps = [(name, form) for name, form in forms if STEP_OF_A_GAME.search(form)]
    assert len(steps) >= 5
    assert [name for name, form in steps if 'autocomplete="off"' not in form] == []


WITH_EXAMPLES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in modules("games", "classrooms", "nmbrs_edu")
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("module", WITH_EXAMPLES)
def test_the_examples_in_docstrings_are_correct(module: str) -> None:
    failed, tried = doctest.testmod(importlib.import_module(module))
    assert tried > 0
    assert failed == 0


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/", "/accounts/login/", "/nowhere/"])
def test_the_content_policy_lets_nothing_in_from_elsewhere(address: str) -> None:
    policy = Client().get(address)["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy


@pytest.mark.django_db
def test_no_browser_stores_a_page() -> None:
    assert "no-store" in Client().get("/")["Cache-Control"]
