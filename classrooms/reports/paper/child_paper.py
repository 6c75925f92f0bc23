"""The report of a child for its parents: the content of the child's page, as data for typst."""

from collections.abc import Mapping
from typing import Final

from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext

from classrooms.models import Child
from classrooms.progress.figures import words as wording
from classrooms.progress.figures.child_story import ChildStory, Week
from classrooms.progress.figures.known_facts import FactCell
from classrooms.progress.figures.periods import EVER, with_period
from classrooms.progress.figures.table_rows import TableCell
from classrooms.progress.pages.child_page import GOOD, ChildPage, child_page
from classrooms.reports.paper import words
from classrooms.reports.paper.words import PaperData
from games.coach.facts import Fact, derive
from games.coach.mastery import FEWEST, Level
from games.engine.cards import colour
from games.screen import hint_words
from games.screen.products import product, times_sign

MOST_REACHED: Final = 5
"""The most tables named that reached a level in these weeks."""


def child_paper(child: Child) -> PaperData:
    """The content of this child's report, in the active language."""
    page = child_page(child)
    names, day = {"name": child.name}, words.day(child.school_class.today())
    common: PaperData = {
        "name": child.name,
        "class": child.school_class.name,
        "subtitle": gettext("Times tables · as of %(day)s") % {"day": day},
        "rebuilding": page.rebuilding,
        "nothing": "",
    }
    if not page.tables and not page.has_facts and not page.rebuilding:
        return common | {
            "nothing": gettext(
                "No possible rows have been counted for %(name)s yet. As soon as there is "
                "one, it will be shown here."
            )
            % names
        }
    reached = [cell for cell in page.story.tables if cell.level in GOOD]
    rows_found = gettext("Rows found without help, of all possible rows")
    level = gettext("Level")
    return common | {
        "can": _can(child, page),
        "tables": {
            "title": gettext("The times tables"),
            "note": f"{rows_found} · {page.period}",
            "heads": [f"{level} ({page.all_time})", gettext("Last practised")],
            "lines": [_table(child, cell) for cell in page.tables],
            "none": gettext("None yet."),
        },
        "home": _home(child, page),
        "facts": _facts(page) if page.has_facts else None,
        "weeks": _weeks(page.story),
        "reached": {
            "title": gettext("Achieved in recent weeks"),
            "lines": [_reached(cell) for cell in reached[:MOST_REACHED]],
        },
        "bests": {"title": gettext("Personal bests"), "lines": _bests(page.story)},
        "meanings": {
            "title": gettext("What the words mean"),
            "lines": words.meanings(facts=page.has_facts, timed=not child.untimed),
        },
    }


def _can(child: Child, page: ChildPage) -> PaperData:
    names = {"name": child.name}
    by_level = []
    for level in words.ON_PAPER:
        tables = [cell for cell in page.tables if _level(cell) == level]
        if tables:
            by_level.append(
                {
                    "level": level,
                    "word": wording.level_name(level),
                    "tables": wording.listed([wording.table_name(cell.table) for cell in tables]),
                }
            )
    opening = gettext("No times table is secure yet. Every row found is a step closer.")
    if page.can_tables:
        opening = gettext("How well %(name)s spots rows from the times tables in the game:") % names
    facts = ""
    if page.has_facts:
        n = page.known_facts
        facts = ngettext("%(n)s fact known by heart", "%(n)s facts known by heart", n) % {"n": n}
    return {
        "title": gettext("What %(name)s can do") % names,
        "opening": opening,
        "levels": by_level,
        "facts": facts,
    }


def _level(cell: TableCell) -> Level | None:
    """The level of a table if it may be shown."""
    return cell.level if cell.is_shown and cell.table else None


def _table(child: Child, cell: TableCell) -> PaperData:
    level = _level(cell)
    is_shown = cell.rows.is_shown
    return {
        "name": wording.table_name(cell.table),
        "share": round(100 * cell.rows.share) if is_shown else None,
        "figure": wording.figure(cell.rows) if is_shown else "–",
        "level": level,
        "word": wording.level_name(level) if level else "",
        "seen": words.last_seen(cell.last_at, child.school_class),
    }


def _home(child: Child, page: ChildPage) -> PaperData:
    """What to practise: a table with an example as cards, and facts with a way to each."""
    home: PaperData = {
        "title": gettext("To practise at home"),
        "table": None,
        "facts": [],
        "none": gettext("Nothing in particular: just keep playing."),
        "how": gettext("Four facts at a time will do: five minutes, three days a week."),
    }
    if page.home_table:
        home["table"] = _home_table(page.home_table)
    secure = {fact for fact, cell in page.story.every_fact.items() if _knows(cell)}
    home["facts"] = [
        {
            "fact": wording.fact_name(fact),
            "way": hint_words.derivation(derive(*fact, secure)),
        }
        for fact in page.home_facts
    ]
    return home


def _knows(cell: FactCell) -> bool:
    return cell.is_shown and cell.level in GOOD


def _home_table(table: int) -> PaperData:
    row = words.example_row(table)
    return {
        "name": capfirst(wording.table_name(table)),
        "cards": [{"number": str(number), "colour": colour(number)} for number in row],
        "how": gettext(
            "Lay or write a row such as %(row)s. Which number comes next? Which comes before? "
            "Then say it aloud: %(facts)s."
        )
        % {
            "row": words.dashed(row),
            "facts": ", ".join(
                words.unbroken(f"{product(times, table)} = {number}")
                for times, number in enumerate(row, start=2)
            ),
        },
    }


def _facts(page: ChildPage) -> PaperData:
    """The map of facts as a square: 6 × 8 is shown at 8 × 6 too."""
    known: Mapping[Fact, FactCell | None] = {
        fact: cell for line in page.facts for fact, cell in line.cells
    }
    return {
        "title": with_period(gettext("Facts in the short questions"), EVER),
        "factors": list(page.factors),
        "sign": times_sign(),
        "lines": [
            [_fact(known[min(low, high), max(low, high)], low * high) for high in page.factors]
            for low in page.factors
        ],
        "legend": words.levels(),
        "too_few": gettext("not asked yet, or asked fewer than %(n)d times") % {"n": FEWEST},
        "alt": _facts_in_words(known),
    }


def _fact(cell: FactCell | None, product: int) -> PaperData:
    return {"product": product, "level": cell.level if cell and cell.is_shown else None}


def _facts_in_words(known: Mapping[Fact, FactCell | None]) -> str:
    """The map as text, for readers who cannot see it."""
    lists = []
    for level in words.ON_PAPER:
        named = [
            wording.fact_name(fact)
            for fact, cell in known.items()
            if cell and cell.is_shown and cell.level == level
        ]
        if named:
            lists.append(f"{wording.level_name(level)}: {', '.join(named)}")
    return "; ".join(lists) or gettext("None yet.")


def _weeks(story: ChildStory) -> PaperData:
    weeks = [_week(week) for week in story.weeks]
    return {
        "title": gettext("Recent weeks"),
        "note": gettext("Rows found without help, of all possible rows"),
        "most": max((week["chances"] for week in weeks), default=0),
        "weeks": weeks,
        "alt": "; ".join(f"{week['from']}: {week['figure']}, {week['rounds']}" for week in weeks),
    }


def _week(week: Week) -> PaperData:
    rounds = ngettext("%(n)d round", "%(n)d rounds", week.rounds) % {"n": week.rounds}
    return {
        "from": words.short_day(week.monday),
        "chances": week.rows.chances,
        "found": week.rows.found,
        "figure": wording.figure(week.rows) if week.rows.chances else "–",
        "rounds": rounds if week.rounds else "",
    }


def _reached(cell: TableCell) -> str:
    assert cell.since
    return gettext("%(table)s: %(level)s since %(day)s") % {
        "table": wording.table_name(cell.table),
        "level": wording.level_name(cell.level),
        "day": words.short_day(cell.since),
    }


def _bests(story: ChildStory) -> list[str]:
    lines, bests = [], story.bests
    if bests.round:
        n = bests.round.rows
        text = ngettext(
            "%(n)s row laid in one round, %(day)s", "%(n)s rows laid in one round, %(day)s", n
        )
        lines.append(text % {"n": n, "day": words.short_day(bests.round.day)})
    if bests.rows_on_a_day and bests.day:
        n = bests.rows_on_a_day
        text = ngettext(
            "%(n)s row laid in one day, %(day)s", "%(n)s rows laid in one day, %(day)s", n
        )
        lines.append(text % {"n": n, "day": words.short_day(bests.day)})
    return lines or [gettext("None yet.")]
