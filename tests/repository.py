"""The files of the repository, as tests read them."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.servers import ROOT


def text_of(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def modules(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


def constants(module: ast.Module) -> dict[str, ast.expr]:
    """The constants of a module, each with the expression that it is set to."""
    found = {}
    for node in module.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            found[node.target.id] = node.value
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = node.value
    return found
