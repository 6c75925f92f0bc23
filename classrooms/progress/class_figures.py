"""The figures of a class's children. A page reads them once, for all its parts."""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Final, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import (
    BooleanField,
    Exists,
    ExpressionWrapper,
    F,
    FilteredRelation,
    OuterRef,
    Q,
    QuerySet,
)

from classrooms.assignments.presets import title_of
from classrooms.assignments.status import when
from classrooms.models import Assignment, Child, SchoolClass
from classrooms.progress.facts import (
    ClassFacts,
    FactCell,
    FactLevelCounts,
    facts_of_class,
    learning_of,
)
from classrooms.progress.models import must_be_rebuilt
from classrooms.progress.rows import TableCell, table_cells
from games.coach.times_tables import TABLES_TO_10, TABLES_TO_12, Fact, facts_of
from games.models import Seat


class OpenDeal(NamedTuple):
    """A deal of the class that is still open."""

    assignment: UUID
    begun_on: date
    begun_at: str = ""  # the time, if the deal began today


Setting = Hashable
"""All settings of a game that decide which chances and which help a child has. Assignments of the
same game, such as all weeks of a repeated one, have equal settings."""
SETTING_FIELDS: Final = (
    *("edition", "options", "focus", "has_kind_deals"),
    *("bots", "bot", "shows_missed_rows", "deal_seed"),
)
"""The fields of an assignment that make a setting."""


def setting_of(assignment: Mapping[str, Any]) -> Setting:
    return tuple(str(assignment[name]) for name in SETTING_FIELDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassFigures:
    """What the children of a class can do on `today`. `settings` has the assignments that were
    read, `groups` the children of each group that has any, by its id and name, in the order of the
    names. `children_begun` counts games whether they are evidence or not, guided rounds too."""

    school_class: SchoolClass
    children: Sequence[Child]
    today: date
    tables: Mapping[UUID, Mapping[int, TableCell]]  # by child
    facts: ClassFacts
    assigned_tables: frozenset[int]  # of all assignments of the class
    has_games: bool  # whether an assignment has not ended
    is_rebuilding: bool = False  # whether the logs of some children must still be read again
    deals: Sequence[OpenDeal] = ()  # newest first
    games_of_all: Sequence[str] = ()  # the titles of what the whole class can play, newest first
    children_begun: frozenset[UUID] = frozenset()  # who have ever begun a game
    settings: Mapping[UUID, Setting] = field(default_factory=dict)
    groups: Mapping[tuple[UUID, str], Collection[UUID]] = field(default_factory=dict)


def _open_deal(school_class: SchoolClass, assignment: UUID, made_at: datetime) -> OpenDeal:
    at = made_at.astimezone(ZoneInfo(school_class.time_zone))
    is_today = at.date() == school_class.today()
    return OpenDeal(assignment, at.date(), f"{at:%H:%M}" if is_today else "")


def figures_of(school_class: SchoolClass, *, facts: bool = True) -> ClassFigures:
    """The figures of a class. Five queries, or three without `facts`."""
    children, groups = _children_and_groups(school_class)
    today = school_class.today()
    fields = ("pk", "is_for_everyone", "facts", "rounds", "together", *SETTING_FIELDS)
    days = ("starts_on", "due_on", "ended_at", "created_at")
    assigned = list(school_class.assignments.values(*fields, *days))
    open_rows = [row for row in assigned if not row["ended_at"]]
    of_all = (Assignment(**row) for row in open_rows if row["is_for_everyone"])
    return ClassFigures(
        school_class=school_class,
        children=children,
        today=today,
        tables=table_cells(children, today),
        facts=facts_of_class(children, today) if facts else ClassFacts({}, {}),
        assigned_tables=frozenset(
            table for row in assigned for table in row["options"].get("tables") or ()
        ),
        has_games=bool(open_rows),
        is_rebuilding=any(child.to_rebuild for child in children),
        deals=[
            _open_deal(school_class, row["pk"], row["created_at"])
            for row in open_rows
            if row["deal_seed"] is not None
        ],
        children_begun=_children_begun(children),
        games_of_all=[
            title_of(game) for game in of_all if not game.is_one_deal and when(game, today) == "now"
        ],
        settings={row["pk"]: setting_of(row) for row in assigned},
        groups=groups,
    )


def _children_begun(children: Iterable[Any]) -> frozenset[UUID]:
    return frozenset(child.pk for child in children if child.has_begun)


def children_of(school_class: SchoolClass) -> list[Any]:
    """The children of a class, each with two more attributes. `has_begun`: whether they have ever
    begun a game, counted or not. `to_rebuild`: whether their logs must be read again."""
    return list(_children(school_class))


def _children(school_class: SchoolClass) -> QuerySet[Any]:
    waits = ExpressionWrapper(must_be_rebuilt("progress_lock__"), BooleanField())
    begun = Exists(Seat.objects.filter(player=OuterRef("player")))
    return school_class.children.annotate(to_rebuild=waits, has_begun=begun)


def _children_and_groups(
    school_class: SchoolClass,
) -> tuple[list[Any], dict[tuple[UUID, str], set[UUID]]]:
    """The children of a class (`children_of`), and its groups (`ClassFigures.groups`). One query,
    with a row for each child in a group."""
    is_here = Q(groups__school_class=school_class, groups__removed_at=None)
    rows = _children(school_class).annotate(
        class_group=FilteredRelation("groups", condition=is_here),
        group=F("class_group__pk"),
        group_name=F("class_group__name"),
        group_order=F("class_group__name_order"),
    )
    children = {row.pk: row for row in rows}
    groups: dict[tuple[UUID, str], set[UUID]] = defaultdict(set)
    for row in sorted(rows, key=lambda row: (row.group_order or "", row.group_name or "")):
        if row.group:
            groups[row.group, row.group_name].add(row.pk)
    return list(children.values()), dict(groups)


def figures_for_child(
    child: Child,
    children: Sequence[Any],
    facts: Mapping[Fact, FactCell],
    last_misses: Mapping[Fact, datetime],
) -> ClassFigures:
    """The figures on which a child's needs are based: their own `facts` and the facts that they
    last missed in check-ups, and the tables of all `children` of the class, because what is certain
    about one child depends on the number of children. One query."""
    today = child.school_class.today()
    return ClassFigures(
        school_class=child.school_class,
        children=children,
        today=today,
        tables=table_cells(children, today),
        facts=ClassFacts({}, {child.pk: learning_of(child.pk, facts, last_misses)}),
        assigned_tables=frozenset(),
        has_games=False,
        is_rebuilding=any(mate.to_rebuild for mate in children if mate.pk == child.pk),
        children_begun=_children_begun(children),
    )


# How many children of a class know each fact of the times tables.


@dataclass(frozen=True, slots=True)
class FactsMap:
    children: Sequence[Child]
    facts: Sequence[Fact]
    """All facts on the map: up to 10 × 10, or up to 12 × 12 if a fact above 10 was asked or
    assigned."""
    sums: Mapping[Fact, FactLevelCounts]

    @property
    def highest(self) -> int:
        return max(high for _, high in self.facts)

    @property
    def is_shown(self) -> bool:
        return any(total.children for total in self.sums.values())

    @property
    def factors(self) -> range:
        """The columns: the higher factor of each fact."""
        return range(TABLES_TO_10.start, self.highest + 1)

    @property
    def lines(self) -> list[tuple[int, list[FactLevelCounts | None]]]:
        """For each lower factor, the counts of each column. None where another line has the
        fact."""
        return [
            (low, [self.sums.get((low, high)) for high in self.factors])
            for low in sorted({low for low, _ in self.facts})
        ]


def facts_map(figures: ClassFigures) -> FactsMap:
    """The map of the facts of a class. Answers that the children gave in other classes count
    too."""
    levels = figures.facts.levels
    factors = {high for _, high in levels} | figures.assigned_tables & {*TABLES_TO_12}
    is_large = max(factors, default=0) > TABLES_TO_10[-1]
    facts = facts_of(TABLES_TO_12 if is_large else TABLES_TO_10)
    sums = {
        fact: FactLevelCounts(fact, levels.get(fact, {}), is_asked=fact in levels) for fact in facts
    }
    return FactsMap(figures.children, facts, sums)
