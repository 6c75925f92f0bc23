"""What keeps a file from being read, and how large one may be."""

from typing import Final, Literal

LARGEST: Final = 1_000_000
"""Bytes of a file."""
MOST_ROWS: Final = 500
"""Rows of a list, or pupils of one class of a bundle."""

ErrorKind = Literal[
    "too large",
    "empty",
    "nul",
    "encoding",
    "quote",
    "long",
    "too many",
    "workbook",
    "zip",
    "unpacked too large",
    "too much",
    "lacks file",
    "lacks column",
    "nobody",
]


class Unreadable(Exception):
    """The file cannot be read. `line`: where, 0 for the file as a whole; `file`: which one of a
    bundle; `detail`: the file or column that is lacking."""

    def __init__(self, kind: ErrorKind, line: int = 0, *, file: str = "", detail: str = "") -> None:
        super().__init__(kind, line, file, detail)
        self.kind = kind
        self.line = line
        self.file = file
        self.detail = detail
