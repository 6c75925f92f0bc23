"""The evidence in the logs, and its counts. A rebuild makes all of it again."""

from .counts import ChildAssignment, ChildDay, Counted, FactDay, TableDay
from .evidence import LAID, Chance, GameEvidence, Played, ProgressLock, Shown, SittingEvidence
from .mastery import ChildAbility, FactAbility, FactMastery, Mastered, TableMastery
from .nightly import Difference

__all__ = [
    "LAID",
    "Chance",
    "ChildAbility",
    "ChildAssignment",
    "ChildDay",
    "Counted",
    "Difference",
    "FactAbility",
    "FactDay",
    "FactMastery",
    "GameEvidence",
    "Mastered",
    "Played",
    "ProgressLock",
    "Shown",
    "SittingEvidence",
    "TableDay",
    "TableMastery",
]
