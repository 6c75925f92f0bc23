"""Carries out the changes that a list of names makes, all or none, and undoes them."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from classrooms.access import classes_of, classes_to_move_to
from classrooms.child_names import name_key
from classrooms.classes.services import create_classes
from classrooms.locks import ActRefused, Changed, lock
from classrooms.models import Child, KnownDevice, SchoolClass, Teaching, User
from classrooms.privacy import erasure
from classrooms.roster import moves, services
from classrooms.roster.importing.changes import KnownChild


@dataclass(frozen=True, slots=True)
class OwnClass:
    """One of the teacher's classes, with its children."""

    school_class: SchoolClass
    is_owner: bool
    children: Sequence[KnownChild]
    open_to: Set[str]  # the keys of the classes to which the teacher may move the children

    @property
    def key(self) -> str:
        return str(self.school_class.pk)


@dataclass(slots=True)
class ClassUpdate:
    """The changes of a class, with the children as the page showed them. If the class is not stored
    yet, it is created."""

    school_class: SchoolClass
    new: list[str] = field(default_factory=list)
    renamed: list[tuple[KnownChild, str]] = field(default_factory=list)
    moved: list[KnownChild] = field(default_factory=list)
    gone: list[KnownChild] = field(default_factory=list)


@dataclass(slots=True)
class ImportUndo:
    """What is needed to undo an import."""

    at: str  # the moment of the import
    renamed: list[tuple[str, str, str]] = field(default_factory=list)  # key, old and new name
    gone: list[str] = field(default_factory=list)  # the keys of the removed children
    moved: list[tuple[str, str, str]] = field(default_factory=list)  # class, moment, former class


def own_classes(user: User) -> list[OwnClass]:
    """The teacher's classes that are not archived."""
    classes = list(classes_of(user).filter(archived_at=None))
    teaching = Teaching.objects.filter(school_class__in=classes)
    owners = dict(teaching.filter(role=Teaching.Role.OWNER).values_list("school_class", "user"))
    classes_of_user: dict[int, set[str]] = defaultdict(set)
    for user_id, class_id in teaching.values_list("user", "school_class"):
        classes_of_user[user_id].add(str(class_id))
    names = {school_class.pk: school_class.name for school_class in classes}
    children: dict[UUID, list[KnownChild]] = defaultdict(list)
    pupils = Child.objects.filter(school_class__in=classes).order_by("name_order", "name")
    for pk, name, class_id in pupils.values_list("pk", "name", "school_class"):
        children[class_id].append(KnownChild(str(pk), name, str(class_id), names[class_id]))
    listing = []
    for school_class in classes:
        owner = owners.get(school_class.pk, 0)
        open_to = classes_of_user[owner]
        listing.append(OwnClass(school_class, owner == user.pk, children[school_class.pk], open_to))
    return listing


def classes_called(name: str, classes: Iterable[OwnClass]) -> list[OwnClass]:
    """The classes of this name that the teacher owns, or, if there are none, co-teaches."""
    matches = [c for c in classes if name_key(c.school_class.name) == name_key(name)]
    return [c for c in matches if c.is_owner] or matches


def carry_out(
    updates: Sequence[ClassUpdate], by: User | None, allowed: QuerySet[SchoolClass] | None = None
) -> ImportUndo:
    """Carry out these updates, and return the data for an undo. `allowed` has the classes that may
    change, by default those of `by`.

    Raises `Changed` if a class or a child is no longer as the page showed them, `IntegrityError` if
    a name has just been added, and `bounds.LimitReached`.
    """
    at = timezone.now()
    undo = ImportUndo(at.isoformat())
    new_classes = [update.school_class for update in updates if update.school_class._state.adding]
    for school_class in new_classes:
        school_class.created_at = at
    before = {update.school_class.pk: update.school_class for update in updates}
    origins = {child.class_key for update in updates for child in update.moved}
    before |= {
        school_class.pk: school_class for school_class in SchoolClass.objects.filter(pk__in=origins)
    }
    existing = [school_class for school_class in before.values() if school_class not in new_classes]
    own = classes_of(by or AnonymousUser()) if allowed is None else allowed
    rows: list[User | SchoolClass] = [*([by] if by else []), *existing]
    with lock(*rows):
        mine = own.filter(pk__in=[school_class.pk for school_class in existing], archived_at=None)
        if mine.count() < len(existing):
            raise Changed
        if new_classes and by:
            create_classes(new_classes, by)
        # Lock all classes first: no class can be locked after a child.
        with lock(*before.values()):
            children = _check_as_shown(updates)
            for update in updates:
                for removed in update.gone:
                    services.remove(children[removed.key], by)
                    undo.gone.append(removed.key)
                for renamed, name in update.renamed:
                    services.rename(children[renamed.key], name, by)
                    undo.renamed.append((renamed.key, renamed.name, name))
            for update in updates:
                to = update.school_class
                for key in dict.fromkeys(child.class_key for child in update.moved):
                    arrivals = [children[c.key] for c in update.moved if c.class_key == key]
                    if allowed is None:
                        targets = classes_to_move_to(by, before[UUID(key)]) if by else own.none()
                        if not targets.filter(pk=to.pk).exists():
                            raise Changed
                    moved_children, moment, _groups = moves.move(arrivals, to, by)
                    if moment is None or len(moved_children) < len(arrivals):
                        raise Changed
                    undo.moved.append((str(to.pk), moment.isoformat(), key))
            services.add_to_classes(
                [(update.school_class, update.new) for update in updates if update.new], by, at
            )
    return undo


def _check_as_shown(updates: Iterable[ClassUpdate]) -> Mapping[str, Child]:
    """Lock the children of the updates, and return them by their keys. Raises `Changed` if one of
    them is no longer as the page showed them."""
    as_shown = {
        child.key: (child.name, child.class_key)
        for update in updates
        for child in (*update.gone, *update.moved, *(pupil for pupil, _name in update.renamed))
    }
    rows = Child.objects.filter(pk__in=as_shown).select_related("school_class")
    with lock(*rows) as children:
        now = {str(child.pk): child for child in children}
    if as_shown != {key: (child.name, str(child.school_class_id)) for key, child in now.items()}:
        raise Changed
    return now


def undo_import(undo_data: ImportUndo, by: User) -> tuple[int, list[str]]:
    """Undo `carry_out` as far as possible. Return the number of children for whom it is undone, and
    the names of the new classes and the children that stay as they are."""
    at = datetime.fromisoformat(undo_data.at)
    children = Child.objects.filter(school_class=OuterRef("pk"), created_at=at)
    touched = Child.all_objects.filter(
        school_class=OuterRef("pk"),
        pk__in=[*undo_data.gone, *(key for key, *_names in undo_data.renamed)],
    )
    places = [key for to, _at, origin in undo_data.moved for key in (to, origin)]
    mine = classes_of(by).filter(
        Q(created_at=at) | Q(pk__in=places) | Exists(children) | Exists(touched), archived_at=None
    )
    count = 0
    names_kept: list[str] = []
    with lock(*mine) as classes:
        class_by_key = {str(school_class.pk): school_class for school_class in classes}
        new_classes = [school_class for school_class in classes if school_class.created_at == at]
        count += sum(
            services.remove_added(school_class, at, by)
            for school_class in classes
            if school_class not in new_classes
        )
        for key, moment, _origin in undo_data.moved:
            moved_at = datetime.fromisoformat(moment)
            to = class_by_key.get(key)
            if to and (origin := moves.origin_of(by, to, moved_at)):
                move_back = partial(moves.move_back, to, moved_at, origin, by)
                count += _undo_or_keep(move_back, to.name, names_kept)
        for key, before, after in undo_data.renamed:
            child = Child.objects.filter(pk=key, name=after, school_class__in=classes).first()
            if child:
                rename_back = partial(services.rename, child, before, by)
                count += _undo_or_keep(rename_back, after, names_kept)
        for child in Child.all_objects.filter(pk__in=undo_data.gone, school_class__in=classes):
            if child.removed_at:
                bring_back = partial(services.bring_back, child, by)
                count += _undo_or_keep(bring_back, child.name, names_kept)
        for school_class in new_classes:
            if _is_unused(school_class, by):
                count += school_class.children.count()
                erasure.erase_class(school_class, by)
            else:
                names_kept.append(school_class.name)
    return count, names_kept


def _undo_or_keep(undo: Callable[[], object], name: str, names_kept: list[str]) -> int:
    """Call `undo`, and return for how many children it has undone something. If it fails, add the
    name to `names_kept`."""
    try:
        with transaction.atomic():
            undone = undo()
            return len(undone) if isinstance(undone, list) else 1
    except services.NameTaken as taken:
        name = taken.name
    except ActRefused:
        pass
    names_kept.append(name)
    return 0


def _is_unused(school_class: SchoolClass, by: User) -> bool:
    """Whether nothing has happened in this class since a list created it."""
    children = Child.all_objects.filter(school_class=school_class)
    return not any(
        rows.exists()
        for rows in (
            school_class.assignments,
            school_class.check_ups,
            school_class.groups,
            school_class.invitations,
            KnownDevice.objects.filter(child__in=children),
            children.exclude(created_at=school_class.created_at),
            school_class.teachings.exclude(user=by, role=Teaching.Role.OWNER),
        )
    )
