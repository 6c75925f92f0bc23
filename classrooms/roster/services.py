"""The children of a class: added, renamed, removed, moved."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from classrooms.audit import What, audit, audit_children
from classrooms.bounds import room_for_children
from classrooms.models import Child, ChildSession, Group, SchoolClass, User
from classrooms.models.child_names import same


def add_children(
    school_class: SchoolClass, names: Iterable[str], by: User | None = None
) -> list[Child]:
    """Add all children or none, with the same `created_at`; each gets pictures.

    Raises `IntegrityError` if a name was added meanwhile, and `bounds.Full`.
    """
    now = timezone.now()
    children = [Child(school_class=school_class, name=name, created_at=now) for name in names]
    with transaction.atomic():
        room_for_children(school_class, len(children))
        added = Child.objects.bulk_create(children)
        audit_children(by, What.ADDED, added)
    return added


def rename(child: Child, name: str, by: User | None = None) -> None:
    with transaction.atomic():
        child.name = name
        child.save(update_fields=("name",))
        audit(by, What.RENAMED, child=child)


def remove(child: Child, by: User | None = None) -> None:
    """Take the child off every list and sign it out everywhere. Until it is erased it can be
    brought back, with all its games."""
    with transaction.atomic():
        child.removed_at = timezone.now()
        child.save(update_fields=("removed_at",))
        ChildSession.objects.filter(child=child).delete()
        audit(by, What.REMOVED, child=child)


def bring_back(child: Child, by: User | None = None) -> bool:
    """Undo the removal. False while another child of the class has the name. Raises
    `bounds.Full`."""
    if _has_other(child.school_class, child.name):
        return False
    with transaction.atomic():
        room_for_children(child.school_class, kept=0)
        child.removed_at = None
        child.save(update_fields=("removed_at",))
        audit(by, What.BROUGHT_BACK, child=child)
    return True


def removed_children(school_class: SchoolClass) -> list[Child]:
    """The removed children of the class that can still be brought back, the latest first."""
    gone = Child.everyone.filter(school_class=school_class, merge=None).exclude(removed_at=None)
    return list(gone.order_by("-removed_at"))


def take_back(school_class: SchoolClass, added_at: datetime, by: User | None = None) -> int:
    """Undo `add_children`: remove those added at this moment; returns how many."""
    with transaction.atomic():
        added = Child.objects.filter(school_class=school_class, created_at=added_at)
        children = list(added.select_for_update())
        ChildSession.objects.filter(child__in=children).delete()
        audit_children(by, What.REMOVED, children)
        return added.update(removed_at=timezone.now())


def move(
    child: Child, to: SchoolClass, by: User | None = None, *, groups: Iterable[Group] = ()
) -> bool:
    """Move the child to another class; its games stay with the old one. False while a child there
    has its name. It is signed out, as its card has another code, and leaves its groups. The owners
    of both classes see it in their logs. `groups`: those of the new class that it comes into, where
    a move is undone. Raises `bounds.Full`."""
    if _has_other(to, child.name):
        return False
    before = child.school_class
    with transaction.atomic():
        room_for_children(to)
        child.school_class = to
        child.save(update_fields=("school_class",))
        audit(by, What.MOVED, child=child, school_class=before, to=str(to.pk))
        audit(by, What.MOVED, child=child, school_class=to, origin=str(before.pk))
        child.groups.set(groups)
        ChildSession.objects.filter(child=child).delete()
    return True


def _has_other(school_class: SchoolClass, name: str) -> bool:
    names = school_class.children.values_list("name", flat=True)
    return same(name) in {same(other) for other in names}
