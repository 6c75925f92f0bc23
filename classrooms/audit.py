"""The audit log: who looked at, exported or erased what is known of a child or a class."""

from datetime import UTC, datetime
from typing import Final, cast
from uuid import UUID, uuid5

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from .models import AuditEntry, Child, SchoolClass, User

What, Page = AuditEntry.What, AuditEntry.Page
LOOKS: Final = UUID("5f0b2c1e-64a8-4c8b-9d35-0b0e6f2a7c11")
"""The namespace of the keys of looks."""
OF_A_CLASS: Final = frozenset({Page.CLASS, Page.LIVE, Page.FACT})


def audit(
    user: User | AnonymousUser,
    what: AuditEntry.What,
    *,
    child: Child | None = None,
    school_class: SchoolClass | None = None,
) -> AuditEntry:
    """Write down what this adult did. `school_class` may be left out where `child` is given: it is
    then the child's. Write it before an erasure, in its transaction; it outlives what it names."""
    if school_class is None and child is None:
        raise ValueError("An entry is about a child or a class.")
    class_id = school_class.pk if school_class else cast(Child, child).school_class_id
    return AuditEntry.objects.create(
        user=cast(User, user), what=what, child_id=child.pk if child else None, class_id=class_id
    )


def looked(
    user: User | AnonymousUser,
    *pages: AuditEntry.Page,
    school_class: SchoolClass,
    child: Child | None = None,
) -> None:
    """Write down that this adult looked at these pages of a class, or of a child in it: in one
    query, and each page once an hour, so that the log tells who looked and not every click. A child
    is only named where the page is about one."""
    now = timezone.now()
    AuditEntry.objects.bulk_create(
        [_look(cast(User, user), page, school_class, child, now) for page in pages],
        ignore_conflicts=True,
    )


def _look(
    user: User, page: AuditEntry.Page, school_class: SchoolClass, child: Child | None, at: datetime
) -> AuditEntry:
    about = child if page not in OF_A_CLASS else None
    child_id = about.pk if about else None
    key = f"{user.pk} {page} {school_class.pk} {child_id} {at.astimezone(UTC):%Y-%m-%d %H}"
    return AuditEntry(
        user=user,
        what=What.LOOKED,
        page=page,
        once=uuid5(LOOKS, key),
        child_id=child_id,
        class_id=school_class.pk,
        at=at,
    )
