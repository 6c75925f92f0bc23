"""The files of a class's export (docs/exports.md): their columns, which are stable, and where their
rows come from."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, Literal
from uuid import UUID

from django.db.models import Count, F, Max, Model, QuerySet, Sum
from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from classrooms.access import finished_matches
from classrooms.checkups.models import CheckUpAnswer
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
from classrooms.questions.models import Check
from classrooms.ui.spreadsheet_files import Cell
from classrooms.ui.tables_and_facts import facts_text
from games.coach.chances import UNCOUNTED_OUTCOMES
from games.coach.mastery import ROW_PARAMETERS, Day, Level, predictions
from games.play.log import file_text, record_of

Type = Literal["id", "text", "number", "decimal", "numbers", "day", "moment", "yes/no"]
"""The type of a column. In a cell, an id is a UUID; numbers are separated by spaces; a day is
written 2026-11-21 and a moment, in UTC, 2026-11-21T09:30:00.250000+00:00; yes is 1 and no is 0. The
cell of a missing value is empty."""
TYPE_NAMES: Final[Mapping[Type, Promise]] = {
    "id": pgettext_lazy("type of a column", "id"),
    "text": pgettext_lazy("type of a column", "text"),
    "number": pgettext_lazy("type of a column", "number"),
    "decimal": pgettext_lazy("type of a column", "decimal"),
    "numbers": pgettext_lazy("type of a column", "numbers"),
    "day": pgettext_lazy("type of a column", "day"),
    "moment": _("time in UTC, such as 2026-11-21T09:30:00.250000+00:00"),
    "yes/no": _("1 (yes) or 0 (no)"),
}
"""The types, as `columns.csv` describes them."""

Row = Mapping[str, Any]
RowSource = Iterable[Row] | QuerySet[Any]
CHUNK_ROWS: Final = 2000
"""How many rows are read from the database at a time."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the export. Its `name` never changes."""

    name: str
    type: Type
    meaning: Promise  # the meaning of a cell, with its unit, in the active language
    source_field: str = ""  # the field of the source row, if it is not `name`

    @property
    def source(self) -> str:
        return self.source_field or self.name


@dataclass(frozen=True, slots=True)
class Sheet:
    """A file of the export. Its rows come from `child_rows`, for each child, or `class_rows`."""

    name: str
    about: str
    columns: tuple[Column, ...]
    child_rows: Callable[[SchoolClass, Child], RowSource] | None = None
    class_rows: Callable[[SchoolClass], RowSource] | None = None

    @property
    def file(self) -> str:
        return f"{self.name}.csv"

    @property
    def head(self) -> list[str]:
        return [column.name for column in self.columns]

    def cells(self, rows: RowSource) -> Iterator[Sequence[Cell]]:
        """The cells of these rows. At most `CHUNK_ROWS` rows are in memory at a time."""
        if isinstance(rows, QuerySet):
            fields = {column.source for column in self.columns}
            rows = rows.values(*fields).iterator(chunk_size=CHUNK_ROWS)
        for row in rows:
            yield [_cell(column.type, row[column.source]) for column in self.columns]


def rows_of(
    model: type[Model], *order: str, **conditions: Any
) -> Callable[[SchoolClass, Child], RowSource]:
    """A function for `child_rows` that returns the rows of a model about a child in a class, in
    this order."""

    def child_rows(school_class: SchoolClass, child: Child) -> RowSource:
        rows = model._default_manager.filter(child=child, school_class=school_class, **conditions)
        return rows.order_by(*order)

    return child_rows


def _cell(column_type: Type, value: Any) -> Cell:
    if value is None:
        return None
    match column_type:
        case "yes/no":
            return int(value)
        case "numbers":
            return " ".join(str(number) for number in value)
        case "id":
            return str(value)
        case "decimal":
            return round(float(value), 3)
    cell: Cell = value
    return cell


# Columns that several files of the export have.

CHILD: Final = Column("child", "id", _("the child"))
ASSIGNMENT: Final = Column("assignment", "id", _("the assignment"))
DAY: Final = Column("day", "day", _("the day in the class’s time zone"))


# Sheets of the children of the class and of its assignments.


def _assignments(school_class: SchoolClass) -> Iterator[Row]:
    assignments = Assignment.all_objects.filter(school_class=school_class)
    names = [field.attname for field in Assignment._meta.concrete_fields]
    for assignment in assignments.order_by("created_at"):
        yield {
            **{name: getattr(assignment, name) for name in names},
            "tables": assignment.options.get("tables") or [],
            "facts": facts_text(assignment.facts),
            "one_hand": assignment.one_turn is not None and not assignment.riddle_on,
            "ended_at": None if assignment.riddle_on else assignment.ended_at,
        }


def _assigned_children(school_class: SchoolClass) -> Iterator[Row]:
    """For each assignment that is not for the whole class, the children named by themselves or by a
    group."""
    not_for_all = school_class.assignments.filter(is_for_everyone=False).order_by()
    pupils = school_class.children.all()
    singly = not_for_all.filter(children__in=pupils).values_list("pk", "children")
    by_group = not_for_all.filter(groups__children__in=pupils).values_list("pk", "groups__children")
    for assignment, child in sorted({*singly, *by_group}):
        yield {"assignment": assignment, "child": child}


CLASS_SHEETS: Final = (
    Sheet(
        "children",
        "The children of the class; the other files name a child by its id alone.",
        (
            Column("child", "id", _("the child, in all files"), "id"),
            Column("name", "text", _("the child’s name in the class")),
            Column("added_at", "moment", _("when the child was added"), "created_at"),
            Column("language", "text", _("the language that the child chose, such as en or nl")),
            Column("untimed", "yes/no", _("agreed: plays untimed"), "is_untimed"),
            Column("larger_cards", "yes/no", _("agreed: larger cards"), "has_larger_cards"),
            Column("quick_checks", "yes/no", _("agreed: gets short questions"), "gets_questions"),
            Column("hints", "text", _("agreed: all, none, or empty to keep what is assigned")),
            Column("at_tables", "yes/no", _("agreed: may play at tables"), "may_sit_at_tables"),
            Column("signs", "yes/no", _("agreed: signs at the tables"), "may_give_signs"),
        ),
        class_rows=lambda school_class: school_class.children.order_by("pk"),
    ),
    Sheet(
        "assignments",
        "What the class was asked to play.",
        (
            Column("assignment", "id", _("the assignment, in all files"), "id"),
            Column("made_at", "moment", _("when it was made"), "created_at"),
            Column("edition", "text", _("the edition of the game")),
            Column("tables", "numbers", _("the times tables that rows must be in; empty for any")),
            Column("focus", "numbers", _("the times tables to practise most")),
            Column("facts", "text", _("the facts to ask first")),
            Column(
                "rounds", "number", _("rounds in a game; empty for a game played to a target score")
            ),
            Column("bots", "number", _("bots at the table")),
            Column("bot", "text", _("the bots’ strength")),
            Column("kind_deals", "yes/no", _("whether the deals were helpful"), "has_kind_deals"),
            Column("hint_steps", "number", _("how many steps a hint could take, 0 for no hints")),
            Column(
                "missed_rows",
                "yes/no",
                _("whether a missed row was shown after a turn"),
                "shows_missed_rows",
            ),
            Column(
                "quick_checks", "yes/no", _("whether there were short questions"), "has_questions"
            ),
            Column(
                "for_all",
                "yes/no",
                _("for the whole class; if not, see assigned.csv"),
                "is_for_everyone",
            ),
            Column("starts_on", "day", _("the first day on which it could be played")),
            Column("due_on", "day", _("the last day on which it could be played")),
            Column("series", "id", _("the id shared by all weeks of a repeated assignment")),
            Column("ended_at", "moment", _("when it was ended by hand")),
            Column("note", "text", _("the note to the children")),
            Column("riddle_on", "day", _("its day, if it is a riddle of the day")),
            Column("one_hand", "yes/no", _("whether it was one hand for everybody")),
            Column(
                "together",
                "text",
                _("how hard the goal of the table was; empty if each played for themselves"),
            ),
            Column("chairs", "number", _("how many sit at a table; 1 if each plays alone")),
            Column("seating", "text", _("who sits together: open, groups or level")),
            Column(
                "waits", "yes/no", _("whether a table waits for classmates"), "waits_for_classmates"
            ),
            Column(
                "answer_seconds",
                "number",
                _("seconds to answer an offer at a table; 0 for no limit"),
            ),
            Column("turn_seconds", "number", _("seconds for a turn at a table; 0 for no limit")),
        ),
        class_rows=_assignments,
    ),
    Sheet(
        "assigned",
        "The children of an assignment that is not for the whole class.",
        (ASSIGNMENT, Column("child", "id", _("a child to whom it is assigned"))),
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
            right=Sum(ROWS_FOUND), count=Sum(ROWS_FOUND + F("hinted") + F("tried") + F("missed"))
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
HINTED: Final = Column("hinted", "number", _("rows found with a hint"))
MISSED: Final = Column("missed", "number", _("possible rows that were not laid"))
TRIED: Final = Column("tried", "number", _("rows found after two or more refused tries"))
AT_ONCE: Final = Column("at_once", "number", _("rows found without help, in their first turn"))
LATER: Final = Column("later", "number", _("rows found without help, in a later turn"))
JOKER: Final = Column(
    "joker", "number", _("rows laid with a joker; they do not count as possible rows")
)
TRIES: Final = Column("tries", "number", _("refused tries"))
ALL_FOUND: Final = Column("found", "number", _("rows found without help: at_once + later"))
FOUND: Final = (ALL_FOUND, HINTED, MISSED)
FOUND_IN_PARTS: Final = (AT_ONCE, LATER, JOKER)
ANSWER_COUNTS: Final = (
    Column("recalled", "number", _("right without help, as quickly as from memory")),
    Column("derived", "number", _("right without help but slower")),
    Column("hinted", "number", _("right with help")),
    Column("guessed", "number", _("wrong")),
)
LAST: Final = Column("last_at", "moment", _("the time of the last of these"))
TABLE: Final = Column(
    "table", "number", _("the times table, even above 12; 0 for rows in no table")
)
FACT: Final = (
    Column("low", "number", _("the smaller factor")),
    Column("high", "number", _("the larger factor")),
)
TABLE_LEVEL: Final = (
    Column(
        "level",
        "text",
        _(
            "how well the child finds rows in the game, not what they know by heart: learning to "
            "find them; secure, they find most; fluent, most at once; needs refreshing, they found "
            "most before but fewer lately; too few: fewer than 3 possible rows"
        ),
    ),
    Column(
        "since",
        "day",
        _("the day since which the child finds most rows, or does not; empty if unknown"),
    ),
)
FACT_LEVEL: Final = (
    Column(
        "level",
        "text",
        _(
            "how well the child knows it by heart: learning, secure, fluent; too few: fewer than 3 "
            "answers"
        ),
    ),
    Column(
        "since",
        "day",
        _("the day since which the child knows it by heart, or does not; empty if unknown"),
    ),
)
EVIDENCE: Final = Column(
    "evidence", "number", _("how much evidence the level rests on, over all days")
)


def _assignments_of_child(school_class: SchoolClass, child: Child) -> QuerySet[ChildAssignment]:
    rows = ChildAssignment.objects.filter(child=child, assignment__school_class=school_class)
    return rows.annotate(found=ROWS_FOUND).order_by("last_at", "pk")


def _table_days(school_class: SchoolClass, child: Child) -> QuerySet[TableDay]:
    rows = TableDay.objects.filter(child=child, school_class=school_class)
    return rows.annotate(found=ROWS_FOUND).order_by("day", "table")


def _table_level_rows(school_class: SchoolClass, child: Child) -> Iterator[Row]:
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


def _facts_now(school_class: SchoolClass, child: Child) -> Iterator[Row]:
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
    Column("rounds", "number", _("rounds ended")),
    Column("turns", "number", _("turns completed")),
    Column("hints", "number", _("hint steps asked for")),
    Column("checks", "number", _("short questions answered")),
    Column("checks_right", "number", _("short questions answered right")),
)
COUNT_SHEETS: Final = (
    Sheet(
        "days",
        "What a child did on a day.",
        (CHILD, DAY, *PLAY_COUNTS, LAST, TRIES),
        child_rows=rows_of(ChildDay, "day"),
    ),
    Sheet(
        "table_days",
        "A child's possible rows of a times table on a day.",
        (CHILD, TABLE, DAY, *FOUND, TRIED, LAST, *FOUND_IN_PARTS),
        child_rows=_table_days,
    ),
    Sheet(
        "fact_days",
        "A child's answers to a fact on a day, in either order of its factors.",
        (CHILD, *FACT, DAY, Column("asked", "number", _("answers given")), *ANSWER_COUNTS, LAST),
        child_rows=rows_of(FactDay, "day", "low", "high"),
    ),
    Sheet(
        "assignment_counts",
        "What a child did for an assignment.",
        (CHILD, ASSIGNMENT, *PLAY_COUNTS, *FOUND, LAST, TRIED, *FOUND_IN_PARTS, TRIES),
        child_rows=_assignments_of_child,
    ),
    Sheet(
        "tables_now",
        "How well a child finds rows of a times table, from all days and classes.",
        (
            CHILD,
            Column(
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
            Column(
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
    Sheet(
        "facts_now",
        "How well a child knows a fact by heart, from the short questions of all days and classes.",
        (
            CHILD,
            *FACT,
            *FACT_LEVEL,
            EVIDENCE,
            *ANSWER_COUNTS,
            Column(
                "chance",
                "decimal",
                _("the chance that the next answer is right without help, from 0 to 1"),
            ),
            Column("due_on", "day", _("when it should be asked again")),
            LAST,
        ),
        child_rows=_facts_now,
    ),
)


# Sheets of the logs: matches, rounds, chances and answers.

MATCH: Final = Column("match", "id", _("the game"), "game")
ROUND: Final = Column("round", "number", _("the number of the round, from 1"))


def _matches(school_class: SchoolClass, child: Child) -> Iterator[Row]:
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


def _rounds(school_class: SchoolClass, child: Child) -> Iterator[Row]:
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
    rows: Iterator[Row] = rounds.filter(ended=1).order_by("ended_at", "game").iterator()
    return rows


def _chances(school_class: SchoolClass, child: Child) -> Iterator[Row]:
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
    Sheet(
        "matches",
        "The matches that a child began.",
        (
            MATCH,
            CHILD,
            ASSIGNMENT,
            Column("begun_at", "moment", _("when it started"), "created_at"),
            Column("moved_at", "moment", _("when the last move was made")),
            Column("finished_at", "moment", _("when it ended; empty until then")),
            Column("rounds_begun", "number", _("rounds started"), "begun"),
            Column("record", "text", _("the file with the whole game, once it has ended")),
        ),
        child_rows=_matches,
    ),
    Sheet(
        "rounds",
        "The rounds that a child finished.",
        (
            CHILD,
            ASSIGNMENT,
            MATCH,
            ROUND,
            Column("entry", "number", _("the game log entry that ended the round"), "last_entry"),
            Column("day", "day", _("the day in the class’s time zone"), "last_day"),
            Column("ended_at", "moment", _("when it ended")),
            Column("turns", "number", _("the child’s turns in it")),
            Column("hints", "number", _("hint steps asked for in it")),
            Column("tries", "number", _("refused tries in it")),
        ),
        child_rows=_rounds,
    ),
    Sheet(
        "chances",
        "Each possible row (chance), once, and how it ended; those still open are left out.",
        (
            CHILD,
            ASSIGNMENT,
            MATCH,
            ROUND,
            Column(
                "turn",
                "number",
                _("the turn (from 1) in which the row was found or last possible"),
                "last_turn",
            ),
            Column("entry", "number", _("the last game log entry that shows the row")),
            Column("day", "day", _("the day on which it ended, in the class’s time zone")),
            Column("at", "moment", _("when it ended")),
            Column(
                "outcome",
                "text",
                _(
                    "found at once, later, with a hint, after tries or with a joker; missed; or "
                    "taken up by another row"
                ),
            ),
            Column("table", "number", _("the times table of the row’s own jump; 0 for none")),
            Column("hint_step", "number", _("the highest hint step shown for the row; 0 for none")),
            Column(
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
            Column("numbers", "numbers", _("the row’s numbers")),
            Column("first_turn", "number", _("the turn when the row became possible")),
            Column("tries", "number", _("refused tries in its last turn, before it was found")),
            Column(
                "thinking_ms",
                "number",
                _(
                    "milliseconds from the start of the turn, or from its previous row, to "
                    "finding the row; empty if unknown or over 5 minutes"
                ),
            ),
            Column("entries", "numbers", _("the game log entries that show the row")),
            Column(
                "predicted",
                "decimal",
                _(
                    "the chance, from 0 to 1, of finding such a row without help, predicted "
                    "from all the child’s possible rows on earlier days, in all classes and "
                    "tables; empty for a row with a joker or taken up"
                ),
            ),
            Column(
                "points",
                "number",
                _(
                    "how much the child’s score changed in the round, after taking off the "
                    "cards left in the hand; empty until the round has ended"
                ),
            ),
            Column(
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
    Sheet(
        "answers",
        "Each short question that a child answered.",
        (
            CHILD,
            ASSIGNMENT,
            Column("match", "id", _("the game it was asked in, after a round"), "sitting__game"),
            Column("round", "number", _("the round after which it was asked"), "sitting__round"),
            Column("question", "number", _("the number of the question in its set"), "number"),
            DAY,
            Column("asked_at", "moment", _("when it was shown")),
            Column("answered_at", "moment", _("when it was answered")),
            Column("kind", "text", _("fact: a multiplication; table: a row’s table")),
            Column("first", "number", _("the first factor, as shown; only for a fact")),
            Column("second", "number", _("the second factor, as shown; only for a fact")),
            Column("numbers", "numbers", _("the row that was shown; only for a table")),
            Column("step", "number", _("the row’s jump, its times table; only for a table")),
            Column("answer", "number", _("what the child answered")),
            Column("right", "yes/no", _("whether it is right")),
            Column("ms", "number", _("milliseconds from question to answer, if known")),
            Column("net_ms", "number", _("milliseconds without the child’s typing time, if known")),
            Column("how", "text", _("recalled, derived, hinted, or guessed (wrong)")),
            Column("timed", "yes/no", _("whether the child was timed")),
        ),
        child_rows=rows_of(Check, "answered_at", "pk"),
    ),
)


# Sheets of the check-ups of the class, and of their answers.


def _answers(school_class: SchoolClass, child: Child) -> QuerySet[CheckUpAnswer]:
    return CheckUpAnswer.objects.filter(
        child_check_up__child=child, child_check_up__check_up__school_class=school_class
    ).order_by("child_check_up__check_up__number", "number")


CHECK_UP_SHEETS: Final = (
    Sheet(
        "check_ups",
        "The check-ups that the class was given.",
        (
            Column("check_up", "id", _("the check-up, in all files"), "id"),
            Column("given_at", "moment", _("when it was given"), "created_at"),
            Column("term", "text", _("start, middle or end of the year; empty for none")),
            Column("tables", "numbers", _("the times tables of its questions")),
            Column("timed", "yes/no", _("whether questions have a 6-second limit")),
            Column("opens_on", "day", _("the first day on which it could be done")),
            Column("closes_on", "day", _("the last day on which it could be done")),
            Column("closed_at", "moment", _("when it was closed by hand")),
        ),
        class_rows=lambda school_class: school_class.check_ups.order_by("number"),
    ),
    Sheet(
        "check_up_answers",
        "Each question of a check-up that a child answered.",
        (
            Column("child", "id", _("the child"), "child_check_up__child"),
            Column("check_up", "id", _("the check-up"), "child_check_up__check_up"),
            Column("question", "number", _("the number of the question, from 0"), "number"),
            Column("answered_at", "moment", _("when it was answered")),
            Column("first", "number", _("the first factor, as shown")),
            Column("second", "number", _("the second factor, as shown")),
            Column("answer", "number", _("what the child answered; empty for no answer")),
            Column("right", "yes/no", _("whether it is right and, if timed, given in time")),
            Column(
                "timed",
                "yes/no",
                _("whether the child had a time limit in this check-up"),
                "child_check_up__timed",
            ),
            Column("ms", "number", _("milliseconds from question to answer; only if timed")),
            Column("shown", "number", _("how often the question was shown")),
        ),
        child_rows=_answers,
    ),
)


# All files of the export. A test compares them with docs/exports.md.

SHEETS: Final[tuple[Sheet, ...]] = (*CLASS_SHEETS, *PLAYED_SHEETS, *CHECK_UP_SHEETS, *COUNT_SHEETS)


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
