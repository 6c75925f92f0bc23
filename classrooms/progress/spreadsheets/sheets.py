"""The files of the export, all in one place: docs/exports.md says the same (a test compares)."""

from typing import Final

from .played import PLAYED
from .sheet import Sheet
from .standing import STANDING
from .told import TOLD

SHEETS: Final[tuple[Sheet, ...]] = (*TOLD, *PLAYED, *STANDING)
