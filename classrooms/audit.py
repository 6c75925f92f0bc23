"""The audit log: who did what with children's data, with classes and with accounts.

Services write an entry in the transaction of the act, so that what is rolled back leaves none. They
take the adult as `by`; None is the site itself, such as the night's tasks.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, cast
from uuid import UUID, uuid5

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from .models import AuditEntry, Child, SchoolClass, User

What, Page, Actor = AuditEntry.What, AuditEntry.Page, AuditEntry.Actor
By = User | AnonymousUser | None

LOOKS: Final = UUID("5f0b2c1e-64a8-4c8b-9d35-0b0e6f2a7c11")
"""The namespace of the keys of what is written once an hour."""
OF_A_CLASS: Final = frozenset({Page.CLASS, Page.LIVE, Page.FACT})
KINDS: Final[Mapping[str, Sequence[AuditEntry.What]]] = {
    "looks": (What.LOOKED,),
    "files": (What.ASKED, What.EXPORTED),
    "children": (
        What.ADDED,
        What.RENAMED,
        What.REMOVED,
        What.BROUGHT_BACK,
        What.MOVED,
        What.MERGED,
        What.AGREED,
        What.ERASED,
    ),
    "signing-in": (
        What.NEW_PICTURES,
        What.NEW_QR_CODES,
        What.CARDS_BACK,
        What.SIGNED_OUT,
        What.TRIES_CLEARED,
        What.NEW_CODE,
        What.FORMER_CODE,
        What.CLOSED,
        What.OPENED,
        What.NAMES_SHOWN,
    ),
    "class": (What.MADE, What.CHANGED, What.ARCHIVED, What.RESTORED),
    "teachers": (
        What.INVITED,
        What.INVITATION_ENDED,
        What.JOINED,
        What.LEFT,
        What.TEACHER_REMOVED,
        What.TEACHER_BACK,
        What.ROLE_GIVEN,
        What.HANDED_OVER,
        What.SWITCHED_ON,
        What.SWITCHED_OFF,
    ),
    "account": (
        What.SIGNED_IN,
        What.WRONG_PASSWORD,
        What.WRONG_STEP,
        What.PASSWORD,
        What.NEW_PASSWORD,
        What.ADDRESS_ASKED,
        What.ADDRESS,
        What.SECOND_STEP,
        What.SECOND_STEP_GONE,
        What.CODES,
        What.CONNECTED,
        What.DISCONNECTED,
        What.SESSIONS_ENDED,
        What.STAFF,
        What.STAFF_GONE,
    ),
}
"""Every kind of entry, as the pages of the log offer them."""


def audit(
    by: By,
    what: AuditEntry.What,
    *,
    child: Child | None = None,
    school_class: SchoolClass | None = None,
    account: User | None = None,
    as_operator: bool = False,
    **detail: Any,
) -> AuditEntry:
    """Write down what this adult did. `school_class` may be left out where `child` is given: it is
    then the child's. Raises `ValueError` for an entry about nothing."""
    if school_class is None and child is None and account is None:
        raise ValueError("An entry is about a child, a class or an account.")
    class_id = school_class.pk if school_class else child.school_class_id if child else None
    entry = _entry(by, what, class_id, child.pk if child else None, timezone.now(), detail)
    entry.account = account
    if as_operator:
        entry.actor = Actor.OPERATOR
    entry.save()
    return entry


def audit_children(
    by: By, what: AuditEntry.What, children: Iterable[Child], **detail: Any
) -> AuditEntry | None:
    """Write down what was done with one child or with several of a class at once: then the entry
    has their number, and each has its part in it. In one query; nothing for no children."""
    entries = _of_children(by, what, list(children), timezone.now(), detail)
    AuditEntry.objects.bulk_create(entries)
    return entries[0] if entries else None


def looked(
    by: By,
    *pages: AuditEntry.Page,
    school_class: SchoolClass,
    child: Child | None = None,
) -> None:
    """Write down that this adult looked at these pages of a class, or of a child in it: in one
    query, and each page once an hour, so that the log tells who looked and not every click. A child
    is only named where the page is about one."""
    now = timezone.now()
    entries = []
    for page in pages:
        about = child.pk if child and page not in OF_A_CLASS else None
        entries.append(_entry(by, What.LOOKED, school_class.pk, about, now, {}))
        entries[-1].page = page
    _write_once(entries)


def looked_at_secrets(by: By, page: AuditEntry.Page, children: Iterable[Child]) -> None:
    """Write down that this adult saw what these children sign in with, each once an hour."""
    entries = _of_children(by, What.LOOKED, list(children), timezone.now(), {})
    for entry in entries:
        entry.page = page
    _write_once(entries)


def audit_account(
    by: By, what: AuditEntry.What, account: User | None, *, hourly: bool = False, **detail: Any
) -> None:
    """Write down what happened with an adult's account; None for an address that nobody has.
    `hourly`: once an hour is enough. Both take the same queries, whoever it is about."""
    entry = _entry(by, what, None, None, timezone.now(), detail)
    entry.account = account
    if hourly:
        _write_once([entry])
    else:
        entry.save()


def _of_children(
    by: By,
    what: AuditEntry.What,
    children: Sequence[Child],
    at: datetime,
    detail: Mapping[str, Any],
) -> list[AuditEntry]:
    """One entry for one child; for several one of their class, and their parts in it."""
    parts = [_entry(by, what, child.school_class_id, child.pk, at, detail) for child in children]
    if len(parts) < 2:
        return parts
    for part in parts:
        part.is_part = True
    counted = {**detail, "count": len(parts)}
    return [_entry(by, what, children[0].school_class_id, None, at, counted), *parts]


def _entry(
    by: By,
    what: AuditEntry.What,
    class_id: UUID | None,
    child_id: UUID | None,
    at: datetime,
    detail: Mapping[str, Any],
) -> AuditEntry:
    return AuditEntry(
        user=cast(User | None, by),
        actor=Actor.SITE if by is None else Actor.TEACHER,
        what=what,
        class_id=class_id,
        child_id=child_id,
        detail=dict(detail),
        at=at,
    )


def _write_once(entries: Sequence[AuditEntry]) -> None:
    """Store those that the hour does not have yet, in one query. One about several children is
    known by all of them: a look at more is another look."""
    whom = " ".join(sorted(str(entry.child_id) for entry in entries if entry.is_part))
    for entry in entries:
        about = entry.class_id or entry.account_id
        hour = f"{entry.at.astimezone(UTC):%Y-%m-%d %H}"
        what = entry.page or entry.what
        child = entry.child_id or whom
        entry.once = uuid5(LOOKS, f"{entry.user_id} {what} {about} {child} {hour}")
    AuditEntry.objects.bulk_create(entries, ignore_conflicts=True)
