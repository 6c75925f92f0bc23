"""The tasks of progress: count the games and answers that a message or a scan finds. Each task only
catches up, so it may run twice, late or not at all."""

from collections.abc import Callable, Iterable, Sequence
from time import monotonic
from typing import Any, Final
from uuid import UUID

from celery import shared_task
from django.db.models import Exists, F, OuterRef, Subquery
from django.utils import timezone

from classrooms.models import Attempt, Child
from classrooms.progress import answer_evidence, evidence
from classrooms.progress.models import Difference, ProgressLock, must_be_rebuilt
from classrooms.progress.rebuild import compare_child, compare_game, count_all_again, rebuild
from classrooms.publishing import try_act
from games.models import Game

SAMPLE_OF_CHILDREN: Final = 20
SAMPLE_OF_GAMES: Final = 200

SCAN_SECONDS: Final = 20
"""After this time a scan leaves the rest to the next one, well before the task's time limit."""
MOST_FOUND: Final = 5000
"""The most games that one scan looks up."""
ALONE_SECONDS: Final = 10
"""The most seconds for counting the games of a failed batch one by one."""


@shared_task(name="classrooms.progress.look_at_game")
def look_at_game(game_id: str) -> None:
    """Bring the evidence and counts of a game, and of other due games, up to date with their
    logs."""
    _count_games(evidence.games_due(UUID(game_id)))


@shared_task(name="classrooms.progress.look_at_sitting")
def look_at_sitting(sitting_id: int) -> None:
    """Count the short questions of a sitting, and of other sittings that recently ended."""
    _count_answers(answer_evidence.children_due(sitting_id))


@shared_task(name="classrooms.progress.look_for_dirty")
def look_for_dirty() -> None:
    """Count every game that is due, every sitting with uncounted answers, and every child whose
    counts are stale because something was erased."""
    end = monotonic() + SCAN_SECONDS
    stale = list(ProgressLock.objects.filter(stale=True).values_list("child", flat=True))
    _try_each(count_all_again, stale, end)
    # The games of a child are neighbours, so the child's levels are folded once for all of them.
    due = evidence.due_attempts().order_by("child", "game__moved_at").values_list("game", flat=True)
    children = answer_evidence.dirty_sittings().values_list("child", flat=True)
    for keys, count in ((due[:MOST_FOUND], _count_games), (children, _count_answers)):
        found = list(dict.fromkeys(keys))
        for first in range(0, len(found), evidence.BATCH):
            if monotonic() > end:
                break
            count(found[first : first + evidence.BATCH])


@shared_task(name="classrooms.progress.rebuild_marked")
def rebuild_marked() -> None:
    """Rebuild the progress of the children who were marked for it or were counted by earlier rules.
    Children whose rebuild failed come last, so that they delay nobody."""
    end = monotonic() + SCAN_SECONDS
    failures = Difference.objects.filter(what=Difference.What.REBUILD, child=OuterRef("pk"))
    failed_at = Subquery(failures.values("at")[:1])
    children = Child.all_objects.filter(must_be_rebuilt("progress_lock__"))
    in_order = children.annotate(failed_at=failed_at).order_by(
        F("failed_at").asc(nulls_first=True), "school_class", "pk"
    )
    _try_each(_rebuild, in_order.iterator(chunk_size=evidence.BATCH), end)


def _rebuild(child: Child) -> None:
    """Rebuild a child, and record a failure for the operator."""
    try:
        rebuild(child)
    except Exception as problem:
        # The message of the exception is not stored: it may contain names.
        reason = f"{type(problem).__name__}: the worker's log says more"
        Difference.objects.update_or_create(
            what=Difference.What.REBUILD,
            child=child,
            defaults={"told": reason, "at": timezone.now()},
        )
        raise


@shared_task(name="classrooms.progress.compare_a_sample")
def compare_a_sample() -> None:
    """At night, rebuild some children and replay some games, and log the differences."""
    end = monotonic() + SCAN_SECONDS
    attempts = Attempt.objects.filter(game=OuterRef("pk"))
    games = Game.objects.filter(Exists(attempts)).order_by("?")[:SAMPLE_OF_GAMES]
    _try_each(compare_game, games, end)
    children = Child.all_objects.filter(progress_lock__isnull=False).order_by("?")
    _try_each(compare_child, children[:SAMPLE_OF_CHILDREN], end + SCAN_SECONDS)


def _try_each(act: Callable[[Any], object], rows: Iterable[Any], end: float) -> None:
    """Do this act for each row, until the monotonic time `end`. A failure of one is logged."""
    for row in rows:
        try_act(act, row)
        if monotonic() > end:
            return


def _count_games(games: Sequence[UUID]) -> None:
    """Count all these games together or, if one of them cannot be read, one by one."""
    if not try_act(evidence.process_games, games):
        _try_each(evidence.process_game, games, monotonic() + ALONE_SECONDS)


def _count_answers(children: Sequence[UUID]) -> None:
    """Count all answers of these children together or, if those of one child cannot be counted,
    child by child."""
    if not try_act(answer_evidence.process_answers, children):
        alone = [[child] for child in children]
        _try_each(answer_evidence.process_answers, alone, monotonic() + ALONE_SECONDS)
