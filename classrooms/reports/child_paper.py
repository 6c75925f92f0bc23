"""The sheet on a child for the parents, as data for typst. What is not certain is on it as a count,
and only what the teacher reads as next is to be practised."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

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
from games.coach.mastery import SECURE_MS
from games.coach.statements.contrasts import Share
from games.coach.statements.table_levels import RECENT_DAYS
from games.coach.times_tables import TEACHING_ORDER, Fact, derive, fact_of
from games.engine.cards import colour
from games.screen import hint_words
from games.screen.words import listed, product


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
    facts = fact_lists(answers, known, [cell.fact for cell in page.next_facts])
    low = sorted(
        (cell for cell in page.tables if cell.table in page.needed_tables and cell.rows.is_shown),
        key=lambda cell: TEACHING_ORDER.index(cell.table),
    )
    return common | {
        "game": _game(page, low),
        "by_heart": _by_heart(child, facts),
        "home": _home(facts, low),
        "rest": gettext("Facts that are not on this sheet have not been asked yet."),
    }


class FactLists(NamedTuple):
    """The facts of a sheet by what their answers prove, each in one list."""

    known: list[Fact]  # known by heart
    right: list[Fact]  # right and fast every time, but too seldom or too long ago
    slow: list[Fact]  # right every time, but not always fast
    others: list[tuple[Fact, Share, int]]
    """With how many of the answers were right without help, and how many in a row the last time."""
    practise: list[tuple[Fact, str]]  # with the reason


def fact_lists(
    answers: Mapping[Fact, Sequence[Answer]], known: Collection[Fact], next_facts: Sequence[Fact]
) -> FactLists:
    """The lists for the facts `known` by heart, those that the teacher reads as the next ones, and
    the `answers` to each fact, newest first."""
    practise = [(fact, _why(answers[fact])) for fact in next_facts if fact in answers]
    lists = FactLists([], [], [], [], practise)
    for fact, of_fact in sorted(answers.items()):
        alone = [answer.right and not _is_hinted(answer) for answer in of_fact]
        if fact in next_facts:
            continue
        if alone[0] and fact in known:
            lists.known.append(fact)
        elif not all(alone):
            lists.others.append((fact, Share(sum(alone), len(alone)), alone.index(False)))
        else:
            (lists.slow if any(map(_is_slow, of_fact)) else lists.right).append(fact)
    return lists


def _why(of_fact: Sequence[Answer]) -> str:
    """Why a fact with these answers should be practised."""
    n, wrong = len(of_fact), sum(not answer.right for answer in of_fact)
    if not of_fact[0].right and not isinstance(of_fact[0], Check):
        return gettext("missed in a check-up")
    if wrong:
        why = gettext("wrong %(wrong)d of %(n)d times") % {"wrong": wrong, "n": n}
        is_one = sum(not answer.right or _is_hinted(answer) for answer in of_fact) == 1
        return words.may_be_chance(why) if is_one else why
    if helped := sum(map(_is_hinted, of_fact)):
        return gettext("right with help %(helped)d of %(n)d times") % {"helped": helped, "n": n}
    if any(map(_is_slow, of_fact)):
        return gettext("right %(n)d of %(n)d times, sometimes slowly") % {"n": n}
    return gettext("right, but not by heart yet")


def _is_slow(answer: Answer) -> bool:
    return isinstance(answer, Check) and answer.timed and (answer.net_ms or 0) > SECURE_MS


def _is_hinted(answer: Answer) -> bool:
    return isinstance(answer, Check) and answer.how == Check.How.HINTED


def _game(page: ChildPage, low: Sequence[TableCell]) -> PaperData:
    """Every table that was played, with its figure: parents took a table without one for a
    weakness, and one that stood only under practice for not played."""
    certain = page.mastered_tables
    others = [c for c in page.tables if not c.is_mastered and c.table != OTHER_TABLES]
    unsure = [_with_figure(cell, low) for cell in others if cell.rows.is_shown]
    few = [c.table for c in others if not c.rows.is_shown and (c.rows.chances or c.rows.joker)]
    text_found = ngettext(
        "So far finds most rows of times table %(tables)s",
        "So far finds most rows of times tables %(tables)s",
        len(certain),
    )
    text_unsure = ngettext(
        "Not certain yet: times table %(tables)s",
        "Not certain yet: times tables %(tables)s",
        len(unsure),
    )
    text_few = ngettext(
        "Too few possible rows to judge (0 to 2): times table %(tables)s",
        "Too few possible rows to judge (0 to 2): times tables %(tables)s",
        len(few),
    )
    counted = gettext(
        "In brackets: found without help, of the rows possible in the last %(weeks)d weeks. "
        "Whether it is most of them is judged over all weeks. A card added to a row counts; a row "
        "laid with a joker does not."
    )
    return {
        "title": gettext("In the card game"),
        "found": text_found % {"tables": listed([_with_figure(cell, low) for cell in certain])}
        if certain
        else words.no_table_yet(page.tables),
        "also": [
            text % {"tables": listed(tables)}
            for text, tables in ((text_unsure, unsure), (text_few, few))
            if tables
        ],
        "cards": _cards(example_row(5)),
        "apart": [
            gettext("A row of the game. To find rows and to know facts by heart are two things."),
            counted % {"weeks": RECENT_DAYS // 7},
        ],
    }


def _with_figure(cell: TableCell, low: Sequence[TableCell]) -> str:
    text = gettext("%(table)d (%(figure)s found)")
    if cell in low:
        text = gettext("%(table)d (%(figure)s found, to practise)")
    return without_breaks(text % {"table": cell.table, "figure": words.figure(cell.rows)})


def _by_heart(child: Child, facts: FactLists) -> PaperData:
    others = []
    for fact, part, streak in facts.others:
        figure = words.figure_of(part)
        if streak:
            text = ngettext(
                "%(figure)s, the last one right", "%(figure)s, the last %(n)d right", streak
            )
            figure = text % {"figure": figure, "n": streak}
        others.append(without_breaks(f"{words.fact_name(fact)} ({figure})"))
    names = [list(map(words.fact_name, part)) for part in facts[:3]]
    texts = (
        gettext("Now, though perhaps wrong before"),
        gettext("Right every time so far, but not asked often or lately enough to be sure"),
        gettext("Right every time so far, some answers slow"),
        gettext("Wrong or with help at times (in brackets: right without help)"),
    )
    (word, meaning), _ = words.fact_meanings(child)
    none = "" if facts.known else words.facts_by_heart(0, 0) + ". "
    return {
        "title": capfirst(word),
        "lists": [part for part in zip(texts, (*names, others), strict=True) if part[1]],
        "meaning": f"{none}{capfirst(word)}: {meaning}.",
    }


def _home(facts: FactLists, low: Sequence[TableCell]) -> PaperData:
    """What to practise at home: tables of which few rows were found, with an example as cards, and
    facts, each with the reason and a way to find it."""
    none = gettext("No fact or table stands out for practice. Playing on is enough.")
    return {
        "title": gettext("To practise at home"),
        "tables": [(capfirst(words.table_name(cell.table)), _why_table(cell)) for cell in low],
        "example": _example(low[0].table) if low else None,
        "facts": [
            (words.fact_name(fact), why, hint_words.derivation(derive(*fact, {*facts.known})))
            for fact, why in facts.practise
        ],
        "none": "" if low or facts.practise else none,
        "how": gettext("Five minutes, three days a week."),
    }


def _why_table(cell: TableCell) -> str:
    found = words.found_lately(cell.rows)
    if cell.is_low or cell.reason is None or cell.reason.kind not in ("misses", "fewer"):
        return found
    text = gettext("%(found)s; over all weeks %(n)d%%")
    return text % {"found": found, "n": cell.reason.percent}


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
