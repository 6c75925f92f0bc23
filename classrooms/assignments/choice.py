"""The settings of an assignment.

A new setting is a field of `Choice` and a field of the same name in the form. If `Assignment` has a
field of that name, it is kept there, copied, and the same in every week of a series; otherwise
`Choice.options` has to hold it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import date
from typing import Any, Final, Literal

from classrooms.models import Assignment
from games.bots import companion
from games.coach.hints import LAST_STEP
from games.coach.times_tables import FIRST_TABLES
from games.engine.errors import RulesetError
from games.engine.ruleset import EDITIONS, Ruleset, edition

RowRule = Literal["tables", "zero", "one", "zero-or-one", "anything"]
TABLES: Final = "tables"
ZERO: Final = "zero"
ONE: Final = "one"
ZERO_OR_ONE: Final = "zero-or-one"
ANYTHING: Final = "anything"

COUNTS_BACK_TO: Final[dict[RowRule, list[int] | None]] = {
    "zero": [0],
    "one": [1],
    "zero-or-one": [0, 1],
    "anything": None,
}


MORE_ROWS: Final[dict[str, Any]] = {"market": 3, "refill": True, "piles": 2, "hand_of_two": 6}
"""Chosen by figures (docs/pacing.md)."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a teacher chooses in the form. `rounds`: None for a match to `target`; `doubling` and
    `opening`: None for the edition's own. `more_rows`: a card game with a market and hands that
    fill up, not as printed (docs/pacing.md)."""

    edition: str = "simplified"
    rows: RowRule = "tables"
    tables: Sequence[int] = FIRST_TABLES
    families: Sequence[str] = ()
    focus: Sequence[int] = ()
    facts: Sequence[Sequence[int]] = ()
    bots: int = 1
    bot: str = companion.NAME
    kind: bool = True
    rounds: int | None = 3
    target: int = 100
    hint_steps: int = LAST_STEP
    missed_rows: bool = True
    checks: bool = True
    note: str = ""
    offers: bool = False
    doubling: Sequence[str] | None = None
    opening: bool | None = None
    more_rows: bool = True
    starts_on: date | None = None
    due_on: date | None = None
    weekly: bool = False

    @property
    def options(self) -> dict[str, Any]:
        """The options for the edition, as JSON can hold them."""
        options: dict[str, Any] = {}
        if self.rows == TABLES:
            options["tables"] = sorted(set(self.tables))
        else:
            options["counts_back_to"] = COUNTS_BACK_TO[self.rows]
        if self.families:
            options["families"] = sorted(self.families)
        if self.opening is not None:
            options["opening"] = self.opening
        base = EDITIONS.get(self.edition)
        if base is None or base.with_pot:
            return options
        options["offers"] = self.offers
        if self.more_rows:
            options |= MORE_ROWS | ({"market": 0} if self.offers else {})
        if self.doubling is not None:
            options["doubling"] = sorted(self.doubling)
        if self.rounds is None:
            options["target"] = self.target
        return options

    @property
    def columns(self) -> dict[str, Any]:
        """The fields of an assignment with these settings, but for its series."""
        columns = {name: getattr(self, name) for name in COLUMNS}
        facts = [list(one) for one in self.facts]
        return {**columns, "focus": sorted(self.focus), "facts": facts, "options": self.options}

    def ruleset(self) -> Ruleset:
        """The ruleset for the engine. Raises `RulesetError` where the choice contradicts itself."""
        base = EDITIONS.get(self.edition)
        if self.rounds is None and base is not None and base.scoring != "points":
            raise RulesetError("rounds-needed")
        return edition(self.edition, **self.options, rounds=self.rounds)


DEFAULT_CHOICE: Final = Choice()
SETTINGS: Final = tuple(setting.name for setting in fields(Choice))
COLUMNS: Final = tuple(
    field.name for field in Assignment._meta.concrete_fields if field.name in SETTINGS
)
"""The settings that `Assignment` has a field for. The others are in its options, and `weekly` is
its series."""
DAYS: Final = ("starts_on", "due_on")
SAME_EVERY_WEEK: Final = tuple(name for name in COLUMNS if name not in DAYS)


def choice_of(assignment: Assignment) -> Choice:
    """The choice behind this assignment, without its days and its series, to make another like
    it."""
    options = assignment.options
    return Choice(
        rows=_rows_in(options),
        more_rows="refill" in options or EDITIONS[assignment.edition].with_pot,
        **{name: options[name] for name in SETTINGS if name in options},
        **{name: getattr(assignment, name) for name in SAME_EVERY_WEEK},
    )


def _rows_in(options: dict[str, Any]) -> RowRule:
    if "tables" in options:
        return TABLES
    counts_back_to = options.get("counts_back_to", COUNTS_BACK_TO[ZERO])
    return next((rows for rows, counts in COUNTS_BACK_TO.items() if counts == counts_back_to), ZERO)
