"""The report on a class for the teacher: the content of the class page, as data for typst."""

from collections.abc import Sequence

from django.http import QueryDict
from django.utils.translation import gettext, ngettext

from classrooms.assignments.status import Overview, assignments_of, overview
from classrooms.models import SchoolClass
from classrooms.progress import words
from classrooms.progress.class_page import ClassPage, NeedCard, class_page
from classrooms.progress.class_report import ChildLine
from classrooms.progress.facts import FactLevelCounts
from classrooms.progress.rows import OTHER_TABLES, RowCounts
from classrooms.reports.paper_words import (
    PaperData,
    day_in_words,
    meanings_in,
    moment_in_words,
    short_day,
    without_breaks,
)
from games.screen.words import times_sign


def class_paper(school_class: SchoolClass, period: str) -> PaperData:
    """The content of the report on a class for a period (a key of `PERIODS`), in the active
    language. The number of queries is fixed."""
    query = QueryDict(mutable=True)
    query["period"] = period
    page = class_page(school_class, query)
    n = len(page.children)
    children = ngettext("%(n)s child", "%(n)s children", n) % {"n": n}
    day = gettext("as of %(day)s") % {"day": day_in_words(school_class.today())}
    common: PaperData = {
        "name": school_class.name,
        "subtitle": f"{children} · {day}",
        "rebuilding": words.rebuilding() if page.report.freshness.is_rebuilding else "",
        "nothing": "",
        "assignments": _assignments(page),
    }
    if not page.report.has_been_played:
        nothing = gettext("The rows are counted here once a child has finished a round.")
        if not page.children:
            nothing = gettext("There are no children in this class yet.")
        return common | {"nothing": nothing}
    levels = [words.table_level("learning"), words.table_level("needs refreshing")]
    return common | {
        "needs": _needs(page),
        "map": _map(page),
        "facts": _class_facts(page) if page.facts.is_shown else None,
        "meanings": meanings_in("; ".join([*levels, *map(words.table_name, page.report.tables)])),
    }


def _needs(page: ClassPage) -> PaperData:
    return {
        "title": gettext("Who needs what next"),
        "none": page.no_need,
        "cards": [_card(card) for card in page.cards if card not in page.next_facts],
        "notes": [
            *_given_lines(page),
            *_fact_lines(page),
            *_stuck_lines(page),
            *_unusual_play_lines(page),
            *_absence_lines(page),
        ],
    }


def _card(card: NeedCard) -> PaperData:
    return {
        "kind": card.kind,
        "title": card.title,
        "names": card.names
        if card.is_of_class
        else ", ".join(child.name for child in card.children),
        "why": card.reason,
    }


Note = tuple[str, Sequence[str]]
"""A heading and the lines under it."""


def _given_lines(page: ClassPage) -> list[Note]:
    """The steps given lately, each with its result or reason, under headings that name the progress
    of the children."""
    lines: dict[str, list[str]] = {}
    for card in page.given_cards:
        assert card.given_step
        text = card.given_step.result or card.given_step.reason
        reason = f" ({text})" if text else ""
        lines.setdefault(card.given_step.state, []).append(f"{card.names}: {card.title}{reason}")
    return list(lines.items())


def _fact_lines(page: ClassPage) -> list[Note]:
    texts = [f"{card.names}: {card.title}" for card in page.next_facts]
    return [(gettext("Facts to practise first"), texts)] if texts else []


def _stuck_lines(page: ClassPage) -> list[Note]:
    names = [
        f"{stuck.child.name} ({words.table_name(stuck.cell.table)})"
        for stuck in page.stuck_children
    ]
    return [(gettext("Finds fewer than half"), [", ".join(names)])] if names else []


def _unusual_play_lines(page: ClassPage) -> list[Note]:
    names = [
        f"{odd.child.name} ({'; '.join(map(words.oddity_text, odd.oddities))})"
        for odd in page.odd_children
    ]
    return [(gettext("Unusual play"), [", ".join(names)])] if names else []


def _absence_lines(page: ClassPage) -> list[Note]:
    """The children who have not played for a week, or never, except those in
    `_unusual_play_lines`."""
    last = gettext("last on %(day)s")
    groups = [
        (
            gettext("Have not played for a week"),
            [
                f"{absence.child.name} ({last % {'day': short_day(absence.last_day)}})"
                for absence in page.absent_children
            ],
        ),
        (gettext("Never played"), [child.name for child in page.never_begun]),
    ]
    return [(title, [", ".join(names)]) for title, names in groups if names]


def _map(page: ClassPage) -> PaperData:
    report, upto = page.report, ""
    if last_move_at := report.freshness.last_move_at:
        moment = moment_in_words(last_move_at, page.school_class)
        upto = gettext("Finished turns up to %(moment)s") % {"moment": moment}
    heads = [gettext("other") if table == OTHER_TABLES else str(table) for table in report.tables]
    return {
        "title": gettext("Rows found without help, of all possible rows"),
        "period": str(page.period.label),
        "child": gettext("Child"),
        "heads": heads,
        "lines": [_line(line) for line in page.map.table.rows],
        "total": {
            "name": gettext("The class"),
            "cells": [_figure(cell.rows) for cell in report.totals],
        },
        "legend": {
            "signs": words.signs(),
            "others": ["– " + gettext("fewer than 3 possible rows"), words.about_signs()],
        },
        "upto": upto,
    }


def _line(line: ChildLine) -> PaperData:
    return {
        "name": line.child.name,
        "cells": [{"figure": _figure(cell.rows), "sign": cell.sign} for cell in line.cells],
    }


def _figure(rows: RowCounts) -> str:
    return without_breaks(words.figure(rows)) if rows.is_shown else "–"


def _class_facts(page: ClassPage) -> PaperData:
    return {
        "title": gettext("Facts by heart"),
        "note": words.about_facts(),
        "factors": list(page.facts.factors),
        "sign": times_sign(),
        "lines": [
            {"low": low, "cells": [_level_counts(counts) for counts in line]}
            for low, line in page.facts.lines
        ],
    }


def _level_counts(counts: FactLevelCounts | None) -> PaperData | None:
    if counts is None:
        return None
    if not counts.children:
        return {"figure": "–" if counts.is_asked else "", "step": None, "unsure": False}
    figure = without_breaks(words.children_knowing(counts))
    return {"figure": figure, "step": counts.shade, "unsure": counts.is_unsure}


def _assignments(page: ClassPage) -> PaperData:
    """The assignments that the class can play now, except the steps in `_given_lines`."""
    assignments = {card.given_step.assignment for card in page.given_cards if card.given_step}
    to_play = assignments_of(page.school_class, "now").exclude(pk__in=assignments)
    return {
        "title": gettext("Assignments"),
        "none": "" if assignments else gettext("There is nothing to play now."),
        "lines": [_assignment(item) for item in overview(page.school_class, list(to_play))],
    }


def _assignment(item: Overview) -> PaperData:
    details: Sequence[str] = [item.details]
    if item.assignment.due_on:
        until = gettext("until %(day)s") % {"day": short_day(item.assignment.due_on)}
        details = [*details, until]
    if not item.assignment.is_for_everyone:
        details = [", ".join(item.audience.names), *details]
    groups = [
        (word, ", ".join(child.name for child in children))
        for name, word, children in item.parts
        if children and name != "done"
    ]
    return {
        "title": item.title,
        "details": " · ".join(details),
        "counts": [[name, f"{len(children)} {word}"] for name, word, children in item.parts],
        "shares": [[name, len(children)] for name, _word, children in item.parts],
        "waiting": groups,
    }
