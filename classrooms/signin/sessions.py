"""The sessions of signed-in children: how they begin, last and end."""

import secrets
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Final

from django.db import connection, models, transaction
from django.utils import timezone

from classrooms.audit import What, audit_children
from classrooms.credentials import token_hash
from classrooms.models import Child, ChildSession, KnownDevice, SchoolClass, User
from games.play.sql import object_of

SESSION_LASTS: Final = timedelta(hours=12)
IDLE_SESSION_ENDS: Final = timedelta(minutes=20)
"""A session ends when it was idle for this long. `static/js/page/idle.js` has the same time, and
asks before it leaves the page."""
NOTE_SEEN_EVERY: Final = timedelta(minutes=1)
MOST_PER_CHILD: Final = 100
"""The most known devices and the most sessions of a child. Older ones are forgotten; otherwise
signing in with one card again and again would fill the database."""


def begin_session(child: Child, device: str) -> str:
    """Begin a session of a locked child on the device with this hash, which becomes known. Return
    the token for the cookie."""
    now = timezone.now()
    token = secrets.token_urlsafe(32)
    KnownDevice.objects.bulk_create(  # In one query, where update_or_create takes six.
        [KnownDevice(child=child, device_hash=device, seen_at=now)],
        update_conflicts=True,
        unique_fields=("child", "device_hash"),
        update_fields=("seen_at",),
    )
    ChildSession.objects.create(
        child=child, token_hash=token_hash(token), ends_at=now + SESSION_LASTS, seen_at=now
    )
    devices = KnownDevice.objects.filter(child=child).order_by("-seen_at", "-pk")
    forgotten = list(devices.values_list("pk", flat=True)[MOST_PER_CHILD:])
    KnownDevice.objects.filter(pk__in=forgotten).delete()
    sessions = ChildSession.objects.filter(child=child).order_by("-seen_at", "-pk")
    ended = [
        pk
        for place, (pk, ends_at) in enumerate(sessions.values_list("pk", "ends_at"))
        if place >= MOST_PER_CHILD or ends_at <= now
    ]
    ChildSession.objects.filter(pk__in=ended).delete()
    return token


_CLASS_FIELDS: Final = [
    field
    for field in SchoolClass._meta.get_fields()
    if isinstance(field, models.Field)
    and field.concrete
    and not isinstance(field, models.DateTimeField | models.JSONField | models.ManyToManyField)
]
"""The fields of a class that are read with a child: those that need no conversion from the database
to Python. The others are read when they are used."""
_CLASS_NAMES: Final = tuple(field.attname for field in _CLASS_FIELDS)
_CHILD_NAMES: Final = tuple(field.attname for field in Child._meta.concrete_fields)
# The text contains only names of tables and columns; values are parameters. It names each column,
# because a prepared statement with `*` fails when an upgrade adds one.
_CHILD_COLUMNS: Final = ", ".join(f"child.{field.column}" for field in Child._meta.concrete_fields)
_CLASS_COLUMNS: Final = ", ".join(f"school_class.{field.column}" for field in _CLASS_FIELDS)
_SELECT_CHILD: Final = f"""
    SELECT {_CHILD_COLUMNS}, {_CLASS_COLUMNS},
        school_class.hand_until IS NOT NULL AND school_class.hand_until > %s,
        school_class.paused_until IS NOT NULL AND school_class.paused_until > %s,
        session.id, session.seen_at < %s
    FROM {ChildSession._meta.db_table} session
    JOIN {Child._meta.db_table} child ON child.id = session.child_id
    JOIN {SchoolClass._meta.db_table} school_class ON school_class.id = child.school_class_id
    WHERE session.token_hash = %s AND session.ends_at > %s AND session.seen_at > %s
        AND child.removed_at IS NULL AND school_class.archived_at IS NULL"""  # nosec B608


def child_of(token: str) -> Child | None:
    """The child of this session; None if it has ended or was idle for too long, or if the child is
    removed or their class archived. In SQL, because each request of a child calls this, and the ORM
    takes several times as long as the database."""
    now = timezone.now()
    at, noted_at, idle = map(
        connection.ops.adapt_datetimefield_value,
        (now, now - NOTE_SEEN_EVERY, now - IDLE_SESSION_ENDS),
    )
    with connection.cursor() as cursor:
        cursor.execute(_SELECT_CHILD, [at, at, noted_at, token_hash(token), at, idle])
        row = cursor.fetchone()
    if row is None:
        return None
    child = object_of(Child, _CHILD_NAMES, row)
    child.school_class = object_of(SchoolClass, _CLASS_NAMES, row[len(_CHILD_NAMES) :])
    looks_at_hand, is_paused, session, is_to_be_noted = row[len(_CHILD_NAMES) + len(_CLASS_NAMES) :]
    child.looks_at_hand, child.is_paused = bool(looks_at_hand), bool(is_paused)
    if is_to_be_noted:
        ChildSession.objects.filter(pk=session).update(seen_at=now)
    return child


def class_of_session(token: str) -> SchoolClass | None:
    """The class of the child whose session this is, even if it has ended; None if it is deleted."""
    return SchoolClass.objects.filter(children__sessions__token_hash=token_hash(token)).first()


def sign_out(token: str) -> None:
    ChildSession.objects.filter(token_hash=token_hash(token)).delete()


def end_sessions(children: Iterable[Child]) -> None:
    ChildSession.objects.filter(child__in=children).delete()


def sign_out_children(children: Sequence[Child], by: User | None) -> None:
    """As an adult, end the sessions of these children on all devices, and log that."""
    with transaction.atomic():
        end_sessions(children)
        audit_children(by, What.SIGNED_OUT, children)
