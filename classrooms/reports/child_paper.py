"""The report on a child for the parents: the content of the child's page, as data for typst."""

from django.utils.text import capfirst
from django.utils.translation import gettext

from classrooms.models import Child
from classrooms.progress import words
from classrooms.progress.child_page import ChildPage, child_page
from classrooms.progress.rows import TableCell
from classrooms.reports.paper_words import (
    PaperData,
    dashed,
    day_in_words,
    example_row,
    fact_meanings,
    meanings_in,
    short_day,
    without_breaks,
)
from games.coach.mastery import FEWEST_FOR_A_LEVEL
from games.coach.statements.table_levels import RECENT_DAYS
from games.coach.times_tables import derive
from games.engine.cards import colour
from games.screen import hint_words
from games.screen.words import listed, product


def child_paper(child: Child) -> PaperData:
    """The content of a child's report, in the active language."""
    page = child_page(child)
    names = {"name": child.name}
    day = day_in_words(child.school_class.today())
    subtitle = gettext("Times tables · as of %(day)s") % {"day": day}
    if last := page.story.last_on(child.school_class):
        subtitle += " · " + gettext("last played on %(day)s") % {"day": short_day(last)}
    common: PaperData = {
        "name": child.name,
        "class": child.school_class.name,
        "subtitle": subtitle,
        "rebuilding": page.rebuilding,
        "nothing": "",
    }
    if not page.tables and not page.has_facts and not page.rebuilding:
        return common | {"nothing": gettext("There is nothing to report on %(name)s yet.") % names}
    abilities = _child_abilities(child, page)
    home = _home(child, page)
    reason = home["table"]["why"] if home["table"] else ""
    return common | {
        "can": abilities,
        "tables": _child_tables(page),
        "home": home,
        "facts": _child_facts(page) if page.has_facts else None,
        "meanings": {
            "title": gettext("What the words mean"),
            "lines": [
                *meanings_in(f"{abilities['found']} {reason}"),
                *(fact_meanings(child) if page.has_facts else []),
            ],
        },
    }


def _child_abilities(child: Child, page: ChildPage) -> PaperData:
    facts = capfirst(page.facts_by_heart if page.has_facts else gettext("no facts asked yet"))
    text_found, not_certain = _tables_found(child, page)
    return {
        "title": gettext("What %(name)s can do") % {"name": child.name},
        "rows": gettext("In the card game"),
        "found": text_found,
        "not_certain": not_certain,
        "by_heart": capfirst(words.fact_word(is_known=True)),
        "facts": facts,
        "apart": gettext("To find rows in the game and to know facts by heart are two things."),
    }


def _tables_found(child: Child, page: ChildPage) -> tuple[str, str]:
    """Two texts: what the child finds, and what is not certain yet. The first has the tables of
    which they find most rows and for which the paper has a figure, or else the best figure."""
    tables = [_unbroken_name(cell) for cell in page.mastered_tables if cell.rows.is_shown]
    if tables:
        text = gettext("%(level)s of the %(tables)s") % {
            "level": capfirst(words.table_level("secure")),
            "tables": listed(tables),
        }
        return text, gettext("For the other times tables this is not certain yet.")
    none_yet = words.no_table_yet(child)
    best = _best_figure(page)
    return (best, none_yet) if best else (none_yet, "")


def _best_figure(page: ChildPage) -> str:
    """The figure of the table with the largest share of rows found; empty if that share is low."""
    cells = [cell for cell in page.tables if cell.table and cell.rows.is_shown and not cell.is_low]
    if not cells:
        return ""
    best = max(cells, key=lambda cell: (cell.rows.share, cell.rows.found))
    return f"{capfirst(_unbroken_name(best))}: {words.found_lately(best.rows)}"


def _unbroken_name(cell: TableCell) -> str:
    return without_breaks(words.table_name(cell.table))


def _child_tables(page: ChildPage) -> PaperData:
    """The figures of the last weeks, without levels: parents took a level beside a figure for a
    mark."""
    lines = [
        {"name": words.table_name(cell.table), "figure": words.figure(cell.rows)}
        for cell in page.tables
        if cell.table and cell.rows.is_shown
    ]
    return {
        "title": gettext("Rows found in the game"),
        "lead": gettext(
            "In the last %(weeks)d weeks, without help, of the rows that could be laid:"
        )
        % {"weeks": RECENT_DAYS // 7},
        "lines": lines,
        "left_out": gettext("Times tables with fewer than %(n)d rows are left out.")
        % {"n": FEWEST_FOR_A_LEVEL},
    }


def _home(child: Child, page: ChildPage) -> PaperData:
    """What to practise at home: a table with an example as cards, and facts, each with a way to
    find it. There are no figures, because parents concluded from one that the child cannot do the
    fact."""
    home: PaperData = {
        "title": gettext("To practise at home"),
        "table": None,
        "facts": [],
        "none": gettext(
            "Nothing certainly needs practice now: play on, so that more rows and facts come up."
        ),
        "why": gettext("Begin with these: each was wrong or needed help at least once.")
        if child.untimed
        else gettext("Begin with these: each was wrong, slow or needed help at least once."),
        "how": gettext("Five minutes, three days a week."),
    }
    if page.home_table:
        is_faded = page.story.every_table[page.home_table].needs_refreshing
        reason = words.table_level("needs refreshing") if is_faded else ""
        if not page.is_home_table_certain:
            reason = gettext("not many rows found, but that may be chance")
        home["table"] = _home_table(page.home_table) | {"why": reason}
    secure = {fact for fact, cell in page.story.every_fact.items() if cell.is_mastered}
    home["facts"] = [
        {"fact": words.fact_name(fact), "way": hint_words.derivation(derive(*fact, secure))}
        for fact in page.home_facts
    ]
    return home


def _home_table(table: int) -> PaperData:
    row = example_row(table)
    return {
        "name": capfirst(words.table_name(table)),
        "cards": [{"number": str(number), "colour": colour(number)} for number in row],
        "how": gettext(
            "Lay or write %(row)s. Which number comes next? Which comes before? Then let your "
            "child say aloud: %(facts)s."
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
    """The facts as lists, because on a map parents counted 6 × 8 and 8 × 6 as two."""
    cells = {fact: cell for fact, cell in page.story.every_fact.items() if cell.is_shown}
    known = {fact for fact, cell in cells.items() if cell.is_mastered}
    right = {
        fact for fact, cell in cells.items() if cell.right == cell.evidence and not cell.is_missed
    }
    not_certain = capfirst(words.fact_word(is_known=False))
    lists = [
        (capfirst(words.fact_word(is_known=True)), known),
        (not_certain + gettext(", always right so far"), right - known),
        (not_certain + gettext(", wrong or with help at least once"), cells.keys() - right - known),
    ]
    return {
        "title": gettext("Facts by heart"),
        "lists": [
            (word, list(map(words.fact_name, sorted(facts)))) for word, facts in lists if facts
        ],
        "rest": gettext("All others were never asked, or fewer than %(n)d times.")
        % {"n": FEWEST_FOR_A_LEVEL},
    }
