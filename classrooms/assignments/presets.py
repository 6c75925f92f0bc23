"""Presets, which are games with a name that a teacher assigns with one tap, and the titles of
assignments."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from classrooms.assignments.choice import Choice, RulesPreview, facts_name
from classrooms.models import Assignment
from games.coach.times_tables import FIRST_TABLES, TABLES_TO_10, TABLES_TO_12, Fact
from games.screen.words import tables_title, title

FOR_TABLES: Final = "tables"
FOR_FACTS: Final = "facts"
FIRST: Final = "first"
EASY_TABLE: Final = 2
"""The times table that gives the most rows. It is added to tables that give few."""
RARE_TABLES: Final = frozenset({6, 7, 8, 9, 11, 12})


@dataclass(frozen=True, slots=True)
class Preset:
    """A named game, and the children whom it suits (`why`)."""

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
            _("With the 2 times table, so that every child finds rows."),
            Choice(tables=(2, 6, 7, 8, 9)),
        ),
        Preset(
            "all",
            _("All times tables"),
            _("The 2 to 10 times tables, mixed: the most rows to find."),
            Choice(tables=tuple(TABLES_TO_10)),
        ),
        Preset(
            "jumps",
            _("Any equal jumps"),
            _("For a class new to tables: 7, 10, 13 counts."),
            Choice(rows="anything", more_rows=False),
        ),
        Preset(
            "classic",
            _("Classic, to 100"),
            _("For those who know their tables."),
            Choice(edition="classic", rows="zero", more_rows=False),
        ),
        Preset(
            "blocks",
            _("Blocks, to 100"),
            _("Whoever has the fewest blocks left wins."),
            Choice(edition="blocks", rows="zero"),
        ),
    )
}
"""The presets by name, in the order of the page."""
MORE_GAMES: Final = ("jumps", "classic", "blocks")
"""The presets behind a fold."""


def with_enough_rows(tables: Collection[int]) -> tuple[int, ...]:
    """These tables, and also `EASY_TABLE` if they alone give a child too few rows.

    >>> with_enough_rows([7]), with_enough_rows([3, 4, 6])
    ((2, 7), (3, 4, 6))
    """
    is_rare = len(tables) == 1 or RARE_TABLES.issuperset(tables)
    return tuple(sorted({*tables, EASY_TABLE})) if is_rare else tuple(sorted(tables))


TABLE_OF_GAME: Final = {with_enough_rows([table]): table for table in TABLES_TO_12}
"""The times table that children practise in a game with these tables."""


def title_of(assignment: Assignment) -> str:
    """What teachers and children call an assignment: its game, and the facts that it asks first."""
    return with_questions(title(assignment.ruleset), assignment.facts)


def with_questions(game: str, facts: Iterable[Sequence[int]]) -> str:
    """The name of a game, with the facts that its short questions ask first."""
    if not (names := facts_name(facts)):
        return game
    return gettext("%(game)s, with questions on %(facts)s") % {"game": game, "facts": names}


def easier_table_sentence(tables: Collection[int]) -> str:
    """The sentence that a game of these tables has an easier table too; empty if it has none."""
    if EASY_TABLE in tables or EASY_TABLE not in with_enough_rows(tables):
        return ""
    text = gettext("With the %(easy)d times table, so that every child finds rows.")
    return text % {"easy": EASY_TABLE}


def preset_for_tables(tables: Collection[int]) -> Preset:
    """A preset for children who should practise these tables."""
    easier = easier_table_sentence(tables)
    reason = easier or gettext("What you selected on the class page.")
    rows = with_enough_rows(tables)
    focus = tuple(sorted(tables)) if easier else ()
    choice = replace(PRESETS[FIRST].choice, tables=rows, focus=focus)
    return Preset(FOR_TABLES, tables_title(rows), reason, choice)


def preset_for_facts(facts: Sequence[Fact], tables: Collection[int]) -> Preset:
    """A preset for children who should practise these facts. Its rows are in `tables`, or else in
    the tables of the facts."""
    rows = with_enough_rows(tables or {pair[1] for pair in facts})
    choice = replace(PRESETS[FIRST].choice, tables=rows, facts=tuple(facts))
    reason = gettext("What you selected on the class page.")
    return Preset(FOR_FACTS, with_questions(tables_title(rows), facts), reason, choice)


def all_presets(tables: Collection[int] = (), facts: Sequence[Fact] = ()) -> list[Preset]:
    """The presets in the order of the page. The first one is for `facts`, or else for `tables`, if
    there are any."""
    if facts:
        return [preset_for_facts(facts, tables), *PRESETS.values()]
    return [*([preset_for_tables(tables)] if tables else ()), *PRESETS.values()]


def preset_named(
    name: str, tables: Collection[int] = (), facts: Sequence[Fact] = ()
) -> Preset | None:
    """The preset with this name, or None. `tables` and `facts` are those that the address of the
    page names."""
    return next((preset for preset in all_presets(tables, facts) if preset.name == name), None)
