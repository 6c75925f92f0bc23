"""The sheet on a child for the parents, as data for typst. No fact is in two lists, and all facts
of a list are there for the same reason: parents believed of each what was said of the list."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext

from classrooms.checks.models import Check
from classrooms.models import Child
from classrooms.progress import words
from classrooms.progress.child_page import ChildPage, child_page
from classrooms.progress.facts import Answer, FactCell, answers_to
from classrooms.progress.rows import OTHER_TABLES, RowCounts, TableCell
from classrooms.reports.paper_words import (
    PaperData,
    dashed,
    day_in_words,
    example_row,
    short_day,
    without_breaks,
    without_joker,
)
from games.coach.mastery import SECURE_MS
from games.coach.statements.certainty import interval
from games.coach.statements.table_levels import Z
from games.coach.times_tables import TEACHING_ORDER, Fact, derive, fact_of
from games.engine.cards import colour
from games.screen import hint_words
from games.screen.words import listed, product

MOST_OTHERS: Final = 6
"""How many facts the sheet names of those that were not always right, apart from the first."""


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
        "game": _game(page, low, child.name),
        "by_heart": _by_heart(facts, answers, page.story.every_fact),
        "home": _home(facts, low, answers),
        "rest": _rest(len(facts.others) - MOST_OTHERS),
    }


class FactLists(NamedTuple):
    """The facts of a sheet by what their answers prove, each in one list."""

    known: list[Fact]  # known by heart
    right: list[Fact]  # always right without help, but not certainly known
    others: list[Fact]  # not always, the surest and most often wrong first
    practise: list[tuple[Fact, str]]  # first, with the reason


def fact_lists(
    answers: Mapping[Fact, Sequence[Answer]], known: Collection[Fact], next_facts: Sequence[Fact]
) -> FactLists:
    """The lists for the facts `known` by heart, those that the teacher reads as the next ones, and
    the `answers` to each fact, newest first. A next fact that was missed only once, which may be
    chance, is one of the others."""
    lists = FactLists([], [], [], [])
    for fact in next_facts:
        if fact in answers and (_is_missed_lately(answers[fact]) or _misses(answers[fact]) != 1):
            lists.practise.append((fact, _why(answers[fact])))
    for fact, of_fact in sorted(answers.items()):
        if fact in dict(lists.practise):
            continue
        if _is_right_unaided(of_fact[0]) and fact in known:
            lists.known.append(fact)
        else:
            (lists.others if _misses(of_fact) else lists.right).append(fact)
    lists.others.sort(
        key=lambda fact: -interval(_misses(answers[fact]), len(answers[fact]), Z).lower
    )
    return lists


def _is_missed_lately(of_fact: Sequence[Answer]) -> bool:
    """Whether the last answer was a wrong one in a check-up."""
    return not of_fact[0].right and not isinstance(of_fact[0], Check)


def _misses(of_fact: Sequence[Answer]) -> int:
    """The answers that were wrong or had help."""
    return len(of_fact) - sum(map(_is_right_unaided, of_fact))


def _why(of_fact: Sequence[Answer]) -> str:
    """Why a fact with these answers should be practised."""
    n, wrong = len(of_fact), sum(not answer.right for answer in of_fact)
    if _is_missed_lately(of_fact):
        return gettext("missed in a check-up")
    if wrong:
        return gettext("wrong %(wrong)d of %(n)d times") % {"wrong": wrong, "n": n}
    if helped := sum(map(_is_hinted, of_fact)):
        text = ngettext(
            "right with help %(helped)d of %(n)d time",
            "right with help %(helped)d of %(n)d times",
            n,
        )
        return text % {"helped": helped, "n": n}
    if any(map(_is_slow, of_fact)):
        return gettext("right %(n)d of %(n)d times, sometimes slowly") % {"n": n}
    return gettext("right, but not by heart yet")


def _is_right_unaided(answer: Answer) -> bool:
    """Whether the answer was right without help."""
    return answer.right and not _is_hinted(answer)


def _is_slow(answer: Answer) -> bool:
    return isinstance(answer, Check) and answer.timed and (answer.net_ms or 0) > SECURE_MS


def _is_hinted(answer: Answer) -> bool:
    return isinstance(answer, Check) and answer.how == Check.How.HINTED


def _game(page: ChildPage, low: Sequence[TableCell], name: str) -> PaperData:
    """What is certain of the tables: parents took a table with a figure for a strength or weakness,
    and one without for not played."""
    certain, to_practise = page.mastered_tables, [cell.table for cell in low]
    named = {cell.table for cell in certain} | {*to_practise}
    found = ngettext(
        "So far finds most rows of the %(tables)s times table",
        "So far finds most rows of the %(tables)s times tables",
        len(certain),
    ) % {"tables": listed([cell.table for cell in certain])}
    practise = ngettext(
        "To practise (see below): the %(tables)s times table",
        "To practise (see below): the %(tables)s times tables",
        len(low),
    ) % {"tables": listed(to_practise)}
    rest = gettext(
        "For the other times tables it is not certain now that %(name)s finds most rows."
    )
    if not named:
        rest = gettext("For no times table is it certain now that %(name)s finds most rows.")
    rows = RowCounts.sum(cell.rows for cell in page.tables if cell.table != OTHER_TABLES)
    lines = {
        f"{found}.": certain,
        f"{practise}.": low,
        rest % {"name": name}: {*TEACHING_ORDER} - named,
        f"{capfirst(_found_lately(rows))}. {without_joker()}": rows.is_shown,
    }
    return {
        "title": gettext("In the card game"),
        "lines": [line for line, is_said in lines.items() if is_said],
        "cards": _cards(example_row(5)),
        "apart": gettext(
            "A row of the game. Finding rows is one thing, knowing facts by heart is another."
        ),
    }


def _by_heart(
    facts: FactLists,
    answers: Mapping[Fact, Sequence[Answer]],
    cells: Mapping[Fact, FactCell],
) -> PaperData:
    always = [fact for fact in facts.known if all(answer.right for answer in answers[fact])]
    reasons = {fact: cells[fact].reason if fact in cells else None for fact in facts.right}
    unlikely = [fact for fact, reason in reasons.items() if reason and reason.kind == "unlikely"]
    slow = [fact for fact, reason in reasons.items() if reason and reason.kind == "slow"]
    lists = {
        gettext("By heart, and always right"): always,
        gettext("By heart now, earlier also wrong"): [f for f in facts.known if f not in always],
        gettext("Right every time so far; one more right answer may be enough"): unlikely,
        gettext("Right every time so far, but not surely within %(n)d seconds")
        % {"n": SECURE_MS // 1000}: slow,
        gettext("Right every time so far; asked too seldom or too long ago to be certain"): [
            fact for fact in facts.right if fact not in (*unlikely, *slow)
        ],
    }
    return {
        "title": capfirst(words.fact_word(is_known=True)),
        "none": "" if facts.known else f"{words.facts_by_heart(0, 0)}.",
        "lists": _named(lists),
        "meaning": gettext(
            "“By heart” is said only of what is almost certain, after right answers on several "
            "days."
        ),
    }


def _named(
    lists: Mapping[str, Sequence[Fact]], notes: Mapping[Fact, str] | None = None
) -> list[tuple[str, list[tuple[str, str]]]]:
    """Each list that is not empty, with the names and notes of its facts."""
    notes = notes or {}
    return [
        (text, [(words.fact_name(fact), notes.get(fact, "")) for fact in part])
        for text, part in lists.items()
        if part
    ]


def _home(
    facts: FactLists, low: Sequence[TableCell], answers: Mapping[Fact, Sequence[Answer]]
) -> PaperData:
    """What to practise at home: tables of which few rows were found, with an example as cards;
    facts, each with the reason and a way to find it; and others that were not always right."""
    none = gettext("No fact or table stands out for practice yet.")
    others = facts.others[:MOST_OTHERS]
    never = [fact for fact in others if not any(answer.right for answer in answers[fact])]
    notes = {fact: f" ({_why(answers[fact])})" for fact in others if fact not in never}
    not_always = gettext("Not always right")
    if any(_is_hinted(answer) for fact in notes for answer in answers[fact]):
        not_always = gettext("Not always right without help")
    return {
        "title": gettext("To practise at home"),
        "tables": [(capfirst(words.table_name(cell.table)), _why_table(cell)) for cell in low],
        "example": _example(low[0].table) if low else None,
        "facts": [
            (words.fact_name(fact), why, hint_words.derivation(derive(*fact, {*facts.known})))
            for fact, why in facts.practise
        ],
        "others": _named({not_always: [*notes], gettext("Not right so far"): never}, notes),
        "none": "" if low or facts.practise or others else none,
        "how": gettext("Five minutes, three days a week."),
    }


def _rest(left: int) -> str:
    """What is not on the sheet. `left`: the facts not always right that it does not name."""
    if left <= 0:
        return gettext("Facts that are not on this sheet have not been asked yet.")
    text = ngettext(
        "Not on this sheet: %(n)d more fact that was not always right, and all facts that have not "
        "been asked yet.",
        "Not on this sheet: %(n)d more facts that were not always right, and all facts that have "
        "not been asked yet.",
        left,
    )
    return text % {"n": left}


def _found_lately(rows: RowCounts) -> str:
    helped = rows.hinted + rows.tried
    text = gettext("%(found)s; with a hint or after several tries: %(n)d")
    found = words.found_lately(rows)
    return text % {"found": found, "n": helped} if helped else found


def _why_table(cell: TableCell) -> str:
    found = _found_lately(cell.rows)
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
