"""The page of a child, for its teacher and for parents' evenings."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from classrooms.models import Child
from classrooms.progress.figures import periods, words
from classrooms.progress.figures.child_story import ChildStory, child_story
from classrooms.progress.figures.class_figures import children_of, figures_about
from classrooms.progress.figures.known_facts import FactCell, cells_of
from classrooms.progress.figures.luck import Luck, luck_and_skill
from classrooms.progress.figures.needs import Needs, Stuck, who_needs_what
from classrooms.progress.figures.table_naming import Naming, naming_of
from classrooms.progress.figures.table_rows import OTHER, Rows, TableCell
from classrooms.progress.pages.class_page import NeedCard, cards_of
from games.coach.facts import Fact
from games.coach.mastery import Level
from games.coach.times_tables import TABLES_TO_10, TABLES_TO_12, TEACHING_ORDER

GOOD: Final[tuple[Level, ...]] = ("secure", "fluent")


@dataclass(frozen=True, slots=True)
class FactLine:
    """A line of the child's grid of facts, by the lower factor; None for a fact never asked."""

    low: int
    cells: Sequence[tuple[Fact, FactCell | None]]


@dataclass(frozen=True, slots=True)
class ChildPage:
    """`tables`: those with rows, with the figures of the `period`, its label (`period_name` is the
    word in the address); `luck`: what the cards offered and what was found of it; `naming`:
    whether the child can name the table of a row; `cards` and `stuck`: what the class page says
    that it needs next; `home_table` and `home_facts`: of that, what to practise at home;
    `rebuilding`: that the figures are being counted again, "" if they are not."""

    story: ChildStory
    luck: Luck
    naming: Naming
    tables: Sequence[TableCell]
    period_name: str
    period: str
    factors: Sequence[int]
    facts: Sequence[FactLine]
    cards: Sequence[NeedCard]
    stuck: Sequence[Stuck]
    home_table: int | None
    home_facts: Sequence[Fact]
    rebuilding: str

    @property
    def all_time(self) -> str:
        """The label of the period of luck and skill, of naming and of facts."""
        return periods.label_of(periods.EVER)

    @property
    def can_tables(self) -> list[TableCell]:
        return [cell for cell in self.tables if cell.is_shown and cell.level in GOOD]

    @property
    def tables_to_refresh(self) -> list[TableCell]:
        return [cell for cell in self.tables if cell.needs_refreshing]

    @property
    def no_need(self) -> str:
        """What is said where the child needs nothing in particular, but some figure looks low."""
        is_low = any(cell.is_low for cell in self.tables)
        return words.no_need(has_low_figures=True) if is_low else ""

    @property
    def known_facts(self) -> int:
        return sum(
            cell is not None and cell.is_shown and cell.level in GOOD
            for line in self.facts
            for _fact, cell in line.cells
        )

    @property
    def has_facts(self) -> bool:
        return any(cell for line in self.facts for _fact, cell in line.cells)


def child_page(child: Child, children: Sequence[Any] | None = None) -> ChildPage:
    """The page of a child, in eleven queries, or ten with the `children_of` its class."""
    facts = cells_of([child], child.school_class.today()).get(child.pk, {})
    figures = figures_about(child, children or children_of(child.school_class), facts)
    tables = figures.tables.get(child.pk, {})
    story = child_story(child, tables, facts)
    needs = who_needs_what(figures, {}).of(child)
    further = any(high not in TABLES_TO_10 for _, high in facts)
    factors = TABLES_TO_12 if further else TABLES_TO_10
    grid = [
        FactLine(low, [((low, high), facts.get((low, high))) for high in factors if high >= low])
        for low in factors
    ]
    return ChildPage(
        story,
        luck_and_skill(child),
        naming_of(child),
        [
            replace(tables[table], rows=story.lately.get(table, Rows()))
            for table in (*TABLES_TO_12, OTHER)
            if table in tables
        ],
        periods.USUAL,
        periods.label_of(periods.USUAL),
        list(factors),
        grid,
        cards_of(child.school_class, needs),
        needs.stuck,
        _home_table(needs),
        needs.next_facts.get(child.pk, ()),
        words.rebuilding() if figures.is_rebuilding else "",
    )


def _home_table(needs: Needs) -> int | None:
    """What to practise at home: a table that needs refreshing, otherwise one that the child is
    learning."""
    refreshing = {cell.table for one in needs.refreshing for cell in one.tables}
    tables = [table for table in TEACHING_ORDER if table in refreshing]
    return next(iter([*tables, *(group.table for group in needs.tables)]), None)
