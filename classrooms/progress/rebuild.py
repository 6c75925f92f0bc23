"""Rebuilds all progress of a child from the logs of games and short questions. After an erasure,
only counts and levels are made again, from the remaining evidence."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import Model, Q, QuerySet

from classrooms.models import Attempt, Child, SchoolClass
from classrooms.progress import answer_evidence, counts, evidence, fact_levels, table_levels
from classrooms.progress.evidence import GameReading
from classrooms.progress.models import (
    RULES,
    Chance,
    ChildAssignment,
    ChildDay,
    Difference,
    FactAbility,
    FactDay,
    FactMastery,
    GameEvidence,
    Played,
    ProgressLock,
    SittingEvidence,
    TableDay,
    TableMastery,
    must_be_rebuilt,
)
from games.engine.errors import ActionRefused
from games.models import Game
from games.play.log import entries_of, replay_snapshot, setting_of, snapshot_of

REBUILT_MODELS = (
    Played,
    Chance,
    TableDay,
    FactDay,
    ChildDay,
    ChildAssignment,
    TableMastery,
    FactMastery,
    FactAbility,
)


def rebuild(child: Child) -> int:
    """Delete the stored progress of a child, make it again, and return the number of readings. The
    games are read before anything is locked. A game in which somebody moves meanwhile stays
    dirty."""
    readings = read_all(child)
    with transaction.atomic():
        evidence.lock_progress(*_children_in(child, readings))
        replace_all(child, readings)
    return len(readings)


def mark_for_rebuild(children: Collection[UUID]) -> None:
    """Mark these children, so that a worker rebuilds them soon."""
    with transaction.atomic():
        evidence.lock_progress(*children)
        ProgressLock.objects.filter(child__in=children).update(to_rebuild=True)


def child_is_rebuilding(child: Child) -> bool:
    """Whether the figures of a child are incomplete because logs must be read again."""
    return ProgressLock.objects.filter(must_be_rebuilt(""), child=child).exists()


def class_is_rebuilding(school_class: SchoolClass) -> bool:
    """Whether the figures of any child of the class are incomplete."""
    return children_to_rebuild(school_class).exists()


def children_to_rebuild(school_class: SchoolClass) -> QuerySet[Child]:
    """The children of the class whose figures are incomplete."""
    return school_class.children.filter(must_be_rebuilt("progress_lock__"))


def read_all(child: Child) -> list[GameReading]:
    """Read the whole logs of all games of a child, for all children who play them. Writes
    nothing."""
    attempts = Attempt.objects.filter(child=child).order_by("pk")
    games = list(attempts.values_list("game", flat=True))
    return [
        reading
        for first in range(0, len(games), evidence.BATCH)
        for reading in evidence.read_games(games[first : first + evidence.BATCH], from_start=True)
    ]


def _children_in(child: Child, readings: Sequence[GameReading]) -> set[UUID]:
    """The child, and the classmates whose progress these readings also replace."""
    return {child.pk, *(reading.attempt.child_id for reading in readings)}


def replace_all(child: Child, readings: Sequence[GameReading]) -> None:
    """Replace all stored progress of a child by these readings and all answers. The caller has
    locked the child and the others at the child's tables."""
    ProgressLock.objects.filter(child=child).update(stale=False, to_rebuild=False, rules=RULES)
    Difference.objects.filter(child=child, what=Difference.What.REBUILD).delete()
    GameEvidence.objects.filter(game__attempt__child=child).delete()
    SittingEvidence.objects.filter(sitting__child=child).delete()
    for model in REBUILT_MODELS:
        model._default_manager.filter(child=child).delete()
    evidence.store_readings(readings)
    answer_evidence.process_answers([child.pk])


def count_all_again(child_id: UUID) -> None:
    """Rebuild the counts and the levels of a child from the stored evidence."""
    with transaction.atomic():
        evidence.lock_progress(child_id)
        counts.count_all(Q(child=child_id))
        table_levels.fold_all_tables([child_id])
        fact_levels.fold_all_facts([child_id])
        ProgressLock.objects.filter(child=child_id).update(stale=False)


# The nightly comparison of what is stored with a rebuild from the logs. Each difference is logged
# as an error; for a child, the rebuilt progress replaces the stored one.

log = structlog.get_logger(__name__)

ROWS_LISTED: Final = 3
"""The most rows listed for each table and kind of difference."""

StoredRows = dict[str, frozenset[str]]
"""The rows of a child as text, by the name of their model."""


def compare_child(child: Child) -> Difference | None:
    """Rebuild the progress of a child, and record how it differed from what was stored. Do nothing
    if the counts are behind the logs: another night compares the child."""
    readings = read_all(child)
    with transaction.atomic():
        evidence.lock_progress(*_children_in(child, readings))
        if _is_behind(child, readings):
            return None
        before = _stored_progress(child)
        replace_all(child, readings)
        difference = _differences(before, _stored_progress(child))
    if not difference:
        return None
    log.error("progress differs from a rebuild", child=str(child.pk), told=difference)
    return Difference.objects.create(what=Difference.What.PROGRESS, child=child, told=difference)


def compare_game(game: Game) -> Difference | None:
    """Compare the stored state, scores and round winners of a game with the replay of its log."""
    difference = _game_difference(game)
    if not difference:
        return None
    log.error("snapshot differs from the replay", game=str(game.pk), told=difference)
    return Difference.objects.create(what=Difference.What.LEDGER, game=game, told=difference)


def _game_difference(game: Game) -> str:
    seats = game.seats.count()
    stored_snapshot = snapshot_of(game, seats)
    try:
        replayed = replay_snapshot(setting_of(game, seats), entries_of(game))
    except ActionRefused as refused:
        return f"the log is refused: {refused.code}"
    if Game.objects.filter(pk=game.pk, version=game.version).count() == 0:
        return ""
    if stored_snapshot.state.scores != replayed.state.scores:
        return f"scores {stored_snapshot.state.scores}, by the log {replayed.state.scores}"
    # An earlier release may have laid the same table out differently.
    is_same = replace(stored_snapshot, layout=replayed.layout) == replayed
    return "" if is_same else f"the snapshot of version {game.version} does not match its log"


def _is_behind(child: Child, readings: Sequence[GameReading]) -> bool:
    stored = GameEvidence.objects.filter(game__attempt__child=child)
    last_stored = dict(stored.values_list("game", "upto_entry"))
    last_read = {reading.attempt.game_id: reading.last_entry.number for reading in readings}
    return (
        last_stored != last_read
        or answer_evidence.dirty_sittings().filter(child=child).exists()
        or Attempt.objects.filter(child=child).filter(evidence.ATTEMPT_IS_BEHIND).exists()
        or ProgressLock.objects.filter(Q(stale=True) | must_be_rebuilt(""), child=child).exists()
    )


def _stored_progress(child: Child) -> StoredRows:
    return {model.__name__: _rows(model, child) for model in REBUILT_MODELS}


def _rows(model: type[Model], child: Child) -> frozenset[str]:
    return frozenset(
        repr([(name, value) for name, value in sorted(row.items()) if name != "id"])
        for row in model._default_manager.filter(child=child).values()
    )


def _differences(before: StoredRows, after: StoredRows) -> str:
    lines = []
    for name, rows in after.items():
        for word, wrong in (("missing", rows - before[name]), ("too much", before[name] - rows)):
            if wrong:
                lines.append(f"{name}, {word}: {len(wrong)}")
                lines.extend(sorted(wrong)[:ROWS_LISTED])
    return "\n".join(lines)
