"""The sheet on a child for the parents, as data for typst. It says only what is certain: a fact or
table of which nothing is certain is in no list."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple

from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext

from classrooms.checks.models import Check
from classrooms.models import Child
from classrooms.progress import words
from classrooms.progress.child_page import ChildPage, child_page
from classrooms.progress.facts import Answer, answers_to
from classrooms.progress.rows import OTHER_TABLES, TableCell
from classrooms.reports.paper_words import (
    PaperData,
    dashed,
    day_in_words,
    example_row,
    short_day,
    without_breaks,
)
from games.coach.mastery import FEWEST_FOR_A_LEVEL, SECURE_MS
from games.coach.statements.table_levels import FEW_CHANCES
from games.coach.times_tables import TEACHING_ORDER, Fact, derive, fact_of
from games.engine.cards import colour
from games.screen import hint_words
from games.screen.words import listed, product

MOST_WAYS: Final = 8
"""The most facts to practise that have a line of their own, with a way to find them."""


def child_paper(child: Child) -> PaperData:
    """The content of a child's sheet, in the active language."""
    page = child_page(child)
    names, day = {"name": child.name}, day_in_words(child.school_class.today())
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
    known = {fact for fact, cell in page.story.every_fact.items() if cell.is_mastered}
    answers: dict[Fact, list[Answer]] = defaultdict(list)
    for answer in answers_to([child]).get(child.pk, ()):
        assert answer.first is not None
        assert answer.second is not None
        answers[fact_of(answer.first, answer.second)].append(answer)
    if not page.tables and not answers and not page.rebuilding:
        return common | {"nothing": gettext("There is nothing to report on %(name)s yet.") % names}
    facts = fact_lists(answers, known)
    low = sorted(
        (cell for cell in page.tables if cell.is_low and cell.rows.chances >= FEW_CHANCES),
        key=lambda cell: TEACHING_ORDER.index(cell.table),
    )
    rest = gettext(
        "Facts that are not on this sheet were never asked, or it is not certain yet how well "
        "%(name)s knows them."
    )
    return common | {
        "game": _game(child, page, low),
        "by_heart": _by_heart(facts),
        "home": _home(facts, low),
        "rest": rest % names,
    }


class FactLists(NamedTuple):
    """The facts of a sheet by what their answers prove, each in one list at most."""

    known: list[Fact]  # known by heart
    right: list[Fact]  # right every time, but not certainly known by heart
    practise: list[tuple[int, Fact, str]]  # with the reason; the lower the number, the sooner
    others: list[Fact]  # asked often enough, but none of these


def fact_lists(answers: Mapping[Fact, Sequence[Answer]], known: Collection[Fact]) -> FactLists:
    """The lists for the facts `known` by heart, and the `answers` to each fact, newest first."""
    lists = FactLists([], [], [], [])
    for fact, of_fact in sorted(answers.items()):
        last, asked = of_fact[0], [one for one in of_fact if isinstance(one, Check)]
        alone = [one.right and not _is_hinted(one) for one in of_fact]
        wrong = sum(not one.right for one in asked)
        if not last.right:
            is_short = isinstance(last, Check)
            why = gettext("wrong the last time") if is_short else gettext("missed in a check-up")
            lists.practise.append((0, fact, why))
        elif not alone[0]:
            lists.practise.append((0, fact, gettext("right the last time, but with help")))
        elif fact in known:
            lists.known.append(fact)
        elif isinstance(last, Check) and last.timed and (last.net_ms or 0) > SECURE_MS:
            lists.practise.append((2, fact, gettext("right the last time, but slowly")))
        elif len(asked) >= FEWEST_FOR_A_LEVEL:
            if all(alone):
                lists.right.append(fact)
            elif 2 * wrong >= len(asked) and not all(alone[:2]):
                why = gettext("wrong %(wrong)d of %(n)d times") % {"wrong": wrong, "n": len(asked)}
                lists.practise.append((1, fact, why))
            else:
                lists.others.append(fact)
    lists.practise.sort()
    return lists


def _is_hinted(answer: Answer) -> bool:
    return isinstance(answer, Check) and answer.how == Check.How.HINTED


def _game(child: Child, page: ChildPage, low: Sequence[TableCell]) -> PaperData:
    """Without figures: parents took a small one for a mark."""
    certain = [cell.table for cell in page.mastered_tables]
    named = [*certain, OTHER_TABLES, *(cell.table for cell in low)]
    played = [cell.table for cell in page.tables if cell.rows.chances or cell.rows.joker]
    also = [table for table in played if table not in named]
    text_found = ngettext(
        "Finds most rows of the %(tables)s times table",
        "Finds most rows of the %(tables)s times tables",
        len(certain),
    )
    text_also = ngettext(
        "Also played: %(tables)s times table", "Also played: %(tables)s times tables", len(also)
    )
    return {
        "title": gettext("In the card game"),
        "found": text_found % {"tables": without_breaks(listed(certain))}
        if certain
        else words.no_table_yet(child),
        "also": text_also % {"tables": without_breaks(listed(also))} if also else "",
        "cards": _cards(example_row(5)),
        "apart": gettext(
            "A row of the game. To find rows and to know facts by heart are two things."
        ),
    }


def _by_heart(facts: FactLists) -> PaperData:
    lists = [
        ("", facts.known),
        (gettext("Right every time so far, not certain yet"), facts.right),
    ]
    return {
        "title": capfirst(words.fact_word(is_known=True)),
        "lists": [(word, list(map(words.fact_name, facts))) for word, facts in lists if facts],
        "none": "" if facts.known else words.facts_by_heart(0, 0) + ".",
    }


def _home(facts: FactLists, low: Sequence[TableCell]) -> PaperData:
    """What to practise at home: tables of which few rows were found, with an example as cards, and
    facts, each with the reason and a way to find it."""
    home: PaperData = {
        "title": gettext("To practise at home"),
        "tables": [
            (capfirst(words.table_name(cell.table)), words.found_lately(cell.rows)) for cell in low
        ],
        "example": _example(low[0].table) if low else None,
        "facts": [
            (words.fact_name(fact), why, hint_words.derivation(derive(*fact, {*facts.known})))
            for _, fact, why in facts.practise[:MOST_WAYS]
        ],
        "more": [
            (why, [words.fact_name(fact) for _, fact, _ in same])
            for why, same in groupby(facts.practise[MOST_WAYS:], key=itemgetter(2))
        ],
        "none": "",
        "how": gettext("Five minutes, three days a week."),
    }
    if not (low or facts.practise):
        names = ", ".join(map(words.fact_name, facts.others))
        now_and_then = gettext("Nothing certainly needs practice now. Ask now and then: %(facts)s")
        home["none"] = (
            now_and_then % {"facts": names}
            if names
            else gettext(
                "Nothing certainly needs practice now: play on, so that more rows and facts come "
                "up."
            )
        )
    return home


def _cards(row: Sequence[int]) -> list[dict[str, str]]:
    return [{"number": str(number), "colour": colour(number)} for number in row]


def _example(table: int) -> PaperData:
    row = example_row(table)
    return {
        "cards": _cards(row),
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
