"""Whether a child can name the times table of rows that they found, by the short questions that
ask for it.

These answers are shown, but count for no level: the row was found already, and no fact is recalled.
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
    """`right` of `asked` answers; `latest`: the last ones, newest first."""

    right: int
    asked: int
    latest: Sequence[Check]

    @property
    def is_shown(self) -> bool:
        return self.asked >= FEWEST


def naming_of(child: Child) -> Naming:
    """The child's answers, in one query; such a question is one of four after a round."""
    asked = Check.objects.filter(child=child, kind=Check.Kind.TABLE)
    checks = list(asked.order_by("-answered_at", "-pk"))
    return Naming(sum(check.right for check in checks), len(checks), checks[:LATEST])
