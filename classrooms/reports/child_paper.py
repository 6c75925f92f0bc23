"""The report on a child for the parents: the content of the child's page, as data for typst."""

from collections.abc import Mapping
from dataclasses import replace

from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext

from classrooms.models import Child
from classrooms.progress import words
from classrooms.progress.child_page import ChildPage, child_page
from classrooms.progress.facts import FactCell
from classrooms.progress.periods import USUAL_PERIOD, with_period
from classrooms.progress.rows import Rows, TableCell
from classrooms.progress.story import ChildStory, Week
from classrooms.reports.paper_words import (
    PaperData,
    dashed,
    day_in_words,
    example_row,
    fact_meanings,
    fact_word,
    meanings_used_in,
    short_day,
    without_breaks,
)
from classrooms.ui.pages import written
from games.coach.mastery import FEWEST_FOR_A_LEVEL
from games.coach.times_tables import Fact, derive
from games.engine.cards import colour
from games.screen import hint_words
from games.screen.words import listed, product, times_sign


def child_paper(child: Child) -> PaperData:
    """The content of a child's report, in the active language."""
    page = child_page(child)
    names, day = {"name": child.name}, day_in_words(child.school_class.today())
    common: PaperData = {
        "name": child.name,
        "class": child.school_class.name,
        "subtitle": gettext("Times tables · as of %(day)s") % {"day": day},
        "rebuilding": page.rebuilding,
        "nothing": "",
    }
    if not page.tables and not page.has_facts and not page.rebuilding:
        return common | {
            "nothing": gettext("No possible rows have been counted for %(name)s yet.") % names
        }
    tables, weeks = _child_tables(page), _weeks(page.story)
    said = [line[part] for line in tables["lines"] for part in ("name", "figure", "word")]
    said += [tables["rare"], *(week["figure"] for week in weeks["weeks"])]
    of_facts = fact_meanings(timed=not child.untimed) if page.has_facts else []
    return common | {
        "can": _child_abilities(child, page),
        "tables": tables,
        "home": _home(child, page),
        "facts": _child_facts(page) if page.has_facts else None,
        "weeks": weeks,
        "bests": _bests(page.story),
        "meanings": {
            "title": gettext("What the words mean"),
            "lines": [*meanings_used_in("; ".join(said)), *of_facts],
        },
    }


def _child_tables(page: ChildPage) -> PaperData:
    rows_found = gettext("Rows found without help, of all possible rows")
    return {
        "title": gettext("Rows found in the game"),
        "note": f"{rows_found} · {page.period}",
        "of_level": gettext("All weeks together"),
        "lines": [
            _table(cell, page.story.every_table[cell.table].rows)
            for cell in page.tables
            if cell.rows.is_shown or cell.is_shown
        ],
        "no_ranking": gettext("This is not a ranking: some tables came up more often than others."),
        "rare": _rare_tables(page),
        "none": gettext("None yet."),
    }


def _child_abilities(child: Child, page: ChildPage) -> PaperData:
    can: dict[str, list[str]] = {}
    for cell in page.can_tables:
        can.setdefault(words.level_of(replace(cell, level="secure")), []).append(
            _unbroken_name(cell)
        )
    facts = page.facts_by_heart if page.has_facts else gettext("no facts asked yet")
    return {
        "title": gettext("What %(name)s can do") % {"name": child.name},
        "rows": gettext("Rows in the card game"),
        "found": "; ".join(f"{level}: {listed(tables)}" for level, tables in can.items())
        or _best_found(page)
        or words.no_table_yet(child),
        "by_heart": gettext("Facts"),
        "facts": facts,
        "apart": gettext(
            "These are two things: a child who finds rows of a times table in the game may not yet "
            "know its facts by heart."
        ),
    }


def _best_found(page: ChildPage) -> str:
    """The figures of the table of which the largest share was found; empty if that is low."""
    shown = [cell for cell in page.tables if cell.table and cell.rows.is_shown and not cell.is_low]
    if not shown:
        return ""
    best = max(shown, key=lambda cell: (cell.rows.share, cell.rows.found))
    return f"{_unbroken_name(best)}: {words.rows_found(best.rows, USUAL_PERIOD)}"


def _word(cell: TableCell) -> str:
    """The level of a table, for parents. It does not say which rows are found straight away,
    because that depends most on how many rows came up."""
    return words.table_level("secure") if cell.is_mastered else words.level_of(cell)


def _table(cell: TableCell, ever: Rows) -> PaperData:
    is_shown = cell.rows.is_shown
    word = _word(replace(cell, rows=ever)) if cell.is_shown and cell.table else ""
    # A level rests on all weeks, so their figures stand beside it if those of the period differ.
    if word and ever.chances != cell.rows.chances:
        word = f"{word} ({words.figure(ever)})"
    return {
        "name": words.table_name(cell.table),
        "share": round(100 * cell.rows.share) if is_shown else None,
        "unsure": cell.is_unsure,
        "figure": words.figure(cell.rows) if is_shown else "–",
        "word": word,
    }


def _unbroken_name(cell: TableCell) -> str:
    return without_breaks(words.table_name(cell.table))


def _rare_tables(page: ChildPage) -> str:
    """The tables with too few rows for any figure."""
    rare = [cell for cell in page.tables if not (cell.rows.is_shown or cell.is_shown)]
    if not rare:
        return ""
    tables = listed([_unbroken_name(cell) for cell in rare])
    return gettext("Fewer than 3 possible rows so far: %(tables)s") % {"tables": tables}


def _home(child: Child, page: ChildPage) -> PaperData:
    """What to practise at home: a table with an example as cards, and facts, each with a way to
    find it."""
    home: PaperData = {
        "title": gettext("To practise at home"),
        "table": None,
        "facts": [],
        "none": gettext(
            "Nothing to practise stands out yet: play on, so that more rows and facts come up."
        ),
        "how": gettext("Five minutes, three days a week."),
    }
    if page.home_table:
        rows = page.story.lately.get(page.home_table, Rows())
        cell = page.story.every_table[page.home_table]
        why = with_period(words.figure(rows), USUAL_PERIOD) if rows.is_shown else ""
        if why and cell.needs_refreshing:
            why = words.fewer_lately(rows, cell.rows)
        elif why and page.home_is_guess:
            why = gettext("%(found)s; may be chance") % {"found": why}
        home["table"] = _home_table(page.home_table) | {"why": why}
    secure = {fact for fact, cell in page.story.every_fact.items() if cell.is_mastered}
    home["facts"] = [
        {
            "fact": words.fact_name(fact),
            "way": hint_words.derivation(derive(*fact, secure)),
            "why": words.why_at_home(page.story.every_fact.get(fact), child),
        }
        for fact in page.home_facts
    ]
    return home


def _home_table(table: int) -> PaperData:
    row = example_row(table)
    return {
        "name": capfirst(words.table_name(table)),
        "cards": [{"number": str(number), "colour": colour(number)} for number in row],
        "how": gettext(
            "Lay or write a row such as %(row)s. Which number comes next? Which comes before? "
            "Then say it aloud: %(facts)s."
        )
        % {
            "row": dashed(row),
            "facts": ", ".join(
                without_breaks(f"{product(times, table)} = {number}")
                for times, number in enumerate(row, start=2)
            ),
        },
    }


def _child_facts(page: ChildPage) -> PaperData:
    """The map of facts as a full square: 6 × 8 stands at 8 × 6 too."""
    known: Mapping[Fact, FactCell | None] = {
        fact: cell for line in page.facts for fact, cell in line.cells
    }
    return {
        "title": gettext("Facts by heart"),
        "factors": list(page.factors),
        "sign": times_sign(),
        "lines": [
            [_fact(known[min(low, high), max(low, high)], low * high) for high in page.factors]
            for low in page.factors
        ],
        "legend": [{"known": known, "word": fact_word(known=known)} for known in (True, False)],
        "too_few": gettext("not asked yet, or asked fewer than %(n)d times")
        % {"n": FEWEST_FOR_A_LEVEL},
        "alt": _facts_in_words(known),
    }


def _fact(cell: FactCell | None, product: int) -> PaperData:
    return {"product": product, "known": cell.is_mastered if cell and cell.is_shown else None}


def _facts_in_words(known: Mapping[Fact, FactCell | None]) -> str:
    """The map of facts as text, for readers who cannot see it."""
    lists = []
    for by_heart in (True, False):
        named = [
            words.fact_name(fact)
            for fact, cell in known.items()
            if cell and cell.is_shown and cell.is_mastered == by_heart
        ]
        if named:
            lists.append(f"{fact_word(known=by_heart)}: {', '.join(named)}")
    return "; ".join(lists) or gettext("None yet.")


def _weeks(story: ChildStory) -> PaperData:
    counted = gettext("Rows found without help, of all possible rows")
    harder = gettext(
        "Harder tables bring the number down: a lower week need not mean that a child has slipped."
    )
    return {
        "title": gettext("Recent weeks"),
        "note": f"{counted}. {harder}",
        "weeks": [_week(week) for week in story.weeks],
    }


def _week(week: Week) -> PaperData:
    day = without_breaks(written(week.monday, "j M"))
    figure = words.figure(week.rows) if week.rows.is_shown else "–"
    return {
        "from": gettext("week of %(day)s") % {"day": f"\n{day}"},
        "figure": figure if week.days else gettext("not played"),
    }


def _bests(story: ChildStory) -> PaperData:
    lines, bests = [], story.bests
    if bests.round:
        n = bests.round.rows
        text = ngettext(
            "%(n)s row laid in one round, %(day)s", "%(n)s rows laid in one round, %(day)s", n
        )
        lines.append(text % {"n": n, "day": short_day(bests.round.day)})
    if bests.rows_on_a_day and bests.day:
        n = bests.rows_on_a_day
        text = ngettext(
            "%(n)s row laid in one day, %(day)s", "%(n)s rows laid in one day, %(day)s", n
        )
        lines.append(text % {"n": n, "day": short_day(bests.day)})
    return {
        "title": gettext("Personal bests"),
        "note": gettext("All rows laid, also with a joker or after help"),
        "lines": lines or [gettext("None yet.")],
    }
