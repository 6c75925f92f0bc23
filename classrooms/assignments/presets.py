"""Games by name, each assigned with one tap (docs/pacing.md)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from classrooms.assignments.choice import ANYTHING, ZERO, Choice
from classrooms.assignments.words import RulesPreview
from games.coach.facts import Fact
from games.coach.times_tables import FIRST_TABLES, TABLES_TO_10
from games.screen.products import product
from games.screen.words import listed, table_name

FOR_TABLES: Final = "tables"
FOR_FACTS: Final = "facts"
FIRST: Final = "first"
EASY: Final = 2
"""The times table that gives most rows, added to tables that give few."""
RARE: Final = frozenset({6, 7, 8, 9, 11, 12})


@dataclass(frozen=True, slots=True)
class Preset:
    """A game with a name. `why`: for whom it is."""

    name: str
    label: str | Promise
    why: str | Promise
    choice: Choice

    @property
    def preview(self) -> RulesPreview:
        return RulesPreview(self.choice)


PRESETS: Final[Mapping[str, Preset]] = {
    preset.name: preset
    for preset in (
        Preset(
            FIRST,
            _("First tables: 2, 5, 10"),
            _("A good first game for any class."),
            Choice(tables=FIRST_TABLES),
        ),
        Preset(
            "next",
            _("Next tables: 3, 4, 6"),
            _("For a class that knows the first tables."),
            Choice(tables=(3, 4, 6)),
        ),
        Preset(
            "hard",
            _("Hard tables: 6, 7, 8, 9"),
            _("Together with the 2 times table, so that every child can find rows."),
            Choice(tables=(2, 6, 7, 8, 9)),
        ),
        Preset(
            "all",
            _("All tables to 50"),
            _("The 2 to 10 times tables, mixed: this gives the most rows to find."),
            Choice(tables=tuple(TABLES_TO_10)),
        ),
        Preset(
            "jumps",
            _("Any equal jumps"),
            _("For a class new to tables: 7, 10, 13 is a row too."),
            Choice(rows=ANYTHING, more_rows=False),
        ),
        Preset(
            "classic",
            _("Classic, to 100"),
            _("For those who know their tables: harder cards earn more points."),
            Choice(edition="classic", rows=ZERO, more_rows=False),
        ),
        Preset(
            "blocks",
            _("Blocks, to 100"),
            _("Another way to play: whoever has the fewest blocks left wins."),
            Choice(edition="blocks", rows=ZERO),
        ),
    )
}
"""In the order in which the page shows them."""


def with_enough_rows(tables: Collection[int]) -> tuple[int, ...]:
    """These tables, with the easy one added where they alone give a child too few rows.

    >>> with_enough_rows([7]), with_enough_rows([3, 4, 6])
    ((2, 7), (3, 4, 6))
    """
    few = len(tables) == 1 or RARE.issuperset(tables)
    return tuple(sorted({*tables, EASY})) if few else tuple(sorted(tables))


def tables_name(tables: Sequence[int]) -> str:
    if len(tables) == 1:
        return table_name(tables[0])
    return gettext("%(tables)s times tables") % {"tables": listed(tables)}


def for_tables(tables: Collection[int]) -> Preset:
    """A preset for those who should practise these tables."""
    asked, offered = sorted(tables), with_enough_rows(tables)
    label = tables_name(asked)
    why = gettext("What you selected on the class page.")
    if len(offered) > len(asked):
        why = gettext("Together with the %(easy)d times table, so that every child can find rows.")
        why %= {"easy": EASY}
    return Preset(FOR_TABLES, label, why, replace(PRESETS[FIRST].choice, tables=offered))


def for_facts(facts: Sequence[Fact], tables: Collection[int]) -> Preset:
    """A preset for those who should practise these facts, with rows of these tables, or else of
    the facts' own."""
    rows = with_enough_rows(tables or {one[1] for one in facts})
    why = ngettext(
        "The short questions ask it first. The rows are in the %(tables)s.",
        "The short questions ask them first. The rows are in the %(tables)s.",
        len(facts),
    ) % {"tables": tables_name(rows)}
    choice = replace(PRESETS[FIRST].choice, tables=rows, facts=tuple(facts))
    return Preset(FOR_FACTS, practise(facts), why, choice)


def practise(facts: Iterable[Sequence[int]]) -> str:
    """What an assignment with these facts is about, for teacher and child."""
    return gettext("Practise %(facts)s") % {"facts": listed([product(*one) for one in facts])}


def offered(tables: Collection[int] = (), facts: Sequence[Fact] = ()) -> list[Preset]:
    """The presets in the order of the page; first one for `facts`, or else for `tables`."""
    if facts:
        return [for_facts(facts, tables), *PRESETS.values()]
    return [*([for_tables(tables)] if tables else ()), *PRESETS.values()]


def preset_called(
    name: str, tables: Collection[int] = (), facts: Sequence[Fact] = ()
) -> Preset | None:
    """The preset of this name, or None; `tables`, `facts`: those that the page was asked for."""
    return next((preset for preset in offered(tables, facts) if preset.name == name), None)
