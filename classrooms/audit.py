"""The audit log: who did what with children's data, with classes and with accounts.

Services write an entry in the transaction of the act, so that a rollback removes it too. `by` is
the adult who acts, or None for the site itself, such as the nightly tasks.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID, uuid5

from django.utils import timezone

from classrooms.models import AuditEntry, Child, SchoolClass, User, Visitor

What, Page, Actor = AuditEntry.What, AuditEntry.Page, AuditEntry.Actor

LOOKS: Final = UUID("5f0b2c1e-64a8-4c8b-9d35-0b0e6f2a7c11")
"""The namespace of the UUIDs of entries that are written at most once an hour."""
OF_A_CLASS: Final = frozenset({Page.CLASS, Page.LIVE, Page.FACT, Page.CHECK_UP})
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
        What.MERGE_UNDONE,
        What.SETTINGS,
        What.LIST_AGREED,
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
        What.COURSE_LINKED,
        What.COURSE_UNLINKED,
        What.PERSON_LINKED,
        What.PERSON_UNLINKED,
        What.LAUNCH_REFUSED,
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
        What.NAMED,
        What.ACCOUNT_CLOSED,
        What.ACCOUNT_REOPENED,
        What.SCHOOL_JOINED,
        What.SCHOOL_LEFT,
        What.SCHOOL_ROLE,
        What.PLATFORM_ADDED,
        What.PLATFORM_CHANGED,
        What.PLATFORM_REMOVED,
        What.SOURCE,
        What.SOURCE_GONE,
        What.STAFF,
        What.STAFF_GONE,
    ),
}
"""All kinds of entries, grouped like the filters on the pages of the log."""


def audit(
    by: User | None,
    what: AuditEntry.What,
    *,
    child: Child | None = None,
    school_class: SchoolClass | None = None,
    account: User | None = None,
    as_operator: bool = False,
    for_school: bool = False,
    **detail: Any,
) -> AuditEntry:
    """Log what this adult did, with `for_school` as an admin of the school. `school_class` defaults
    to the child's class. Raises `ValueError` if child, class and account are all missing."""
    if school_class is None and child is None and account is None:
        raise ValueError("An entry is about a child, a class or an account.")
    class_id = school_class.pk if school_class else child.school_class_id if child else None
    entry = _entry(by, what, class_id, child.pk if child else None, timezone.now(), detail)
    entry.account = account
    if as_operator:
        entry.actor = Actor.OPERATOR
    if for_school:
        entry.actor = Actor.SCHOOL
    entry.save()
    return entry


def audit_children(
    by: User | None,
    what: AuditEntry.What,
    children: Iterable[Child],
    own: Mapping[UUID, Mapping[str, Any]] | None = None,
    **detail: Any,
) -> AuditEntry | None:
    """Log in one query an act on some children of a class. Returns the first entry, or None without
    children. For several children the first entry has their number, and each child gets an entry
    that is a part of it. `own` has details of single children by id."""
    entries = _of_children(by, what, list(children), timezone.now(), detail)
    for entry in entries:
        if own and entry.child_id and entry.child_id in own:
            entry.detail |= own[entry.child_id]
    AuditEntry.objects.bulk_create(entries)
    return entries[0] if entries else None


def log_view(
    by: User | Visitor | None,
    *pages: AuditEntry.Page,
    school_class: SchoolClass,
    child: Child | None = None,
    for_school: bool = False,
) -> None:
    """Log in one query that this adult looked at these pages of a class, or of a child in it; with
    `for_school` as an admin of the school. Each page is logged once an hour, so that the log shows
    who looked, but not every click. The child is stored only for pages about one child. A visitor
    to the demo class is not logged."""
    if isinstance(by, Visitor):
        return
    now = timezone.now()
    entries = []
    for page in pages:
        child_id = child.pk if child and page not in OF_A_CLASS else None
        entries.append(_entry(by, What.LOOKED, school_class.pk, child_id, now, {}))
        entries[-1].page = page
        if for_school:
            entries[-1].actor = Actor.SCHOOL
    _write_once(entries)


def log_view_of_secrets(by: User | None, page: AuditEntry.Page, children: Iterable[Child]) -> None:
    """Log, at most once an hour, that this adult saw what these children sign in with."""
    entries = _of_children(by, What.LOOKED, list(children), timezone.now(), {})
    for entry in entries:
        entry.page = page
    _write_once(entries)


def audit_account(
    by: User | None,
    what: AuditEntry.What,
    account: User | None,
    *,
    hourly: bool = False,
    **detail: Any,
) -> None:
    """Log what happened to an adult's account, or at an address without an account if it is None.
    With `hourly`, at most once an hour. The queries are the same with and without an account."""
    entry = _entry(by, what, None, None, timezone.now(), detail)
    entry.account = account
    if hourly:
        _write_once([entry])
    else:
        entry.save()


def _of_children(
    by: User | None,
    what: AuditEntry.What,
    children: Sequence[Child],
    at: datetime,
    detail: Mapping[str, Any],
) -> list[AuditEntry]:
    """The entry for one child; for several, an entry for the class and then a part of it for each
    child."""
    entries = [_entry(by, what, child.school_class_id, child.pk, at, detail) for child in children]
    if len(entries) < 2:
        return entries
    for entry in entries:
        entry.is_part = True
    detail_with_count = {**detail, "count": len(entries)}
    return [_entry(by, what, children[0].school_class_id, None, at, detail_with_count), *entries]


def _entry(
    by: User | None,
    what: AuditEntry.What,
    class_id: UUID | None,
    child_id: UUID | None,
    at: datetime,
    detail: Mapping[str, Any],
) -> AuditEntry:
    return AuditEntry(
        user=by,
        actor=Actor.SITE if by is None else Actor.TEACHER,
        what=what,
        class_id=class_id,
        child_id=child_id,
        detail=dict(detail),
        at=at,
    )


def _write_once(entries: Sequence[AuditEntry]) -> None:
    """Store in one query those of the entries that were not yet written in this hour. The key of an
    entry about several children contains all of them, so a look at more children is a new
    entry."""
    children = " ".join(sorted(str(entry.child_id) for entry in entries if entry.is_part))
    for entry in entries:
        subject = entry.class_id or entry.account_id
        hour = f"{entry.at.astimezone(UTC):%Y-%m-%d %H}"
        what = entry.page or entry.what
        child = entry.child_id or children
        as_admin = " school" if entry.actor == Actor.SCHOOL else ""
        entry.once = uuid5(LOOKS, f"{entry.user_id} {what} {subject} {child} {hour}{as_admin}")
    AuditEntry.objects.bulk_create(entries, ignore_conflicts=True)
