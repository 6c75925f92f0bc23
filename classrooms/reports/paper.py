"""Reports on paper: the pages of a child and of a class, as data for typst."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.http import QueryDict
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import get_language, gettext, ngettext

from classrooms.assignments.status import NOW, Overview, assignments_of, overview
from classrooms.models import Child, SchoolClass
from classrooms.progress import words
from classrooms.progress.child_page import ChildPage, child_page
from classrooms.progress.class_page import ClassPage, NeedCard, class_page
from classrooms.progress.class_report import ChildLine
from classrooms.progress.facts import FactCell, FactLevelCounts
from classrooms.progress.needs import Away
from classrooms.progress.periods import USUAL_PERIOD, with_period
from classrooms.progress.rows import OTHER_TABLES, Rows, TableCell
from classrooms.progress.story import ChildStory, Week
from classrooms.reports.before_lesson import BeforeLesson
from classrooms.ui.pages import written
from classrooms.ui.typesetting import Pdf, typeset
from games.coach.chances import MANY_TRIES
from games.coach.mastery import FEWEST_FOR_A_LEVEL, SECURE_MS
from games.coach.statements.table_levels import (
    FEW_CHANCES,
    FLUENT_DAYS,
    FLUENT_FROM,
    REFRESH_BELOW,
    SECURE_DAYS,
    SECURE_FROM,
)
from games.coach.times_tables import Fact, derive
from games.engine.cards import colour
from games.screen import hint_words
from games.screen.words import listed, product, times_sign

# Words that reports and certificates share: days, levels and their meanings.

PaperData = dict[str, Any]
"""The content of a paper, in the form that its typst template reads."""

Definition = tuple[str, str]
"""A word and what it means."""


def day_in_words(of: date) -> str:
    """A date in the active language: `21 November 2026`."""
    return written(of, "j F Y")


def short_day(of: date) -> str:
    """A date in the active language, without the year: `21 November`."""
    return written(of, "j F")


def moment_in_words(at: datetime, school_class: SchoolClass) -> str:
    """A moment as day and time in the time zone of the class."""
    local = at.astimezone(ZoneInfo(school_class.time_zone))
    return f"{day_in_words(local.date())}, {date_format(local, 'H:i', use_l10n=False)}"


def meanings() -> list[Definition]:
    """The meaning of the figures and of the levels of tables."""
    return [
        (
            gettext("Rows"),
            gettext("three numbers or more of a times table, one after the other, such as %(row)s")
            % {"row": dashed(example_row(5))},
        ),
        (
            words.figure(Rows(9, 0, 3)),
            ngettext(
                "in the game, 12 rows were possible; 9 of them were found without help: no hint, "
                "and at most %(tries)d wrong try in that turn",
                "in the game, 12 rows were possible; 9 of them were found without help: no hint, "
                "and at most %(tries)d wrong tries in that turn",
                MANY_TRIES - 1,
            )
            % {"tries": MANY_TRIES - 1},
        ),
        (
            "–",
            gettext("fewer than %(n)d rows came up: too few for a figure")
            % {"n": FEWEST_FOR_A_LEVEL},
        ),
        (
            words.table_name(OTHER_TABLES),
            words.other_meaning(),
        ),
        (
            words.table_level("learning"),
            gettext("not certain yet: it may be chance, or the last row was long ago"),
        ),
        (words.still_misses(), gettext("rows came up often enough, and too many were missed")),
        (words.table_level("secure"), _found_meaning()),
        (words.table_level("fluent"), _found_at_once()),
        (
            words.table_level("needs refreshing"),
            gettext(
                "found most rows before, but fewer than %(share)d%% lately; that may be chance, "
                "and a little practice helps"
            )
            % {"share": round(100 * REFRESH_BELOW)},
        ),
    ]


def _found_meaning() -> str:
    return ngettext(
        "very probably finds at least %(share)d%% of the table’s rows without help; seen in "
        "%(rows)d rows or more, on at least %(days)d day",
        "very probably finds at least %(share)d%% of the table’s rows without help; seen in "
        "%(rows)d rows or more, on at least %(days)d days",
        SECURE_DAYS,
    ) % {"share": round(100 * SECURE_FROM), "rows": FEW_CHANCES, "days": SECURE_DAYS}


def _found_at_once() -> str:
    return ngettext(
        "very probably finds at least %(share)d%% of the table’s rows in the first turn in which "
        "they can be laid; seen on at least %(days)d day",
        "very probably finds at least %(share)d%% of the table’s rows in the first turn in which "
        "they can be laid; seen on at least %(days)d days",
        FLUENT_DAYS,
    ) % {"share": round(100 * FLUENT_FROM), "days": FLUENT_DAYS}


def _of_facts(*, timed: bool) -> list[Definition]:
    """The meaning of the words about facts; `timed` says whether the child is timed."""
    text = gettext(
        "right without help the last time, and on two of the last three days on which it was "
        "asked; asked in the last four weeks; and very likely right tomorrow"
    )
    if timed:
        text = gettext(
            "right without help the last time, and within %(seconds)d seconds on two of the last "
            "three days on which it was asked; asked in the last four weeks; and very likely right "
            "tomorrow"
        ) % {"seconds": SECURE_MS // 1000}
    example = {"fact": without_breaks(f"{product(3, 5)} = 15")}
    return [
        (gettext("Facts"), gettext("multiplications, such as %(fact)s") % example),
        (_of_fact(known=True), text),
        (
            _of_fact(known=False),
            gettext("a fact that is not as sure as that yet, or was not asked for four weeks"),
        ),
    ]


def _of_fact(*, known: bool) -> str:
    """How well a child knows a fact, in words for parents: fast and very fast are one."""
    return gettext("by heart") if known else gettext("not certain yet")


def example_row(table: int) -> list[int]:
    """A row of a table to practise with, starting at twice the table.

    >>> example_row(7)
    [14, 21, 28]
    """
    return [table * times for times in range(2, 5)]


def dashed(numbers: Sequence[int]) -> str:
    return "–".join(map(str, numbers))


def without_breaks(text: str) -> str:
    """The text with no-break spaces and hyphens."""
    return text.replace(" ", "\u00a0").replace("-", "\u2011")


# Reports and certificates as PDF, typeset by typst.

HERE: Final = Path(__file__).parent


def children_pdf(school_class: SchoolClass, papers: Sequence[PaperData]) -> Pdf:
    """The reports of these children as a PDF; each child begins on a new page."""
    who = papers[0]["name"] if len(papers) == 1 else school_class.name
    return typeset(
        HERE / "child.typ",
        _common(school_class, gettext("Report for %(who)s") % {"who": who}) | {"children": papers},
        school_class.name,
    )


def class_pdf(school_class: SchoolClass, paper: PaperData) -> Pdf:
    """The report of a class as a PDF."""
    title = gettext("Report for %(who)s") % {"who": school_class.name}
    data = _common(school_class, title) | {"class": paper}
    return typeset(HERE / "class.typ", data, school_class.name)


def lesson_pdf(sheet: BeforeLesson) -> Pdf:
    """The PDF of what to know before a lesson, half a sheet."""
    well = [(one.what, listed([child.name for child in one.children])) for one in sheet.well]
    school_class, title = sheet.school_class, gettext("Before the lesson")
    data = {
        "name": " · ".join([title, school_class.name]),
        "day": written(sheet.day, "l j F"),
        "beside_title": gettext("Whom to sit beside"),
        "beside": [
            {
                "name": one.child.name,
                "why": one.why,
                "question": one.question,
                "cards": [
                    {
                        "number": card.number,
                        "colour": card.colour,
                        "joker": card.joker,
                        "own": is_own,
                    }
                    for card, is_own in one.faces
                ],
            }
            for one in sheet.beside
        ],
        "ring": gettext("The cards with a ring were in the hand.") if sheet.has_rows else "",
        "absent": [
            (one.title, ", ".join(filter(None, (*(child.name for child in one.named), one.others))))
            for one in sheet.absent
        ],
        "well_title": gettext("What goes well"),
        "well": well,
    }
    return typeset(
        HERE / "before_lesson.typ",
        _common(school_class, title) | {"lesson": data},
        school_class.name,
    )


def certificates_pdf(school_class: SchoolClass, certificates: Sequence[PaperData]) -> Pdf:
    """These certificates as a PDF; at least one is needed."""
    title = " · ".join([gettext("Certificates"), school_class.name])
    data = _common(school_class, title) | {"certificates": certificates}
    return typeset(HERE / "certificates.typ", data, school_class.name)


def _common(school_class: SchoolClass, title: str) -> PaperData:
    return {
        "title": title,
        "language": get_language(),
        "none": gettext("There are no children in this class yet."),
        "day": day_in_words(school_class.today()),
        "page_of": gettext("%(page)s of %(pages)s") % {"page": "{page}", "pages": "{pages}"},
    }


# The report on a child for the parents: the content of the child's page, as data for typst.


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
    of_facts = _of_facts(timed=not child.untimed) if page.has_facts else []
    return common | {
        "can": _child_abilities(child, page),
        "tables": tables,
        "home": _home(child, page),
        "facts": _child_facts(page) if page.has_facts else None,
        "weeks": weeks,
        "bests": _bests(page.story),
        "meanings": {
            "title": gettext("What the words mean"),
            "lines": [*_meanings_if("; ".join(said)), *of_facts],
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


def _meanings_if(said: str) -> list[Definition]:
    """The meaning of the figures, and of those words that are `said`."""
    explained_if_said = {"–", *words.table_words(), words.table_name(OTHER_TABLES)}
    return [
        (word, meaning)
        for word, meaning in meanings()
        if word in said or word not in explained_if_said
    ]


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
    """The rows found of the table of which the largest share was found, if that is not low."""
    shown = [cell for cell in page.tables if cell.table and cell.rows.is_shown and not cell.is_low]
    if not shown:
        return ""
    best = max(shown, key=lambda cell: (cell.rows.share, cell.rows.found))
    return f"{_unbroken_name(best)}: {words.rows_found(best.rows, USUAL_PERIOD)}"


def _word(cell: TableCell) -> str:
    """The level of a table. Rows found at once make none of a parent's tables better than others:
    which is called so depends most on how many rows came up."""
    return words.table_level("secure") if cell.is_mastered else words.level_of(cell)


def _table(cell: TableCell, ever: Rows) -> PaperData:
    is_shown = cell.rows.is_shown
    word = _word(replace(cell, rows=ever)) if cell.is_shown and cell.table else ""
    # A level rests on all weeks: their figures are said where they are not those of the period.
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
    """What to practise: a table with an example as cards, and facts, each with a way to find it."""
    home: PaperData = {
        "title": gettext("To practise at home"),
        "table": None,
        "facts": [],
        "none": gettext("Too little played to say: play on, so that more rows and facts come up.")
        if page.is_too_early
        else gettext("Nothing urgent: play on, so that more rows and facts come up."),
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
    """The map of facts as a full square: 6 × 8 is shown at 8 × 6 too."""
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
        "legend": [{"known": known, "word": _of_fact(known=known)} for known in (True, False)],
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
            lists.append(f"{_of_fact(known=by_heart)}: {', '.join(named)}")
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
        "note": gettext("Rows laid, with and without help"),
        "lines": lines or [gettext("None yet.")],
    }


# The report of a class for the teacher: the content of the class page, as data for typst.


def class_paper(school_class: SchoolClass, period: str) -> PaperData:
    """The content of the report of a class for a period (a key of `PERIODS`), in the active
    language. The number of queries is fixed."""
    asked = QueryDict(mutable=True)
    asked["period"] = period
    page = class_page(school_class, asked)
    n = len(page.children)
    children = ngettext("%(n)s child", "%(n)s children", n) % {"n": n}
    day = gettext("as of %(day)s") % {"day": day_in_words(school_class.today())}
    common: PaperData = {
        "name": school_class.name,
        "subtitle": f"{children} · {day}",
        "rebuilding": words.rebuilding() if page.freshness.is_rebuilding else "",
        "nothing": "",
        "assignments": _assignments(page),
    }
    if not page.report.has_been_played:
        nothing = gettext(
            "Nothing has been counted yet. As soon as a child finishes a round, the rows will "
            "be counted here."
        )
        if not page.children:
            nothing = gettext("There are no children in this class yet.")
        return common | {"nothing": nothing}
    return common | {
        "needs": _needs(page),
        "map": _map(page),
        "facts": _class_facts(page) if page.facts.is_shown else None,
        "meanings": _meanings_of_class(page),
    }


def _meanings_of_class(page: ClassPage) -> list[Definition]:
    """What the figures and the legend of the map mean."""
    said = [words.table_level("learning"), words.table_level("needs refreshing")]
    return _meanings_if("; ".join([*said, *map(words.table_name, page.report.tables)]))


def _needs(page: ClassPage) -> PaperData:
    return {
        "title": gettext("Who needs what next"),
        "none": page.no_need,
        "cards": [_card(card) for card in page.cards if card not in page.next_facts],
        "notes": [
            *_given_lines(page),
            *_own_facts(page),
            *_stuck(page),
            *_unusual_play_lines(page),
            *_away_lines(page),
        ],
    }


def _card(card: NeedCard) -> PaperData:
    return {
        "kind": card.kind,
        "title": card.title,
        "names": card.names
        if card.is_of_class
        else ", ".join(child.name for child in card.children),
        "why": card.why,
    }


Note = tuple[str, Sequence[str]]
"""A heading and the lines under it."""


def _given_lines(page: ClassPage) -> list[Note]:
    """What was given lately, how far it is, and why or with what result; under one heading what is
    equally far."""
    given: dict[str, list[str]] = {}
    for card in page.given:
        assert card.given
        why = f" ({card.given.why})" if card.given.why else ""
        given.setdefault(card.given.state, []).append(f"{card.names}: {card.title}{why}")
    return list(given.items())


def _own_facts(page: ClassPage) -> list[Note]:
    own = [f"{card.names}: {card.title}" for card in page.next_facts]
    return [(gettext("Facts to practise first"), own)] if own else []


def _stuck(page: ClassPage) -> list[Note]:
    names = [f"{one.child.name} ({words.table_name(one.cell.table)})" for one in page.stuck]
    return [(gettext("Stuck"), [", ".join(names)])] if names else []


def _unusual_play_lines(page: ClassPage) -> list[Note]:
    names = [
        f"{odd.child.name} ({'; '.join(words.oddity(one) for one in odd.oddities)})"
        for odd in page.odd
    ]
    return [(gettext("Unusual play"), [", ".join(names)])] if names else []


def _away_lines(page: ClassPage) -> list[Note]:
    """Children who have not played for a week or never, except those in `_unusual_play_lines`."""
    groups = [
        (gettext("Have not played for a week"), [_name_with_last_day(one) for one in page.away]),
        (gettext("Never played"), [child.name for child in page.never]),
    ]
    return [(title, [", ".join(names)]) for title, names in groups if names]


def _name_with_last_day(one: Away) -> str:
    assert one.since
    last = gettext("last on %(day)s") % {"day": short_day(one.since)}
    return f"{one.child.name} ({last})"


def _map(page: ClassPage) -> PaperData:
    report = page.report
    heads = [gettext("other") if table == OTHER_TABLES else str(table) for table in report.tables]
    return {
        "title": gettext("Rows found without help, of all possible rows"),
        "period": str(page.period.label),
        "child": gettext("Child"),
        "heads": heads,
        "lines": [_line(line) for line in page.map.table.rows],
        "total": {
            "name": gettext("The class"),
            "cells": [_figure_without_step(cell.rows) for cell in report.totals],
        },
        "legend": {
            "filled": gettext("filled: certain, all weeks together"),
            "steps": words.steps(),
            "unsure": words.table_level("learning"),
            "refreshing": words.table_level("needs refreshing"),
            "too_few": gettext("fewer than 3 possible rows"),
        },
        "upto": _freshness_text(page),
    }


def _freshness_text(page: ClassPage) -> str:
    upto = page.freshness.upto
    if upto is None:
        return ""
    moment = moment_in_words(upto, page.school_class)
    return gettext("Includes moves up to %(moment)s") % {"moment": moment}


def _line(line: ChildLine) -> PaperData:
    return {
        "name": line.child.name,
        "cells": [_cell(cell) for cell in line.cells],
    }


def _cell(cell: TableCell) -> PaperData:
    is_shown = cell.rows.is_shown
    return _figure_without_step(cell.rows) | {
        "step": cell.rows.shade if is_shown else None,
        "refreshing": cell.needs_refreshing,
        "unsure": cell.is_unsure,
    }


def _figure_without_step(rows: Rows) -> PaperData:
    figure = words.figure(rows) if rows.is_shown else "–"
    return {
        "figure": without_breaks(figure),
        "step": None,
        "refreshing": False,
        "unsure": False,
    }


def _class_facts(page: ClassPage) -> PaperData:
    return {
        "title": gettext(
            "Facts by heart: children who surely know each, of those with 3 answers or more"
        ),
        "note": gettext(
            "A dash means no child has answered this fact three times; a white field, fewer than "
            "three children have."
        ),
        "factors": list(page.facts.factors),
        "sign": times_sign(),
        "lines": [
            {"low": low, "cells": [_sum(one) for one in sums]} for low, sums in page.facts.lines
        ],
    }


def _sum(one: FactLevelCounts | None) -> PaperData | None:
    if one is None:
        return None
    if not one.children:
        return {"figure": "–", "step": None, "refreshing": False, "unsure": False}
    figure = without_breaks(words.of_children(one))
    return {"figure": figure, "step": one.shade, "refreshing": False, "unsure": one.is_unsure}


def _assignments(page: ClassPage) -> PaperData:
    """What the class can play, except for the steps that `_given_lines` has."""
    given = {card.given.assignment for card in page.given if card.given}
    to_play = assignments_of(page.school_class, NOW).exclude(pk__in=given)
    return {
        "title": gettext("Assignments"),
        "none": "" if given else gettext("There is nothing to play now."),
        "lines": [_assignment(item) for item in overview(page.school_class, list(to_play))],
    }


def _assignment(item: Overview) -> PaperData:
    details: Sequence[str] = [item.details]
    if item.due_on:
        until = gettext("until %(day)s") % {"day": short_day(item.due_on)}
        details = [*details, until]
    if not item.assignment.everyone:
        details = [", ".join(item.audience.names), *details]
    waiting = [
        (word, ", ".join(child.name for child in children))
        for name, word, children in item.parts
        if children and name != "done"
    ]
    return {
        "title": item.title,
        "details": " · ".join(details),
        "counts": [[name, f"{len(children)} {word}"] for name, word, children in item.parts],
        "shares": [[name, len(children)] for name, _word, children in item.parts],
        "waiting": waiting,
    }
