"""Children sign in with a class code, a name and three pictures, or with a QR code."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Final, Literal
from uuid import uuid4
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import connection, models, transaction
from django.db.models import F
from django.http import HttpRequest
from django.utils import timezone

from classrooms.accounts.limits import subscriber_network
from classrooms.audit import What, audit_children
from classrooms.credentials import (
    codes_near,
    device_hash,
    encrypt_pictures,
    new_token,
    pictures_match,
    read_code,
    token_hash,
)
from classrooms.locks import lock
from classrooms.models import (
    Child,
    ChildSession,
    KnownDevice,
    QrCode,
    SchoolClass,
    User,
    WrongCodes,
    WrongNames,
    WrongTries,
)
from classrooms.network import Address, client_address, is_within, network_of
from classrooms.tries import (
    DAY,
    HOUR,
    OF_A_CHILD,
    Counter,
    Limits,
    count_wrong_codes,
    give_back,
    is_used_up,
    lock_codes,
    lock_rows,
    seconds_now,
    still_counting,
    take,
    wait,
    wrong_codes,
)
from games.play.sql import object_of

# Pictures, QR codes, counted tries and sessions of children. Nothing here stores a network address
# or locks a class out. Wrong tries on a device that the child has used count for that device only.
# On strange devices they count together, so that changing devices gains nothing. QR codes have no
# limit. `docs/signing-in.md` has the arithmetic.

TRIES: Final = OF_A_CHILD[0][0]

SESSION_LASTS: Final = timedelta(hours=12)
SESSION_IDLES: Final = timedelta(minutes=20)
"""The same in `static/js/page/idle.js`, which asks before it leaves the page."""
SEEN_EVERY: Final = timedelta(minutes=1)
MOST_OF_A_CHILD: Final = 100
"""The most known devices, and the most sessions, of a child. Beyond it the oldest are forgotten;
otherwise signing in with one card again and again would fill the database."""


@dataclass(frozen=True, slots=True)
class SignedIn:
    """The child is signed in. `token` goes into the cookie and is stored nowhere else."""

    token: str


SignInResult = SignedIn | Literal["wrong", "too many"]


def sign_in(child: Child, picked: Sequence[str], device: str) -> SignInResult:
    """Try these pictures for the child. Locks the child, so that nobody signs in with pictures that
    a teacher is just replacing, and the row of their tries, so that simultaneous requests gain
    none. "Wrong" and "too many" take the same steps."""
    known = device_hash(device)
    with lock(child) as (child,):
        seen_before = KnownDevice.objects.filter(child=child, device_hash=known).exists()
        where = known if seen_before else WrongTries.STRANGE
        (tries,) = lock_rows(
            [WrongTries(child=child, device_hash=where)], "child_id", "device_hash"
        )
        before = still_counting(tries.times, OF_A_CHILD)
        is_right = pictures_match(child.pictures_encrypted, picked) and not child.removed_at
        if wait(before, OF_A_CHILD):
            _save_tries(tries, before)
            return "too many"
        if not is_right:
            _save_tries(tries, [*before, seconds_now()])
            return "wrong"
        return SignedIn(_begin_session(child, known))


def sign_in_by_card(child: Child, token: str, device: str) -> SignedIn | None:
    """Sign in the child whose QR code has this token. None if they are removed or have another code
    by now. The device becomes known."""
    with lock(child) as (child,):
        code = QrCode.objects.filter(child=child, token_hash=token_hash(token))
        if child.removed_at or not code.exists():
            return None
        return SignedIn(_begin_session(child, device_hash(device)))


def sign_in_by_platform(
    child: Child, is_still: Callable[[Child], bool], device: str
) -> SignedIn | None:
    """Sign in a child on the word of a learning platform. `is_still`, called under the lock, says
    whether it still vouches for them. None if it does not, or if the child is removed. The device
    becomes known."""
    with lock(child) as (child,):
        if child.removed_at or not is_still(child):
            return None
        return SignedIn(_begin_session(child, device_hash(device)))


def reject_unknown_name(school_class: SchoolClass, picked: Sequence[str], device: str) -> None:
    """Take the steps of wrong pictures for a name that no child of the class has. The teacher sees
    the number of such tries; the name is not stored."""
    with transaction.atomic():
        Child.all_objects.select_for_update(no_key=True).filter(pk=uuid4()).first()
        KnownDevice.objects.filter(child=uuid4(), device_hash=device_hash(device)).exists()
        (names,) = lock_rows([WrongNames(school_class=school_class)], "school_class_id")
        before = still_counting(names.times, OF_A_CHILD)
        pictures_match(dummy_pictures(settings.PICTURES_KEY), picked)
        times = [*before, seconds_now()][-TRIES:]
        WrongNames.objects.filter(pk=names.pk).update(times=times)


@cache
def dummy_pictures(key: str) -> str:
    """Encrypted pictures of no child. `key` makes the cache depend on the current keys."""
    return encrypt_pictures(("sun", "sun", "sun"))


def _save_tries(tries: WrongTries, times: list[int]) -> None:
    WrongTries.objects.filter(pk=tries.pk).update(times=times)


def _begin_session(child: Child, device: str) -> str:
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
"""The fields of a class that are read with its child: those that the database stores as Python
does. Others are read when they are used."""
_CLASS_NAMES: Final = tuple(field.attname for field in _CLASS)
_CHILD_NAMES: Final = tuple(field.attname for field in Child._meta.concrete_fields)
# The text contains only names of tables and columns; values are parameters. It names each column,
# because a prepared statement with `*` fails when an upgrade adds one.
_OF_CHILD: Final = ", ".join(f"child.{name}" for name in _CHILD_NAMES)
_OF_CLASS: Final = ", ".join(f"school_class.{name}" for name in _CLASS_NAMES)
_SIGNED_IN: Final = f"""
    SELECT {_OF_CHILD}, {_OF_CLASS},
        school_class.hand_until IS NOT NULL AND school_class.hand_until > %s,
        school_class.paused_until IS NOT NULL AND school_class.paused_until > %s,
        session.id, session.seen_at < %s
    FROM {ChildSession._meta.db_table} session
    JOIN {Child._meta.db_table} child ON child.id = session.child_id
    JOIN {SchoolClass._meta.db_table} school_class ON school_class.id = child.school_class_id
    WHERE session.token_hash = %s AND session.ends_at > %s AND session.seen_at > %s
        AND child.removed_at IS NULL AND school_class.archived_at IS NULL"""  # nosec B608


def child_of(token: str) -> Child | None:
    """The child of this session, unless it has ended or was idle for too long. Removed children and
    children of archived classes are never signed in. In SQL, because each request of a child does
    this, and the ORM takes several times as long as the database."""
    now = timezone.now()
    at, noted, idle = map(
        connection.ops.adapt_datetimefield_value, (now, now - SEEN_EVERY, now - SESSION_IDLES)
    )
    with connection.cursor() as cursor:
        cursor.execute(_SIGNED_IN, [at, at, noted, token_hash(token), at, idle])
        row = cursor.fetchone()
    if row is None:
        return None
    child = object_of(Child, _CHILD_NAMES, row)
    child.school_class = object_of(SchoolClass, _CLASS_NAMES, row[len(_CHILD_NAMES) :])
    is_called, is_paused, session, is_to_be_noted = row[len(_CHILD_NAMES) + len(_CLASS_NAMES) :]
    child.is_called, child.is_paused = bool(is_called), bool(is_paused)
    if is_to_be_noted:
        ChildSession.objects.filter(pk=session).update(seen_at=now)
    return child


def class_of_session(token: str) -> SchoolClass | None:
    """The class of the child whose session this is or was; None if the session is deleted."""
    return SchoolClass.objects.filter(children__sessions__token_hash=token_hash(token)).first()


def sign_out(token: str) -> None:
    ChildSession.objects.filter(token_hash=token_hash(token)).delete()


def end_sessions(children: Iterable[Child]) -> None:
    """End the sessions of these children on all devices."""
    ChildSession.objects.filter(child__in=children).delete()


def sign_out_children(children: Sequence[Child], by: User | None = None) -> None:
    """End the sessions of these children on all devices for an adult, and log it."""
    with transaction.atomic():
        end_sessions(children)
        audit_children(by, What.SIGNED_OUT, children)


@dataclass(frozen=True, slots=True)
class Tries:
    """The number of wrong tries for a child in the last 24 hours."""

    child: Child
    strange: int  # on all strange devices together
    known: int  # the most on any one known device

    @property
    def is_locked_out_on_strange(self) -> bool:
        return self.strange >= TRIES

    @property
    def is_locked_out_on_known(self) -> bool:
        return self.known >= TRIES

    @property
    def is_locked_out(self) -> bool:
        return self.is_locked_out_on_strange or self.is_locked_out_on_known


FEW_TRIES: Final = 10
"""The teacher sees wrong tries only if there are more."""


def children_with_many_tries(school_class: SchoolClass) -> list[Tries]:
    """The children of the class with more than `FEW_TRIES` wrong tries in the last 24 hours."""
    rows = WrongTries.objects.filter(child__school_class=school_class)
    counts = _count_tries(rows.select_related("child").order_by("child__name_order"))
    return [tries for tries in counts if max(tries.strange, tries.known) > FEW_TRIES]


def count_wrong_names(school_class: SchoolClass) -> int:
    """The number of names typed in the last 24 hours that no child of the class has: up to 60, and
    0 if there were at most `FEW_TRIES`, because children make typing errors."""
    row = WrongNames.objects.filter(school_class=school_class).first()
    count = len(still_counting(row.times, OF_A_CHILD)) if row else 0
    return count if count > FEW_TRIES else 0


def tries_of_locked_out(school_class: SchoolClass) -> list[Tries]:
    """The children of the class who have no tries left, on a known device or on strange ones."""
    return [tries for tries in children_with_many_tries(school_class) if tries.is_locked_out]


def tries_of(child: Child) -> Tries:
    rows = WrongTries.objects.filter(child=child).select_related("child")
    return next(iter(_count_tries(rows)), Tries(child, 0, 0))


def _count_tries(rows: Iterable[WrongTries]) -> list[Tries]:
    by_child: dict[Child, Tries] = {}
    for row in rows:
        before = by_child.get(row.child, Tries(row.child, 0, 0))
        count = len(still_counting(row.times, OF_A_CHILD))
        if row.device_hash == WrongTries.STRANGE:
            by_child[row.child] = Tries(row.child, count, before.known)
        else:
            by_child[row.child] = Tries(row.child, before.strange, max(before.known, count))
    return list(by_child.values())


def forget_tries(children: Iterable[Child]) -> None:
    WrongTries.objects.filter(child__in=children).delete()


def clear_tries(children: Sequence[Child], by: User | None = None) -> None:
    """Forget the children's wrong tries for an adult, and log it."""
    with transaction.atomic():
        forget_tries(children)
        audit_children(by, What.TRIES_CLEARED, children)


# The class code at the door, and what stops people who guess codes. No class is ever locked: a
# device on which a child of the class has signed in always finds it open. All other devices of a
# network together, and all of the site, may try a limited number of wrong codes in any 24 hours.
# After that the door does not tell them whether a code is right: children also type their name and
# tap their pictures, and learn only whether all three together are right. Networks are stored as
# keyed hashes. `docs/signing-in.md` has the arithmetic.

MOST_CLASSES: Final = 10_000
"""The number of classes for which the limits below were calculated."""
OPEN_CODES: Final = 500
"""Up to this many wrong codes in 24 hours, the site tells whether a code is wrong."""
CAREFUL_TRIES: Final = 2_000_000
"""Up to this many, it still checks code, name and pictures together, and tells only whether all
three are right."""
CODES_OF_A_NETWORK: Final[Limits] = ((100, DAY),)
"""Up to this many wrong codes, a network is told whether a code is wrong: a fifth of
`OPEN_CODES`."""
NAMES_OF_A_NETWORK: Final[Limits] = ((600, HOUR),)
"""Wrong combinations of code, name and pictures from one network."""
NAMES_OF_A_CLASS: Final[Limits] = ((200, HOUR),)
"""Such combinations with the code of one class: many times what a class of thirty needs."""

DoorState = Literal["open", "wrong", "careful", "shut"]


@dataclass(frozen=True, slots=True)
class Door:
    """The answer to a code. "careful" and "shut" are given for all codes, right or wrong."""

    state: DoorState
    code: str = ""


def network_at_door(request: HttpRequest) -> str:
    """The network whose wrong codes and names are counted; "" if the address is unknown."""
    address = client_address(request)
    return subscriber_network(address) if address else ""


def _codes_from(network: str) -> Counter:
    return Counter(f"class code:from:{network}", CODES_OF_A_NETWORK)


def _guesses(network: str) -> bool:
    """Whether so many wrong codes came from this network that its door is careful."""
    return bool(network) and is_used_up(_codes_from(network))


def _state(network: str) -> Literal["open", "careful", "shut"]:
    """The state of the door for strange devices in this network, before the code is checked."""
    wrong = wrong_codes()
    if wrong >= CAREFUL_TRIES:
        return "shut"
    return "careful" if wrong >= OPEN_CODES or _guesses(network) else "open"


def knock(typed: str, device: str, network: str = "") -> Door:
    """Try this typed code on this device ("" if the device has no id yet). Not counted as wrong: a
    text that cannot be a code, and a code one typing error away from that of a class. Such a code
    opens no other class, because no two codes are so near to each other
    (`models.classes.free_code`)."""
    code = read_code(typed)
    if code is None:
        return Door("wrong")
    if is_known(device, code):
        return Door("open", code)
    state = _state(network)
    if state != "open":
        return Door(state, code)
    if SchoolClass.objects.filter(code=code, archived_at=None).exists():
        return Door("open", code)
    is_near = SchoolClass.objects.filter(code__in=[code, *codes_near(code)]).exists()
    count = 0 if is_near else 1
    count_wrong_codes(count)
    if network:
        take([_codes_from(network)], count)
    return Door("wrong", code)


def is_known(device: str, code: str) -> bool:
    """Whether a child of the class with this code has signed in on this device."""
    if not device:
        return False
    children = Child.objects.filter(school_class__code=code, school_class__archived_at=None)
    return children.filter(known_devices__device_hash=device_hash(device)).exists()


def sign_in_typed(
    code: str,
    school_class: SchoolClass | None,
    child: Child | None,
    picked: Sequence[str],
    device: str,
    network: str,
) -> SignInResult:
    """Try a typed name and pictures. If `school_class` is None, the code is tried with them. "Too
    many" means that nothing was checked, because strange devices in this network have no tries
    left."""
    counters = []
    if network and not is_known(device, code):
        counters = [
            Counter(f"child name:from:{network}", NAMES_OF_A_NETWORK),
            Counter(f"child name:from:{network}:{code}", NAMES_OF_A_CLASS),
        ]
    taken = take(counters)
    if taken is None:
        return "too many"
    if school_class:
        answer = _sign_in_by_name(school_class, child, picked, device)
    else:
        answer = _sign_in_by_code_and_name(child, picked, device, 0 if _guesses(network) else 1)
    if isinstance(answer, SignedIn):
        give_back(taken)
    return answer


def _sign_in_by_name(
    school_class: SchoolClass, child: Child | None, picked: Sequence[str], device: str
) -> SignInResult:
    """Try name and pictures together, in a class whose names are not listed. `child` is the child
    with that name. None takes the steps of wrong pictures and does not count as a wrong code. Such
    tries in a class wait for each other, so that the time gives nothing away."""
    with lock(*[] if child is None else [child]):
        lock_rows([WrongNames(school_class=school_class)], "school_class_id")
        if child is None:
            reject_unknown_name(school_class, picked, device)
            return "wrong"
        answer = sign_in(child, picked, device)
    return "wrong" if answer == "too many" else answer


def _sign_in_by_code_and_name(
    child: Child | None, picked: Sequence[str], device: str, count: int
) -> SignInResult:
    """Try code, name and pictures together. `child` is the child with that name in the class with
    that code. None takes as long as wrong pictures and counts as `count` wrong codes."""
    if child is not None:
        answer = sign_in(child, picked, device)
        # "too many" would tell that there is such a child.
        return "wrong" if answer == "too many" else answer
    with transaction.atomic():
        KnownDevice.objects.filter(child=uuid4(), device_hash=device_hash(device)).exists()
        bucket = lock_codes()
        pictures_match(dummy_pictures(settings.PICTURES_KEY), picked)
        WrongCodes.objects.filter(pk=bucket.pk).update(count=F("count") + count)
    return "wrong"


# Who sees the names of a class after typing its code, and who types a name instead. A class code is
# on every card, and cards get lost. So away from school the code alone does not show who is in the
# class: on a new device children type their name and tap their pictures, and learn only whether
# both together are right. `docs/signing-in.md` has the arithmetic.

MOST_NETWORKS: Final = 4
SATURDAY: Final = 5

NamesShown = SchoolClass.NamesShown
Added = Literal["added", "there", "full", "unknown"]


def names_are_listed(school_class: SchoolClass, request: HttpRequest, device: str) -> bool:
    """Whether someone with the code may choose a name on this device, in its current network. In a
    closed class they may: the list has only children who have signed in on the device."""
    shown = school_class.names_shown
    if shown == NamesShown.ALWAYS or school_class.is_closed:
        return True
    if is_known(device, school_class.code):
        return True
    if shown == NamesShown.NEVER:
        return False
    return in_school_hours(school_class) or is_within(
        client_address(request), school_class.networks
    )


def in_school_hours(school_class: SchoolClass) -> bool:
    """Whether school hours apply to the class, and it is school time by its clock."""
    if not school_class.in_school_hours:
        return False
    now = timezone.now().astimezone(ZoneInfo(school_class.time_zone))
    return now.weekday() < SATURDAY and (
        school_class.school_from <= now.hour < school_class.school_until
    )


def add_network(school_class: SchoolClass, address: Address | None) -> Added:
    """Let the class list its names in the network of this address."""
    network = network_of(address)
    if network is None:
        return "unknown"
    with lock(school_class) as (kept,):
        if is_within(network.network_address, kept.networks):
            return "there"
        if len(kept.networks) >= MOST_NETWORKS:
            return "full"
        _save_networks(kept, [*kept.networks, str(network)])
    return "added"


def remove_network(school_class: SchoolClass, network: str) -> bool:
    """Stop listing the names of the class in this network. False if they were not listed there."""
    with lock(school_class) as (kept,):
        if network not in kept.networks:
            return False
        _save_networks(kept, [other for other in kept.networks if other != network])
    return True


def _save_networks(school_class: SchoolClass, networks: list[str]) -> None:
    school_class.networks = networks
    school_class.save(update_fields=("networks",))
