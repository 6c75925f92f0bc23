"""Erases children, classes and adults' accounts for good, with all that depends on them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final
from uuid import UUID, uuid5

import structlog
from allauth.usersessions.models import UserSession
from django.db.models import Exists, OuterRef, Q, TextField
from django.db.models.functions import Cast
from django.db.models.signals import post_delete, pre_delete
from django.dispatch import receiver
from django.utils import timezone
from django.utils.crypto import salted_hmac

from classrooms.accounts import sessions
from classrooms.accounts.mail import is_sent_to
from classrooms.audit import What, audit
from classrooms.locks import Changed, lock
from classrooms.models import (
    AuditEntry,
    Child,
    ChildSession,
    Invitation,
    KeptAct,
    Merge,
    NewYear,
    SchoolClass,
    SourcePupil,
    Tombstone,
    User,
)
from classrooms.progress import evidence
from classrooms.publishing import try_act
from games.models import Game, Seat
from games.play import services as play

_ACCOUNTS: Final = UUID("0c7f0a53-7a5e-4d0f-8a52-43a1f1f6a6b9")

log = structlog.get_logger(__name__)

REMOVED_KEPT_FOR: Final = timedelta(days=30)
"""How long a removed child can be brought back. After that they are erased."""
MERGE_KEPT_FOR: Final = timedelta(days=7)
"""How long a merge can be undone. After that the merged child's entry is deleted."""


@receiver(post_delete, sender=Child)
@receiver(post_delete, sender=User)
def erase_games(instance: Child | User, **kwargs: Any) -> None:
    """Delete the games of a player who was deleted in any way. This runs after the deletion, when
    the player can no longer begin games."""
    play.erase(instance.player)


@receiver(pre_delete, sender=User)
def erase_traces(instance: User, **kwargs: Any) -> None:
    """Leave a tombstone of an account, and delete rows that have the adult's address or name but no
    foreign key to the account."""
    _leave_tombstones(account_id(instance))
    Invitation.objects.filter(is_sent_to(instance)).delete()
    for session in UserSession.objects.filter(user=instance):
        session.end()


@receiver(pre_delete, sender=Child)
def forget_pupils(instance: Child, **kwargs: Any) -> None:
    """Delete the names under which the school's source lists the child in any class. The keyed hash
    of their id remains, so that they are not added again."""
    pupils = SourcePupil.objects.filter(
        child=instance,
        source_class__source=OuterRef("source_class__source"),
        key_hash=OuterRef("key_hash"),
    )
    of_nobody_else = SourcePupil.objects.filter(Q(child=None) | Q(child=instance), Exists(pupils))
    of_nobody_else.update(name="", family="", known_name="", is_left_out=True)


@receiver(pre_delete, sender=SchoolClass)
def forget_pupils_of_class(instance: SchoolClass, **kwargs: Any) -> None:
    """Delete the pupils that the school's source lists for a class that is deleted."""
    SourcePupil.objects.filter(source_class__school_class=instance).delete()


def erase_child(child: Child, by: User | None) -> None:
    """Erase the child, all their games and all children who were merged into them. Only tombstones
    remain, whose keys replace the children's ids in the audit log. If the child was just erased
    with another one, do nothing. Raises `Changed` if the merged children have just changed."""
    if not Child.all_objects.filter(pk=child.pk).exists():
        return
    with _lock_to_erase(child) as children:
        audit(by, What.ERASED, child=child)
        _erase(children)


@contextmanager
def _lock_to_erase(subject: Child | SchoolClass) -> Iterator[Sequence[Child]]:
    """Lock and yield the child, or the children of the class, and all who were merged into them.
    Nobody can add anything about them meanwhile. Raises `Changed` if these are no longer the same
    children."""
    children = _with_merged(subject)
    with lock(subject, *children):
        keys = {child.pk for child in children}
        # A worker locks the progress of a child and then makes a reference to the child. So the
        # progress is locked here before the children are locked against references.
        if isinstance(subject, SchoolClass):
            evidence.lock_progress_of_class(subject, *keys)
        else:
            evidence.lock_progress(*keys)
        if {child.pk for child in _with_merged(subject)} != keys:
            raise Changed
        with lock(subject, *children, to_delete=True) as (_subject, *children):
            yield children


def _with_merged(subject: Child | SchoolClass) -> Sequence[Child]:
    """The child, or the children of the class, and all who were merged into them. Each comes once,
    even if merges form a circle."""
    condition = Q(school_class=subject) if isinstance(subject, SchoolClass) else Q(pk=subject.pk)
    children: dict[UUID, Child] = {}
    while merged := list(Child.all_objects.filter(condition).exclude(pk__in=children)):
        children |= {child.pk: child for child in merged}
        condition = Q(merge__into__in=merged)
    return list(children.values())


def _erase(children: Sequence[Child]) -> None:
    _leave_tombstones(*(child.pk for child in children))
    _forget_acts(*(child.pk for child in children))
    sessions.forget_typed_forms(
        {erased_id for child in children for erased_id in (child.pk, child.school_class_id)}
    )
    for child in children:
        entries = AuditEntry.objects.filter(child_id=child.pk)
        entries.update(child_id=tombstone_key(child.pk), once=None)
        child.delete()


def _leave_tombstones(*erased_ids: UUID) -> None:
    """Store tombstones for these ids. Some may have one, because after a restore somebody may be
    erased again."""
    tombstones = [Tombstone(key=tombstone_key(erased_id)) for erased_id in erased_ids]
    Tombstone.objects.bulk_create(tombstones, ignore_conflicts=True)


def tombstone_key(erased_id: UUID, secret: str | None = None) -> UUID:
    """The key of the tombstone of a child, a class or an account (`account_id`). Only the secret of
    the site can trace it to them; `secret` is a former one."""
    digest = salted_hmac("classrooms.tombstone", erased_id.hex, secret, algorithm="sha256").digest()
    return UUID(bytes=digest[:16])


def account_id(user: User) -> UUID:
    """An id of an adult's account that no other account has, not even one that gets the same number
    after a backup was restored."""
    return uuid5(_ACCOUNTS, f"{user.pk} {user.date_joined.astimezone(UTC).isoformat()}")


def erase_class(school_class: SchoolClass, by: User | None, *, for_school: bool = False) -> None:
    """Erase the class with all its children, including removed ones, and all games played in it.
    With `for_school`, `by` acts as an admin of the school. Raises `Changed` if the class is gone,
    or if its children have just changed; the class is then archived."""
    _archive_and_sign_out(school_class)
    with _lock_to_erase(school_class) as children:
        audit(by, What.ERASED, school_class=school_class, for_school=for_school)
        _erase(children)
        play.delete(Game.objects.filter(attempt__assignment__school_class=school_class))
        _leave_tombstones(school_class.pk)
        _forget_names(school_class)
        _forget_acts(school_class.pk)
        school_class.delete()


def _archive_and_sign_out(school_class: SchoolClass) -> None:
    """Archive the class and sign its children out. Erasing a large class takes half a minute, in
    which their requests would wait and delay children of other classes."""
    with lock(school_class):
        SchoolClass.objects.filter(pk=school_class.pk, archived_at=None).update(
            archived_at=timezone.now()
        )
        ChildSession.objects.filter(child__school_class=school_class).delete()


def _forget_names(school_class: SchoolClass) -> None:
    """Delete the names of the class that are kept for the undo of a new school year."""
    key = str(school_class.pk)
    for new_year in NewYear.objects.select_for_update().filter(classes__icontains=key):
        new_year.classes = [entry for entry in new_year.classes if key not in entry]
        new_year.save(update_fields=("classes",))


def _forget_acts(*erased_ids: UUID) -> None:
    """Delete the kept acts that mention one of these ids, because the data of their undo may
    contain the name of the child or class."""
    acts = KeptAct.objects.annotate(text=Cast("data", TextField())).values_list("pk", "text")
    keys = list(map(str, erased_ids))
    KeptAct.objects.filter(
        pk__in=[act for act, text in acts if any(k in text for k in keys)]
    ).delete()


def erasures_after_restore(was_erased: Callable[[UUID], bool]) -> Iterator[Callable[[], object]]:
    """For each erased class and child that a restored backup has brought back, a function that
    erases them again."""
    for school_class in SchoolClass.objects.all():
        if was_erased(school_class.pk):
            yield partial(erase_class, school_class, None)
    # Children are read only now, without those of the classes that were just erased.
    for child in Child.all_objects.all():
        if was_erased(child.pk):
            yield partial(erase_child, child, None)


def erase_ownerless() -> int:
    """Erase the games of players who are neither a child nor an adult, and return the number of
    these players. Merges and erasures in earlier releases left such games."""
    children = Child.all_objects.filter(player=OuterRef("player"))
    seats = Seat.objects.filter(~Exists(children), player__isnull=False).order_by()
    players = {player for player in seats.values_list("player", flat=True) if player}
    # Adults are read after the games, so that somebody who has just begun a game is among them.
    ownerless = players - {user.player for user in User.objects.only("pk")}
    for player in ownerless:
        play.erase(player)
    return len(ownerless)


def erase_removed(now: datetime) -> int:
    """Erase the children who were removed more than `REMOVED_KEPT_FOR` ago, the earliest first, and
    return their number."""
    long_ago = Child.all_objects.filter(removed_at__lt=now - REMOVED_KEPT_FOR, merge=None)

    def erase(child: Child) -> None:
        with lock(child.school_class, child):
            if not long_ago.filter(pk=child.pk).exists():
                raise Changed
            erase_child(child, None)

    children = long_ago.select_related("school_class").order_by("removed_at")
    return sum(try_act(erase, child) for child in children)


def finish_merges(now: datetime) -> int:
    """Delete the merged children whose merges can no longer be undone, the earliest first, and
    return their number. From then on the audit log shows one child."""
    long_ago = Merge.objects.filter(at__lt=now - MERGE_KEPT_FOR)

    def finish(merge: Merge) -> None:
        with lock(merge.child.school_class, merge.child, merge.into) as (_class, child, into):
            if not long_ago.filter(child=child, into=into).exists():
                raise Changed
            AuditEntry.objects.filter(child_id=child.pk).update(child_id=into.pk, once=None)
            _forget_acts(child.pk)
            child.delete()

    merges = long_ago.select_related("child__school_class", "into").order_by("at")
    return sum(try_act(finish, merge) for merge in merges)
