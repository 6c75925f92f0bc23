"""Merging two entries of the same child: the games of both, under one name and one card. For a
week it can be undone."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from django.core import serializers
from django.db.models import Model, Q
from django.utils import timezone

from classrooms.audit import What, audit
from classrooms.bounds import room_for_children
from classrooms.checks.models import Check, Sitting, Typed
from classrooms.checkups.models import ChildCheckUp
from classrooms.locks import Changed, lock
from classrooms.models import Attempt, Child, Merge, SchoolClass, User
from classrooms.privacy.erasure import MERGE_KEPT_FOR
from classrooms.progress.models import Chance, Played, ProgressLock
from classrooms.progress.pipeline import evidence
from classrooms.roster.services import check_present, has_child_called
from classrooms.signin import child_sign_in
from classrooms.undo.kept_rows import as_data
from games.models import Seat

MOVED: Final[Sequence[type[Model]]] = (Attempt, Sitting, Typed)
"""Of these a merge moves every row of the child."""


class CannotUndo(Exception):
    """The merge cannot be undone as things are. `why`: "name", another child has the name now;
    "elsewhere", the other child is in another class now; "merged", it was itself merged."""

    def __init__(self, why: str, merge: Merge) -> None:
        super().__init__(why)
        self.why = why
        self.merge = merge


def merge(child: Child, into: Child, by: User | None = None) -> Merge:
    """Move all that `child` played to `into`, take `child` off every list and sign it out.

    The counts of both are made again from their evidence at the next scan.
    """
    if child.pk == into.pk:
        raise ValueError("A child cannot be merged into itself.")
    # Both are on the list, so neither was merged: no circle can come of it.
    with lock(child.school_class, child, into) as (school_class, child, into):
        check_present(school_class, child, into)
        evidence.lock(child.pk, into.pk)
        done = Merge(child=child, into=into)
        done.moved = {
            model._meta.label: list(_keys(model._default_manager.filter(child=child)))
            for model in MOVED
        }
        games = _games(done)
        all_of_it: Sequence[type[Model]] = (*MOVED, Check, Played, Chance)
        for model in all_of_it:
            model._default_manager.filter(child=child).update(child=into)
        Seat.objects.filter(player=child.player, game__in=games).update(player=into.player)
        _merge_check_ups(child, into, done)
        _add_to(into, child, done)
        child.removed_at, child.at_table = done.at, None
        child.save(update_fields=("removed_at", "at_table"))
        child_sign_in.end_sessions([child])
        done.save()
        _count_again(child, into)
        audit(by, What.MERGED, child=into)
    return done


def undo(done: Merge, by: User | None = None) -> None:
    """Make two children of one again: what `child` had played before, and its games since, are its
    own; all else stays with `into`. Raises `CannotUndo` and `bounds.Full`."""
    with lock(done.child.school_class, done.child, done.into) as (school_class, child, into):
        if not Merge.objects.filter(child=child, into=into).exists():
            raise Changed
        done.child, done.into = child, into
        _check(done)
        room_for_children(school_class, kept=0)
        evidence.lock(child.pk, into.pk)
        games = _games(done)
        Attempt.objects.filter(pk__in=done.moved[Attempt._meta.label]).update(child=child)
        Typed.objects.filter(pk__in=done.moved[Typed._meta.label]).update(child=child)
        own = Q(pk__in=done.moved[Sitting._meta.label]) | Q(game__in=games)
        sittings = list(_keys(Sitting.objects.filter(own, child=into)))
        Check.objects.filter(sitting__in=sittings).update(child=child)
        Sitting.objects.filter(pk__in=sittings).update(child=child)
        for model in (Played, Chance):
            model._default_manager.filter(game__in=games).update(child=child)
        Seat.objects.filter(player=into.player, game__in=games).update(player=child.player)
        ChildCheckUp.objects.filter(pk__in=done.moved[ChildCheckUp._meta.label]).update(child=child)
        for replaced in serializers.deserialize("python", done.replaced, ignorenonexistent=True):
            replaced.save()
        into.groups.remove(*done.moved["groups"])
        into.assignments.remove(*done.moved["assignments"])
        Child.objects.filter(pk=into.pk, at_table__in=games).update(at_table=None)
        child.removed_at = None
        child.save(update_fields=("removed_at",))
        done.delete()
        _count_again(child, into)
        audit(by, What.MERGE_UNDONE, child=child)


def merged_lately(school_class: SchoolClass) -> list[Merge]:
    """The merges in this class that can still be undone, the latest first."""
    since = timezone.now() - MERGE_KEPT_FOR
    merges = Merge.objects.filter(child__school_class=school_class, at__gt=since)
    return list(merges.select_related("child", "into"))


def _check(done: Merge) -> None:
    child, into = done.child, done.into
    if Merge.objects.filter(child=into).exists():
        raise CannotUndo("merged", done)
    if into.school_class_id != child.school_class_id:
        raise CannotUndo("elsewhere", done)
    if has_child_called(child.name, child.school_class):
        raise CannotUndo("name", done)


def _merge_check_ups(child: Child, into: Child, done: Merge) -> None:
    """Of a check-up that both have begun, the one with more answers counts; that of `into` is
    kept in the merge, that of `child` stays where it is."""
    kept = {own.check_up_id: own for own in ChildCheckUp.objects.filter(child=into)}
    moved = []
    for own in ChildCheckUp.objects.filter(child=child):
        other = kept.get(own.check_up_id)
        if other is not None and other.done >= own.done:
            continue
        if other is not None:
            done.replaced += as_data([other, *other.answers.all()])
            other.delete()
        own.child = into
        own.save(update_fields=("child",))
        moved.append(own.pk)
    done.moved[ChildCheckUp._meta.label] = moved


def _add_to(into: Child, child: Child, done: Merge) -> None:
    """Where `child` is in a group, or an assignment is for it, `into` is from now on."""
    for name in ("groups", "assignments"):
        new = set(_keys(getattr(child, name))) - set(_keys(getattr(into, name)))
        done.moved[name] = sorted(map(str, new))
    into.groups.add(*done.moved["groups"])
    into.assignments.add(*done.moved["assignments"])


def _games(done: Merge) -> list[UUID]:
    attempts = Attempt.objects.filter(pk__in=done.moved[Attempt._meta.label]).order_by()
    return list(attempts.values_list("game", flat=True))


def _count_again(*children: Child) -> None:
    ProgressLock.objects.filter(child__in=children).update(stale=True)


def _keys(rows: Any) -> Any:
    return rows.order_by("pk").values_list("pk", flat=True)
