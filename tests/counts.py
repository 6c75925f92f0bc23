"""How often a test tries: few times in `make test`, many with NMBRS_PROOF=1 (`make proof`)."""

import os
from typing import Final, TypeVar

T = TypeVar("T")
PROOF: Final = os.environ.get("NMBRS_PROOF") == "1"


def times(small: T, full: T) -> T:
    return full if PROOF else small
