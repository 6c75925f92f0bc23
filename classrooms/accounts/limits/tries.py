"""How many wrong tries signing in allows, counted in the database for all processes.

A try is taken before it is checked and given back if it was right. So simultaneous tries gain
nothing, and no lock is held while a password is hashed. `docs/signing-in.md` has the numbers and
the reasons.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from classrooms.models import AdultDevice, User, WrongSignIns

Limits = tuple[tuple[int, timedelta], ...]
"""Pairs of a number of tries and the sliding window in which they are allowed."""

OF_AN_ACCOUNT: Final[Limits] = ((20, timedelta(hours=24)), (100, timedelta(days=30)))
"""On all strange devices together, and on each device that the account knows."""
OF_AN_ADDRESS: Final[Limits] = ((100, timedelta(hours=1)),)
"""From one network address, on devices that the account does not know."""


WHOLE_SECONDS: Final = timedelta(seconds=1)
"""Times are stored in whole seconds: a try counts for up to a second longer, never less."""


@dataclass(frozen=True, slots=True, order=True)
class Counter:
    """A place where tries are counted, and its limits."""

    key: str
    limits: Limits

    @property
    def key_hash(self) -> str:
        return salted_hmac("classrooms.accounts.limits", self.key, algorithm="sha256").hexdigest()

    @property
    def remembers(self) -> timedelta:
        return max(time for _, time in self.limits)


@dataclass(frozen=True, slots=True)
class Taken:
    """A try that counts as wrong until it is given back."""

    counters: tuple[Counter, ...]
    at: int


def take(counters: Iterable[Counter], count: int = 1) -> Taken | None:
    """Count a try in each counter, before it is checked. None, and nothing is counted, where one of
    them is used up. Takes the same steps whatever is counted, also with a `count` of 0."""
    at = int(timezone.now().timestamp())
    by_hash = {counter.key_hash: counter for counter in counters}
    with transaction.atomic():
        rows = _locked(by_hash)
        for row in rows:
            counter = by_hash[row.key_hash]
            row.times = _still_counting(row.times, counter, at)
            if _is_used_up(row.times, counter, at):
                transaction.set_rollback(True)
                return None
        for row in rows:
            row.times += [at] * count
            row.ends_at = _end(row.times, by_hash[row.key_hash])
        WrongSignIns.objects.bulk_update(rows, ("times", "ends_at"))
    return Taken(tuple(by_hash.values()), at)


def is_used_up(counter: Counter) -> bool:
    """Whether no try is left here. Writes nothing."""
    row = WrongSignIns.objects.filter(key_hash=counter.key_hash).first()
    return row is not None and _is_used_up(row.times, counter, int(timezone.now().timestamp()))


def give_back(taken: Taken) -> None:
    """The try was right and does not count."""
    by_hash = {counter.key_hash: counter for counter in taken.counters}
    with transaction.atomic():
        rows = _locked(by_hash)
        for row in rows:
            if taken.at in row.times:
                row.times.remove(taken.at)
            row.ends_at = _end(row.times, by_hash[row.key_hash])
        WrongSignIns.objects.bulk_update(rows, ("times", "ends_at"))


def forget(counters: Iterable[Counter]) -> None:
    """Reset these counters."""
    hashes = [counter.key_hash for counter in counters]
    WrongSignIns.objects.filter(key_hash__in=hashes).delete()


def forget_ended() -> None:
    WrongSignIns.objects.filter(ends_at__lte=timezone.now()).delete()


def _locked(by_hash: dict[str, Counter]) -> list[WrongSignIns]:
    """The rows of these counters, locked, and created where missing. Always in the same order, so
    that two tries never deadlock."""
    now = timezone.now()
    fresh = [WrongSignIns(key_hash=key_hash, ends_at=now) for key_hash in sorted(by_hash)]
    WrongSignIns.objects.bulk_create(fresh, ignore_conflicts=True)
    rows = WrongSignIns.objects.select_for_update().filter(key_hash__in=by_hash)
    return list(rows.order_by("key_hash"))


def _still_counting(times: Sequence[int], counter: Counter, now: int) -> list[int]:
    since = now - counter.remembers.total_seconds()
    return [time for time in times if time >= since]


def _is_used_up(times: Sequence[int], counter: Counter, now: int) -> bool:
    return any(
        sum(time >= now - window.total_seconds() for time in times) >= most
        for most, window in counter.limits
    )


def _end(times: Sequence[int], counter: Counter) -> datetime:
    last = max(times, default=0)
    return datetime.fromtimestamp(last, tz=UTC) + counter.remembers + WHOLE_SECONDS


SignInStep = Literal["password", "code"]
"""Which secret is guessed: that of the first step of signing in, or of the second."""
SIGN_IN_STEPS: Final[tuple[SignInStep, ...]] = ("password", "code")


def on_strange_devices(step: SignInStep, account: str) -> Counter:
    """`account`: the account's id, or an address without an account."""
    return Counter(f"{step}:account:{account}", OF_AN_ACCOUNT)


def on_device(step: SignInStep, device: AdultDevice) -> Counter:
    return Counter(f"{step}:device:{device.pk}", OF_AN_ACCOUNT)


def in_session(step: SignInStep, session_key: str) -> Counter:
    """For someone who is signed in on a device that the account does not know."""
    return Counter(f"{step}:session:{session_key}", OF_AN_ACCOUNT)


def from_network(step: SignInStep, network: str) -> Counter:
    return Counter(f"{step}:from:{network}", OF_AN_ADDRESS)


def take_or_refuse(counters: Iterable[Counter], refusal: str) -> Taken:
    """Take a try in each counter; ValidationError with `refusal` where one is used up."""
    taken = take(counters)
    if taken is None:
        raise ValidationError(refusal, code="too_many_tries")
    return taken


def begin_anew(step: SignInStep, user: User) -> None:
    """Forget earlier tries at this account, on all devices."""
    devices = AdultDevice.objects.filter(user=user)
    forget([on_strange_devices(step, str(user.pk)), *(on_device(step, each) for each in devices)])
