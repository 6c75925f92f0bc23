"""Why a file cannot be read, and the size limits."""

from typing import Final, Literal

LARGEST: Final = 1_000_000
"""Most bytes of a file."""
MOST_ROWS: Final = 500
"""Most pupils that are shown for one class."""
MOST_PUPILS: Final = 20_000
"""Of a whole list, or enrolments of a bundle: 1,000 pupils with a home group and 15 subjects."""

ErrorKind = Literal[
    "too large",
    "empty",
    "nul",
    "encoding",
    "quote",
    "too many",
    "not computed",
    "not a list",
    "workbook",
    "broken workbook",
    "zip",
    "too much",
    "too slow",
    "unknown",
    "lacks file",
    "lacks column",
    "nobody",
    "nobody left",
    "many pupils",
    "many classes",
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
