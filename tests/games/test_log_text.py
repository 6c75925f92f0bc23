"""The text of a log entry is taken apart in one place, `games/engine/text`; all other code gets
typed values from there, and no query looks into a text."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.servers import ROOT

READS: Final = ROOT / "games" / "engine" / "text"
METHODS: Final = {"startswith", "endswith", "removeprefix", "split", "partition", "find", "index"}
"""The methods with which a text is taken apart."""


def sources(*tops: str) -> Iterator[Path]:
    for top in tops:
        yield from sorted((ROOT / top).rglob("*.py"))


def is_text(node: ast.expr, names: set[str]) -> bool:
    """Whether this is an attribute `text`, or one of the names that stand for it."""
    match node:
        case ast.Attribute(attr="text"):
            return True
        case ast.Name(id=name):
            return name in names
    return False


def names_of_texts(function: ast.AST) -> set[str]:
    """The names to which a function assigns an attribute `text`."""
    names = set()
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                assigned = list(zip(targets, values, strict=False))
            case ast.Assign(targets=targets, value=value):
                assigned = [(target, value) for target in targets]
            case ast.NamedExpr(target=target, value=value):
                assigned = [(target, value)]
            case _:
                continue
        names |= {
            target.id
            for target, value in assigned
            if isinstance(target, ast.Name) and is_text(value, set())
        }
    return names


def is_word(node: ast.expr) -> bool:
    """Whether this is a string literal, or a collection with one."""
    match node:
        case ast.Constant(value=str()):
            return True
        case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
            return any(map(is_word, items))
    return False


def taken_apart(source: str) -> set[int]:
    """The lines on which a text is taken apart, or compared with a word."""
    tree = ast.parse(source)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    lines = set()
    for inside in (tree, *functions):
        names = set() if inside is tree else names_of_texts(inside)
        for node in ast.walk(inside):
            match node:
                case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in METHODS:
                    read = [value]
                case ast.Subscript(value=value):
                    read = [value]
                case ast.Compare(left=left, comparators=others) if any(
                    map(is_word, (left, *others))
                ):
                    read = [left, *others]
                case _:
                    continue
            if any(is_text(part, names) for part in read):
                lines.add(node.lineno)
    return lines


def looked_up(source: str) -> set[int]:
    """The lines on which a query looks into a text."""
    lines = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.keyword(arg=str(word)) | ast.Constant(value=str(word)):
                if word.startswith("text__"):
                    lines.add(node.lineno)
    return lines


def test_the_text_of_an_entry_is_taken_apart_in_one_place() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sources("games", "classrooms", "nmbrs_edu")
        if not path.is_relative_to(READS)
        for line in sorted(taken_apart(path.read_text(encoding="utf-8")))
    ]
    assert wrong == []


def test_no_query_looks_into_the_text_of_an_entry() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sources("games", "classrooms", "nmbrs_edu", "tests")
        if path != Path(__file__)
        for line in sorted(looked_up(path.read_text(encoding="utf-8")))
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "source",
    [
        'entry.text.startswith("discard")',
        'step, _, row = entry.text.partition(" ")',
        "code, *texts = action.text.split()",
        "first = entry.text[0]",
        'ends = entry.text == "end"',
        'answers = entry.text in ("claim", "pass")',
        'is_draw = "draw" in entry.text',
        'def f(a):\n    text, seen = a.text, a.data\n    return text.startswith("knock")',
        "def f(a):\n    said = a.text\n    return said.split()[0]",
        "def f(a):\n    return (said := a.text) and said.split()",
    ],
)
def test_a_text_taken_apart_is_found(source: str) -> None:
    assert taken_apart(source)


@pytest.mark.parametrize(
    "source",
    [
        "parse_action(entry.text, ruleset)",
        "laid = entry.text == row",
        'def f(line):\n    return line.split(" ")',
        "def f(a):\n    said = a.text\n\ndef g(said):\n    return said.split()",
    ],
)
def test_a_text_that_stays_whole_is_not_found(source: str) -> None:
    assert not taken_apart(source)


def test_a_look_into_a_text_is_found() -> None:
    assert looked_up('entries.filter(text__startswith="discard")') == {1}
    assert looked_up('entries.filter(**{"text__regex": "^end"})') == {1}
    assert not looked_up('entries.filter(kind="act").values_list("text")')
