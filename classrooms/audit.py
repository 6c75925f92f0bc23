"""The audit log: who looked at, exported or erased what is known of a child or a class."""

from typing import cast

from django.contrib.auth.models import AnonymousUser

from .models import AuditEntry, Child, SchoolClass, User

What = AuditEntry.What


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
