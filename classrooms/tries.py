"""Counts tries to sign in, and expensive work, against their limits.

Tries are counted in the database, in sliding windows, so that the limits hold for all processes
together, with or without Redis. A try is stored as its time, in seconds since 1970.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, TypeVar

from django.db import models, transaction
from django.db.models import F, Sum
from django.utils import timezone
from django.utils.crypto import salted_hmac

from classrooms.models import WrongCodes, WrongNames, WrongSignIns, WrongTries

M = TypeVar("M", bound=models.Model)
Limits = tuple[tuple[int, timedelta], ...]
"""How many tries are allowed, each number with its sliding window."""
DAY: Final = timedelta(hours=24)
HOUR: Final = timedelta(hours=1)
CHILD_LIMITS: Final[Limits] = ((60, DAY),)
"""The limits on a child's wrong tries, on all strange devices together and on each known one. With
60 tries, fewer than 0.5 % of the 13,824 combinations can be tried."""


def seconds_now() -> int:
    """The time in whole seconds, rounded down. A try may therefore count for up to a second longer,
    but never for less."""
    return int(timezone.now().timestamp())


def times_that_count(times: Iterable[int], limits: Limits) -> list[int]:
    """The times that are within the longest window."""
    since = seconds_now() - max(window for _, window in limits).total_seconds()
    return [time for time in times if time >= since]


def seconds_to_wait(times: Iterable[float], limits: Limits) -> int:
    """The seconds until another try is allowed; 0 if one is allowed now."""
    at, seconds = seconds_now(), 0
    latest = sorted(times, reverse=True)
    for limit, window in limits:
        if len(latest) >= limit:
            free_at = latest[limit - 1] + window.total_seconds()
            seconds = max(seconds, int(free_at) + 1 - at)
    return seconds


def lock_rows(rows: Sequence[M], *unique: str) -> list[M]:
    """Lock these rows until the transaction ends, create the missing ones, and return all as they
    are in the database. `unique` names the fields that identify a row; the rows differ only in the
    last of these.

    One statement serves existing and missing rows, so that the time does not show which they were.
    Rows are always locked in the same order, so that two tries never deadlock.
    """
    if not rows:
        return []
    manager = type(rows[0])._default_manager
    manager.bulk_create(
        sorted(rows, key=lambda row: str(getattr(row, unique[-1]))),
        update_conflicts=True,
        unique_fields=unique,
        update_fields=unique[-1:],
    )
    keys = {f"{name}__in": {getattr(row, name) for row in rows} for name in unique}
    return list(manager.filter(**keys))


# Wrong tries of adults and of networks, under the hash of a key. A try is counted before it is
# checked, and given back if it was right. So simultaneous tries gain nothing, and no lock is held
# while a password is hashed.


@dataclass(frozen=True, slots=True, order=True)
class Counter:
    """Counts tries under a key, against their limits."""

    key: str
    limits: Limits

    @property
    def key_hash(self) -> str:
        return salted_hmac("classrooms.accounts.limits", self.key, algorithm="sha256").hexdigest()


@dataclass(frozen=True, slots=True)
class CountedTry:
    """A try that counts as wrong unless it is given back."""

    counters: tuple[Counter, ...]
    at: int


def count_tries(counters: Iterable[Counter], count: int = 1) -> CountedTry | None:
    """Count `count` tries in each counter, before they are checked. If a counter is used up, count
    nothing and return None. The SQL statements are the same for any `count`, even for 0."""
    at = seconds_now()
    by_hash = {counter.key_hash: counter for counter in counters}
    with transaction.atomic():
        rows = _lock_counters(by_hash)
        for row in rows:
            limits = by_hash[row.key_hash].limits
            row.times = times_that_count(row.times, limits)
            if seconds_to_wait(row.times, limits):
                transaction.set_rollback(True)
                return None
        for row in rows:
            row.times += [at] * count
        _save(rows, by_hash)
    return CountedTry(tuple(by_hash.values()), at)


def is_used_up(counter: Counter) -> bool:
    """Whether this counter has no try left. Stores nothing."""
    row = WrongSignIns.objects.filter(key_hash=counter.key_hash).first()
    return row is not None and seconds_to_wait(row.times, counter.limits) > 0


def give_back(counted_try: CountedTry) -> None:
    """Take back the count of a try that was right."""
    by_hash = {counter.key_hash: counter for counter in counted_try.counters}
    with transaction.atomic():
        rows = _lock_counters(by_hash)
        for row in rows:
            if counted_try.at in row.times:
                row.times.remove(counted_try.at)
        _save(rows, by_hash)


def reset_counters(counters: Iterable[Counter]) -> None:
    hashes = [counter.key_hash for counter in counters]
    WrongSignIns.objects.filter(key_hash__in=hashes).delete()


def _lock_counters(by_hash: dict[str, Counter]) -> list[WrongSignIns]:
    rows = [WrongSignIns(key_hash=key_hash, ends_at=timezone.now()) for key_hash in by_hash]
    return lock_rows(rows, "key_hash")


def _save(rows: Sequence[WrongSignIns], by_hash: dict[str, Counter]) -> None:
    for row in rows:
        longest = max(window for _, window in by_hash[row.key_hash].limits)
        last = datetime.fromtimestamp(max(row.times, default=0), tz=UTC)
        row.ends_at = last + longest + timedelta(seconds=1)
    WrongSignIns.objects.bulk_update(rows, ("times", "ends_at"))


# Wrong class codes on the whole site. There are so many that only their number per hour is stored.


def wrong_codes() -> int:
    """How many wrong codes were typed in the last 24 to 25 hours."""
    buckets = WrongCodes.objects.filter(hour__gt=timezone.now() - DAY - HOUR)
    return buckets.aggregate(all=Sum("count"))["all"] or 0


def count_wrong_codes(more: int) -> None:
    """Count `more` wrong codes. The SQL statements are the same for 0, so that the time does not
    show whether a code counts."""
    with transaction.atomic():
        bucket = lock_code_count()
        WrongCodes.objects.filter(pk=bucket.pk).update(count=F("count") + more)


def lock_code_count() -> WrongCodes:
    """The number of wrong codes in this hour, locked. Deletes the hours that no longer count."""
    hour = timezone.now().replace(minute=0, second=0, microsecond=0)
    (bucket,) = lock_rows([WrongCodes(hour=hour)], "hour")
    if not bucket.count:
        WrongCodes.objects.filter(hour__lte=hour - DAY - HOUR).delete()
    return bucket


def delete_ended_tries() -> None:
    WrongSignIns.objects.filter(ends_at__lte=timezone.now()).delete()
    kinds: Sequence[type[WrongTries | WrongNames]] = (WrongTries, WrongNames)
    for model in kinds:
        rows = model._default_manager.iterator()
        ended_rows = [row.pk for row in rows if not times_that_count(row.times, CHILD_LIMITS)]
        model._default_manager.filter(pk__in=ended_rows).delete()
