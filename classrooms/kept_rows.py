"""Rows as they were before an act, kept for an hour in the session of whoever did it, so that a
button brings them back."""

import hashlib
import json
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, Final

from django.contrib.sessions.backends.base import SessionBase
from django.core import serializers
from django.core.serializers.base import DeserializedObject
from django.db import models, transaction
from django.utils import timezone

from classrooms.models import SchoolClass

KEPT_FOR: Final = timedelta(hours=1)
MOST_KEPT: Final = 5
"""The latest acts of a session that can be undone."""
_KEY: Final = "kept_rows"
Data = list[dict[str, Any]]
Room = Mapping[type[models.Model], Callable[[SchoolClass], object]]
"""What raises `bounds.Full` where a class has no room for one more of these."""


class Changed(Exception):
    """The rows are not as the act left them, or were not kept for so long."""


def as_data(rows: Any) -> Data:
    """The rows as JSON, to the microsecond."""
    data: Data = json.loads(json.dumps(serializers.serialize("python", rows), default=str))
    return data


@contextmanager
def kept(
    session: SessionBase, school_class: SchoolClass, back: str, *rows: models.QuerySet[Any]
) -> Iterator[str]:
    """Keep these rows of the class as they are before what is done within. Yields the key that
    brings them back, and with them the reader to the address `back`."""
    key = secrets.token_urlsafe(9)
    before = [one for some in rows for one in as_data(some.all())]
    yield key
    others = {name: act for name, act in _acts(session).items() if _is_fresh(act)}
    lately = sorted(others, key=lambda name: str(others[name]["at"]))[1 - MOST_KEPT :]
    session[_KEY] = {name: others[name] for name in lately} | {
        key: {
            "at": timezone.now().isoformat(),
            "class": str(school_class.pk),
            "back": back,
            "before": before,
            "after": _sign_of(before),
        }
    }


def bring_back(session: SessionBase, school_class: SchoolClass, key: str, room: Room) -> str:
    """Make the rows what they were before the act of this key, and return its way back. Raises
    `Changed`, and what `room` raises."""
    act = _acts(session).get(key)
    if act is None or act["class"] != str(school_class.pk) or not _is_fresh(act):
        raise Changed
    with transaction.atomic():
        SchoolClass.objects.select_for_update(no_key=True).get(pk=school_class.pk)
        if _sign_of(act["before"]) != act["after"]:
            raise Changed
        for row in serializers.deserialize("python", act["before"], ignorenonexistent=True):
            if not type(row.object)._base_manager.filter(pk=row.object.pk).exists():
                room[type(row.object)](school_class)
            _without_who_is_gone(row)
            row.save()
    session[_KEY] = {name: one for name, one in _acts(session).items() if name != key}
    back: str = act["back"]
    return back


def _acts(session: SessionBase) -> dict[str, dict[str, Any]]:
    acts: dict[str, dict[str, Any]] = session.get(_KEY, {})
    return acts


def _is_fresh(act: Mapping[str, Any]) -> bool:
    return timezone.now() - datetime.fromisoformat(act["at"]) <= KEPT_FOR


def _sign_of(before: Data) -> str:
    """A sign of how these rows are now, those that are missing too."""
    now: Data = []
    for row in serializers.deserialize("python", before, ignorenonexistent=True):
        now += as_data(type(row.object)._base_manager.filter(pk=row.object.pk))
    text = json.dumps([one | {"fields": _sorted(one["fields"])} for one in now], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _sorted(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields, the lists among them in one order."""
    lists = {name: each for name, each in fields.items() if isinstance(each, list)}
    return {**fields, **{name: sorted(map(str, each)) for name, each in lists.items()}}


def _without_who_is_gone(row: DeserializedObject) -> None:
    """Children and groups that were deleted since cannot be linked again."""
    links: dict[str, Any] = row.m2m_data or {}
    for name, keys in links.items():
        field = row.object._meta.get_field(name)
        there = field.related_model._base_manager.filter(pk__in=keys)  # type: ignore[union-attr]
        links[name] = list(there.values_list("pk", flat=True))
