"""Several classes from one file: each class of the file goes to one of the teacher's own, by its
name, or is made. All of it is added or nothing, and can be taken back."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from classrooms.access import classes_of
from classrooms.checkups.models import CheckUp
from classrooms.child_names import same
from classrooms.classes import services as classes_services
from classrooms.locks import lock
from classrooms.models import (
    Assignment,
    Child,
    Group,
    Invitation,
    KnownDevice,
    SchoolClass,
    Teaching,
    User,
)
from classrooms.privacy import erasure
from classrooms.roster import services

MOST_CLASSES: Final = 40
MOST_CHILDREN: Final = 1_000
"""Of one file at once."""
UNDO_FOR: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class OwnClass:
    """A class that the teacher may add children to, with those who are in it."""

    school_class: SchoolClass
    is_owner: bool
    names: Sequence[str]


@dataclass(frozen=True, slots=True)
class Addition:
    """Children for a class; one that is not stored yet is made."""

    school_class: SchoolClass
    names: Sequence[str]


def own_classes(user: User) -> list[OwnClass]:
    """The teacher's classes in which anything can be changed."""
    owned = Teaching.objects.filter(
        school_class=OuterRef("pk"), user=user, role=Teaching.Role.OWNER
    )
    classes = list(classes_of(user).filter(archived_at=None).annotate(owned=Exists(owned)))
    names: dict[object, list[str]] = {each.pk: [] for each in classes}
    children = Child.objects.filter(school_class__in=classes).order_by("name_order")
    for class_id, name in children.values_list("school_class", "name"):
        names[class_id].append(name)
    return [OwnClass(each, each.owned, names[each.pk]) for each in classes]


def class_called(name: str, classes: Iterable[OwnClass]) -> list[OwnClass]:
    """The classes of this name: the teacher's own ones, or else those that they teach along."""
    found = [each for each in classes if same(each.school_class.name) == same(name)]
    return [each for each in found if each.is_owner] or found


def add(additions: Sequence[Addition], by: User) -> datetime:
    """Make the new classes and add all children, at the moment that is returned. Raises
    `IntegrityError` if a name was added meanwhile, and `bounds.Full`."""
    now = timezone.now()
    new = [each.school_class for each in additions if each.school_class._state.adding]
    for school_class in new:
        school_class.created_at = now
    before = [each.school_class for each in additions if each.school_class not in new]
    with lock(by, *before):
        if new:
            classes_services.make_several(new, by)
        services.add_to_classes(((each.school_class, each.names) for each in additions), by, now)
    return now


def take_back(at: datetime, by: User) -> tuple[int, list[SchoolClass]]:
    """Undo `add`: delete the classes made at this moment, and remove the children added to others.
    Returns how many children are gone, and the new classes that stay because they are in use."""
    if at < timezone.now() - UNDO_FOR:
        return 0, []
    added = Child.objects.filter(school_class=OuterRef("pk"), created_at=at)
    mine = classes_of(by).filter(Q(created_at=at) | Exists(added), archived_at=None)
    gone, kept = 0, []
    with lock(*mine) as classes:
        for school_class in classes:
            if school_class.created_at != at:
                gone += services.take_back(school_class, at, by)
            elif _is_unused(school_class, by):
                gone += school_class.children.count()
                erasure.erase_class(school_class, by)
            else:
                kept.append(school_class)
    return gone, kept


def _is_unused(school_class: SchoolClass, by: User) -> bool:
    """Whether nothing has happened in this class since it was made, with children from a file."""
    of_class = {"school_class": school_class}
    return not any(
        found.exists()
        for found in (
            Assignment.objects.filter(**of_class),
            CheckUp.objects.filter(**of_class),
            Group.objects.filter(**of_class),
            Invitation.objects.filter(**of_class),
            KnownDevice.objects.filter(child__school_class=school_class),
            Child.everyone.filter(**of_class).exclude(created_at=school_class.created_at),
            Teaching.objects.filter(**of_class).exclude(user=by, role=Teaching.Role.OWNER),
        )
    )
