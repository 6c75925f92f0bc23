"""The files of a class's export, with stable columns (docs/exports.md)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import groupby
from operator import itemgetter
from typing import Any, Final
from uuid import UUID

from django.db.models import Count, F, Max, QuerySet, Sum
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from classrooms.access import finished_matches
from classrooms.checks.models import Check
from classrooms.checkups.models import CheckUp, CheckUpAnswer
from classrooms.models import Assignment, Attempt, Child, SchoolClass
from classrooms.progress.class_figures import figures_of
from classrooms.progress.class_report import ChildLine, class_report
from classrooms.progress.facts import fact_cells
from classrooms.progress.models import (
    CHANCE_COUNTS,
    Chance,
    ChildAssignment,
    ChildDay,
    FactDay,
    Played,
    TableDay,
)
from classrooms.progress.periods import ALL_TIME, USUAL_PERIOD, first_day, with_period
from classrooms.progress.rows import ROWS_FOUND, table_cells
from classrooms.progress.words import table_name
from classrooms.reports.table_file import CHUNK_ROWS, ExportColumn, ExportRow, ExportSheet, rows_of
from classrooms.ui.spreadsheet_files import Cell
from classrooms.ui.tables_and_facts import facts_text
from games.coach.chances import UNCOUNTED_OUTCOMES
from games.coach.mastery import ROW_PARAMETERS, Day, Level, predictions
from games.play.log import file_text, record_of

# Columns that several files of the export have.

CHILD: Final = ExportColumn("child", "id", _("the child"))
ASSIGNMENT: Final = ExportColumn("assignment", "id", _("the assignment"))
DAY: Final = ExportColumn("day", "day", _("the day in the class’s time zone"))


# Sheets of the children of the class and of its assignments.


def _children(school_class: SchoolClass) -> QuerySet[Child]:
    return school_class.children.order_by("pk")


def _assignments(school_class: SchoolClass) -> Iterator[ExportRow]:
    assignments = Assignment.all_objects.filter(school_class=school_class)
    for assignment in assignments.order_by("created_at"):
        yield {
            **_fields(assignment),
            "tables": assignment.options.get("tables") or [],
            "facts": facts_text(assignment.facts),
            "one_hand": assignment.one_turn is not None and not assignment.riddle_on,
            "ended_at": None if assignment.riddle_on else assignment.ended_at,
        }


def _fields(assignment: Assignment) -> dict[str, Any]:
    fields = Assignment._meta.concrete_fields
    return {field.attname: getattr(assignment, field.attname) for field in fields}


def _assigned_children(school_class: SchoolClass) -> Iterator[ExportRow]:
    """For each assignment that is not for the whole class, the children named by themselves or by a
    group."""
    not_for_all = school_class.assignments.filter(everyone=False).order_by()
    pupils = school_class.children.all()
    singly = not_for_all.filter(children__in=pupils).values_list("pk", "children")
    by_group = not_for_all.filter(groups__children__in=pupils).values_list("pk", "groups__children")
    for assignment, child in sorted({*singly, *by_group}):
        yield {"assignment": assignment, "child": child}


CLASS_SHEETS: Final = (
    ExportSheet(
        "children",
        "The children of the class; the other files name a child by its id alone.",
        (
            ExportColumn("child", "id", _("the child, in all files"), "id"),
            ExportColumn("name", "text", _("the child’s name in the class")),
            ExportColumn("added_at", "moment", _("when the child was added"), "created_at"),
            ExportColumn(
                "language", "text", _("the language that the child chose, such as en or nl")
            ),
            ExportColumn("untimed", "yes/no", _("agreed: plays untimed")),
            ExportColumn("larger_cards", "yes/no", _("agreed: larger cards"), "larger"),
            ExportColumn(
                "quick_checks", "yes/no", _("agreed: gets short questions"), "gets_questions"
            ),
            ExportColumn(
                "hints", "text", _("agreed: all, none, or empty to keep what is assigned")
            ),
            ExportColumn(
                "at_tables", "yes/no", _("agreed: may play at tables"), "may_sit_at_tables"
            ),
            ExportColumn("signs", "yes/no", _("agreed: signs at the tables")),
        ),
        class_rows=_children,
    ),
    ExportSheet(
        "assignments",
        "What the class was asked to play.",
        (
            ExportColumn("assignment", "id", _("the assignment, in all files"), "id"),
            ExportColumn("made_at", "moment", _("when it was made"), "created_at"),
            ExportColumn("edition", "text", _("the edition of the game")),
            ExportColumn(
                "tables", "numbers", _("the times tables that rows must be in; empty for any")
            ),
            ExportColumn("focus", "numbers", _("the times tables to practise most")),
            ExportColumn("facts", "text", _("the facts to ask first")),
            ExportColumn(
                "rounds", "number", _("rounds in a game; empty for a game played to a target score")
            ),
            ExportColumn("bots", "number", _("bots at the table")),
            ExportColumn("bot", "text", _("the bots’ strength")),
            ExportColumn(
                "kind_deals", "yes/no", _("whether the deals were helpful"), "has_kind_deals"
            ),
            ExportColumn(
                "hint_steps", "number", _("how many steps a hint could take, 0 for no hints")
            ),
            ExportColumn(
                "missed_rows",
                "yes/no",
                _("whether a missed row was shown after a turn"),
                "shows_missed_rows",
            ),
            ExportColumn(
                "quick_checks", "yes/no", _("whether there were short questions"), "checks"
            ),
            ExportColumn(
                "for_all", "yes/no", _("for the whole class; if not, see assigned.csv"), "everyone"
            ),
            ExportColumn("starts_on", "day", _("the first day on which it could be played")),
            ExportColumn("due_on", "day", _("the last day on which it could be played")),
            ExportColumn("series", "id", _("the id shared by all weeks of a repeated assignment")),
            ExportColumn("ended_at", "moment", _("when it was ended by hand")),
            ExportColumn("note", "text", _("the note to the children")),
            ExportColumn(
                "riddle_on",
                "day",
                _("its day, if it is a riddle of the day"),
            ),
            ExportColumn("one_hand", "yes/no", _("whether it was one hand for everybody")),
            ExportColumn(
                "together",
                "text",
                _("how hard the goal of the table was; empty if each played for themselves"),
            ),
            ExportColumn("chairs", "number", _("how many sit at a table; 1 if each plays alone")),
            ExportColumn("seating", "text", _("who sits together: open, groups or level")),
            ExportColumn("waits", "yes/no", _("whether a table waits for classmates")),
            ExportColumn(
                "answer_seconds",
                "number",
                _("seconds to answer an offer at a table; 0 for no limit"),
            ),
            ExportColumn(
                "turn_seconds", "number", _("seconds for a turn at a table; 0 for no limit")
            ),
        ),
        class_rows=_assignments,
    ),
    ExportSheet(
        "assigned",
        "The children of an assignment that is not for the whole class.",
        (
            ASSIGNMENT,
            ExportColumn("child", "id", _("a child to whom it is assigned")),
        ),
        class_rows=_assigned_children,
    ),
)


# The chance that a child finds a row, predicted from the days before.


def predicted_finds(child: Child) -> Mapping[tuple[date, int], float]:
    """The chance (0–1) that the child finds a possible row without help, by day and table. One
    query."""
    counts = (
        TableDay.objects.filter(child=child)
        .values("day", "table")
        .annotate(
            right=Sum(ROWS_FOUND),
            count=Sum(ROWS_FOUND + F("hinted") + F("tried") + F("missed")),
        )
        .order_by("day", "table")
        .values_list("day", "table", "count", "right")
    )
    days = [
        (day, {(table,): Day(day.toordinal(), count, right) for _, table, count, right in rows})
        for day, rows in groupby(counts, key=itemgetter(0))
    ]
    evidence = ((day.toordinal(), by_table) for day, by_table in days)
    return {
        (day, table): chance
        for (day, _by_table), expected in zip(
            days, predictions(evidence, ROW_PARAMETERS), strict=True
        )
        for (table,), chance in expected.items()
    }


# The finished matches, each as a text file (docs/notation.md).

FOLDER: Final = "matches"


def file_of(game_id: UUID) -> str:
    """The path of a finished match in the export."""
    return f"{FOLDER}/{game_id}.txt"


def finished_matches_of(school_class: SchoolClass, children: Iterable[Child]) -> QuerySet[Attempt]:
    """The finished matches of these children in this class, of which all cards may be shown."""
    return finished_matches().filter(child__in=children, assignment__school_class=school_class)


def records_of(school_class: SchoolClass, child: Child) -> Iterator[tuple[str, str]]:
    """The path and the text of each finished match of the child in this class."""
    games = finished_matches_of(school_class, [child]).select_related("game")
    games = games.annotate(seat_count=Count("game__seats"))
    for attempt in games.order_by("created_at", "pk").iterator(chunk_size=100):
        yield file_of(attempt.game_id), file_text(record_of(attempt.game, attempt.seat_count))


# Sheets of the counts of each day, and of the levels now.

TOO_FEW: Final = "too few"
HINTED: Final = ExportColumn("hinted", "number", _("rows found with a hint"))
MISSED: Final = ExportColumn("missed", "number", _("possible rows that were not laid"))
TRIED: Final = ExportColumn("tried", "number", _("rows found after two or more refused tries"))
AT_ONCE: Final = ExportColumn(
    "at_once", "number", _("rows found without help, in their first turn")
)
LATER: Final = ExportColumn("later", "number", _("rows found without help, in a later turn"))
JOKER: Final = ExportColumn(
    "joker", "number", _("rows laid with a joker; they do not count as possible rows")
)
TRIES: Final = ExportColumn("tries", "number", _("refused tries"))
ALL_FOUND: Final = ExportColumn("found", "number", _("rows found without help: at_once + later"))
FOUND: Final = (ALL_FOUND, HINTED, MISSED)
FOUND_IN_PARTS: Final = (AT_ONCE, LATER, JOKER)
ANSWER_COUNTS: Final = (
    ExportColumn("recalled", "number", _("right without help, as quickly as from memory")),
    ExportColumn("derived", "number", _("right without help but slower")),
    ExportColumn("hinted", "number", _("right with help")),
    ExportColumn("guessed", "number", _("wrong")),
)
LAST: Final = ExportColumn("last_at", "moment", _("the time of the last of these"))
TABLE: Final = ExportColumn(
    "table", "number", _("the times table, even above 12; 0 for rows in no table")
)
FACT: Final = (
    ExportColumn("low", "number", _("the smaller factor")),
    ExportColumn("high", "number", _("the larger factor")),
)
TABLE_LEVEL: Final = (
    ExportColumn(
        "level",
        "text",
        _(
            "how well the child finds rows in the game, not what they know by heart: learning to "
            "find them; secure, they find most; fluent, most at once; needs refreshing, they found "
            "most before but fewer lately; too few: fewer than 3 possible rows"
        ),
    ),
    ExportColumn(
        "since",
        "day",
        _("the day since which the child finds most rows, or does not; empty if unknown"),
    ),
)
FACT_LEVEL: Final = (
    ExportColumn(
        "level",
        "text",
        _(
            "how well the child knows it by heart: learning, secure, fluent; too few: fewer than 3 "
            "answers"
        ),
    ),
    ExportColumn(
        "since",
        "day",
        _("the day since which the child knows it by heart, or does not; empty if unknown"),
    ),
)
EVIDENCE: Final = ExportColumn(
    "evidence", "number", _("how much evidence the level rests on, over all days")
)


def _assignments_of_child(school_class: SchoolClass, child: Child) -> QuerySet[ChildAssignment]:
    rows = ChildAssignment.objects.filter(child=child, assignment__school_class=school_class)
    return rows.annotate(found=ROWS_FOUND).order_by("last_at", "pk")


def _table_days(school_class: SchoolClass, child: Child) -> QuerySet[TableDay]:
    rows = TableDay.objects.filter(child=child, school_class=school_class)
    return rows.annotate(found=ROWS_FOUND).order_by("day", "table")


def _table_level_rows(school_class: SchoolClass, child: Child) -> Iterator[ExportRow]:
    cells = table_cells([child], school_class.today()).get(child.pk, {})
    for table, cell in sorted(cells.items()):
        yield {
            "child": child.pk,
            "table": table,
            "level": _level(cell.level, cell.is_shown) if table else None,
            "since": cell.since if table else None,
            "evidence": cell.evidence,
            "found": cell.rows.found,
            **{name: getattr(cell.rows, name) for name in CHANCE_COUNTS},
            "late_share": cell.recent_share if table else None,
            "last_at": cell.last_at,
        }


def _facts_now(school_class: SchoolClass, child: Child) -> Iterator[ExportRow]:
    cells = fact_cells([child], school_class.today()).get(child.pk, {})
    for (low, high), cell in sorted(cells.items()):
        yield {
            "child": child.pk,
            "low": low,
            "high": high,
            "level": _level(cell.level, cell.is_shown),
            "since": cell.since,
            "evidence": cell.evidence,
            "recalled": cell.recalled,
            "derived": cell.derived,
            "hinted": cell.hinted,
            "guessed": cell.guessed,
            "chance": cell.chance,
            "due_on": cell.due_on,
            "last_at": cell.last_at,
        }


def _level(level: Level, is_shown: bool) -> str:
    return level if is_shown else TOO_FEW


PLAY_COUNTS: Final = (
    ExportColumn("rounds", "number", _("rounds ended")),
    ExportColumn("turns", "number", _("turns completed")),
    ExportColumn("hints", "number", _("hint steps asked for")),
    ExportColumn("checks", "number", _("short questions answered")),
    ExportColumn("checks_right", "number", _("short questions answered right")),
)
COUNT_SHEETS: Final = (
    ExportSheet(
        "days",
        "What a child did on a day.",
        (CHILD, DAY, *PLAY_COUNTS, LAST, TRIES),
        child_rows=rows_of(ChildDay, "day"),
    ),
    ExportSheet(
        "table_days",
        "A child's possible rows of a times table on a day.",
        (
            CHILD,
            TABLE,
            DAY,
            *FOUND,
            TRIED,
            LAST,
            *FOUND_IN_PARTS,
        ),
        child_rows=_table_days,
    ),
    ExportSheet(
        "fact_days",
        "A child's answers to a fact on a day, in either order of its factors.",
        (
            CHILD,
            *FACT,
            DAY,
            ExportColumn("asked", "number", _("answers given")),
            *ANSWER_COUNTS,
            LAST,
        ),
        child_rows=rows_of(FactDay, "day", "low", "high"),
    ),
    ExportSheet(
        "assignment_counts",
        "What a child did for an assignment.",
        (CHILD, ASSIGNMENT, *PLAY_COUNTS, *FOUND, LAST, TRIED, *FOUND_IN_PARTS, TRIES),
        child_rows=_assignments_of_child,
    ),
    ExportSheet(
        "tables_now",
        "How well a child finds rows of a times table, from all days and classes.",
        (
            CHILD,
            ExportColumn(
                "table",
                "number",
                _(
                    "the times table, 2 to 12; 0 for rows of higher tables and of no table "
                    "together; level, since and late_share are then empty"
                ),
            ),
            *TABLE_LEVEL,
            EVIDENCE,
            *FOUND,
            ExportColumn(
                "late_share",
                "decimal",
                _("the share of recent possible rows found without help, from 0 to 1"),
            ),
            LAST,
            TRIED,
            *FOUND_IN_PARTS,
        ),
        child_rows=_table_level_rows,
    ),
    ExportSheet(
        "facts_now",
        "How well a child knows a fact by heart, from the short questions of all days and classes.",
        (
            CHILD,
            *FACT,
            *FACT_LEVEL,
            EVIDENCE,
            *ANSWER_COUNTS,
            ExportColumn(
                "chance",
                "decimal",
                _("the chance that the next answer is right without help, from 0 to 1"),
            ),
            ExportColumn("due_on", "day", _("when it should be asked again")),
            LAST,
        ),
        child_rows=_facts_now,
    ),
)


# Sheets of the logs: matches, rounds, chances and answers.

MATCH: Final = ExportColumn("match", "id", _("the game"), "game")
ROUND: Final = ExportColumn("round", "number", _("the number of the round, from 1"))


def _matches(school_class: SchoolClass, child: Child) -> Iterator[ExportRow]:
    attempts = Attempt.objects.filter(child=child, assignment__school_class=school_class)
    with_record = set(finished_matches_of(school_class, [child]).values_list("game", flat=True))
    rows = attempts.order_by("created_at", "pk").values(
        "child",
        "assignment",
        "game",
        "created_at",
        begun=F("game__round"),
        moved_at=F("game__moved_at"),
        finished_at=F("game__finished_at"),
    )
    for row in rows.iterator(chunk_size=CHUNK_ROWS):
        yield {**row, "record": file_of(row["game"]) if row["game"] in with_record else None}


def _rounds(school_class: SchoolClass, child: Child) -> Iterator[ExportRow]:
    """The finished rounds. A round that was played on several days has a `Played` for each day;
    they are added up."""
    rounds = (
        Played.objects.filter(child=child, school_class=school_class)
        .values("child", "assignment", "game", "round")
        .annotate(
            last_entry=Max("entry"),
            last_day=Max("day"),
            ended_at=Max("at"),
            turns=Sum("turns_ended"),
            hints=Sum("hints_asked"),
            tries=Sum("tries_refused"),
            ended=Sum("rounds_ended"),
        )
    )
    rows: Iterator[ExportRow] = rounds.filter(ended=1).order_by("ended_at", "game").iterator()
    return rows


def _chances(school_class: SchoolClass, child: Child) -> Iterator[ExportRow]:
    ended = Played.objects.filter(child=child, school_class=school_class, rounds_ended=1)
    rounds = {
        (game, number): {"points": points, "won": won}
        for game, number, points, won in ended.values_list("game", "round", "points", "won")
    }
    predicted = predicted_finds(child)
    chances = Chance.objects.filter(child=child, school_class=school_class).order_by("at", "pk")
    fields = [field.name for field in Chance._meta.concrete_fields]
    for row in chances.values(*fields).iterator(chunk_size=CHUNK_ROWS):
        yield {
            **row,
            "predicted": predicted.get((row["day"], row["table"]))
            if row["outcome"] not in UNCOUNTED_OUTCOMES
            else None,
            **rounds.get((row["game"], row["round"]), _NOT_ENDED),
        }


_NOT_ENDED: Final = {"points": None, "won": None}

PLAYED_SHEETS: Final = (
    ExportSheet(
        "matches",
        "The matches that a child began.",
        (
            MATCH,
            CHILD,
            ASSIGNMENT,
            ExportColumn("begun_at", "moment", _("when it started"), "created_at"),
            ExportColumn("moved_at", "moment", _("when the last move was made")),
            ExportColumn("finished_at", "moment", _("when it ended; empty until then")),
            ExportColumn("rounds_begun", "number", _("rounds started"), "begun"),
            ExportColumn("record", "text", _("the file with the whole game, once it has ended")),
        ),
        child_rows=_matches,
    ),
    ExportSheet(
        "rounds",
        "The rounds that a child finished.",
        (
            CHILD,
            ASSIGNMENT,
            MATCH,
            ROUND,
            ExportColumn(
                "entry", "number", _("the game log entry that ended the round"), "last_entry"
            ),
            ExportColumn("day", "day", _("the day in the class’s time zone"), "last_day"),
            ExportColumn("ended_at", "moment", _("when it ended")),
            ExportColumn("turns", "number", _("the child’s turns in it")),
            ExportColumn("hints", "number", _("hint steps asked for in it")),
            ExportColumn("tries", "number", _("refused tries in it")),
        ),
        child_rows=_rounds,
    ),
    ExportSheet(
        "chances",
        "Each possible row (chance), once, and how it ended; those still open are left out.",
        (
            CHILD,
            ASSIGNMENT,
            MATCH,
            ROUND,
            ExportColumn(
                "turn",
                "number",
                _("the turn (from 1) in which the row was found or last possible"),
                "last_turn",
            ),
            ExportColumn("entry", "number", _("the last game log entry that shows the row")),
            ExportColumn("day", "day", _("the day on which it ended, in the class’s time zone")),
            ExportColumn("at", "moment", _("when it ended")),
            ExportColumn(
                "outcome",
                "text",
                _(
                    "found at once, later, with a hint, after tries or with a joker; missed; or "
                    "taken up by another row"
                ),
            ),
            ExportColumn("table", "number", _("the times table of the row’s own jump; 0 for none")),
            ExportColumn(
                "hint_step", "number", _("the highest hint step shown for the row; 0 for none")
            ),
            ExportColumn(
                "row",
                "text",
                _(
                    "how the row was laid, or could last have been laid: the cards from the "
                    "hand; then, where needed, “to” and the rows on the table that they are "
                    "added to, “across” and the cards there that are crossed, and “swap” and "
                    "each card “for” the joker that it frees. Jokers are a (red), b (green), "
                    "c (blue) and d (orange), with the number they stand for: 40 a=50 to "
                    "10-20-30"
                ),
            ),
            ExportColumn("numbers", "numbers", _("the row’s numbers")),
            ExportColumn("first_turn", "number", _("the turn when the row became possible")),
            ExportColumn(
                "tries", "number", _("refused tries in its last turn, before it was found")
            ),
            ExportColumn(
                "thinking_ms",
                "number",
                _(
                    "milliseconds from the start of the turn, or from its previous row, to "
                    "finding the row; empty if unknown or over 5 minutes"
                ),
            ),
            ExportColumn("entries", "numbers", _("the game log entries that show the row")),
            ExportColumn(
                "predicted",
                "decimal",
                _(
                    "the chance, from 0 to 1, of finding such a row without help, predicted "
                    "from all the child’s possible rows on earlier days, in all classes and "
                    "tables; empty for a row with a joker or taken up"
                ),
            ),
            ExportColumn(
                "points",
                "number",
                _(
                    "how much the child’s score changed in the round, after taking off the "
                    "cards left in the hand; empty until the round has ended"
                ),
            ),
            ExportColumn(
                "won",
                "yes/no",
                _(
                    "whether the child won the round; empty until it has ended, if all played "
                    "together, and if a bot played a turn for the child"
                ),
            ),
        ),
        child_rows=_chances,
    ),
    ExportSheet(
        "answers",
        "Each short question that a child answered.",
        (
            CHILD,
            ASSIGNMENT,
            ExportColumn(
                "match", "id", _("the game it was asked in, after a round"), "sitting__game"
            ),
            ExportColumn(
                "round", "number", _("the round after which it was asked"), "sitting__round"
            ),
            ExportColumn(
                "question", "number", _("the number of the question in its set"), "number"
            ),
            DAY,
            ExportColumn("asked_at", "moment", _("when it was shown")),
            ExportColumn("answered_at", "moment", _("when it was answered")),
            ExportColumn("kind", "text", _("fact: a multiplication; table: a row’s table")),
            ExportColumn("first", "number", _("the first factor, as shown; only for a fact")),
            ExportColumn("second", "number", _("the second factor, as shown; only for a fact")),
            ExportColumn("numbers", "numbers", _("the row that was shown; only for a table")),
            ExportColumn("step", "number", _("the row’s jump, its times table; only for a table")),
            ExportColumn("answer", "number", _("what the child answered")),
            ExportColumn("right", "yes/no", _("whether it is right")),
            ExportColumn("ms", "number", _("milliseconds from question to answer, if known")),
            ExportColumn(
                "net_ms", "number", _("milliseconds without the child’s typing time, if known")
            ),
            ExportColumn("how", "text", _("recalled, derived, hinted, or guessed (wrong)")),
            ExportColumn("timed", "yes/no", _("whether the child was timed")),
        ),
        child_rows=rows_of(Check, "answered_at", "pk"),
    ),
)


# Sheets of the check-ups of the class, and of their answers.


def _check_ups(school_class: SchoolClass) -> Iterator[ExportRow]:
    fields = [field.attname for field in CheckUp._meta.concrete_fields]
    for check_up in school_class.check_ups.order_by("number"):
        yield {name: getattr(check_up, name) for name in fields}


def _answers(school_class: SchoolClass, child: Child) -> QuerySet[CheckUpAnswer]:
    return CheckUpAnswer.objects.filter(
        child_check_up__child=child, child_check_up__check_up__school_class=school_class
    ).order_by("child_check_up__check_up__number", "number")


CHECK_UP_SHEETS: Final = (
    ExportSheet(
        "check_ups",
        "The check-ups that the class was given.",
        (
            ExportColumn("check_up", "id", _("the check-up, in all files"), "id"),
            ExportColumn("given_at", "moment", _("when it was given"), "created_at"),
            ExportColumn("term", "text", _("start, middle or end of the year; empty for none")),
            ExportColumn("tables", "numbers", _("the times tables of its questions")),
            ExportColumn("timed", "yes/no", _("whether questions have a 6-second limit")),
            ExportColumn("opens_on", "day", _("the first day on which it could be done")),
            ExportColumn("closes_on", "day", _("the last day on which it could be done")),
            ExportColumn("closed_at", "moment", _("when it was closed by hand")),
        ),
        class_rows=_check_ups,
    ),
    ExportSheet(
        "check_up_answers",
        "Each question of a check-up that a child answered.",
        (
            ExportColumn("child", "id", _("the child"), "child_check_up__child"),
            ExportColumn("check_up", "id", _("the check-up"), "child_check_up__check_up"),
            ExportColumn("question", "number", _("the number of the question, from 0"), "number"),
            ExportColumn("answered_at", "moment", _("when it was answered")),
            ExportColumn("first", "number", _("the first factor, as shown")),
            ExportColumn("second", "number", _("the second factor, as shown")),
            ExportColumn("answer", "number", _("what the child answered; empty for no answer")),
            ExportColumn("right", "yes/no", _("whether it is right and, if timed, given in time")),
            ExportColumn(
                "timed",
                "yes/no",
                _("whether the child had a time limit in this check-up"),
                "child_check_up__timed",
            ),
            ExportColumn("ms", "number", _("milliseconds from question to answer; only if timed")),
            ExportColumn("shown", "number", _("how often the question was shown")),
        ),
        child_rows=_answers,
    ),
)


# All files of the export. A test compares them with docs/exports.md.

SHEETS: Final[tuple[ExportSheet, ...]] = (
    *CLASS_SHEETS,
    *PLAYED_SHEETS,
    *CHECK_UP_SHEETS,
    *COUNT_SHEETS,
)


# A class as one table, with a row for each child.

PERIODS_SHOWN: Final = (ALL_TIME, USUAL_PERIOD)


def class_table(school_class: SchoolClass) -> tuple[list[str], list[Sequence[Cell]]]:
    """The headings and the rows of the table. Each times table has two columns for each period:
    rows found without help, and possible rows. Days are in the time zone of the class."""
    figures = figures_of(school_class)
    head = [gettext("Name"), gettext("Last played on")]
    reports = []
    for period in PERIODS_SHOWN:
        report = class_report(figures, first_day(figures.today, period))
        reports.append(report.lines)
        head += [with_period(heading, period) for heading in _headings(report.tables)]
    rows: list[Sequence[Cell]] = []
    for lines in zip(*reports, strict=True):
        child, last_at = lines[0].child, lines[0].last_at
        day = school_class.day_of(last_at) if last_at else None
        rows.append([child.name, day, *(count for line in lines for count in _counts(line))])
    return head, rows


def _headings(tables: Sequence[int]) -> list[str]:
    headings = [gettext("Rounds"), gettext("Hints")]
    for table in tables:
        name = table_name(table)
        headings += [
            gettext("%(table)s: found without help") % {"table": name},
            gettext("%(table)s: possible rows") % {"table": name},
        ]
    return headings


def _counts(line: ChildLine) -> list[int]:
    counts = [count for cell in line.cells for count in (cell.rows.found, cell.rows.chances)]
    return [line.rounds, line.hints, *counts]
