"""The sheet on a child for the parents, as data for typst. Each fact is in one group, which its own
answers decide; each table is where the sign of the map puts it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final, Literal

from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_noop

from classrooms.models import Child
from classrooms.progress import words
from classrooms.progress.child_page import ChildPage, child_page
from classrooms.progress.facts import Answer, answers_to
from classrooms.progress.rows import OTHER_TABLES, RowCounts, TableCell
from classrooms.questions.models import Check
from classrooms.reports.paper_words import (
    PaperData,
    dashed,
    day_in_words,
    example_row,
    short_day,
    without_breaks,
    without_joker,
)
from games.coach.mastery import FEWEST_FOR_A_LEVEL
from games.coach.statements.contrasts import Share
from games.coach.statements.table_levels import RECENT_DAYS
from games.coach.times_tables import TEACHING_ORDER, Fact, derive, fact_of
from games.engine.cards import colour
from games.screen import hint_words
from games.screen.words import listed, product

FactGroup = Literal["always", "again", "last", "few"]
FACT_GROUPS: Final[Mapping[FactGroup, str]] = {
    "always": gettext_noop("Right every time"),
    "again": gettext_noop("Right the last time, but not every time"),
    "last": gettext_noop("Not right the last time"),
    "few": gettext_noop("Asked only once or twice"),
}


def child_paper(child: Child) -> PaperData:
    """The content of a child's sheet, in the active language."""
    page = child_page(child)
    names, day = {"name": child.name}, day_in_words(child.school_class.today())
    subtitle = gettext("Times tables · as of %(day)s") % {"day": day}
    if last := page.story.last_at:
        last_day = short_day(child.school_class.day_of(last))
        subtitle += " · " + gettext("last played on %(day)s") % {"day": last_day}
    common: PaperData = {
        "name": child.name,
        "title": gettext("Report for %(who)s") % {"who": child.name},
        "class": child.school_class.name,
        "subtitle": subtitle,
        "rebuilding": page.rebuilding,
        "nothing": "",
    }
    answers: dict[Fact, list[Answer]] = defaultdict(list)
    for answer in answers_to([child]).get(child.pk, ()):
        assert answer.first is not None
        assert answer.second is not None
        answers[fact_of(answer.first, answer.second)].append(answer)
    if not page.tables and not answers and not page.rebuilding:
        return common | {"nothing": gettext("There is nothing to report on %(name)s yet.") % names}
    return common | {
        "game": _game(page),
        "facts": _facts(answers),
        "home": _home(page, answers),
        "note": gettext("Note from the teacher"),
    }


def fact_group(answers: Sequence[Answer]) -> FactGroup:
    """The group of a fact with these `answers`, the newest first."""
    if len(answers) < FEWEST_FOR_A_LEVEL:
        return "few"
    if not _is_right(answers[0]):
        return "last"
    return "always" if all(map(_is_right, answers)) else "again"


def _is_right(answer: Answer) -> bool:
    """Whether the answer was right without a hint."""
    return answer.right and not (isinstance(answer, Check) and answer.how == Check.How.HINTED)


def _figure(answers: Sequence[Answer]) -> str:
    return without_breaks(words.figure_of(Share(sum(map(_is_right, answers)), len(answers))))


def _game(page: ChildPage) -> PaperData:
    tables = {
        meaning: [cell.table for cell in page.tables if cell.sign == sign]
        for sign, meaning in words.signs()
    }
    texts = {text: listed([*map(words.table_name, of)]) for text, of in tables.items() if of}
    others = {*TEACHING_ORDER}.difference(*tables.values())
    unclear = gettext("Not clear yet whether most rows are found: the other times tables")
    if not texts:
        unclear = gettext("Not clear yet whether most rows are found: all times tables")
    rows = RowCounts.sum(cell.rows for cell in page.tables if cell.table != OTHER_TABLES)
    figures = gettext(
        "Rows that could be laid in the last %(weeks)d weeks: %(n)d. Found without help: "
        "%(found)d; with a hint or after several tries: %(helped)d; missed: %(missed)d."
    ) % {
        "weeks": RECENT_DAYS // 7,
        "n": rows.chances,
        "found": rows.found,
        "helped": rows.hinted + rows.tried,
        "missed": rows.missed,
    }
    return {
        "title": gettext("In the card game"),
        "cards": _cards((12, 16, 20)),
        "about": gettext(
            "nmbrs! is a card game of number rows: whoever lays 12, 16 and 20 practises the 4 "
            "times table."
        ),
        "tables": [(capfirst(level), of_level) for level, of_level in texts.items()],
        "lines": [unclear] * bool(others) + [f"{figures} {without_joker()}"] * rows.is_shown,
        "apart": gettext("Finding rows is one thing, knowing facts by heart is another."),
    }


def _facts(answers: Mapping[Fact, Sequence[Answer]]) -> PaperData:
    groups: dict[FactGroup, list[tuple[str, str]]] = {group: [] for group in FACT_GROUPS}
    for fact, of_fact in sorted(answers.items()):
        groups[fact_group(of_fact)].append((words.fact_name(fact), _figure(of_fact)))
    return {
        "title": gettext("Multiplication facts"),
        "groups": [(gettext(FACT_GROUPS[group]), of) for group, of in groups.items() if of],
        "meaning": gettext(
            "3 of 4: of all 4 answers so far 3 were right, without a hint, whether known by heart "
            "or worked out."
        ),
        "rest": gettext("Facts that are not on this sheet have not been asked yet."),
    }


def _home(page: ChildPage, answers: Mapping[Fact, Sequence[Answer]]) -> PaperData:
    """What to practise at home, as the teacher reads it: tables, with an example as cards, and
    facts, each with its figure and a way to find it."""
    low = sorted(
        (cell for cell in page.tables if cell.table in page.needed_tables and cell.rows.is_shown),
        key=lambda cell: TEACHING_ORDER.index(cell.table),
    )
    known = {fact for fact, cell in page.story.every_fact.items() if cell.is_mastered}
    facts = [cell.fact for cell in page.next_facts if cell.fact in answers]
    return {
        "title": gettext("To practise at home"),
        "tables": [(capfirst(words.table_name(cell.table)), _why_table(cell)) for cell in low],
        "example": _example(low[0].table) if low else None,
        "facts": [
            (
                words.fact_name(fact),
                _why(answers[fact]),
                hint_words.derivation(derive(*fact, known)),
            )
            for fact in facts
        ],
        "end": gettext("Five minutes, three days a week.")
        if low or facts
        else gettext("Nothing to practise stands out."),
    }


def _why(answers: Sequence[Answer]) -> str:
    """Why a fact should be practised. If it was always right, the reason is slow answers."""
    if all(map(_is_right, answers)):
        return gettext("right, but not by heart yet")
    return gettext("%(figure)s right") % {"figure": _figure(answers)}


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
