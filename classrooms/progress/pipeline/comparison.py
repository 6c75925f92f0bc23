"""The nightly comparison of what is stored with a rebuild from the logs. A difference is logged
as an error; for a child, the rebuilt progress replaces the stored one."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import structlog
from django.db import transaction
from django.db.models import Model, Q

from classrooms.models import Attempt, Child
from classrooms.progress.models import Difference, GameEvidence, ProgressLock
from classrooms.progress.pipeline import answers, evidence
from classrooms.progress.pipeline.evidence import Reading
from classrooms.progress.pipeline.rebuild import REBUILT_MODELS, read_all, replace_all
from games.engine.errors import Refused
from games.models import Game
from games.play.log import entries_of, replayed, setting_of, standing_of

log = structlog.get_logger(__name__)

ROWS_LISTED: Final = 3
"""The most rows listed for each table and kind of difference."""

Stored = dict[str, frozenset[str]]


def compare_child(child: Child) -> Difference | None:
    """Rebuild the progress of a child, and record what was different before.

    A child whose counts are still behind its logs is left for another night.
    """
    readings = read_all(child)
    with transaction.atomic():
        evidence.lock(child.pk)
        if _is_behind(child, readings):
            return None
        before = _stored(child)
        replace_all(child, readings)
        difference = _differences(before, _stored(child))
    if not difference:
        return None
    log.error("progress differs from a rebuild", child=str(child.pk), told=difference)
    return Difference.objects.create(what=Difference.What.PROGRESS, child=child, told=difference)


def compare_game(game: Game) -> Difference | None:
    """Compare a game's stored state, scores and round winners with the replay of its log."""
    difference = _game_difference(game)
    if not difference:
        return None
    log.error("snapshot differs from the replay", game=str(game.pk), told=difference)
    return Difference.objects.create(what=Difference.What.LEDGER, game=game, told=difference)


def _game_difference(game: Game) -> str:
    seats = game.seats.count()
    stored = standing_of(game, seats)
    try:
        made = replayed(setting_of(game, seats), entries_of(game))
    except Refused as refused:
        return f"the log is refused: {refused.code}"
    if Game.objects.filter(pk=game.pk, version=game.version).count() == 0:
        return ""
    if stored.state.scores != made.state.scores:
        return f"scores {stored.state.scores}, by the log {made.state.scores}"
    # An earlier release may have laid the same table out otherwise.
    same = replace(stored, layout=made.layout) == made
    return "" if same else f"version {game.version} stands otherwise than by its log"


def _is_behind(child: Child, readings: Sequence[Reading]) -> bool:
    marks = GameEvidence.objects.filter(game__attempt__child=child)
    counted = dict(marks.values_list("game", "upto_entry"))
    read = {reading.attempt.game_id: reading.upto.number for reading in readings}
    return (
        counted != read
        or answers.dirty().filter(child=child).exists()
        or Attempt.objects.filter(child=child).filter(evidence.IS_BEHIND).exists()
        or ProgressLock.objects.filter(child=child)
        .filter(Q(stale=True) | Q(to_rebuild=True))
        .exists()
    )


def _stored(child: Child) -> Stored:
    return {model.__name__: _rows(model, child) for model in REBUILT_MODELS}


def _rows(model: type[Model], child: Child) -> frozenset[str]:
    return frozenset(
        repr([(name, value) for name, value in sorted(row.items()) if name != "id"])
        for row in model._default_manager.filter(child=child).values()
    )


def _differences(before: Stored, after: Stored) -> str:
    lines = []
    for name, rows in after.items():
        for word, wrong in (("missing", rows - before[name]), ("too much", before[name] - rows)):
            if wrong:
                lines.append(f"{name}, {word}: {len(wrong)}")
                lines.extend(sorted(wrong)[:ROWS_LISTED])
    return "\n".join(lines)
