"""The sheet on a child for the parents, as data for typst. Each fact is in one group, which its own
answers decide; each table has the figure of the map, and no verdict. Tables without a sign on the
map stand apart."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final, Literal

from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from classrooms.models import Child, SchoolClass
from classrooms.progress import words
from classrooms.progress.child_page import ChildPage, child_page
from classrooms.progress.facts import Answer, answers_by_fact
from classrooms.progress.rows import OTHER_TABLES
from classrooms.questions.models import Check
from classrooms.reports.paper_words import (
    PaperData,
    day_in_words,
    short_day,
    without_breaks,
    without_joker,
)
from games.coach.mastery import FEWEST_FOR_A_LEVEL
from games.coach.statements.contrasts import Share
from games.coach.statements.table_levels import RECENT_DAYS
from games.coach.times_tables import Fact
from games.engine.cards import colour

FactGroup = Literal["lately", "again", "last", "few", "ago"]
FACT_GROUPS: Final[Mapping[FactGroup, str]] = {
    "lately": gettext_noop("Right the last three times"),
    "again": gettext_noop("Right the last time, but not the last three times"),
    "last": gettext_noop("Not right the last time"),
    "few": gettext_noop("Asked only once or twice, too early to say"),
    "ago": gettext_noop("Not asked in the last four weeks"),
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
    answers = answers_by_fact([child]).get(child.pk, {})
    if not page.tables and not answers and not page.rebuilding:
        return common | {"nothing": gettext("There is nothing to report on %(name)s yet.") % names}
    return common | {
        "game": _game(page),
        "facts": _facts(child.school_class, answers),
        "note": gettext("Note from the teacher"),
    }


def fact_group(answers: Sequence[Answer]) -> FactGroup:
    """The group of a fact with these `answers`, the newest first."""
    if answers[0].answered_at < timezone.now() - timedelta(days=RECENT_DAYS):
        return "ago"
    if len(answers) < FEWEST_FOR_A_LEVEL:
        return "few"
    if not _is_right(answers[0]):
        return "last"
    return "lately" if all(map(_is_right, answers[:FEWEST_FOR_A_LEVEL])) else "again"


def _is_right(answer: Answer) -> bool:
    """Whether the answer was right without a hint."""
    return answer.right and not (isinstance(answer, Check) and answer.how == Check.How.HINTED)


def _game(page: ChildPage) -> PaperData:
    weeks = {"weeks": RECENT_DAYS // 7}
    many = gettext("Rows found without help in the last %(weeks)d weeks") % weeks
    few = gettext("Not certain yet, may be chance")
    groups: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for cell in page.tables:
        if cell.table != OTHER_TABLES and cell.rows.chances:
            figure = without_breaks(words.figure(cell.rows))
            is_clear = cell.rows.is_shown and cell.sign
            groups[many if is_clear else few].append((words.table_name(cell.table), figure))
    about_figure = gettext(
        "How to read it: (3 of 4) means that 4 rows could be laid in the last %(weeks)d weeks: 3 "
        "were found without help, and 1 was missed, or found with a hint or after several tries."
    )
    return {
        "title": gettext("In the card game"),
        "cards": [{"number": str(card), "colour": colour(card)} for card in (12, 16, 20)],
        "about": gettext(
            "nmbrs! is a card game of number rows: whoever lays 12, 16 and 20 practises the 4 "
            "times table."
        ),
        "figure": " ".join([*[about_figure % weeks] * bool(groups), without_joker()]),
        "groups": [(title, groups[title]) for title in (many, few) if title in groups],
        "lines": [
            gettext(
                "Other times tables: in the last %(weeks)d weeks no row, or only rows with a joker."
            )
            % weeks,
            gettext("Finding rows is one thing, knowing facts by heart is another."),
        ],
    }


def _facts(school_class: SchoolClass, answers: Mapping[Fact, Sequence[Answer]]) -> PaperData:
    """The groups of facts, each with the lowest share first."""
    groups: dict[FactGroup, list[tuple[str, str]]] = {group: [] for group in FACT_GROUPS}
    shares = {fact: Share(sum(map(_is_right, of)), len(of)) for fact, of in answers.items()}
    for fact in sorted(shares, key=lambda fact: (shares[fact].found / shares[fact].total, fact)):
        figure = without_breaks(words.figure_of(shares[fact]))
        groups[fact_group(answers[fact])].append((words.fact_name(fact), figure))
    about_figure = ""
    if answers:
        first_at = min(of[-1].answered_at for of in answers.values())
        about_figure = gettext(
            "How to read it: (3 of 4) means asked 4 times, right without a hint 3 times, known by "
            "heart or worked out. Counted since %(day)s. %(turned)s counts as %(fact)s."
        ) % {
            "day": day_in_words(school_class.day_of(first_at)),
            "turned": words.fact_name((5, 3)),
            "fact": words.fact_name((3, 5)),
        }
    return {
        "title": gettext("Multiplication facts"),
        "figure": about_figure,
        "groups": [(gettext(FACT_GROUPS[group]), of) for group, of in groups.items() if of],
        "lines": [gettext("Facts that are not on this sheet have not been asked yet.")],
    }
