"""The children of a class: added, renamed, removed, erased."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import chain

from django.utils import timezone

from classrooms.access import classes_of
from classrooms.audit import What, audit, audit_children
from classrooms.bounds import room_for_children, room_for_children_of
from classrooms.child_names import same
from classrooms.locks import Changed, lock
from classrooms.models import Child, Merge, SchoolClass, User
from classrooms.privacy import erasure
from classrooms.signin import child_sign_in


def add_children(
    school_class: SchoolClass, names: Iterable[str], by: User | None = None
) -> list[Child]:
    """Add all children or none, with the same `created_at`; each gets pictures.

    Raises `IntegrityError` if a name was added meanwhile, and `bounds.Full`.
    """
    return add_to_classes([(school_class, tuple(names))], by, timezone.now())


def add_to_classes(
    additions: Iterable[tuple[SchoolClass, Sequence[str]]], by: User | None, at: datetime
) -> list[Child]:
    """The same for several classes; `at` becomes the `created_at` of all children."""
    new = {
        school_class: [Child(school_class=school_class, name=name, created_at=at) for name in names]
        for school_class, names in additions
    }
    with lock(*new):
        room_for_children_of({school_class: len(found) for school_class, found in new.items()})
        added = Child.objects.bulk_create(chain.from_iterable(new.values()))
        for found in new.values():
            audit_children(by, What.ADDED, found)
    return added


def check_present(school_class: SchoolClass, *children: Child) -> None:
    """Raises `Changed` unless these locked children are on the list of the class."""
    if any(child.removed_at or child.school_class_id != school_class.pk for child in children):
        raise Changed


def rename(child: Child, name: str, by: User | None = None) -> None:
    """Raises `Changed` where another child of the class has this name now."""
    with lock(child.school_class, child) as (school_class, now):
        check_present(school_class, now)
        if same(name) != same(now.name) and has_child_called(name, school_class):
            raise Changed
        now.name = child.name = name
        now.save(update_fields=("name",))
        audit(by, What.RENAMED, child=now)


def remove(child: Child, by: User | None = None) -> None:
    """Take the child off every list and sign it out everywhere. Until it is erased it can be
    brought back, with all its games."""
    with lock(child.school_class, child) as (school_class, now):
        check_present(school_class, now)
        now.removed_at = child.removed_at = timezone.now()
        now.save(update_fields=("removed_at",))
        child_sign_in.end_sessions([now])
        audit(by, What.REMOVED, child=now)


def bring_back(child: Child, by: User | None = None) -> bool:
    """Undo the removal. False while another child of the class has the name. Raises `bounds.Full`,
    and `Changed` for a child that was merged: only undoing the merge brings it back."""
    with lock(child.school_class, child) as (school_class, now):
        if Merge.objects.filter(child=now).exists():
            raise Changed
        if now.removed_at is None:
            return True
        if has_child_called(now.name, school_class):
            return False
        room_for_children(school_class, kept=0)
        now.removed_at = child.removed_at = None
        now.save(update_fields=("removed_at",))
        audit(by, What.BROUGHT_BACK, child=now)
    return True


def erase(child: Child, by: User) -> None:
    """Erase the child for good. Raises `Changed` where it was merged into another, whose games its
    own are, or where `by` teaches the class no more: this cannot be undone."""
    with lock(child.school_class, child) as (school_class, now):
        is_merged = Merge.objects.filter(child=now).exists()
        if is_merged or not classes_of(by).filter(pk=school_class.pk).exists():
            raise Changed
        erasure.erase_child(now, by)


def removed_children(school_class: SchoolClass) -> list[Child]:
    """The removed children of the class that can still be brought back, the latest first."""
    gone = Child.everyone.filter(school_class=school_class, merge=None).exclude(removed_at=None)
    return list(gone.order_by("-removed_at"))


def take_back(school_class: SchoolClass, added_at: datetime, by: User | None = None) -> int:
    """Undo `add_children`: remove those added at this moment; returns how many."""
    added = Child.objects.filter(school_class=school_class, created_at=added_at)
    with lock(school_class), lock(*added.all()) as children:
        child_sign_in.end_sessions(children)
        audit_children(by, What.REMOVED, children)
        return added.update(removed_at=timezone.now())


def has_child_called(name: str, school_class: SchoolClass) -> bool:
    names = school_class.children.values_list("name", flat=True)
    return same(name) in {same(other) for other in names}
