"""Who may import whom: engine ← coach ← bots ← games ← classrooms ← nmbrs_edu (docs: design)."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
LAYERS: Final = ("games.engine", "games.coach", "games.bots", "games", "classrooms", "nmbrs_edu")
PURE: Final = ("games.engine", "games.coach", "games.bots")
IMPURE: Final = {"django", "celery", "os", "time", "datetime", "socket", "subprocess", "secrets"}


def layer_of(module: str) -> int | None:
    """Which layer a module is of, the lowest first; None for one of nobody's."""
    for index, name in enumerate(LAYERS):
        if module == name or module.startswith(f"{name}."):
            return index
    return None


def imported(path: Path) -> Iterator[str]:
    """The modules that a file imports, relative ones told in full."""
    package = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = ".".join([*package.split(".")[: -node.level], *filter(None, [node.module])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def wrong_imports() -> list[str]:
    """Each import against the direction, as `file: module`."""
    wrong = []
    for top in ("games", "classrooms"):
        for path in sorted((ROOT / top).rglob("*.py")):
            own = layer_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
            assert own is not None
            for module in imported(path):
                other = layer_of(module)
                upward = other is not None and other > own
                impure = LAYERS[own] in PURE and module.split(".")[0] in IMPURE
                if upward or impure:
                    wrong.append(f"{path.relative_to(ROOT)}: {module}")
    return wrong


if __name__ == "__main__":
    found = wrong_imports()
    print("\n".join(found))
    sys.exit(bool(found))
