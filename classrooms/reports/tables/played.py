"""Sheets of what the children did: matches, rounds, chances and answers, as logged."""

from collections.abc import Iterator
from typing import Final

from django.db.models import F, Max, Sum
from django.utils.translation import gettext_lazy as _

from classrooms.checks.models import Check
from classrooms.models import Attempt, Child, SchoolClass
from classrooms.progress.models import Chance, Played
from classrooms.reports.tables.common_columns import ASSIGNMENT, CHILD, DAY
from classrooms.reports.tables.predicted import predicted_finds
from classrooms.reports.tables.records import ended, file_of
from classrooms.reports.tables.table_file import (
    CHUNK_ROWS,
    ExportColumn,
    ExportRow,
    ExportSheet,
    rows_of,
)
from games.coach.chances import IN_NO_SHARE

MATCH: Final = ExportColumn("match", "id", _("the game"), "game")
ROUND: Final = ExportColumn("round", "number", _("the number of the round, from 1"))


def _matches(school_class: SchoolClass, child: Child) -> Iterator[ExportRow]:
    attempts = Attempt.objects.filter(child=child, assignment__school_class=school_class)
    with_record = set(ended(school_class, [child]).values_list("game", flat=True))
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
    """A round that was played on several days has a row of `Played` for each."""
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
            if row["outcome"] not in IN_NO_SHARE
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
        of_child=_matches,
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
        of_child=_rounds,
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
                _("whether the child won the round; empty until it has ended"),
            ),
        ),
        of_child=_chances,
    ),
    ExportSheet(
        "answers",
        "Each question of a short question that a child answered.",
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
        of_child=rows_of(Check, "answered_at", "pk"),
    ),
)
