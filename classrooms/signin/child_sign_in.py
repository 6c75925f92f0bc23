"""How a child signs in: three pictures or a QR code, counted tries, a session of its own.

Nothing here stores a network address or locks a class. Wrong tries on a device that the child has
used count for that device only; those on strange devices count together, so that changing devices
gains nothing. A QR code is never limited. `docs/signing-in.md` has the arithmetic.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Any, Final, Literal, TypeVar, cast
from uuid import uuid4

from django.conf import settings
from django.db import connection, models, transaction
from django.utils import timezone

from classrooms.audit import What, audit_children
from classrooms.credentials.secrets import (
    device_hash,
    encrypt_pictures,
    new_token,
    same_pictures,
    token_hash,
)
from classrooms.models import (
    Child,
    ChildSession,
    KnownDevice,
    SchoolClass,
    User,
    WrongNames,
    WrongTries,
)

M = TypeVar("M", bound=models.Model)

TRIES: Final = 60
"""In any 24 hours, on all strange devices together and on each known one: 60 of 13,824
combinations is less than 0.5 %."""
TRIES_LAST: Final = timedelta(hours=24)

SESSION_LASTS: Final = timedelta(hours=12)
SESSION_IDLES: Final = timedelta(minutes=20)
SEEN_EVERY: Final = timedelta(minutes=1)
MOST_OF_A_CHILD: Final = 100
"""Known devices, and open sessions, per child. Beyond that the oldest are forgotten; otherwise
signing in with one card again and again would fill the database."""


@dataclass(frozen=True, slots=True)
class SignedIn:
    """The child is signed in; `token` goes into its cookie and is stored nowhere else."""

    token: str


SignInResult = SignedIn | Literal["wrong", "too many"]


def sign_in(child: Child, picked: Sequence[str], device: str) -> SignInResult:
    """Try these pictures for the child. The row with its tries is locked meanwhile, so that
    simultaneous requests gain no tries. "Wrong" and "too many" take the same steps."""
    known = device_hash(device)
    with transaction.atomic():
        seen_before = KnownDevice.objects.filter(child=child, device_hash=known).exists()
        where = known if seen_before else WrongTries.STRANGE
        tries = locked(WrongTries, child=child, device_hash=where)
        before = still_counting(tries.times)
        is_right = same_pictures(child.pictures_encrypted, picked)
        if len(before) >= TRIES:
            _keep(tries, before)
            return "too many"
        if not is_right:
            _keep(tries, [*before, int(timezone.now().timestamp())])
            return "wrong"
        return SignedIn(_enter(child, known))


def sign_in_by_card(child: Child, device: str) -> SignedIn:
    """Sign in whoever holds the child's QR code; the device is known from then on."""
    with transaction.atomic():
        return SignedIn(_enter(child, device_hash(device)))


def reject_unknown_name(school_class: SchoolClass, picked: Sequence[str], device: str) -> None:
    """Take the same steps as for wrong pictures, for a name that no child of the class has. The try
    is counted for the teacher; the name is not stored."""
    with transaction.atomic():
        KnownDevice.objects.filter(child=uuid4(), device_hash=device_hash(device)).exists()
        names = locked(WrongNames, school_class=school_class)
        before = still_counting(names.times)
        same_pictures(dummy_pictures(settings.PICTURES_KEY), picked)
        times = [*before, int(timezone.now().timestamp())][-TRIES:]
        WrongNames.objects.filter(pk=names.pk).update(times=times)


@cache
def dummy_pictures(key: str) -> str:
    """Encrypted pictures of no child; `key` makes the cache depend on the current keys."""
    return encrypt_pictures(("sun", "sun", "sun"))


def lock(model: type[models.Model], **key: Any) -> None:
    """Lock the row with this key until the transaction ends, creating it where missing.

    Both cases run the same statement, so that the time does not show which it was.
    """
    unique = tuple(key)
    model._default_manager.bulk_create(
        [model(**key)], update_conflicts=True, unique_fields=unique, update_fields=unique[-1:]
    )


def locked(model: type[M], **key: Any) -> M:
    """The row with this key, as `lock` leaves it."""
    lock(model, **key)
    return model._default_manager.get(**key)


def still_counting(times: Iterable[int]) -> list[int]:
    """The tries within the last 24 hours."""
    since = (timezone.now() - TRIES_LAST).timestamp()
    return [time for time in times if time > since]


def _keep(tries: WrongTries, times: list[int]) -> None:
    WrongTries.objects.filter(pk=tries.pk).update(times=times)


def _enter(child: Child, device: str) -> str:
    now = timezone.now()
    KnownDevice.objects.update_or_create(child=child, device_hash=device, defaults={"seen_at": now})
    token = new_token()
    ChildSession.objects.filter(child=child, ends_at__lte=now).delete()
    ChildSession.objects.create(
        child=child, token_hash=token_hash(token), ends_at=now + SESSION_LASTS, seen_at=now
    )
    for model in (KnownDevice, ChildSession):
        of_child = model._default_manager.filter(child=child)
        seen_last = of_child.order_by("-seen_at", "-pk").values_list("pk", flat=True)
        of_child.filter(pk__in=list(seen_last[MOST_OF_A_CHILD:])).delete()
    return token


_CLASS: Final = [
    field
    for field in SchoolClass._meta.get_fields()
    if isinstance(field, models.Field)
    and field.concrete
    and not isinstance(field, models.DateTimeField | models.JSONField | models.ManyToManyField)
]
"""What of a class is read with its child: all that the database keeps as Python has it. The rest is
read when somebody asks for it."""
_CLASS_NAMES: Final = [field.attname for field in _CLASS]
# Only names of tables and columns are joined here; values are parameters. Columns are named one by
# one: a prepared statement with `*` fails when an upgrade adds a column.
_OF_CHILD: Final = ", ".join(f"child.{field.attname}" for field in Child._meta.concrete_fields)
_OF_CLASS: Final = ", ".join(f"school_class.{name} AS class_{name}" for name in _CLASS_NAMES)
_SIGNED_IN: Final = f"""
    SELECT {_OF_CHILD}, {_OF_CLASS}, school_class.archived_at IS NOT NULL AS is_of_archived_class,
        session.id AS session_id, session.ends_at <= %s OR session.seen_at <= %s AS is_over,
        session.seen_at < %s AS is_to_be_noted
    FROM {ChildSession._meta.db_table} session
    JOIN {Child._meta.db_table} child ON child.id = session.child_id
    JOIN {SchoolClass._meta.db_table} school_class ON school_class.id = child.school_class_id
    WHERE session.token_hash = %s"""  # nosec B608


def child_of(token: str) -> Child | None:
    """The child whose session this is, if the session has neither ended nor idled too long.

    A removed child, or one of an archived class, is never signed in. In SQL, since each request of
    a child asks this, and the ORM takes several times as long as the database.
    """
    now = timezone.now()
    times = [
        connection.ops.adapt_datetimefield_value(time)
        for time in (now, now - SESSION_IDLES, now - SEEN_EVERY)
    ]
    rows: Iterable[Any] = Child.everyone.raw(_SIGNED_IN, [*times, token_hash(token)])
    child = next(iter(rows), None)
    if child is None or child.is_over:
        return None
    if child.removed_at is not None or child.is_of_archived_class:
        return None
    if child.is_to_be_noted:
        ChildSession.objects.filter(pk=child.session_id).update(seen_at=now)
    of_class = [field.to_python(getattr(child, f"class_{field.attname}")) for field in _CLASS]
    child.school_class = SchoolClass.from_db(connection.alias, _CLASS_NAMES, of_class)
    return cast(Child, child)


def class_of_session(token: str) -> SchoolClass | None:
    """The class of the child whose session this is or was; None if unknown by now."""
    return SchoolClass.objects.filter(children__sessions__token_hash=token_hash(token)).first()


def sign_out(token: str) -> None:
    ChildSession.objects.filter(token_hash=token_hash(token)).delete()


def end_sessions(children: Iterable[Child]) -> None:
    """End every session of these children, on whatever device."""
    ChildSession.objects.filter(child__in=children).delete()


def sign_out_children(children: Sequence[Child], by: User | None = None) -> None:
    """End every session of these children at an adult's request, and log it."""
    with transaction.atomic():
        end_sessions(children)
        audit_children(by, What.SIGNED_OUT, children)


@dataclass(frozen=True, slots=True)
class Tries:
    """Wrong tries for a child in the last 24 hours. `strange`: on all strange devices together;
    `known`: the most on any one known device."""

    child: Child
    strange: int
    known: int

    @property
    def strange_held(self) -> bool:
        return self.strange >= TRIES

    @property
    def known_held(self) -> bool:
        return self.known >= TRIES

    @property
    def held(self) -> bool:
        return self.strange_held or self.known_held


FEW: Final = 10
"""Up to this many wrong tries are not shown to the teacher."""


def many_tries(school_class: SchoolClass) -> list[Tries]:
    """The children of the class with more than a few wrong tries in the last 24 hours."""
    rows = WrongTries.objects.filter(child__school_class=school_class)
    counts = _count_tries(rows.select_related("child").order_by("child__name_order"))
    return [tries for tries in counts if max(tries.strange, tries.known) > FEW]


def many_wrong_names(school_class: SchoolClass) -> int:
    """How many names that nobody in the class has were typed in the last 24 hours, up to 60. A few
    count as 0, since children make typing errors."""
    row = WrongNames.objects.filter(school_class=school_class).first()
    count = len(still_counting(row.times)) if row else 0
    return count if count > FEW else 0


def held(school_class: SchoolClass) -> list[Tries]:
    """The children of the class who have no tries left somewhere."""
    return [tries for tries in many_tries(school_class) if tries.held]


def tries_of(child: Child) -> Tries:
    rows = WrongTries.objects.filter(child=child).select_related("child")
    return next(iter(_count_tries(rows)), Tries(child, 0, 0))


def _count_tries(rows: Iterable[WrongTries]) -> list[Tries]:
    by_child: dict[Child, Tries] = {}
    for row in rows:
        before = by_child.get(row.child, Tries(row.child, 0, 0))
        count = len(still_counting(row.times))
        if row.device_hash == WrongTries.STRANGE:
            by_child[row.child] = Tries(row.child, count, before.known)
        else:
            by_child[row.child] = Tries(row.child, before.strange, max(before.known, count))
    return list(by_child.values())


def forget_tries(children: Iterable[Child]) -> None:
    """Forget the children's wrong tries."""
    WrongTries.objects.filter(child__in=children).delete()


def lift(children: Sequence[Child], by: User | None = None) -> None:
    """Forget the children's wrong tries at an adult's request, and log it."""
    with transaction.atomic():
        forget_tries(children)
        audit_children(by, What.TRIES_CLEARED, children)
