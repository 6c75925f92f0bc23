"""The evidence in the logs, and its counts. A rebuild makes all of it again."""

from .counts import ChildAssignment, ChildDay, Counted, FactDay, TableDay
from .evidence import (
    LAID,
    RULES,
    Chance,
    GameEvidence,
    Played,
    ProgressLock,
    Shown,
    SittingEvidence,
)
from .mastery import FactAbility, FactMastery, TableMastery
from .nightly import Difference

__all__ = [
    "LAID",
    "RULES",
    "Chance",
    "ChildAssignment",
    "ChildDay",
    "Counted",
    "Difference",
    "FactAbility",
    "FactDay",
    "FactMastery",
    "GameEvidence",
    "Played",
    "ProgressLock",
    "Shown",
    "SittingEvidence",
    "TableDay",
    "TableMastery",
]
