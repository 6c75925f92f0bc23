"""The settings of an assignment, as data and in words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Any, Final, Literal

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from classrooms.models import Assignment, Seating
from games.bots import companion
from games.coach.goals import first_goal, turns_of
from games.coach.hints import LAST_STEP
from games.coach.times_tables import FIRST_TABLES
from games.engine.errors import RulesetError
from games.engine.ruleset import EDITIONS, Ruleset
from games.screen.refusal_words import SampleText, samples
from games.screen.words import EDITION_NAMES, listed, product, title, unbroken

# The settings of an assignment. A new setting is a field of `Choice` and a field of the same name
# in the form. If `Assignment` has a field of that name too, the setting is stored there, is
# copied, and stays the same in all weeks of a series. Otherwise `Choice.options` must contain it.

RowRule = Literal["tables", "zero", "one", "zero-or-one", "anything"]

COUNTS_BACK_TO: Final[dict[RowRule, list[int] | None]] = {
    "zero": [0],
    "one": [1],
    "zero-or-one": [0, 1],
    "anything": None,
}
LARGE_DECK: Final = 100
"""A deck with this many numbers needs no smaller hands and no fourth open card."""


def more_rows(ruleset: Ruleset, seats: int) -> dict[str, Any]:
    """The options of a game for more rows (docs/pacing.md has the figures). No card costs anything,
    so nobody needs points at the start."""
    options: dict[str, Any] = {"start": 0, "market": 3, "refill": True, "least_fitting": 3}
    is_large = ruleset.highest >= LARGE_DECK
    if not is_large:
        options["hand_of_two"] = ruleset.hand_of_two - 1
    options["most_turns"] = turns_of(ruleset, seats)
    return options if is_large else options | {"market": 4}


@dataclass(frozen=True, slots=True)
class Choice:
    """The settings that a teacher chooses in the form. `doubling` and `opening` are None if the
    rule of the edition applies."""

    edition: str = "simplified"
    rows: RowRule = "tables"
    tables: Sequence[int] = FIRST_TABLES
    families: Sequence[str] = ()
    focus: Sequence[int] = ()
    facts: Sequence[Sequence[int]] = ()
    bots: int = 1
    bot: str = companion.NAME
    has_kind_deals: bool = True
    rounds: int | None = 3  # None for a match to `target`
    target: int = 100
    hint_steps: int = LAST_STEP
    shows_missed_rows: bool = True
    has_questions: bool = True
    chairs: int = 1
    seating: str = Seating.OPEN.value
    waits_for_classmates: bool = True
    answer_seconds: int = 20
    turn_seconds: int = 0
    note: str = ""
    offers: bool = False
    doubling: Sequence[str] | None = None
    opening: bool | None = None
    more_rows: bool = True  # whether a card game has a market and refilled hands (docs/pacing.md)
    together: str = ""  # how hard the shared goal is (`games.coach.goals`); empty without one
    starts_on: date | None = None
    due_on: date | None = None
    weekly: bool = False

    @property
    def seats(self) -> int:
        """How many players sit at a table, bots included."""
        return self.chairs if self.chairs > 1 else self.bots + 1

    @property
    def options(self) -> dict[str, Any]:
        """The options for the edition, as JSON values."""
        options: dict[str, Any] = {}
        if self.rows == "tables":
            options["tables"] = sorted(set(self.tables))
        else:
            options["counts_back_to"] = COUNTS_BACK_TO[self.rows]
        if self.families:
            options["families"] = sorted(self.families)
        if self.opening is not None:
            options["opening"] = self.opening
        base = EDITIONS.get(self.edition)
        if base is None or base.has_pot:
            return options
        options["offers"] = self.offers
        if self.more_rows:
            tables = tuple(options["tables"]) if options.get("tables") else None
            ruleset = replace(base, tables=tables, opening=False)
            options |= more_rows(ruleset, self.bots + 1)
            options |= {"market": 0} if self.offers else {}
        if self.doubling is not None:
            options["doubling"] = sorted(self.doubling)
        if self.rounds is None:
            options["target"] = self.target
        return options

    @property
    def columns(self) -> dict[str, Any]:
        """The fields of an assignment with these settings, except for its series."""
        columns = {name: getattr(self, name) for name in COLUMNS}
        facts = [list(pair) for pair in self.facts]
        return {**columns, "focus": sorted(self.focus), "facts": facts, "options": self.options}

    def ruleset(self) -> Ruleset:
        """The ruleset for the engine. Raises `RulesetError` if the choice contradicts itself."""
        base = EDITIONS.get(self.edition)
        if self.rounds is None and base is not None and not base.counts_points:
            raise RulesetError("rounds-needed")
        return Assignment(**self.columns).ruleset


DEFAULT_CHOICE: Final = Choice()
SETTINGS: Final = tuple(setting.name for setting in fields(Choice))
COLUMNS: Final = tuple(
    field.name for field in Assignment._meta.concrete_fields if field.name in SETTINGS
)
"""The settings with a field in `Assignment`. The others are in its options, except for `weekly`,
which is its series."""
DAYS: Final = ("starts_on", "due_on")
SAME_EVERY_WEEK: Final = tuple(name for name in COLUMNS if name not in DAYS)


def choice_of(assignment: Assignment) -> Choice:
    """The settings of this assignment without its days and its series, for another one like it."""
    options = assignment.options
    return Choice(
        rows=_rows_in(options),
        more_rows="refill" in options or EDITIONS[assignment.edition].has_pot,
        **{name: options[name] for name in SETTINGS if name in options},
        **{name: getattr(assignment, name) for name in SAME_EVERY_WEEK},
    )


def _rows_in(options: dict[str, Any]) -> RowRule:
    if "tables" in options:
        return "tables"
    counts_back_to = options.get("counts_back_to", COUNTS_BACK_TO["zero"])
    return next((rule for rule, to in COUNTS_BACK_TO.items() if to == counts_back_to), "zero")


# Assignments and their settings in words, in the language of the page.


def details(assignment: Assignment) -> str:
    """The settings of an assignment in one line of text, for the teacher."""
    ruleset = assignment.ruleset
    game = f"{EDITION_NAMES[ruleset.edition]} 1–{ruleset.highest}"
    seats = ngettext("%(n)d bot", "%(n)d bots", assignment.bots) % {"n": assignment.bots}
    if assignment.chairs > 1:  # Bots only take the chairs that stay empty.
        seats = gettext("at tables of %(n)d") % {"n": assignment.chairs}
    focus = listed(assignment.focus)
    lines = [
        (assignment.chairs > 1 or assignment.together != "", str(TOGETHER[assignment.together])),
        (not assignment.hint_steps, gettext("no hints")),
        (bool(focus), gettext("mainly %(tables)s") % {"tables": focus}),
        (ruleset.offers, gettext("open card offered")),
        (not assignment.shows_missed_rows, gettext("no missed row after a turn")),
        (not assignment.has_questions, gettext("no short questions")),
        (assignment.series is not None, gettext("every week")),
    ]
    shown = [words for applies, words in lines if applies]
    return " · ".join([game, match_length(ruleset), seats, *shown])


def match_length(ruleset: Ruleset) -> str:
    if ruleset.rounds is None:
        return gettext("first to %(n)d points") % {"n": ruleset.target}
    return ngettext("%(n)d round", "%(n)d rounds", ruleset.rounds) % {"n": ruleset.rounds}


PROBLEMS: Final[dict[str, tuple[str, Promise]]] = {
    "no-tables": ("tables", _("Choose at least one times table.")),
    "rounds-needed": (
        "rounds",
        _("This game is not played to a target score. Choose the number of rounds."),
    ),
}
"""For each reason of a `RulesetError` that the form can cause: the field that shows it, and its
text."""
TOGETHER: Final[Mapping[str, Promise]] = {
    "": _("each for themselves"),
    "gentle": _("together, gentle"),
    "right": _("together, just right"),
    "challenge": _("together, a challenge"),
}
"""How a table plays: each for themselves, or how hard the shared goal is."""
BOT_WORDS: Final[dict[str, Promise]] = {
    companion.NAME: _("as strong as each child needs"),
    "beginner": _("a beginner, who sometimes misses a row"),
    "steady": _("steady: lays the best row it can see"),
    "sharp": _("clever: also thinks about which cards to keep"),
    "expert": _("an expert, who thinks ahead"),
}
"""How strong the bots are, in the words of the form."""
HINTS: Final = (
    pgettext_lazy("hints", "none"),
    _("1: how many rows are hiding"),
    _("up to 2: one card of the row"),
    _("up to 3: the jumps in the row"),
    _("up to 4: the name of its times table"),
    _("up to 5: how to work it out from an easier fact"),
    _("up to 6: the row itself"),
)
"""What a hint shows up to each step, beginning with step 0."""
MEANINGS: Final[dict[str, Promise]] = {
    "simplified": _("Every card earns 1 point: a good first game."),
    "simplified-2010": _("The same, but nobody has to put a card down."),
    "classic": _("Harder cards earn 2 or 3 points."),
    "advanced": _("Like classic, but rows must count back to what you choose below."),
    "blocks": _("No points for rows: whoever has the fewest blocks left wins."),
    "blocks-simple": _("Whoever gets rid of all their blocks wins."),
}
"""What each edition means for a child, in the order of the form."""


class RulesPreview:
    """The settings in words and sample rows, or the problems that make them impossible."""

    def __init__(self, choice: Choice, problems: Sequence[str] = ()) -> None:
        self.choice = choice
        self.problems = problems
        self.ruleset = None if problems else choice.ruleset()

    @property
    def title(self) -> str:
        return title(self.ruleset) if self.ruleset else ""

    @property
    def edition(self) -> str:
        return str(EDITION_NAMES[self.ruleset.edition]) if self.ruleset else ""

    @property
    def setting(self) -> str:
        """The numbers, cards and length of the game."""
        if self.ruleset is None:
            return ""
        setting = gettext("numbers 1 to %(highest)d, %(cards)d cards each, %(length)s")
        if self.ruleset.has_pot:
            setting = gettext("numbers 1 to %(highest)d, %(cards)d blocks each, %(length)s")
        return (
            setting
            % {
                "highest": self.ruleset.highest,
                "cards": self.ruleset.hand_size(self.choice.seats),
                "length": match_length(self.ruleset),
            }
            + self._goal
        )

    @property
    def _goal(self) -> str:
        """The shared goal of the table; empty if each plays for themselves."""
        if self.ruleset is None or self.ruleset.goal is None:
            return ""
        goal = first_goal(self.ruleset, self.choice.seats, self.choice.chairs)
        text = gettext("together %(goal)d points in the first round")
        return ", " + text % {"goal": goal}

    @property
    def samples(self) -> dict[str, list[SampleText]] | None:
        return samples(self.ruleset) if self.ruleset else None

    @property
    def spoken(self) -> str:
        """The text for screen readers: the problems, then the title of the game."""
        return " ".join([*self.problems, self.title])


def facts_name(facts: Iterable[Sequence[int]]) -> str:
    return listed([unbroken(product(*pair)) for pair in facts])
