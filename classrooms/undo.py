"""Taking back what an act has changed."""

import hashlib
import json
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, Final

from django.apps import apps
from django.contrib import messages
from django.contrib.sessions.backends.base import SessionBase
from django.core import serializers
from django.db import models
from django.http import HttpRequest
from django.utils import timezone

from classrooms.locks import Changed, lock
from classrooms.models import SchoolClass

# Rows as they were before an act, kept for an hour in the session of whoever did it, so that a
# button brings them back.

KEPT_FOR: Final = timedelta(hours=1)
MOST_KEPT: Final = 5
"""The latest acts of a session that can be undone."""
_KEY: Final = "kept_rows"
Data = list[dict[str, Any]]
Room = Mapping[type[models.Model], Callable[[SchoolClass], object]]
"""What raises `bounds.LimitReached` where a class has no room for one more of these."""


def as_data(rows: Any, **options: Any) -> Data:
    """The rows as JSON, to the microsecond."""
    plain = serializers.serialize("python", rows, **options)
    data: Data = json.loads(json.dumps(plain, default=str))
    return data


@contextmanager
def kept(
    session: SessionBase, school_class: SchoolClass, back: str, rows: models.QuerySet[Any]
) -> Iterator[str]:
    """Keep these rows of the class as they are before what is done within, and what they are linked
    to. Yields the key that brings them back, and with them the reader to the address `back`."""
    key = secrets.token_urlsafe(9)
    label = rows.model._meta.label
    keys = list(map(str, rows.values_list("pk", flat=True)))
    before = _rows_now(label, keys)
    yield key
    fresh = {name: act for name, act in _acts(session).items() if _is_fresh(act)}
    lately = sorted(fresh, key=lambda name: str(fresh[name]["at"]))[1 - MOST_KEPT :]
    session[_KEY] = {name: fresh[name] for name in lately} | {
        key: {
            "at": timezone.now().isoformat(),
            "class": str(school_class.pk),
            "back": back,
            "model": label,
            "keys": keys,
            "before": before,
            "after": _sign_of(_rows_now(label, keys)),
        }
    }


def bring_back(session: SessionBase, school_class: SchoolClass, key: str, room: Room) -> str:
    """Make the rows what they were before the act of this key, and return its way back. Raises
    `Changed` where they are not as the act left them or were not kept for so long, and what `room`
    raises."""
    act = _act_of(session, school_class, key)
    model = apps.get_model(act["model"])
    with lock(school_class):
        now = _rows_now(act["model"], act["keys"])
        if _sign_of(now) != act["after"]:
            raise Changed
        there = {row["pk"] for row in now if row["model"] == model._meta.label_lower}
        for row in _rows(act["before"], model):
            if str(row.pk) not in there:
                room[model](school_class)
            row.save_base(raw=True)
        for field in model._meta.many_to_many:
            links = _rows(act["before"], field.remote_field.through)
            _link_again(field, act["keys"], links, school_class)
    session[_KEY] = {name: one for name, one in _acts(session).items() if name != key}
    back: str = act["back"]
    return back


def _act_of(session: SessionBase, school_class: SchoolClass, key: str) -> dict[str, Any]:
    """The act of this session in this class, as long as it can be undone."""
    act = _acts(session).get(key)
    if act is None or act["class"] != str(school_class.pk) or not _is_fresh(act):
        raise Changed
    return act


def _acts(session: SessionBase) -> dict[str, dict[str, Any]]:
    acts: dict[str, dict[str, Any]] = session.get(_KEY, {})
    return acts


def _is_fresh(act: Mapping[str, Any]) -> bool:
    return timezone.now() - datetime.fromisoformat(act["at"]) <= KEPT_FOR


def _rows_now(label: str, keys: Sequence[str]) -> Data:
    """The rows with these keys that there are, and their links."""
    model = apps.get_model(label)
    own = [field.name for field in model._meta.concrete_fields]
    found = as_data(model._base_manager.filter(pk__in=keys).order_by("pk"), fields=own)
    for field in model._meta.many_to_many:
        found += as_data(_links(field, keys).order_by("pk"))
    return found


def _links(field: Any, keys: Sequence[str]) -> models.QuerySet[Any]:
    links: models.QuerySet[Any] = field.remote_field.through._base_manager.filter(
        **{f"{field.m2m_field_name()}__in": keys}
    )
    return links


def _rows(data: Data, model: type[models.Model]) -> list[Any]:
    own = [row for row in data if row["model"] == model._meta.label_lower]
    return [each.object for each in serializers.deserialize("python", own, ignorenonexistent=True)]


def _link_again(
    field: Any, keys: Sequence[str], links: Sequence[Any], school_class: SchoolClass
) -> None:
    """Make these the only links of the rows, without links to rows that were deleted or have left
    the class since: the person who undoes may not see them there."""
    name = field.remote_field.through._meta.get_field(field.m2m_reverse_field_name()).attname
    others = field.related_model._base_manager.filter(
        pk__in=[getattr(one, name) for one in links], school_class=school_class
    )
    there = set(others.values_list("pk", flat=True))
    _links(field, keys).delete()
    field.remote_field.through._base_manager.bulk_create(
        one for one in links if getattr(one, name) in there
    )


def _sign_of(data: Data) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


# Success messages with an undo button.


def success_with_undo(request: HttpRequest, text: str, undo: str) -> None:
    """Show that something was done; a post to the URL `undo` undoes it."""
    messages.success(request, text, extra_tags=undo)
