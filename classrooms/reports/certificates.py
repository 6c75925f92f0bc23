"""What earns a certificate: a times table in which a child is secure or fluent today, a table of
which a child knows every fact, a child's own best, and a weekly goal that the class reached.
Nothing else does, and nothing with too little evidence.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import ClassVar, Final

from django.utils.translation import gettext, ngettext

from classrooms.models import Child, SchoolClass
from classrooms.progress import words as wording
from classrooms.progress.child_figures import (
    EVER,
    OTHER,
    FactCell,
    TableCell,
    best_rounds,
    cells_of,
    with_period,
)
from classrooms.progress.child_page import GOOD
from classrooms.progress.class_figures import figures_of, goals_reached
from classrooms.reports import paper
from classrooms.reports.paper import PaperData
from games.coach.facts import FACTORS, Fact
from games.coach.times_tables import TABLES_TO_10
from games.engine.cards import HIGHEST_NUMBER, colour

NEW_WITHIN: Final = timedelta(weeks=4)
"""What was reached within this time is ticked at first."""


@dataclass(frozen=True, slots=True)
class Earned(ABC):
    """`child`: None if the whole class has earned it. `is_new`: reached within `NEW_WITHIN`."""

    kind: ClassVar[str]

    child: Child | None
    since: date | None
    is_new: bool

    @property
    def key(self) -> str:
        """Its value in the form; another level of the same is another certificate."""
        return f"{self.child.pk if self.child else 'class'}-{self.what}"

    @property
    @abstractmethod
    def what(self) -> str:
        """Identifies it among what a child has earned."""

    @property
    @abstractmethod
    def title(self) -> str:
        """What was reached, in the active language."""

    @property
    @abstractmethod
    def figure(self) -> str:
        """The figures behind it."""

    @property
    def table(self) -> int | None:
        """The table whose cards the certificate shows."""
        return None


@dataclass(frozen=True, slots=True)
class EarnedTable(Earned):
    kind: ClassVar[str] = "table"

    cell: TableCell

    @property
    def what(self) -> str:
        return f"{self.cell.table}-{self.cell.level}"

    @property
    def title(self) -> str:
        return f"{wording.table_name(self.cell.table)} · {wording.level_name(self.cell.level)}"

    @property
    def figure(self) -> str:
        text = gettext("Rows found without help, of all possible rows")
        return f"{with_period(text, EVER)}: {wording.figure(self.cell.rows)}"

    @property
    def table(self) -> int | None:
        return self.cell.table


@dataclass(frozen=True, slots=True)
class EarnedFacts(Earned):
    """Every fact of a table, from the first of `facts` to the last."""

    kind: ClassVar[str] = "facts"

    of: int
    facts: Sequence[Fact]

    @property
    def what(self) -> str:
        return f"facts-{self.of}"

    @property
    def title(self) -> str:
        table = wording.table_name(self.of)
        return gettext("%(table)s: every fact by heart") % {"table": table}

    @property
    def figure(self) -> str:
        n = len(self.facts)
        text = ngettext(
            "%(n)d fact in short questions, from %(first)s to %(last)s",
            "%(n)d facts in short questions, from %(first)s to %(last)s",
            n,
        )
        first, last = (wording.fact_name(self.facts[end]) for end in (0, -1))
        return text % {"n": n, "first": first, "last": last}

    @property
    def table(self) -> int | None:
        return self.of


@dataclass(frozen=True, slots=True)
class EarnedBest(Earned):
    """More rows laid in one round than ever `before`. The first round of a child is no best, as
    there is nothing to beat."""

    kind: ClassVar[str] = "best"

    rows: int
    before: int

    @property
    def what(self) -> str:
        return f"best-{self.rows}"

    @property
    def title(self) -> str:
        text = ngettext(
            "Personal best: %(n)d row laid in one round",
            "Personal best: %(n)d rows laid in one round",
            self.rows,
        )
        return text % {"n": self.rows}

    @property
    def figure(self) -> str:
        return gettext("Previous best: %(before)d") % {"before": self.before}


@dataclass(frozen=True, slots=True)
class EarnedGoal(Earned):
    """The goal of the week from `monday`, reached by the class together."""

    kind: ClassVar[str] = "goal"

    monday: date
    rows: int
    wanted: int

    @property
    def what(self) -> str:
        return f"goal-{self.monday}"

    @property
    def title(self) -> str:
        return gettext("Goal reached: %(n)d rows in one week") % {"n": self.rows}

    @property
    def figure(self) -> str:
        text = gettext("The class goal for the week from %(day)s was %(wanted)d rows.")
        return text % {"day": paper.short_day(self.monday), "wanted": self.wanted}


EarnedBy = tuple[str, Sequence[Earned]]
"""The name of a child or of the class, and what it has earned."""


def earned(school_class: SchoolClass, only: Child | None = None) -> list[EarnedBy]:
    """What the class and each child, by name, have earned, or `only` this child; those without any
    are left out. Bests and goals are no more than what is counted, so there are none while that is
    being done again. In a fixed number of queries."""
    figures = figures_of(school_class)
    children = [child for child in figures.children if only is None or child == only]
    fresh = figures.today - NEW_WITHIN
    facts = cells_of(children, figures.today)
    bests = {} if figures.is_rebuilding else best_rounds(children)
    groups: list[EarnedBy] = []
    if only is None and not figures.is_rebuilding:
        groups.append((school_class.name, _goals(school_class, fresh)))
    for child in children:
        own = [
            *_tables(child, figures.tables.get(child.pk, {}), fresh),
            *_every_fact(child, facts.get(child.pk, {}), fresh),
        ]
        best = bests.get(child.pk)
        if best and best.before:
            own.append(EarnedBest(child, best.day, best.day > fresh, best.rows, best.before))
        groups.append((child.name, own))
    return [(name, own) for name, own in groups if own]


def _tables(child: Child, tables: Mapping[int, TableCell], fresh: date) -> Iterable[Earned]:
    for table, cell in sorted(tables.items()):
        if table != OTHER and cell.is_shown and cell.level in GOOD:
            yield EarnedTable(child, cell.since, bool(cell.since and cell.since > fresh), cell)


def _every_fact(child: Child, known: Mapping[Fact, FactCell], fresh: date) -> Iterable[Earned]:
    for table in TABLES_TO_10:
        facts = [(min(table, other), max(table, other)) for other in FACTORS]
        cells = [known.get(fact) for fact in facts]
        good = [cell for cell in cells if cell and cell.is_shown and cell.level in GOOD]
        if len(good) == len(facts):
            day = max(cell.since for cell in good if cell.since)
            yield EarnedFacts(child, day, day > fresh, table, facts)


def _goals(school_class: SchoolClass, fresh: date) -> list[Earned]:
    return [
        EarnedGoal(None, goal.day, goal.day > fresh, goal.monday, goal.rows, goal.wanted)
        for goal in goals_reached(school_class, NEW_WITHIN // timedelta(weeks=1))
    ]


# Certificates, as data for typst.

CARDS: Final = 5


def certificates(school_class: SchoolClass, chosen: Sequence[Earned]) -> list[PaperData]:
    """The text of each certificate, in the active language."""
    return [_certificate(school_class, one) for one in chosen]


def _certificate(school_class: SchoolClass, one: Earned) -> PaperData:
    row = [one.table * times for times in range(1, CARDS + 1)] if one.table else []
    found = one.rows if isinstance(one, EarnedBest | EarnedGoal) else None
    return {
        "heading": gettext("Certificate"),
        "name": one.child.name if one.child else school_class.name,
        "title": one.title,
        "figure": one.figure,
        "number": "" if found is None else str(found),
        "colour": colour(row[0] if row else ((found or 1) - 1) % HIGHEST_NUMBER + 1),
        "cards": [{"number": str(number), "colour": colour(number)} for number in row],
        "day": paper.day_in_words(one.since or school_class.today()),
        "class": school_class.name if one.child else "",
    }
