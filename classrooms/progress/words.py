"""The figures of progress as text, in the active language."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

from django.template.defaultfilters import floatformat
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_noop, ngettext, pgettext

from classrooms.checkups.models import CheckUpAnswer
from classrooms.checkups.words import wrong_answer
from classrooms.models import Child
from classrooms.progress.class_report import Freshness
from classrooms.progress.facts import Answer, FactCell, FactLevelCounts
from classrooms.progress.models import Chance
from classrooms.progress.periods import USUAL_PERIOD, with_period
from classrooms.progress.rows import OTHER_TABLES, RowCounts, TableCell
from classrooms.progress.standing_out import LATELY, Outlier
from classrooms.questions.models import Check
from classrooms.ui.dates import written
from games.coach.hints import LAST_STEP
from games.coach.mastery import FEWEST_FOR_A_LEVEL, SECURE_MS, Level
from games.coach.questions.recall import FactReason
from games.coach.statements.contrasts import Share
from games.coach.statements.odd_play import Oddity
from games.coach.statements.table_levels import FEW_CHANCES, TableReason
from games.coach.statements.table_levels import RECENT_DAYS as LATELY_DAYS
from games.coach.times_tables import Fact
from games.screen.words import product, unbroken
from games.screen.words import table_name as times_table_name


def table_name(table: int) -> str:
    """The name of a times table, or of the column of other rows, the same on every page."""
    return gettext("other rows") if table == OTHER_TABLES else times_table_name(table)


def more_text(n: int) -> str:
    """How many more there are, as text; empty if there are none."""
    return ngettext("%(n)d more", "%(n)d more", n) % {"n": n} if n > 0 else ""


def other_meaning() -> str:
    """What the column of other rows contains."""
    return gettext("rows of no times table from 2 to 12, such as %(row)s") % {"row": "3–8–13"}


def fact_name(fact: Fact) -> str:
    return unbroken(product(*fact))


TABLE_LEVELS: Final[Mapping[Level, str]] = {
    "not yet seen": gettext_noop("not yet seen"),
    "learning": gettext_noop("not clear yet"),
    "secure": gettext_noop("finds most rows"),
    "fluent": gettext_noop("finds most rows straight away"),
    "needs refreshing": gettext_noop("finds fewer rows lately"),
}
"""The levels of tables. They share no word with the levels of facts, because to find rows in the
game is not to know facts by heart."""


def fact_word(*, is_known: bool) -> str:
    """How well a child knows a fact, the same on pages and papers. Secure and fluent have one
    word."""
    return gettext("by heart") if is_known else gettext("not certain")


def fact_meanings(child: Child) -> list[tuple[str, str]]:
    """The two words of `fact_word`, the better one first, each with what a teacher needs to know
    about it for this child."""
    text = gettext(
        "right the last time and on two of the last three days, and very probably right today"
    )
    if not child.is_untimed:
        text = gettext(
            "right the last time, within %(seconds)d seconds on two of the last three days, and "
            "very probably right today"
        ) % {"seconds": SECURE_MS // 1000}
    return [
        (fact_word(is_known=True), text),
        (fact_word(is_known=False), gettext("tap to see why")),
    ]


def table_level(level: Level) -> str:
    return gettext(TABLE_LEVELS[level])


def finds_too_few() -> str:
    return gettext("finds too few rows without help so far")


def table_words() -> list[str]:
    """All texts for the level of a table."""
    return [finds_too_few(), *(table_level(level) for level in TABLE_LEVELS)]


def level_of(cell: TableCell) -> str:
    """The level of a child's table. Of a table that they are learning, whether they find too few
    rows or it is too early to say."""
    return finds_too_few() if cell.misses_chances else table_level(cell.level)


WHY_FACT: Final[Mapping[str, str]] = {
    "check-up": gettext_noop("The last answer, in a check-up, was not right."),
    "few answers": gettext_noop("Fewer than three answers to short questions so far."),
    "last answer": gettext_noop("The last answer to a short question was not right without help."),
    "new": gettext_noop("Asked on %(days)d of the three days that “by heart” needs."),
    "good in time": gettext_noop(
        "Right without help and within %(seconds)d s on %(n)d of the last %(days)d days, and "
        "the last answer was right."
    ),
    "good": gettext_noop(
        "Right without help on %(n)d of the last %(days)d days, and the last answer was right."
    ),
    "slow": gettext_noop(
        "Right, but slower than %(seconds)d s: right without help on %(right)d of the last "
        "%(days)d days, within %(seconds)d s on %(n)d."
    ),
    "few days": gettext_noop(
        "Right without help on %(right)d of the last %(days)d days: “by heart” needs two."
    ),
    "unlikely": gettext_noop(
        "Right without help on %(right)d of the last %(days)d days. “By heart” needs to be surer: "
        "by more right answers on other days, to this fact and to others."
    ),
    "long ago": gettext_noop(
        "Right without help on %(right)d of the last %(days)d days, but not asked lately: nobody "
        "knows whether it is still known by heart."
    ),
}
"""Why a fact is at its level. Each part of a sentence can be checked against the child's
answers."""


def why_fact(reason: FactReason | None, *, is_missed: bool = False) -> str:
    """Why a fact is at its level. `is_missed`: whether the last answer was a wrong one in a
    check-up. `reason` is None if no short question asked for the fact."""
    if is_missed or reason is None:
        return gettext(WHY_FACT["check-up" if is_missed else "few answers"])
    key = "good in time" if reason.kind == "good" and reason.seconds else reason.kind
    return gettext(WHY_FACT[key]) % {
        "n": reason.good,
        "right": reason.right,
        "days": reason.days,
        "seconds": reason.seconds,
    }


def facts_by_heart(count: int, asked_count: int) -> str:
    """How many facts a child knows by heart, and of how many others with a level this is not
    certain yet. Parents took the share of right answers for a mark, so the text does not give
    it."""
    if not count:
        return gettext("No fact is certain by heart yet")
    by_heart = ngettext("knows %(known)d fact by heart", "knows %(known)d facts by heart", count)
    by_heart %= {"known": count}
    if asked_count == count:
        return by_heart
    text = gettext("%(by_heart)s; for %(others)d more this is not certain")
    return text % {"by_heart": by_heart, "others": asked_count - count}


def no_table_yet(tables: Iterable[TableCell]) -> str:
    """The note on a child who does not certainly find most rows of any of these tables."""
    rows = RowCounts.sum(cell.rows for cell in tables if cell.table != OTHER_TABLES)
    if not rows.is_shown:
        return gettext(
            "In the last %(weeks)d weeks too few rows could be laid to be sure of a times table."
        ) % {"weeks": LATELY_DAYS // 7}
    not_enough = gettext("That is not enough yet to be sure of a whole times table.")
    return f"{capfirst(rows_found(rows, USUAL_PERIOD))}. {not_enough}"


WHY_TABLE: Final[Mapping[str, str]] = {
    "fluent": gettext_noop(
        "The child almost certainly finds about two in three of its rows or more straight away."
    ),
    "secure": gettext_noop(
        "The child almost certainly finds about two in three of its rows or more."
    ),
    "stays": gettext_noop(
        "The child found most of its rows before, and has missed few since (recent days count "
        "most)."
    ),
    "few": gettext_noop(
        "Possible rows so far: %(rows)d, days: %(days)d. These are too few to rule out luck."
    ),
    "unsure": gettext_noop("Not sure enough yet (recent days count most)."),
    "fewer": gettext_noop(
        "The child found most of its rows before, but in the last %(weeks)d weeks only %(found)d "
        "of %(rows)d."
    ),
    "not again": gettext_noop(
        "The child found most of its rows before, but has missed too many since to be sure of it "
        "(recent days count most)."
    ),
    "rare": gettext_noop(
        "Fewer than %(fewest)d of its rows were possible in the last %(weeks)d weeks: too few to "
        "say what the child finds today."
    ),
    "misses": gettext_noop(
        "The child finds fewer than about two in three of its rows (recent days count most)."
    ),
}


def why_table(reason: TableReason) -> str:
    """Why a table is at its level, and how many more rows a better level needs."""
    text = gettext(WHY_TABLE[reason.kind]) % {
        "rows": reason.rows,
        "found": reason.found,
        "days": reason.days,
        "fewest": FEWEST_FOR_A_LEVEL,
        "weeks": LATELY_DAYS // 7,
    }
    if not reason.more:
        return text
    sentence = ngettext(
        "%(more)d more row, found without help on a later day, is enough for “finds most rows”.",
        "%(more)d more rows, found without help on a later day, are enough for “finds most rows”.",
        reason.more,
    )
    return f"{sentence % {'more': reason.more}} {text}"


def figure(rows: RowCounts) -> str:
    """The figure of a cell: how many of the possible rows (chances) were found without help."""
    return figure_of(Share(rows.found, rows.chances))


def figure_of(part: Share) -> str:
    return pgettext("rows found of possible rows", "%(found)d of %(chances)d") % {
        "found": part.found,
        "chances": part.total,
    }


def joker_rows(rows: RowCounts) -> str:
    """The note beside a figure on rows laid with a joker; empty if there are none."""
    text = ngettext(
        "not counted: %(n)d row with a joker", "not counted: %(n)d rows with a joker", rows.joker
    )
    return text % {"n": rows.joker} if rows.joker else ""


def rows_found(rows: RowCounts, period: str) -> str:
    """The figure of a cell in a sentence, with its period."""
    if not rows.is_shown:
        return with_period(gettext("fewer than 3 possible rows"), period)
    text = ngettext(
        "found %(found)d of %(chances)d row without help",
        "found %(found)d of %(chances)d rows without help",
        rows.chances,
    )
    return with_period(text % {"found": rows.found, "chances": rows.chances}, period)


def may_be_chance(found: str) -> str:
    return gettext("%(found)s; may be chance") % {"found": found}


def why_facts(facts: Sequence[FactCell]) -> str:
    """The reason to practise these facts next: how many answers were not right or, if all were
    right, how many were slow."""
    answers = sum(fact.evidence for fact in facts)
    not_right = answers - sum(fact.right for fact in facts)
    slow = answers - not_right - sum(fact.recalled for fact in facts)
    figures = []
    if not_right:
        text = ngettext(
            "%(wrong)d of %(n)d answers to this fact wrong or with a hint",
            "%(wrong)d of %(n)d answers to these facts wrong or with a hint",
            len(facts),
        )
        found = text % {"wrong": not_right, "n": answers}
        figures.append(may_be_chance(found) if not_right == 1 else found)
    elif slow:
        text = gettext("right, but slower than %(seconds)d s in %(slow)d of %(n)d answers")
        figures.append(text % {"slow": slow, "n": answers, "seconds": SECURE_MS // 1000})
    if any(fact.is_missed for fact in facts):
        figures.append(gettext("answered wrongly in a check-up"))
    return "; ".join(figures)


def not_begun() -> str:
    """The note for a class in which most children have not begun."""
    return gettext("Most children have not started yet. First give them their sign-in cards.")


def no_need(low: Sequence[TableCell]) -> str:
    """The note that no table certainly needs practice, although these cells of a class or child
    have low figures."""
    if not low:
        return gettext("Nothing stands out in the times tables and facts so far.")
    return gettext("No times table certainly needs practice yet. Low figures may be chance.")


def other_low_figures(low: Sequence[TableCell]) -> str:
    """The note, beside what needs practice, that other low figures may be chance; empty if there
    are none."""
    return gettext("Other low figures may be chance.") if low else ""


def signs() -> list[tuple[str, str]]:
    """Each sign beside a figure of the map, and its meaning. A figure without a sign is of a level
    that is not clear yet."""
    return [
        ("✓", table_level("secure")),
        ("!", finds_too_few()),
        ("↓", table_level("needs refreshing")),
    ]


def about_signs() -> str:
    """Why a figure has a sign or none."""
    return gettext(
        "A sign rests on all weeks. No sign: not clear yet, mostly because so far fewer than "
        "%(n)d rows were possible."
    ) % {"n": FEW_CHANCES}


def about_facts() -> str:
    """What the figures of the map of facts mean."""
    return gettext(
        "2 of 6: of six children with three answers or more, two certainly know it by heart; of "
        "the others it is not certain yet. ?: not certain for any child. –: too few answers. "
        "Empty: not asked yet. Darker: a larger share. Frame: only one or two children."
    )


def cell_text(cell: TableCell, figure: str) -> str:
    """A cell of the map as text: its table, its figure, and the level."""
    rows_text = figure if cell.rows.is_shown else gettext("fewer than 3 possible rows")
    text = f"{table_name(cell.table)}: {rows_text}"
    return f"{text}, {level_of(cell)}" if cell.is_shown else text


def cell_without_rows(cell: TableCell) -> str:
    """A cell of the map as text, for a table without possible rows in the period."""
    if not cell.evidence:
        return gettext("none yet")
    text = gettext("none in this period")
    return f"{text}, {level_of(cell)}" if cell.is_shown and cell.table else text


def what_stands_out(outlier: Outlier) -> str:
    """What stands out, without a name: `fewer rows found than before`."""
    if outlier.fact:
        return gettext("the class knows %(fact)s less well than other facts") % {
            "fact": fact_name(outlier.fact)
        }
    if outlier.kind == "table":
        return gettext("the class finds fewer rows of the %(table)s than of other tables") % {
            "table": table_name(outlier.table or OTHER_TABLES)
        }
    if outlier.kind == "apart":
        text = gettext("fewer rows found than the others find")
    elif outlier.contrast.difference > 0:
        return gettext("more rows found than before")
    else:
        text = gettext("fewer rows found than before")
    if outlier.table is None:
        return text
    return gettext("%(what)s, most of all in the %(table)s") % {
        "what": text,
        "table": table_name(outlier.table),
    }


def how_it_stands_out(outlier: Outlier, period: str) -> str:
    """The figures of both sides of a comparison."""
    side, other_side = outlier.sides
    values = {
        "own": figure_of(side),
        "other": figure_of(other_side),
        "usual": round(outlier.contrast.usual),
        "weeks": LATELY.days // 7,
    }
    if outlier.kind == "change":
        text = gettext(
            "all tables in the same games: %(own)s possible rows in the last %(weeks)d weeks, "
            "%(other)s in the %(weeks)d weeks before"
        )
        return text % values
    if outlier.kind == "apart":
        text = gettext(
            "all tables in the same games: found %(own)s possible rows; of these the others "
            "would find %(usual)d"
        )
    elif outlier.fact:
        text = gettext("%(own)s answers right, of other facts %(other)s")
    else:
        text = gettext("found %(own)s possible rows, of other tables %(other)s")
    return with_period(text % values, period)


def oddity_text(oddity: Oddity) -> str:
    """What is unusual about a child's play, with the evidence and its period."""
    values = {"seen": oddity.count, "of": oddity.total}
    if oddity.kind == "tries without a row":
        text = gettext("%(seen)d of %(of)d tries made no row") % values
        return with_period(text, USUAL_PERIOD)
    if oddity.kind == "always asks for a hint":
        text = gettext("asks for a hint in %(seen)d of %(of)d turns") % values
        return with_period(text, USUAL_PERIOD)
    if oddity.kind == "answers far off":
        text = gettext("%(seen)d of %(of)d answers wrong, most of them far off")
        return with_period(text % values, USUAL_PERIOD)
    if oddity.kind == "away for weeks":
        text = ngettext("not played for %(n)d day", "not played for %(n)d days", oddity.count)
        return text % {"n": oddity.count}
    if oddity.table == OTHER_TABLES:
        text = gettext(
            "has met only rows outside the 2 to 12 times tables so far: %(of)d possible rows"
        )
        return text % values
    return gettext("has met only the %(table)s so far: %(of)d possible rows") % {
        "table": table_name(oddity.table or OTHER_TABLES),
        "of": oddity.total,
    }


def children_knowing(sums: FactLevelCounts) -> str:
    """How many children certainly know a fact, of those with a level that is shown. "?" if none
    does, because teachers read "0 of 2" as "two cannot"."""
    if not sums.children_secure:
        return "?"
    return pgettext("children knowing of children asked", "%(knowing)d of %(asked)d") % {
        "knowing": sums.children_secure,
        "asked": sums.children,
    }


def answer(check: Answer) -> str:
    """An answer as text. For a short question also its time, and how the child found it."""
    if isinstance(check, CheckUpAnswer):
        text = f"{asked_fact(check)} = {check.answer}" if check.right else wrong_answer(check)
        return gettext("%(answer)s, in a check-up") % {"answer": text}
    if not check.right:
        return gettext("%(asked)s: answered %(answer)d") % {
            "asked": asked_fact(check),
            "answer": check.answer,
        }
    text = f"{asked_fact(check)} = {check.answer}, {check.get_how_display()}"
    if check.net_ms is None:
        return text
    seconds = floatformat(check.net_ms / 1000, 1)
    return gettext("%(told)s in %(seconds)s s") % {"told": text, "seconds": seconds}


def asked_fact(check: Answer) -> str:
    assert check.first is not None
    assert check.second is not None
    return product(check.first, check.second)


def table_answer(check: Check) -> str:
    """A child's answer to the question about the table of a row."""
    words = {
        "row": "-".join(map(str, check.numbers)),
        "answer": table_name(check.answer),
        "table": table_name(check.step or OTHER_TABLES),
    }
    if not check.right:
        return gettext("%(row)s: answered %(answer)s, but it is in the %(table)s") % words
    return gettext("%(row)s: %(answer)s, right") % words


def moment(at: datetime) -> str:
    """A moment in the active time zone, as short as possible."""
    local, today = timezone.localtime(at), timezone.localdate()
    days = (today - local.date()).days
    if days == 0:
        return gettext("today at %(time)s") % {"time": date_format(local, "H:i")}
    if days == 1:
        return gettext("yesterday at %(time)s") % {"time": date_format(local, "H:i")}
    return written(local, "j M" if local.year == today.year else "j M Y")


def freshness(state: Freshness) -> str:
    """How up to date a report is, and how many matches are not counted yet or cannot be read."""
    notes = []
    if state.last_move_at:
        until = gettext("Finished turns up to %(moment)s")
        notes.append(until % {"moment": moment(state.last_move_at)})
    if state.waiting_matches:
        notes.append(
            ngettext(
                "%(n)d game has newer moves that are still being counted",
                "%(n)d games have newer moves that are still being counted",
                state.waiting_matches,
            )
            % {"n": state.waiting_matches}
        )
    if state.unreadable:
        notes.append(
            ngettext(
                "%(n)d game could not be read completely",
                "%(n)d games could not be read completely",
                state.unreadable,
            )
            % {"n": state.unreadable}
        )
    text = " · ".join(notes)
    return f"{rebuilding()} {text}".rstrip() if state.is_rebuilding else text


def rebuilding() -> str:
    """The note on every page and paper with figures, until the rebuild is done."""
    return gettext(
        "All figures are being counted again. Until that is done, some may be missing or wrong."
    )


def outcome_text(chance: Chance) -> str:
    """What became of a row that the child could lay."""
    values = {
        "turns": chance.turns_open,
        "step": chance.hint_step,
        "last": LAST_STEP,
        "tries": chance.tries,
    }
    match chance.outcome:
        case Chance.Outcome.AT_ONCE:
            return gettext("found at once")
        case Chance.Outcome.LATER:
            text = ngettext(
                "found %(turns)d turn later", "found %(turns)d turns later", chance.turns_open
            )
        case Chance.Outcome.WITH_HINT:
            text = gettext("found with a hint (step %(step)d of %(last)d)")
        case Chance.Outcome.AFTER_TRIES:
            text = ngettext(
                "found after %(tries)d refused try",
                "found after %(tries)d refused tries",
                chance.tries,
            )
        case Chance.Outcome.WITH_JOKER:
            return gettext("laid with a joker: does not count")
        case Chance.Outcome.TAKEN_UP:
            return gettext("its cards went into another row: does not count")
        case _:
            text = ngettext(
                "missed in %(turns)d turn",
                "missed in %(turns)d turns",
                chance.turns_open,
            )
            if chance.hint_step:
                sentence = text % values
                return gettext("%(missed)s, after a hint (step %(step)d of %(last)d)") % {
                    "missed": sentence,
                    **values,
                }
    return text % values
