"""Sheets of what the children did: matches, rounds, turns, rows and answers, as logged."""

from collections.abc import Iterator
from typing import Final

from django.db.models import F

from classrooms.checks.models import Check
from classrooms.models import Attempt, Child, SchoolClass
from classrooms.progress.models import Evidence, Played
from classrooms.reports.tables.common_columns import ASSIGNMENT, CHILD, DAY
from classrooms.reports.tables.records import file_of
from classrooms.reports.tables.table_file import (
    CHUNK_ROWS,
    ExportColumn,
    ExportRow,
    ExportSheet,
    rows_of,
)

MATCH: Final = ExportColumn("match", "id", "the match", "game")
ROUND: Final = ExportColumn("round", "number", "the round of the match, from 1")
ENTRY: Final = ExportColumn("entry", "number", "the entry of the match's log that ended it")
TURN: Final = ExportColumn("turn", "number", "the child's turn in the round, from 1")
OF_A_TURN: Final = (CHILD, ASSIGNMENT, MATCH, ROUND, TURN, ENTRY, DAY)
ENDED_AT: Final = ExportColumn("ended_at", "moment", "when it ended", "at")


def _matches(school_class: SchoolClass, child: Child) -> Iterator[ExportRow]:
    attempts = Attempt.objects.filter(child=child, assignment__school_class=school_class)
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
        yield {**row, "record": file_of(row["game"]) if row["finished_at"] else None}


PLAYED_SHEETS: Final = (
    ExportSheet(
        "matches",
        "The matches that a child began.",
        (
            MATCH,
            CHILD,
            ASSIGNMENT,
            ExportColumn("begun_at", "moment", "when it began", "created_at"),
            ExportColumn("moved_at", "moment", "when the last move was made"),
            ExportColumn("finished_at", "moment", "when it ended; empty until then"),
            ExportColumn("rounds_begun", "number", "rounds begun", "begun"),
            ExportColumn("record", "text", "the file with the whole match, once it has ended"),
        ),
        of_child=_matches,
    ),
    ExportSheet(
        "rounds",
        "The rounds that a child finished.",
        (CHILD, ASSIGNMENT, MATCH, ROUND, ENTRY, DAY, ENDED_AT),
        of_child=rows_of(Played, "at", "pk", what=Played.What.ROUND),
    ),
    ExportSheet(
        "turns",
        "The turns that a child finished.",
        (
            *OF_A_TURN,
            ENDED_AT,
            ExportColumn("hints", "number", "hint steps asked for in it", "hints_asked"),
        ),
        of_child=rows_of(Played, "at", "pk", what=Played.What.TURN),
    ),
    ExportSheet(
        "rows",
        "The possible rows of each turn, found or missed, and the rows refused or taken back.",
        (
            *OF_A_TURN,
            ExportColumn("at", "moment", "when the turn ended"),
            ExportColumn(
                "what",
                "text",
                "found: laid; missed: possible, not laid; tried: refused or taken back",
                "kind",
            ),
            ExportColumn("table", "number", "the times table of the row's own step; 0 for none"),
            ExportColumn("hint_step", "number", "the step of the hint before it; 0 without one"),
            ExportColumn("row", "text", "the row as in docs/notation.md"),
            ExportColumn("numbers", "numbers", "the row's numbers"),
        ),
        of_child=rows_of(Evidence, "at", "pk"),
    ),
    ExportSheet(
        "answers",
        "Each question of a quick check that a child answered.",
        (
            CHILD,
            ASSIGNMENT,
            ExportColumn(
                "match", "id", "the match after whose round it was asked", "sitting__game"
            ),
            ExportColumn("round", "number", "the round after which it was asked", "sitting__round"),
            ExportColumn("question", "number", "the number of the question in its set", "number"),
            DAY,
            ExportColumn("asked_at", "moment", "when it was shown"),
            ExportColumn("answered_at", "moment", "when it was answered"),
            ExportColumn("kind", "text", "fact: a product; table: the table of a row"),
            ExportColumn("first", "number", "the first factor, as shown; only of a fact"),
            ExportColumn("second", "number", "the second factor, as shown; only of a fact"),
            ExportColumn("numbers", "numbers", "the row that was shown; only of a table"),
            ExportColumn("step", "number", "the row's step, its times table; only of a table"),
            ExportColumn("answer", "number", "what the child answered"),
            ExportColumn("right", "yes/no", "whether it is right"),
            ExportColumn("ms", "number", "milliseconds from question to answer, where known"),
            ExportColumn(
                "net_ms", "number", "the same without the child's typing time, where known"
            ),
            ExportColumn("how", "text", "recalled, derived, hinted, or guessed: not known"),
            ExportColumn("timed", "yes/no", "whether time counted for the child"),
        ),
        of_child=rows_of(Check, "answered_at", "pk"),
    ),
)
