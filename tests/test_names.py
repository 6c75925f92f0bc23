"""One word has one meaning: no two modules and no two public classes share a name, and nobody
needs a private language to read an identifier."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Set
from typing import Final

from django.apps import apps

from tests.servers import ROOT
from tests.sources import modules

EVERY_SUBJECT_HAS: Final = frozenset(
    {"urls", "views", "forms", "services", "apps", "models", "words", "tasks", "receivers", "admin"}
)
NOT_COUNTED: Final = frozenset({"models", "management", "templatetags", "migrations"})
PRIVATE: Final = frozenset(
    {"told", "tell", "tells", "manieth", "doing", "agreed", "trying", "advising"}
)
"""Words that only their author understood."""


def repeated(places: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: where for name, where in places.items() if len(where) > 1}


def test_no_two_modules_share_a_name() -> None:
    places = defaultdict(list)
    for path in modules("games", "classrooms"):
        inside = path.relative_to(ROOT)
        if path.stem not in EVERY_SUBJECT_HAS | {"__init__"} and not NOT_COUNTED & {*inside.parts}:
            places[path.stem].append(str(inside))
    assert repeated(places) == {}


def test_no_two_public_classes_share_a_name() -> None:
    classes = defaultdict(list)
    for path in modules("games", "classrooms"):
        if {"management", "migrations"} & {*path.parts}:  # Django names these classes.
            continue
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                classes[node.name].append(str(path.relative_to(ROOT)))
    assert repeated(classes) == {}


def identifiers(tree: ast.AST, columns: Set[str]) -> Iterator[tuple[str, int]]:
    """Every name that the source defines or uses, with its line, without the fields of models: a
    local variable with the name of a column counts, an attribute does not."""
    fields = {
        target
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for statement in node.body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
    }
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, lineno=line) if node not in fields or name not in columns:
                yield name, line
            case ast.arg(arg=name, lineno=line):
                yield name, line
            case ast.Attribute(attr=name, lineno=line) if name not in columns:
                yield name, line
            case ast.FunctionDef(name=name, lineno=line) | ast.ClassDef(name=name, lineno=line):
                yield name, line


def private_words(source: str, columns: Set[str]) -> list[tuple[str, int]]:
    return [
        (name, line)
        for name, line in identifiers(ast.parse(source), columns)
        if PRIVATE & {*name.lower().split("_")} and not name.startswith("test_")
    ]


def test_no_identifier_is_a_private_word() -> None:
    columns = {field.name for model in apps.get_models() for field in model._meta.get_fields()}
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in modules("games", "classrooms", "nmbrs_edu", "scripts", "tests")
        if "migrations" not in path.parts
        for name, line in private_words(path.read_text(encoding="utf-8"), columns)
    ]
    assert wrong == []


def test_only_the_column_itself_may_have_a_private_word() -> None:
    field = "class Difference:\n    told = models.TextField()\n"
    assert private_words(f"{field}row.told", {"told"}) == []
    assert private_words(f"{field}told = row.told", {"told"}) == [("told", 3)]
    assert private_words("class Finding:\n    told: str", {"told"}) == [("told", 2)]
    assert private_words(field, set()) == [("told", 2)]


def test_no_folder_has_more_modules_than_one_can_overlook() -> None:
    folders = defaultdict(list)
    for path in modules("games", "classrooms", "nmbrs_edu"):
        if "migrations" not in path.parts:
            folders[str(path.parent.relative_to(ROOT))].append(path.name)
    assert {name: len(files) for name, files in folders.items() if len(files) > 16} == {}
    assert len(folders["classrooms"]) <= 10
    assert len(folders["games"]) <= 9
