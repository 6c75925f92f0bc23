"""The audit log: who did what with children's data, with classes and with accounts.

Services write an entry in the transaction of the act, so that a rollback removes it too. `by` is
the adult who acts, or None for the site itself, such as the nightly tasks.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC
from typing import Any, Final, Literal
from uuid import UUID, uuid5

from django.utils import timezone

from classrooms.models import AuditEntry, Child, SchoolClass, User, Visitor

What, Page, Actor = AuditEntry.What, AuditEntry.Page, AuditEntry.Actor

HOURLY_NAMESPACE: Final = UUID("5f0b2c1e-64a8-4c8b-9d35-0b0e6f2a7c11")
"""The namespace of `AuditEntry.once`, which lets an entry in only once an hour."""
PAGES_OF_CLASS: Final = frozenset({Page.CLASS, Page.LIVE, Page.FACT, Page.CHECK_UP})


def audit(
    by: User | None,
    what: AuditEntry.What,
    *,
    child: Child | None = None,
    school_class: SchoolClass | None = None,
    account: User | None = None,
    as_operator: bool = False,
    for_school: bool = False,
    hourly: bool = False,
    **detail: Any,
) -> AuditEntry:
    """Log what this adult did: as the operator, or as an admin of the school (`for_school`).
    `hourly` logs it at most once an hour. `school_class` defaults to the child's class.

    Raises `ValueError` if child, class and account are all missing. Only an hourly entry may lack
    all three: a wrong password for an address without an account is logged by the same queries.
    """
    if not (school_class or child or account or hourly):
        raise ValueError("An entry is about a child, a class or an account.")
    entry = _entry(
        by,
        what,
        class_id=school_class.pk if school_class else child.school_class_id if child else None,
        child_id=child.pk if child else None,
        account=account,
        as_operator=as_operator,
        for_school=for_school,
        detail=detail,
    )
    if hourly:
        _save_hourly([entry])
    else:
        entry.save()
    return entry


def audit_children(
    by: User | None,
    what: AuditEntry.What,
    children: Iterable[Child],
    details: Mapping[UUID, Mapping[str, Any]] | None = None,
    **detail: Any,
) -> AuditEntry | None:
    """Log an act on some children of a class in one query, and return the first entry; None without
    children. For several children the first entry has their number, and each child gets an entry
    that is a part of it. `details` has the details of single children by their id."""
    entries = _entries_about(children, by, what, details or {}, detail)
    AuditEntry.objects.bulk_create(entries)
    return entries[0] if entries else None


def log_view(
    by: User | Visitor | None,
    *pages: AuditEntry.Page,
    school_class: SchoolClass,
    child: Child | None = None,
    for_school: bool = False,
) -> None:
    """Record with one query that this adult opened these pages of a class or of a child in it.
    `for_school`: they opened them as an admin of the school.

    Each page is logged once an hour: the log shows who looked, but not every click. The child is
    stored only for pages about one child. Visitors to the demo class are not logged.
    """
    if isinstance(by, Visitor):
        return
    _save_hourly(
        [
            _entry(
                by,
                What.LOOKED,
                class_id=school_class.pk,
                child_id=child.pk if child and page not in PAGES_OF_CLASS else None,
                page=page,
                for_school=for_school,
            )
            for page in pages
        ]
    )


def log_view_of_secrets(by: User | None, page: AuditEntry.Page, children: Iterable[Child]) -> None:
    """Log, at most once an hour, that this adult saw what these children sign in with."""
    _save_hourly(_entries_about(children, by, What.LOOKED, {}, {}, page))


def _entries_about(
    children: Iterable[Child],
    by: User | None,
    what: AuditEntry.What,
    details: Mapping[UUID, Mapping[str, Any]],
    detail: Mapping[str, Any],
    page: AuditEntry.Page | Literal[""] = "",
) -> list[AuditEntry]:
    """The entry about one child. For several children, an entry about the class, followed by a part
    of it for each child."""
    subjects = list(children)
    are_parts = len(subjects) > 1
    at = timezone.now()
    entries = [
        _entry(
            by,
            what,
            class_id=child.school_class_id,
            child_id=child.pk,
            page=page,
            detail={**detail, **details.get(child.pk, {})},
            is_part=are_parts,
            at=at,
        )
        for child in subjects
    ]
    if are_parts:
        class_id = subjects[0].school_class_id
        with_count = {**detail, "count": len(subjects)}
        entries.insert(0, _entry(by, what, class_id=class_id, page=page, detail=with_count, at=at))
    return entries


def _entry(
    by: User | None,
    what: AuditEntry.What,
    *,
    as_operator: bool = False,
    for_school: bool = False,
    **fields: Any,
) -> AuditEntry:
    actor = Actor.SITE if by is None else Actor.TEACHER
    if as_operator:
        actor = Actor.OPERATOR
    if for_school:
        actor = Actor.SCHOOL
    return AuditEntry(user=by, actor=actor, what=what, **fields)


def _save_hourly(entries: Sequence[AuditEntry]) -> None:
    """Store in one query the entries that were not yet written in this hour. The key of an entry
    about several children contains all of them, so that opening more children is logged too."""
    children = " ".join(sorted(str(entry.child_id) for entry in entries if entry.is_part))
    for entry in entries:
        hour = f"{entry.at.astimezone(UTC):%Y-%m-%d %H}"
        as_admin = " school" if entry.actor == Actor.SCHOOL else ""
        parts = (
            entry.user_id,
            entry.page or entry.what,
            entry.class_id or entry.account_id,
            entry.child_id or children,
            f"{hour}{as_admin}{entry.detail or ''}",
        )
        entry.once = uuid5(HOURLY_NAMESPACE, " ".join(map(str, parts)))
    AuditEntry.objects.bulk_create(entries, ignore_conflicts=True)
