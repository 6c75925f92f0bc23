"""The sheet on a child for the parents, as data for typst. It says only what is certain: a fact or
table of which nothing is certain is in no list."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import date
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
from classrooms.progress.periods import USUAL_PERIOD, first_day
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
from games.coach.statements.table_levels import FEW_CHANCES, RECENT_DAYS
from games.coach.times_tables import TEACHING_ORDER, Fact, derive, fact_of
from games.engine.cards import colour
from games.screen import hint_words
from games.screen.words import listed, product

MOST_WAYS: Final = 8
"""The most facts to practise that have a line of their own, with a way to find them."""
OFTEN_WRONG: Final = 2
"""A fact was often wrong after so many wrong answers, if they are a third of all."""


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
    since = first_day(child.school_class.today(), USUAL_PERIOD)
    assert since
    facts = fact_lists(answers, known, [one.fact for one in page.next_facts], since)
    low = sorted(
        (cell for cell in page.tables if cell.is_low and cell.rows.chances >= FEW_CHANCES),
        key=lambda cell: TEACHING_ORDER.index(cell.table),
    )
    rest = gettext(
        "Facts that are not on this sheet were never asked, or it is not certain yet how well "
        "%(name)s knows them."
    )
    return common | {
        "game": _game(page, low),
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


def fact_lists(
    answers: Mapping[Fact, Sequence[Answer]],
    known: Collection[Fact],
    next_facts: Collection[Fact],
    since: date,
) -> FactLists:
    """The lists for the facts `known` by heart, those that the teacher reads as the next ones, and
    the `answers` to each fact, newest first. A wrong answer before the day `since` is dated."""
    lists = FactLists([], [], [], [])
    for fact, of_fact in sorted(answers.items()):
        alone = [one.right and not _is_hinted(one) for one in of_fact]
        if alone[0] and fact in known:
            lists.known.append(fact)
        elif need := _need(of_fact, is_next=fact in next_facts, since=since):
            place, why = need
            lists.practise.append((place, fact, why))
        elif sum(isinstance(one, Check) for one in of_fact) >= FEWEST_FOR_A_LEVEL:
            (lists.right if all(alone) else lists.others).append(fact)
    lists.practise.sort()
    return lists


def _need(of_fact: Sequence[Answer], *, is_next: bool, since: date) -> tuple[int, str] | None:
    """How soon a fact with these answers should be practised, the lower the sooner, and why."""
    last, asked = of_fact[0], [one for one in of_fact if isinstance(one, Check)]
    wrong = sum(not one.right for one in asked)
    place = 0 if is_next or not last.right else 1
    if not last.right and not isinstance(last, Check):
        return place, gettext("missed in a check-up")
    if (wrong >= OFTEN_WRONG and 3 * wrong >= len(asked)) or (is_next and wrong and last.right):
        why = gettext("wrong %(wrong)d of %(n)d times") % {"wrong": wrong, "n": len(asked)}
        return place, why
    if isinstance(last, Check) and not last.right:
        if last.day >= since:
            return place, gettext("wrong the last time")
        return place, gettext("wrong when asked on %(day)s") % {"day": short_day(last.day)}
    if _is_hinted(last):
        return 0, gettext("right the last time, but with help")
    if isinstance(last, Check) and last.timed and (last.net_ms or 0) > SECURE_MS:
        return 2 * place, gettext("right the last time, but slowly")
    return (place, gettext("right, but not by heart yet")) if is_next else None


def _is_hinted(answer: Answer) -> bool:
    return isinstance(answer, Check) and answer.how == Check.How.HINTED


def _game(page: ChildPage, low: Sequence[TableCell]) -> PaperData:
    """Figures only where no table is certain: parents took a small one for a mark."""
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
        "Also played in the last %(weeks)d weeks: %(tables)s times table",
        "Also played in the last %(weeks)d weeks: %(tables)s times tables",
        len(also),
    )
    text_played = ngettext(
        "Played in the last %(weeks)d weeks: %(tables)s times table",
        "Played in the last %(weeks)d weeks: %(tables)s times tables",
        len(also),
    )
    weeks_and_tables = {"weeks": RECENT_DAYS // 7, "tables": without_breaks(listed(also))}
    return {
        "title": gettext("In the card game"),
        "found": text_found % {"tables": without_breaks(listed(certain))}
        if certain
        else words.no_table_yet(page.tables),
        "also": (text_also if certain else text_played) % weeks_and_tables if also else "",
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
        "now_and_then": (
            gettext("Sometimes wrong or with help, ask now and then"),
            list(map(words.fact_name, facts.others)),
        ),
        "none": "",
        "how": gettext("Five minutes, three days a week."),
    }
    if not (low or facts.practise or facts.others):
        home["none"] = gettext(
            "Nothing certainly needs practice now: play on, so that more rows and facts come up."
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
