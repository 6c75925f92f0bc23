"""What the figures say about the children of a class, and the steps that follow from it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import cached_property
from typing import Final
from uuid import UUID

from django.utils.translation import gettext

from classrooms.models import Child
from classrooms.progress import words
from classrooms.progress.class_figures import ClassFigures
from classrooms.progress.class_report import class_report, last_days
from classrooms.progress.given_steps import CoveredSteps, GivenStep, NextStep
from classrooms.progress.needs import Needs, answers_right, who_needs_what
from classrooms.progress.periods import USUAL_PERIOD, first_day
from classrooms.progress.rows import Rows, TableCell
from classrooms.progress.standing_out import Outlier, outliers_of_children
from games.coach.mastery import FEWEST_FOR_A_LEVEL, GOOD_LEVELS
from games.coach.statements.contrasts import NOTHING, Part
from games.coach.times_tables import TEACHING_ORDER

KNOWN_LEVELS: Final = (*GOOD_LEVELS, "needs refreshing")


class Need(Enum):
    """Why a child should practise something."""

    FEWER_ROWS = auto()  # surely fewer than before or than the others
    TABLE = auto()  # certainly too few of its rows are found
    REFRESHING = auto()
    FACTS = auto()
    GUESS = auto()  # a low figure that may be down to chance
    IN_ORDER = auto()  # nothing but that it comes next


SUREST_FIRST: Final = (
    {Need.FEWER_ROWS, Need.TABLE, Need.REFRESHING},
    {Need.FACTS, Need.GUESS},
    {Need.IN_ORDER},
)
Urgency = tuple[int, float]
"""The sort key of steps and children, on all pages and papers: how sure it is that they need
practice, then the share that was right, drawn towards 1 if it is a share of few."""


def urgency(need: Need, right: int, of: int) -> Urgency:
    """The urgency of a need in which this many of all rows or answers were right. Counts as if a
    few more had been right, so that one of three does not come before six of twenty."""
    place = next(place for place, needs in enumerate(SUREST_FIRST) if need in needs)
    return place, (right + FEWEST_FOR_A_LEVEL) / (of + FEWEST_FOR_A_LEVEL)


@dataclass(frozen=True, slots=True)
class SuggestedStep:
    step: NextStep
    need: Need
    reason: str  # the reason, in figures
    urgency: Urgency


@dataclass(frozen=True)
class Findings:
    """What the figures of a period say about a class, or about one of its children."""

    figures: ClassFigures
    needs: Needs
    rows: Mapping[tuple[UUID, int], Rows]  # of the period, by child and column of the map
    period: str
    outliers: Sequence[Outlier]

    @cached_property
    def fewer(self) -> Mapping[Child, Outlier]:
        """The surest statement about each child who finds fewer rows, if there is one."""
        fewer: dict[Child, Outlier] = {}
        for outlier in self.outliers:
            if outlier.kind in ("change", "apart") and outlier.contrast.difference < 0:
                fewer.setdefault(outlier.children[0], outlier)
        return fewer

    def rows_of(self, child: Child, table: int) -> Rows:
        return self.rows.get((child.pk, table), Rows())

    def suggested(self, child: Child, covered_steps: CoveredSteps) -> list[SuggestedStep]:
        """The steps for a child that are not `covered_steps`, the most urgent first: the tables and
        facts of their needs, then the first table with a low figure that they have not mastered,
        or else the next table. If they surely find fewer rows of a table, that is the reason given
        for it."""
        needs, tables = self.needs.of(child), self.figures.tables.get(child.pk, {})
        need_of_table: dict[int, Need] = {}
        for table, need in self._needed_tables(child, needs):
            need_of_table.setdefault(table, need)
        unknown = [
            table
            for table in TEACHING_ORDER
            if table not in need_of_table
            and not _is_known(tables.get(table))
            and covered_steps.lacks_table(child, table)
        ]
        low = (t for t in unknown if TableCell(None, t, self.rows_of(child, t)).is_low)
        if guess := next(low, None):
            need_of_table[guess] = Need.GUESS
        elif unknown:
            need_of_table[unknown[0]] = Need.IN_ORDER
        steps = [
            self._table_step(child, table, need, is_new=child in needs.never and not tables)
            for table, need in need_of_table.items()
            if covered_steps.lacks_table(child, table)
        ]
        facts = [f for f in needs.facts.get(child, ()) if covered_steps.lacks_fact(child, f.fact)]
        if facts:
            step, reason = NextStep(facts=tuple(f.fact for f in facts)), words.why_facts(facts)
            urgent = urgency(Need.FACTS, *answers_right(facts))
            steps.append(SuggestedStep(step, Need.FACTS, reason, urgent))
        return sorted(steps, key=lambda step: step.urgency)

    def _needed_tables(self, child: Child, needs: Needs) -> Iterator[tuple[int, Need]]:
        """The tables that the child surely needs, the surest need first. A table can come again."""
        fewer = self.fewer.get(child)
        if fewer and fewer.table:
            yield fewer.table, Need.FEWER_ROWS
        for group in needs.tables:
            yield group.table, Need.TABLE
        for refreshing in needs.refreshing:
            for cell in refreshing.tables:
                yield cell.table, Need.REFRESHING

    def _table_step(self, child: Child, table: int, need: Need, *, is_new: bool) -> SuggestedStep:
        rows = self.rows_of(child, table)
        reason = why_table(need, rows, self.period)
        part = Part(rows.found, rows.chances) if rows.is_shown else NOTHING
        if need == Need.FEWER_ROWS:
            fewer = self.fewer[child]
            reason, part = words.how_it_stands_out(fewer, self.period), fewer.sides[0]
        elif is_new:
            reason = gettext("has not begun a game yet")
        return SuggestedStep(NextStep(table), need, reason, urgency(need, *part))

    def why(self, suggested: Mapping[Child, SuggestedStep]) -> str:
        """Why these children need the same step; for a table, with the figures of the children who
        have figures."""
        first = min(suggested.values(), key=lambda step: step.urgency)
        if len(suggested) == 1 or not first.step.table:
            return first.reason
        rows = [self.rows_of(child, first.step.table) for child in suggested]
        return why_table(first.need, Rows.sum(r for r in rows if r.is_shown), self.period)

    def with_reason(self, step: GivenStep) -> GivenStep:
        """The step, with the reason for giving it to all its children today; steps that they
        already have are ignored. A step that is over or has a result gets no reason."""
        if step.is_over or step.outcome:
            return step
        suggested: dict[Child, SuggestedStep] = {}
        for child in step.children:
            steps = self.suggested(child, CoveredSteps.by(()))
            if same := [suggestion for suggestion in steps if suggestion.step.is_same(step.step)]:
                suggested[child] = same[0]
        is_for_all = suggested and len(suggested) == len(step.children)
        return replace(step, reason=self.why(suggested)) if is_for_all else step


def usual_findings(figures: ClassFigures) -> Findings:
    """What the figures of the usual period say about the children of a class. Three queries."""
    since = first_day(figures.today, USUAL_PERIOD)
    report = class_report(figures, since)
    needs = who_needs_what(figures, last_days(report, figures.school_class))
    outliers = outliers_of_children(figures, since)
    return Findings(figures, needs, report.rows, USUAL_PERIOD, outliers)


def why_table(need: Need, rows: Rows, period: str) -> str:
    """The reason to practise a table: its figure, and what the figure does not say."""
    figure = words.rows_found(rows, period)
    match need:
        case Need.REFRESHING:
            return gettext("fewer than before; %(found)s") % {"found": figure}
        case Need.GUESS:
            return gettext("%(found)s; may be chance") % {"found": figure}
        case Need.IN_ORDER if not rows.is_shown:
            return gettext("next in the usual order")
        case Need.IN_ORDER:
            return gettext("next in the usual order; %(found)s") % {"found": figure}
    return figure


def _is_known(cell: TableCell | None) -> bool:
    return cell is not None and cell.is_shown and cell.level in KNOWN_LEVELS
