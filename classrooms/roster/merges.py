"""Merges two entries of the same child. One name and one card get the games of both. A merge can be
undone for a week."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from django.core import serializers
from django.db.models import Model, Q, QuerySet
from django.utils.translation import gettext as _

from classrooms.assignments import tables
from classrooms.audit import What, audit
from classrooms.bounds import ensure_room_for_children
from classrooms.checkups.models import ChildCheckUp
from classrooms.locks import ActRefused, Changed, ensure_in_class, lock
from classrooms.models import Attempt, Chair, Child, Merge, SourcePupil, User
from classrooms.progress import evidence
from classrooms.progress.models import Chance, Played, ProgressLock
from classrooms.questions.models import Check, Sitting, Typed
from classrooms.roster.services import NameTaken, has_child_called
from classrooms.signin import sessions
from classrooms.undo import rows_as_json
from games.models import Seat

MOVED_MODELS: Final[Sequence[type[Model]]] = (Attempt, Sitting, Typed, SourcePupil)
"""The models whose rows a merge moves."""


def merge(child: Child, into: Child, by: User | None) -> Merge:
    """Move the games and answers of `child` to `into`, remove `child` from all lists, and sign them
    out. The next scan counts the progress of both again."""
    if child.pk == into.pk:
        raise ValueError("A child cannot be merged into itself.")
    # Neither was merged into another child before, because both are in the class. So merges cannot
    # form a circle.
    with lock(child.school_class, child, into) as (school_class, child, into):
        ensure_in_class(school_class, child, into)
        evidence.lock_progress(child.pk, into.pk)
        record = Merge(child=child, into=into)
        record.moved = {
            model._meta.label: list(_keys(_rows_to_move(model, child, into)))
            for model in MOVED_MODELS
        }
        games = _games(record)
        models: Sequence[type[Model]] = (*MOVED_MODELS, Check, Played, Chance)
        for rows in [_rows_to_move(model, child, into).order_by("pk") for model in models]:
            rows.model._default_manager.filter(pk__in=list(_keys(rows))).update(child=into)
        _give_chairs(child, into, games)
        seats = Seat.objects.filter(player=child.player, game__in=games)
        seats.update(player=into.player, name=into.name)
        record.moved["platform people"] = _take_platform_people(child, into)
        _merge_check_ups(child, into, record)
        _join_groups_and_assignments(into, child, record)
        child.removed_at, child.last_game = record.at, None
        child.save(update_fields=("removed_at", "last_game"))
        sessions.end_sessions([child])
        record.save()
        _count_first_tries(child, into)
        _count_again(child, into)
        audit(by, What.MERGED, child=into)
    return record


def undo(record: Merge, by: User | None) -> None:
    """Undo a merge. The games that `child` played before the merge become theirs again, with what
    has happened in them since. All others stay with `into`.

    Raises `ActRefused` if a later merge, a move or another child of the same name prevents it,
    `Changed` if the merge is undone already, and `bounds.LimitReached`.
    """
    with lock(record.child.school_class, record.child, record.into) as (school_class, child, into):
        if not Merge.objects.filter(child=child, into=into).exists():
            raise Changed
        record.child, record.into = child, into
        _ensure_undoable(record)
        ensure_room_for_children({school_class: 1}, are_removed=True)
        evidence.lock_progress(child.pk, into.pk)
        games = _games(record)
        models: Sequence[type[Model]] = (Attempt, Typed, SourcePupil, ChildCheckUp)
        for model in models:
            keys = record.moved.get(model._meta.label, ())  # no pupils in earlier releases
            model._default_manager.filter(pk__in=keys).update(child=child)
        moved_rows = Q(pk__in=record.moved[Sitting._meta.label]) | Q(game__in=games)
        sittings = list(_keys(Sitting.objects.filter(moved_rows, child=into)))
        Check.objects.filter(sitting__in=sittings).update(child=child)
        Sitting.objects.filter(pk__in=sittings).update(child=child)
        for model in (Played, Chance):
            model._default_manager.filter(game__in=games, child=into).update(child=child)
        _give_chairs(into, child, games)
        seats = Seat.objects.filter(player=into.player, game__in=games)
        seats.update(player=child.player, name=child.name)
        for replaced in serializers.deserialize("python", record.replaced, ignorenonexistent=True):
            replaced.save()
        people = record.moved.get("platform people", ())
        into.platform_people.filter(pk__in=people).update(child=child)
        into.groups.remove(*record.moved["groups"])
        into.assignments.remove(*record.moved["assignments"])
        Child.objects.filter(pk=into.pk, last_game__in=games).update(last_game=None)
        child.removed_at = None
        child.save(update_fields=("removed_at",))
        record.delete()
        _count_first_tries(child, into)
        _count_again(child, into)
        audit(by, What.MERGE_UNDONE, child=child)


def _ensure_undoable(record: Merge) -> None:
    child, into = record.child, record.into
    if Merge.objects.filter(child=into).exists():
        text = _("%(name)s was merged too. Undo that merge first.")
        raise ActRefused(text % {"name": into.name})
    if into.school_class_id != child.school_class_id:
        text = _("%(name)s is now in another class. Move %(name)s back first.")
        raise ActRefused(text % {"name": into.name})
    if has_child_called(child.name, child.school_class):
        raise NameTaken(child.name, child.school_class)


def _merge_check_ups(child: Child, into: Child, record: Merge) -> None:
    """Move the check-ups of `child` to `into`. If both have begun the same check-up, the one with
    more answers counts. If `into` has fewer, `record.replaced` keeps theirs; otherwise that of
    `child` does not move."""
    remaining = {row.check_up_id: row for row in ChildCheckUp.objects.filter(child=into)}
    moved_keys = []
    for row in ChildCheckUp.objects.filter(child=child):
        counterpart = remaining.get(row.check_up_id)
        if counterpart is not None and counterpart.done >= row.done:
            continue
        if counterpart is not None:
            record.replaced += rows_as_json([counterpart, *counterpart.answers.all()])
            counterpart.delete()
        row.child = into
        row.save(update_fields=("child",))
        moved_keys.append(row.pk)
    record.moved[ChildCheckUp._meta.label] = moved_keys


def _take_platform_people(child: Child, into: Child) -> list[int]:
    """Give the links of `child` with learning platforms to `into`, except to platforms with which
    `into` has a link. Return the keys of the links that moved."""
    platforms = into.platform_people.values("platform")
    keys = list(_keys(child.platform_people.exclude(platform__in=platforms)))
    child.platform_people.filter(pk__in=keys).update(child=into)
    return keys


def _join_groups_and_assignments(into: Child, child: Child, record: Merge) -> None:
    """Add `into` to the groups of `child` and to the assignments that name `child`."""
    for name in ("groups", "assignments"):
        new_keys = set(_keys(getattr(child, name))) - set(_keys(getattr(into, name)))
        record.moved[name] = sorted(map(str, new_keys))
    into.groups.add(*record.moved["groups"])
    into.assignments.add(*record.moved["assignments"])


def _rows_to_move(model: type[Model], child: Child, into: Child) -> QuerySet[Any]:
    """The rows of `child` that a merge moves. Those of a match that both played at one table stay.
    A bot gets the seat of `child` there when the merge can no longer be undone."""
    rows = model._default_manager.filter(child=child)
    if model not in (Attempt, Sitting, Check, Played, Chance):
        return rows
    shared_games = Attempt.objects.filter(child=into, game__attempt__child=child).values("game")
    path = "sitting__game__in" if model is Check else "game__in"
    return rows.filter(~Q(**{path: list(shared_games.values_list("game", flat=True))}))


def _give_chairs(child: Child, to: Child, games: Sequence[UUID]) -> None:
    """Give the chairs of `child` at the tables of these games to `to`."""
    tables.get_up(child)
    Chair.objects.filter(child=child, table__game__in=games).update(child=to)


def _games(record: Merge) -> list[UUID]:
    attempts = Attempt.objects.filter(pk__in=record.moved[Attempt._meta.label]).order_by()
    return list(attempts.values_list("game", flat=True))


def _count_first_tries(*children: Child) -> None:
    """Count only each child's first try at a riddle as evidence."""
    tries = Attempt.objects.filter(child__in=children, assignment__riddle_on__isnull=False)
    seen: set[tuple[UUID, UUID]] = set()
    attempts = []
    for attempt in tries.order_by("created_at", "pk"):
        is_repeat = (attempt.child_id, attempt.assignment_id) in seen
        seen.add((attempt.child_id, attempt.assignment_id))
        if attempt.is_repeat != is_repeat:
            attempt.is_repeat = is_repeat
            attempts.append(attempt)
    Attempt.objects.bulk_update(attempts, ("is_repeat",))
    evidence.discard_evidence([attempt.game_id for attempt in attempts])


def _count_again(*children: Child) -> None:
    ProgressLock.objects.filter(child__in=children).update(stale=True)


def _keys(rows: Any) -> Any:
    return rows.order_by("pk").values_list("pk", flat=True)
