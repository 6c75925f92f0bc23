"""Stage 1: the log of a game → the evidence about its child, replacing what was stored before.

It depends on the log alone: reading twice, late or out of order gives the same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, cast
from uuid import UUID
from zoneinfo import ZoneInfo

import structlog
from django.db import transaction
from django.db.models import F, Q, QuerySet

from classrooms.models import Attempt
from classrooms.progress.models import Evidence, GameEvidence, Played, ProgressLock
from classrooms.progress.pipeline import counts, levels
from games.coach.turn_evidence import TurnEvidence, turns
from games.engine.errors import Refused
from games.engine.round import OVER
from games.engine.text.entries import EntryKind, LogEntry
from games.engine.text.record import Setting, steps
from games.models import Action, Seat
from games.play.log import setting_of

log = structlog.get_logger(__name__)

IS_BEHIND = Q(game__evidence_mark=None) | Q(game__evidence_mark__upto_entry__lt=F("game__version"))
"""Condition on an attempt: its game's log goes beyond its evidence."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """An entry of a log, with its number and time."""

    number: int
    at: datetime
    entry: LogEntry


@dataclass(slots=True)
class Reading:
    """The evidence in the log of one game so far, not stored yet."""

    attempt: Attempt
    upto: LogLine
    played: list[Played] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)
    problem: str = ""


def dirty() -> QuerySet[Attempt]:
    """The attempts whose game's log goes beyond its evidence, the longest waiting first."""
    return Attempt.objects.filter(IS_BEHIND).order_by("game__moved_at")


def look_at(game_id: UUID) -> bool:
    """Bring the evidence and counts of a game up to date with its log. False if there was nothing
    to do.

    A game that is nobody's attempt, or was deleted, is skipped.
    """
    waiting = dirty().select_related("child", "assignment__school_class", "game")
    behind = waiting.filter(game=game_id).first()
    return behind is not None and store(behind.child_id, [read(behind)])


def read(attempt: Attempt) -> Reading:
    """Read the log of this attempt's game. Writes nothing."""
    lines = _lines(attempt)
    seats = dict(Seat.objects.filter(game=attempt.game_id).values_list("number", "player"))
    seat = next(number for number, player in seats.items() if player == attempt.child.player)
    reading = Reading(attempt, lines[-1])
    setting = setting_of(attempt.game, len(seats))
    try:
        _read_turns(reading, setting, lines, seat)
        _read_rounds(reading, setting, lines)
    except Refused as refused:
        reading.problem = refused.code
        log.error("log refused by the rules", game=str(attempt.game_id), code=refused.code)
    return reading


def lock(*children: UUID) -> None:
    """Lock the progress of these children until the end of the transaction."""
    locks = [ProgressLock(child_id=child_id) for child_id in sorted(children)]
    ProgressLock.objects.bulk_create(locks, ignore_conflicts=True)
    held = ProgressLock.objects.select_for_update().filter(child__in=children)
    # Not by "child": its name would join the children and lock them against their next game.
    list(held.order_by("pk"))


def store(child_id: UUID, readings: Sequence[Reading]) -> bool:
    """Replace the evidence of these games of a child, and count again. False if none was new.

    A reading that goes no further than what is stored is skipped: another worker was faster.
    """
    with transaction.atomic():
        lock(child_id)
        games = [reading.attempt.game_id for reading in readings]
        marks = GameEvidence.objects.filter(game__in=games)
        known = dict(marks.values_list("game", "upto_entry"))
        fresh = [
            reading
            for reading in readings
            if known.get(reading.attempt.game_id, 0) < reading.upto.number
        ]
        days = {day for reading in fresh for day in _replace(reading)}
        assignments = {reading.attempt.assignment_id for reading in fresh}
        counts.count_again(child_id, days, assignments)
        levels.fold_again(child_id, days)
    return bool(fresh)


def _lines(attempt: Attempt) -> list[LogLine]:
    rows = Action.objects.filter(game=attempt.game_id).order_by("number")
    return [
        LogLine(number, at, LogEntry(cast(EntryKind, kind), seat, text))
        for number, at, kind, seat, text in rows.values_list("number", "at", "kind", "seat", "text")
    ]


def _read_turns(reading: Reading, setting: Setting, lines: Sequence[LogLine], seat: int) -> None:
    for turn in turns(setting, (line.entry for line in lines), {seat}):
        end = lines[turn.last_entry]
        shown = _shown(reading, end, turn.round, turn.turn)
        asked = sum(
            line.entry.kind == "hint" and line.entry.seat == seat
            for line in lines[turn.first_entry : turn.last_entry]
        )
        reading.played.append(Played(**shown, what=Played.What.TURN, hints_asked=asked))
        reading.evidence.extend(_pieces(turn, shown))


def _pieces(turn: TurnEvidence, shown: dict[str, Any]) -> Iterator[Evidence]:
    for piece in turn.pieces:
        yield Evidence(
            **shown,
            table=piece.table,
            kind=piece.kind,
            hint_step=piece.hint_step,
            row=piece.row,
            numbers=list(piece.numbers),
        )


def _read_rounds(reading: Reading, setting: Setting, lines: Sequence[LogLine]) -> None:
    for line, step in zip(lines, steps(setting, (line.entry for line in lines)), strict=True):
        if step.before is not None and step.before.phase not in OVER and step.after.phase in OVER:
            shown = _shown(reading, line, step.after.round, 0)
            reading.played.append(Played(**shown, what=Played.What.ROUND))


def _shown(reading: Reading, line: LogLine, round_: int, turn: int) -> dict[str, Any]:
    attempt = reading.attempt
    school_class = attempt.assignment.school_class
    return {
        "game_id": attempt.game_id,
        "child_id": attempt.child_id,
        "school_class_id": school_class.pk,
        "assignment_id": attempt.assignment_id,
        "day": line.at.astimezone(ZoneInfo(school_class.time_zone)).date(),
        "round": round_,
        "turn": turn,
        "entry": line.number,
        "at": line.at,
    }


def _replace(reading: Reading) -> set[date]:
    """Store a reading in place of the earlier one; returns the days on which they differ."""
    game_id = reading.attempt.game_id
    before = set(Played.objects.filter(game=game_id).values_list("day", "entry", "what"))
    now = {(played.day, played.entry, str(played.what)) for played in reading.played}
    Played.objects.filter(game=game_id).delete()
    Evidence.objects.filter(game=game_id).delete()
    Played.objects.bulk_create(reading.played)
    Evidence.objects.bulk_create(reading.evidence)
    GameEvidence.objects.update_or_create(
        game_id=game_id,
        defaults={
            "upto_entry": reading.upto.number,
            "upto_at": reading.upto.at,
            "problem": reading.problem,
        },
    )
    return {day for day, _, _ in before ^ now}
