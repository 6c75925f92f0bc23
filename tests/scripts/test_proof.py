"""The proof leaves no test out and runs none twice, and `make permissions` removes every gate."""

import ast
from typing import Final

from scripts import proof
from scripts.permissions.removals import GATES, GUARDS, WHOLE_FILE, InstrumentedFile, functions
from tests.repository import ROOT


def test_every_test_file_belongs_to_one_part() -> None:
    files = [name for part in proof.PARTS for name in proof.files_of(part)]
    assert sorted(files) == sorted(
        path.relative_to(proof.ROOT).as_posix()
        for path in (proof.ROOT / "tests").rglob("test_*.py")
    )
    assert all(proof.files_of(part) for part, starts in proof.PARTS.items() if starts)


WITH_GATES: Final = (
    "classrooms/access.py",
    "classrooms/downloads/services.py",
    "classrooms/checkups/services.py",
)
LOOKS_UP: Final = frozenset({"classes_of", "get_object_or_404"})
"""The functions of this module that are gates; it has others too."""
ONLY_INSIDE: Final = frozenset(
    {
        "_admin_of",
        "_child",
        "riddles_of",
        "school_by_token",
        "invitation_by_token",
        "child_by_name",
        "child_by_card",
        "_children_on",
        "assignments_given_to",
        "finished_matches",
        "undoable_moves",
        "has_typed_name",
    }
)
"""Gates that find no object: they check a secret, or answer another question. Only the conditions
inside them are removed."""


def names_in(function: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}


def test_every_gate_is_removed() -> None:
    there = {
        function.name
        for path in WITH_GATES
        for function in functions(ast.parse((ROOT / path).read_text()))
        if GUARDS[path] == WHOLE_FILE or LOOKS_UP & names_in(function)
    }
    assert there - ONLY_INSIDE <= GATES.keys()
    assert there >= ONLY_INSIDE


def test_every_guard_is_a_function_of_its_file() -> None:
    for path in GUARDS:
        InstrumentedFile(path, (ROOT / path).read_text(), 0, is_views=False)
