"""Certificates, and the achievements that earn them: a times table of which a child finds most rows
and knows every fact by heart today, a personal best, or a weekly goal that the class reached. Too
little evidence earns nothing."""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final
from uuid import UUID

from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext

from classrooms.models import Child, SchoolClass
from classrooms.progress import words
from classrooms.progress.class_figures import figures_of
from classrooms.progress.facts import FactCell, answers_by_fact, fact_cells
from classrooms.progress.goals import goals_reached
from classrooms.progress.models import TableDay
from classrooms.progress.rows import ROWS_FOUND, TableCell
from classrooms.progress.story import best_rounds
from classrooms.reports.child_paper import fact_group
from classrooms.reports.paper_words import PaperData, day_in_words, short_day
from games.coach.times_tables import FACTORS, TABLES_TO_10, Fact, fact_of
from games.engine.cards import colour
from games.screen.words import product

NEW_WITHIN: Final = timedelta(weeks=4)
"""The page selects a certificate that was earned within this time."""


@dataclass(frozen=True, slots=True)
class EarnedCertificate(ABC):
    """A certificate that a child or the whole class has earned, and its words on paper."""

    child: Child | None  # None if the whole class earned it
    since: date

    @property
    def key(self) -> str:
        """The value of the certificate's checkbox in the form."""
        return f"{self.child.pk if self.child else 'class'}-{self.achievement}"

    @property
    @abstractmethod
    def achievement(self) -> str:
        """A word for the achievement, different for all certificates of the child."""

    @property
    @abstractmethod
    def title(self) -> str:
        """The achievement, in the active language."""

    @property
    @abstractmethod
    def figure(self) -> str:
        """The figures behind the achievement, in the active language."""

    @property
    def table(self) -> int | None:
        """The table whose cards the certificate shows."""
        return None


@dataclass(frozen=True, slots=True)
class EarnedTable(EarnedCertificate):
    """A times table of which the child knows all facts and, up to the day `since`, had found `rows`
    rows without help."""

    times_table: int
    rows: int

    @property
    def achievement(self) -> str:
        return f"table-{self.times_table}"

    @property
    def title(self) -> str:
        first, last = (product(FACTORS[end], self.times_table) for end in (0, -1))
        return gettext("Knows %(first)s to %(last)s by heart") % {"first": first, "last": last}

    @property
    def figure(self) -> str:
        text = ngettext(
            "By %(day)s: %(n)d row of the %(table)s found without help",
            "By %(day)s: %(n)d rows of the %(table)s found without help",
            self.rows,
        )
        table = words.table_name(self.times_table)
        return text % {"day": short_day(self.since), "n": self.rows, "table": table}

    @property
    def table(self) -> int | None:
        return self.times_table


@dataclass(frozen=True, slots=True)
class EarnedBest(EarnedCertificate):
    """A round with more rows than any round before. A child's first round does not count."""

    rows: int
    record_before: int  # the rows of the best round before

    @property
    def achievement(self) -> str:
        return f"best-{self.rows}"

    @property
    def title(self) -> str:
        text = ngettext(
            "Personal best: %(n)d row laid or extended in one round",
            "Personal best: %(n)d rows laid or extended in one round",
            self.rows,
        )
        return text % {"n": self.rows}

    @property
    def figure(self) -> str:
        text = gettext("In the number card game. Previous best: %(before)d")
        return text % {"before": self.record_before}


@dataclass(frozen=True, slots=True)
class EarnedGoal(EarnedCertificate):
    """The goal of the week from `monday`, reached by the class together; `since` is the last day
    of its `rows`."""

    monday: date
    rows: int
    target: int

    @property
    def achievement(self) -> str:
        return f"goal-{self.monday}"

    @property
    def title(self) -> str:
        text = gettext("Goal of %(wanted)d rows reached: %(n)d laid or extended together")
        return text % {"wanted": self.target, "n": self.rows}

    @property
    def figure(self) -> str:
        first, last = short_day(self.monday), short_day(self.since)
        text = gettext("In the week from %(first)s, counted up to %(last)s")
        if first == last:
            text = gettext("In the week from %(last)s")
        return text % {"first": first, "last": last}


CertificateGroup = tuple[str, Sequence[EarnedCertificate]]
"""The name of a child or of the class, and the certificates that they have earned."""


def earned_certificates(
    school_class: SchoolClass, only: Child | None = None
) -> list[CertificateGroup]:
    """The certificates that the class and each child have earned; with `only`, those of this child.
    Groups without a certificate are left out, and so are bests and goals while figures are counted
    again. The number of queries is fixed."""
    figures = figures_of(school_class, facts=False)
    children = [child for child in figures.children if only is None or child == only]
    tables = _earned_tables(children, figures.tables, figures.today)
    bests = {} if figures.is_rebuilding else best_rounds(children)
    groups: list[CertificateGroup] = []
    if only is None and not figures.is_rebuilding:
        reached = goals_reached(school_class, NEW_WITHIN // timedelta(weeks=1))
        goals = [EarnedGoal(None, one.last, one.monday, one.rows, one.target) for one in reached]
        groups.append((school_class.name, goals))
    for child in children:
        earned: list[EarnedCertificate] = [*tables.get(child.pk, ())]
        best = bests.get(child.pk)
        if best and best.record_before:
            earned.append(EarnedBest(child, best.day, best.rows, best.record_before))
        groups.append((child.name, earned))
    return [(name, earned) for name, earned in groups if earned]


def _earned_tables(
    children: Sequence[Child], tables: Mapping[UUID, Mapping[int, TableCell]], today: date
) -> Mapping[UUID, Sequence[EarnedTable]]:
    """The tables for which the rows and facts of these children have earned a certificate. Five
    queries, of which three read only what children did who may have earned one."""
    facts = fact_cells(children, today)
    mastered = {
        child: own
        for child in children
        if (own := mastered_tables(tables.get(child.pk, {}), facts.get(child.pk, {})))
    }
    answers = answers_by_fact(mastered)
    rows = TableDay.objects.filter(child__in=[child.pk for child in mastered])
    found = [*rows.values_list("child", "table", "day", ROWS_FOUND)]
    earned: dict[UUID, list[EarnedTable]] = defaultdict(list)
    for child, days in mastered.items():
        for table, since in days.items():
            # No fact of a certificate may stand on the parents' sheet as one that was wrong lately.
            if {fact_group(answers[child.pk][fact]) for fact in _facts_of(table)} == {"lately"}:
                count = sum(n for *of, day, n in found if of == [child.pk, table] and day <= since)
                earned[child.pk].append(EarnedTable(child, since, table, count))
    return earned


def mastered_tables(
    tables: Mapping[int, TableCell], cells_of: Mapping[Fact, FactCell]
) -> dict[int, date]:
    """The tables of which a child finds most rows and knows every fact by heart, each with the day
    since when."""
    mastered = {}
    for table in TABLES_TO_10:
        cell, facts = tables.get(table), [cells_of.get(fact) for fact in _facts_of(table)]
        if cell and cell.is_mastered and all(fact and fact.is_mastered for fact in facts):
            mastered[table] = max(one.since for one in (cell, *facts) if one and one.since)
    return mastered


def _facts_of(table: int) -> list[Fact]:
    return [fact_of(table, factor) for factor in FACTORS]


# Certificates, as data for typst.

CARDS: Final = 5


def certificates(
    school_class: SchoolClass, earned_certificates: Sequence[EarnedCertificate]
) -> list[PaperData]:
    """The content of each certificate, in the active language."""
    return [_certificate(school_class, earned) for earned in earned_certificates]


def _certificate(school_class: SchoolClass, certificate: EarnedCertificate) -> PaperData:
    row = [certificate.table * times for times in range(1, CARDS + 1)] if certificate.table else []
    return {
        "heading": gettext("Certificate"),
        "name": certificate.child.name if certificate.child else school_class.name,
        "title": certificate.title,
        "figure": certificate.figure,
        # A large number beside a personal best would invite comparison with other children.
        "number": str(certificate.rows) if isinstance(certificate, EarnedGoal) else "",
        "cards": [{"number": str(number), "colour": colour(number)} for number in row],
        "day": day_in_words(certificate.since),
        "signs": " · ".join(
            [capfirst(gettext("teacher")), *[school_class.name] * bool(certificate.child)]
        ),
    }
