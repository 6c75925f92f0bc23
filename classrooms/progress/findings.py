"""What the figures say about the children of a class, and which steps follow."""

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
from classrooms.progress.facts import answers_right
from classrooms.progress.given_steps import CoveredSteps, GivenStep, NextStep
from classrooms.progress.needs import Needs, who_needs_what
from classrooms.progress.periods import USUAL_PERIOD, first_day
from classrooms.progress.rows import RowCounts, TableCell
from classrooms.progress.standing_out import Outlier, outliers_of_children
from games.coach.mastery import GOOD_LEVELS
from games.coach.statements.contrasts import EMPTY_SHARE, Share
from games.coach.times_tables import TEACHING_ORDER

KNOWN_LEVELS: Final = (*GOOD_LEVELS, "needs refreshing")


class Need(Enum):
    """Why a child should practise something."""

    FEWER_ROWS = auto()  # surely fewer than before or than the others
    TABLE = auto()  # certainly too few of its rows are found
    REFRESHING = auto()
    MISSES = auto()  # the map says that many rows are missed
    FACTS = auto()
    GUESS = auto()  # a low figure that may be due to chance
    IN_ORDER = auto()  # no other reason than that it comes next


SUREST_FIRST: Final = (
    {Need.FEWER_ROWS, Need.TABLE, Need.REFRESHING},
    {Need.MISSES, Need.FACTS, Need.GUESS},
    {Need.IN_ORDER},
)
Urgency = tuple[int, float]
"""The sort key of steps and children, on all pages and papers: how sure the need is, then the share
that was right."""


def urgency(need: Need, right: int, total: int) -> Urgency:
    """The urgency of a need, if `right` of the `total` rows or answers were right."""
    place = next(place for place, needs in enumerate(SUREST_FIRST) if need in needs)
    return place, Share(right, total).with_a_few_right


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
    rows: Mapping[tuple[UUID, int], RowCounts]  # of the period, by child and column of the map
    period: str
    outliers: Sequence[Outlier]

    @cached_property
    def fewer_rows(self) -> Mapping[Child, Outlier]:
        """For each child who finds fewer rows, the surest statement that says so."""
        statements: dict[Child, Outlier] = {}
        for outlier in self.outliers:
            if outlier.kind in ("change", "apart") and outlier.contrast.difference < 0:
                statements.setdefault(outlier.children[0], outlier)
        return statements

    def rows_of(self, child: Child, table: int) -> RowCounts:
        return self.rows.get((child.pk, table), RowCounts())

    def suggestions(self, child: Child, covered_steps: CoveredSteps) -> list[SuggestedStep]:
        """The steps for a child that are not among `covered_steps`, the most urgent first.

        They are the tables and facts that the child needs, and one table that they have not
        mastered: that with the lowest figure, if it is low, or else the next one. If the child
        surely finds fewer rows of a table, that is its reason.
        """
        needs, tables = self.needs.of(child), self.figures.tables.get(child.pk, {})
        need_of_table: dict[int, Need] = {}
        for table, need in self.needed_tables(child, needs):
            need_of_table.setdefault(table, need)
        unknown = [
            table
            for table in TEACHING_ORDER
            if table not in need_of_table
            and not _is_known(tables.get(table))
            and covered_steps.lacks_table(child, table)
        ]
        cells = (TableCell(None, table, self.rows_of(child, table)) for table in unknown)
        low = {cell.table: cell.rows for cell in cells if cell.is_low}
        if low:
            guess = min(low, key=lambda t: Share(low[t].found, low[t].chances).with_a_few_right)
            need_of_table[guess] = Need.GUESS
        elif unknown:
            need_of_table[unknown[0]] = Need.IN_ORDER
        steps = [
            self._table_step(child, table, need, is_new=child in needs.never_begun and not tables)
            for table, need in need_of_table.items()
            if covered_steps.lacks_table(child, table)
        ]
        facts = [f for f in needs.facts.get(child, ()) if covered_steps.lacks_fact(child, f.fact)]
        if facts:
            step, reason = NextStep(facts=tuple(f.fact for f in facts)), words.why_facts(facts)
            right, answers = answers_right(facts)
            need = Need.GUESS if answers - right == 1 else Need.FACTS
            steps.append(SuggestedStep(step, need, reason, urgency(need, right, answers)))
        return sorted(steps, key=lambda step: step.urgency)

    def has_first_game(self, child: Child) -> bool:
        """Whether the child has never begun a game, but the class has one."""
        is_new = child in self.needs.never_begun and child.pk not in self.figures.tables
        return is_new and bool(self.figures.games_of_all)

    def needed_tables(self, child: Child, needs: Needs) -> Iterator[tuple[int, Need]]:
        """The tables that the child needs, the surest need first. A table may come twice."""
        outlier = self.fewer_rows.get(child)
        if outlier and outlier.table:
            yield outlier.table, Need.FEWER_ROWS
        for group in needs.tables:
            yield group.table, Need.TABLE
        cells = self.figures.tables.get(child.pk, {})
        yield from ((t, Need.REFRESHING) for t in sorted(cells) if cells[t].needs_refreshing)
        for table, cell in cells.items():
            if table in TEACHING_ORDER and cell.is_shown and cell.misses_chances:
                yield table, Need.MISSES

    def _table_step(self, child: Child, table: int, need: Need, *, is_new: bool) -> SuggestedStep:
        rows = self.rows_of(child, table)
        reason = why_table(need, rows, self.period)
        part = Share(rows.found, rows.chances) if rows.is_shown else EMPTY_SHARE
        if need == Need.FEWER_ROWS:
            outlier = self.fewer_rows[child]
            reason = words.how_it_stands_out(outlier, self.period)
            part = outlier.sides[0]
        elif is_new:
            reason = gettext("has not begun a game yet")
        return SuggestedStep(NextStep(table), need, reason, urgency(need, *part))

    def shared_reason(self, steps: Mapping[Child, SuggestedStep]) -> str:
        """Why these children need the same step. The reason for a table has the figures of those
        children who have any."""
        first = min(steps.values(), key=lambda step: step.urgency)
        if len(steps) == 1 or not first.step.table:
            return first.reason
        rows = [self.rows_of(child, first.step.table) for child in steps]
        return why_table(first.need, RowCounts.sum(r for r in rows if r.is_shown), self.period)

    def with_reason(self, step: GivenStep) -> GivenStep:
        """The step, with the reason for giving it to all its children today. Steps that they
        already have are ignored. A step that is over or has a result gets no reason."""
        if step.is_over or step.outcome:
            return step
        suggested: dict[Child, SuggestedStep] = {}
        for child in step.children:
            for suggestion in self.suggestions(child, CoveredSteps.from_steps(())):
                if suggestion.step.is_same(step.step):
                    suggested.setdefault(child, suggestion)
        is_for_all = suggested and len(suggested) == len(step.children)
        return replace(step, reason=self.shared_reason(suggested)) if is_for_all else step


def usual_findings(figures: ClassFigures) -> Findings:
    """What the figures of the usual period say about the children of a class. Three queries."""
    since = first_day(figures.today, USUAL_PERIOD)
    report = class_report(figures, since)
    needs = who_needs_what(figures, last_days(report, figures.school_class))
    outliers = outliers_of_children(figures, since)
    return Findings(figures, needs, report.rows, USUAL_PERIOD, outliers)


def why_table(need: Need, rows: RowCounts, period: str) -> str:
    """The reason to practise a table: its figure, and what the figure does not say."""
    figure = words.rows_found(rows, period)
    match need:
        case Need.REFRESHING:
            return gettext("fewer than before; %(found)s") % {"found": figure}
        case Need.MISSES | Need.GUESS:
            return words.may_be_chance(figure)
        case Need.IN_ORDER if not rows.is_shown:
            return gettext("next in the usual order")
        case Need.IN_ORDER:
            return gettext("next in the usual order; %(found)s") % {"found": figure}
    return figure


def _is_known(cell: TableCell | None) -> bool:
    return cell is not None and cell.is_shown and cell.level in KNOWN_LEVELS
