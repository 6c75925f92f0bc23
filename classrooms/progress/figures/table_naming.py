"""Whether a child can tell the times table of its own rows: the quick checks that ask for it.

They count neither as spotting, since the row was found already, nor as recall of a fact: so they
are shown, and decide no level.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from classrooms.checks.models import Check
from classrooms.models import Child
from games.coach.mastery import FEWEST

LATEST: Final = 8


@dataclass(frozen=True, slots=True)
class Naming:
    """`right` of so many `asked`; `latest` the last answers, the newest first."""

    right: int
    asked: int
    latest: Sequence[Check]

    @property
    def is_shown(self) -> bool:
        return self.asked >= FEWEST


def naming_of(child: Child) -> Naming:
    """In one query; such a question is one of four after a round."""
    asked = Check.objects.filter(child=child, kind=Check.Kind.TABLE)
    checks = list(asked.order_by("-answered_at", "-pk"))
    return Naming(sum(check.right for check in checks), len(checks), checks[:LATEST])
