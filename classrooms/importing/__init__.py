"""Children's names from files: bytes → text → rows → columns → names, each step in a file."""

from .bundle import read_bundle
from .columns import Columns
from .errors import LARGEST, MOST_ROWS, Unreadable
from .sheet import Entry, Sheet, entries, read_file, read_pasted

__all__ = [
    "LARGEST",
    "MOST_ROWS",
    "Columns",
    "Entry",
    "Sheet",
    "Unreadable",
    "entries",
    "read_bundle",
    "read_file",
    "read_pasted",
]
