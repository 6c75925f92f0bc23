"""The report of a class for its teacher: the content of the class page, as data for typst."""

from collections.abc import Sequence

from django.http import QueryDict
from django.utils.translation import gettext, ngettext

from classrooms.assignments.status import NOW, Overview, assignments_of, overview
from classrooms.models import SchoolClass
from classrooms.progress.figures import words as wording
from classrooms.progress.figures.class_counts import ChildLine
from classrooms.progress.figures.facts_map import FactSum
from classrooms.progress.figures.needs import Away
from classrooms.progress.figures.periods import EVER, with_period
from classrooms.progress.figures.table_rows import OTHER, Rows, TableCell
from classrooms.progress.pages.class_page import ClassPage, NeedCard, class_page
from classrooms.reports.paper import words
from classrooms.reports.paper.words import PaperData
from games.screen.products import times_sign


def class_paper(school_class: SchoolClass, period: str) -> PaperData:
    """The content of the report for a period (a key of `PERIODS`), in the active language. In a
    fixed number of queries."""
    asked = QueryDict(mutable=True)
    asked["period"] = period
    page = class_page(school_class, asked)
    n = len(page.children)
    children = ngettext("%(n)s child", "%(n)s children", n) % {"n": n}
    day = gettext("as of %(day)s") % {"day": words.day(school_class.today())}
    common: PaperData = {
        "name": school_class.name,
        "subtitle": f"{children} · {day}",
        "rebuilding": wording.rebuilding() if page.report.freshness.is_rebuilding else "",
        "nothing": "",
        "assignments": _assignments(school_class),
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
        "facts": _facts(page) if page.facts.is_shown else None,
        "meanings": words.meanings(facts=False),
    }


def _needs(page: ClassPage) -> PaperData:
    return {
        "title": gettext("What each child needs next"),
        "none": page.no_need,
        "cards": [_card(card) for card in page.cards],
        "notes": [*_own_facts(page), *_stuck(page), *_oddly(page), *_away(page)],
    }


def _card(card: NeedCard) -> PaperData:
    return {
        "kind": card.kind,
        "title": card.title,
        "names": ", ".join(child.name for child in card.children),
        "why": card.why,
    }


def _own_facts(page: ClassPage) -> list[tuple[str, str]]:
    own = "; ".join(f"{card.names}: {card.title}" for card in page.own_facts)
    return [(gettext("Next facts for each child"), own)] if own else []


def _stuck(page: ClassPage) -> list[tuple[str, str]]:
    names = [
        gettext("%(name)s (%(table)s: found %(found)d of %(chances)d possible rows without help)")
        % {
            "name": one.child.name,
            "table": wording.table_name(one.cell.table),
            "found": one.cell.rows.found,
            "chances": one.cell.rows.chances,
        }
        for one in page.stuck
    ]
    stuck = gettext("Stuck")
    return [(f"{stuck} ({page.all_time})", ", ".join(names))] if names else []


def _oddly(page: ClassPage) -> list[tuple[str, str]]:
    names = [
        f"{odd.child.name} ({'; '.join(wording.oddity(one) for one in odd.oddities)})"
        for odd in page.odd
    ]
    return [(gettext("Unusual play"), ", ".join(names))] if names else []


def _away(page: ClassPage) -> list[tuple[str, str]]:
    """The children who have not played for a week, without those of whom `_oddly` says so, and
    those who never have."""
    groups = [
        (gettext("Have not played for a week"), [_since(one) for one in page.away]),
        (gettext("Never played"), [child.name for child in page.never]),
    ]
    return [(title, ", ".join(names)) for title, names in groups if names]


def _since(one: Away) -> str:
    assert one.since
    last = gettext("last on %(day)s") % {"day": words.short_day(one.since)}
    return f"{one.child.name} ({last})"


def _map(page: ClassPage) -> PaperData:
    report = page.report
    heads = [gettext("other") if table == OTHER else str(table) for table in report.tables]
    groups = []
    if report.is_grouped:
        groups = [
            (gettext("assigned"), len(report.assigned)),
            (gettext("also came up"), len(report.others)),
        ]
    return {
        "title": gettext("Rows found without help, of all possible rows"),
        "period": str(page.period.label),
        "child": gettext("Child"),
        # Translators: rows of all times tables, at the head of a column
        "heads": [*heads, gettext("all")],
        "groups": groups,
        "lines": [_line(line) for line in page.map.table.rows],
        "total": {
            "name": gettext("The class"),
            "cells": [_plain(cell.rows) for cell in report.totals] + [_plain(report.total)],
        },
        "legend": {
            "steps": wording.steps(),
            "refreshing": wording.level_name("needs refreshing"),
            "too_few": gettext("fewer than 3 possible rows"),
        },
        "upto": _upto(page),
    }


def _upto(page: ClassPage) -> str:
    upto = page.report.freshness.upto
    if upto is None:
        return ""
    moment = words.moment(upto, page.school_class)
    return gettext("Includes moves up to %(moment)s") % {"moment": moment}


def _line(line: ChildLine) -> PaperData:
    return {
        "name": line.child.name,
        "cells": [_cell(cell) for cell in line.cells] + [_plain(line.total)],
    }


def _cell(cell: TableCell) -> PaperData:
    is_shown = cell.rows.is_shown
    return _plain(cell.rows) | {
        "step": cell.rows.step if is_shown else None,
        "refreshing": cell.needs_refreshing,
    }


def _plain(rows: Rows) -> PaperData:
    figure = wording.figure(rows) if rows.is_shown else "–"
    return {"figure": words.unbroken(figure), "step": None, "refreshing": False}


def _facts(page: ClassPage) -> PaperData:
    return {
        "title": with_period(
            gettext(
                "Facts known by heart: children who are secure, of those with 3 answers or more"
            ),
            EVER,
        ),
        "note": gettext("A dash means no child has answered this fact three times."),
        "factors": list(page.facts.factors),
        "sign": times_sign(),
        "lines": [
            {"low": low, "cells": [_sum(one) for one in sums]} for low, sums in page.facts.lines
        ],
    }


def _sum(one: FactSum | None) -> PaperData | None:
    if one is None:
        return None
    if not one.children:
        return {"figure": "–", "step": None, "refreshing": False}
    figure = words.unbroken(wording.of_children(one))
    return {"figure": figure, "step": one.step, "refreshing": False}


def _assignments(school_class: SchoolClass) -> PaperData:
    overviews = overview(school_class, list(assignments_of(school_class, NOW)))
    return {
        "title": gettext("Assignments"),
        "none": gettext("There is nothing to play now."),
        "lines": [_assignment(item) for item in overviews],
    }


def _assignment(item: Overview) -> PaperData:
    details: Sequence[str] = [item.details]
    if item.due_on:
        until = gettext("until %(day)s") % {"day": words.short_day(item.due_on)}
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
