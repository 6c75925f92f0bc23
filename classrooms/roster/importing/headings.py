"""The words of `headings.toml`, as they are compared."""

import re
import tomllib
from pathlib import Path
from typing import Final

from classrooms.child_names import plain_name

_BESIDE: Final = re.compile(r"\[[^\]]*\]|\([^)]*\)")
"""What stands beside a heading: "[Required]", "(as in the passport)"."""
_TABLES: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
ROLES: Final = (
    "preferred", "given", "family", "full", "group", "year", "status", "enabled", "begin", "end",
    "role", "other",
)  # fmt: skip
_MEANS: Final[dict[str, tuple[int, str]]] = {}
"""The meaning of a heading, and its place among the words of its kind."""
for _role in ROLES:
    for _words in _TABLES[_role].values():
        for _place, _word in enumerate(_words):
            _MEANS.setdefault(plain_name(_word), (_place, _role))
TEST, LEFT, NO, TEACHERS = (
    frozenset(map(plain_name, _TABLES[kind]["words"]))
    for kind in ("test", "left", "no", "teachers")
)
NO_PUPIL: Final = frozenset(
    tuple(map(plain_name, words.split())) for words in _TABLES["no_pupil"]["words"]
)
"""Each as its words."""
NAMED: Final = frozenset({"preferred", "given", "family", "full"})


def meaning(cell: str) -> tuple[int, str]:
    """The role of a column with this heading, "" if it is not known, and how well it fits: 0 is
    best. Of "Naam / Name" one part is enough."""
    for part in (cell, _BESIDE.sub("", cell), *cell.split("/")):
        if found := _MEANS.get(plain_name(part)):
            return found
    return 0, ""
