"""A cache in the database, so that limits hold for all processes together, with or without Redis.

A valid entry is never evicted. A stranger could push it out of one of Django's own caches and would
get new tries. `add` is atomic between processes, even for an expired entry, for which Django's
database cache lets two callers succeed. Inside a transaction a second caller waits for the first.
"""

import json
from datetime import datetime, timedelta
from typing import Any, Final

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.db import connections, router
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

ADD: Final = """
    INSERT INTO {table} (key_hash, value, ends_at) VALUES (%s, %s, %s)
    ON CONFLICT (key_hash) DO UPDATE SET value = excluded.value, ends_at = excluded.ends_at
    WHERE {table}.ends_at <= %s
"""


def key_hash(key: str) -> str:
    """The keyed hash of a key. The table has only this, because keys contain addresses."""
    return salted_hmac("classrooms.accounts.store", key, algorithm="sha256").hexdigest()


class SharedStore(BaseCache):
    """A Django cache of JSON values. Timeouts are in seconds; None means forever."""

    def __init__(self, location: str, params: dict[str, Any]) -> None:
        super().__init__(params)

    def add(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        now = timezone.now()
        ends_at = self._end(now, timeout)
        if ends_at is not None and ends_at <= now:
            return not self._live(now).filter(pk=self._hash(key, version)).exists()
        model = self._model()
        connection = connections[router.db_for_write(model)]
        adapt = connection.ops.adapt_datetimefield_value
        with connection.cursor() as cursor:
            cursor.execute(
                ADD.format(table=connection.ops.quote_name(model._meta.db_table)),
                [
                    self._hash(key, version),
                    json.dumps(value),
                    None if ends_at is None else adapt(ends_at),
                    adapt(now),
                ],
            )
            return cursor.rowcount == 1

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        entries = self._live(timezone.now()).filter(pk=self._hash(key, version))
        return next(iter(entries.values_list("value", flat=True)), default)

    def set(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        entry = self._model()(
            key_hash=self._hash(key, version),
            value=value,
            ends_at=self._end(timezone.now(), timeout),
        )
        self._model()._default_manager.bulk_create(
            [entry],
            update_conflicts=True,
            unique_fields=["key_hash"],
            update_fields=["value", "ends_at"],
        )

    def touch(self, key: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        now = timezone.now()
        entries = self._live(now).filter(pk=self._hash(key, version))
        return entries.update(ends_at=self._end(now, timeout)) > 0

    def delete(self, key: Any, version: int | None = None) -> bool:
        entries = self._model()._default_manager.filter(pk=self._hash(key, version))
        return entries.delete()[0] > 0

    def clear(self) -> None:
        self._model()._default_manager.all().delete()

    def forget_ended(self) -> None:
        self._model()._default_manager.filter(ends_at__lte=timezone.now()).delete()

    def _live(self, now: datetime) -> QuerySet[Any]:
        return self._model()._default_manager.filter(Q(ends_at__gt=now) | Q(ends_at=None))

    def _end(self, now: datetime, timeout: Any) -> datetime | None:
        seconds = self.default_timeout if timeout is DEFAULT_TIMEOUT else timeout
        return None if seconds is None else now + timedelta(seconds=seconds)

    def _hash(self, key: Any, version: int | None) -> str:
        return key_hash(self.make_key(key, version=version))

    @staticmethod
    def _model() -> Any:
        """The model. It is imported late, because this module is loaded before the models."""
        from classrooms.models import SharedValue

        return SharedValue
