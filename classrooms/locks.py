"""Locks schools, adults, classes and children. An act locks them, reads them again, then decides.

    with lock(school_class, child) as (school_class, child):
        if child.removed_at is not None:
            raise Changed
        ...

All acts lock in one order (schools, adults, classes, children; each kind by its keys), so that two
acts never wait for each other. Rows of other tables, such as sittings, check-ups and games, are
locked after these, where they are used.
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVarTuple

from django.db import models, transaction
from django.utils.translation import gettext as _

from classrooms.models import Child, School, SchoolClass, User

RowTypes = TypeVarTuple("RowTypes")
ORDER: Final[Sequence[type[models.Model]]] = (School, User, SchoolClass, Child)
_thread = threading.local()


class ActRefused(Exception):
    """An act is not possible now. Unless a view catches this, the visitor sees the current page
    with `message` (`classrooms.middleware`)."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Changed(ActRefused):
    """Somebody else has changed the object of this act meanwhile."""

    def __init__(self) -> None:
        super().__init__(_("Somebody else has just changed this. This is how it is now."))


class OutOfOrder(Exception):
    """A mistake in the code, never shown to anybody: a row was locked after one that comes later in
    the order, or was not locked at all."""


@contextmanager
def lock(*rows: *RowTypes, to_delete: bool = False) -> Iterator[tuple[*RowTypes]]:
    """Open a transaction in which nobody else can change these rows. Yields their current state, in
    the order of the arguments. Raises `Changed` if one of them is gone.

    With `to_delete`, nobody can make new references to them either, such as a child's new game.
    Inside, `lock` may be called again for the same rows, or for rows later in the order.
    """
    outer: dict[Any, int] | None = getattr(_thread, "locked", None)
    with transaction.atomic():
        _thread.locked = {} if outer is None else outer
        try:
            yield _read_again(rows, _thread.locked, to_delete)
        finally:
            _thread.locked = outer


def ensure_locked(*rows: models.Model) -> None:
    """Raise `OutOfOrder` unless the act has locked these rows."""
    locked = getattr(_thread, "locked", None) or {}
    if not all((_kind_of(row), row.pk) in locked for row in rows):
        raise OutOfOrder(rows)


def ensure_in_class(school_class: SchoolClass, *children: Child) -> None:
    """Raise `Changed` unless these locked children are on the list of the class."""
    if any(child.removed_at or child.school_class_id != school_class.pk for child in children):
        raise Changed


def _read_again(rows: Sequence[Any], locked: dict[Any, int], to_delete: bool) -> tuple[Any, ...]:
    row_of: dict[tuple[type[models.Model], Any], Any] = {}
    for place, kind in enumerate(ORDER):
        keys = {row.pk for row in rows if isinstance(row, kind)}
        if not keys:
            continue
        new_keys = {(kind, key) for key in keys} - locked.keys()
        if new_keys and any(place < later for later in locked.values()):
            raise OutOfOrder(kind.__name__)
        rows_now = kind._base_manager.select_for_update(no_key=not to_delete).filter(pk__in=keys)
        row_of |= {(kind, row.pk): row for row in rows_now.order_by("pk")}
        locked |= dict.fromkeys(new_keys, place)
    for (kind, _key), row in row_of.items():
        if kind is Child and (school_class := row_of.get((SchoolClass, row.school_class_id))):
            row.school_class = school_class
    try:
        return tuple(row_of[_kind_of(row), row.pk] for row in rows)
    except KeyError:
        raise Changed from None


def _kind_of(row: Any) -> type[models.Model]:
    return next(kind for kind in ORDER if isinstance(row, kind))
