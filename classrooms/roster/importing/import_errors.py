"""Why a file cannot be read, and the size limits."""

from typing import Final, Literal

LARGEST: Final = 1_000_000
"""Most bytes of a file."""
MOST_ROWS: Final = 500
"""Most rows of a list, or pupils of one class of a bundle."""

ErrorKind = Literal[
    "too large",
    "empty",
    "nul",
    "encoding",
    "quote",
    "too many",
    "not a list",
    "workbook",
    "broken workbook",
    "not computed",
    "zip",
    "too much",
    "too slow",
    "unknown",
    "lacks file",
    "lacks column",
    "nobody",
]


class Unreadable(Exception):
    """The file cannot be read. `line`: where, or 0 for the whole file; `file`: which file of a
    bundle; `detail`: the missing file or column."""

    def __init__(self, kind: ErrorKind, line: int = 0, *, file: str = "", detail: str = "") -> None:
        super().__init__(kind, line, file, detail)
        self.kind = kind
        self.line = line
        self.file = file
        self.detail = detail
