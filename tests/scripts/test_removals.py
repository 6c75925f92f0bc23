"""The proof of permissions takes out every gate that there is."""

import ast
from typing import Final

from scripts.removals import GATES, GUARDS, WHOLE, functions
from tests.servers import ROOT

WITH_GATES: Final = (
    "classrooms/access.py",
    "classrooms/downloads/services.py",
    "classrooms/checkups/services.py",
)
LOOKS_UP: Final = frozenset({"classes_of", "get_object_or_404"})
"""By one of these a function is a gate, in a module that has others too."""
ONLY_INSIDE: Final = frozenset(
    {
        "_admin_of",
        "riddles_of",
        "school_behind",
        "invitation_for",
        "child_by_name",
        "child_by_card",
        "_children_on",
        "assignments_given_to",
        "finished_matches",
        "moves_to_undo",
    }
)
"""Without these nothing could be found: what is asked for is a secret or a question of its own.
Only the conditions inside them are taken out."""


def names_in(function: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}


def test_a_new_gate_is_taken_out_too() -> None:
    there = {
        function.name
        for path in WITH_GATES
        for function in functions(ast.parse((ROOT / path).read_text()))
        if GUARDS[path] == WHOLE or LOOKS_UP & names_in(function)
    }
    assert there - ONLY_INSIDE <= GATES.keys()
    assert there >= ONLY_INSIDE
