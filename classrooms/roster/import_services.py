"""Carries out the changes of a list of names, all or none, and takes them back."""

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
from classrooms.child_names import same
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
    open_to: Set[str]  # the classes to which the teacher may move them

    @property
    def key(self) -> str:
        return str(self.school_class.pk)


@dataclass(slots=True)
class Update:
    """The changes of a class; a class that is not stored yet is created. It describes the children
    as the page showed them."""

    school_class: SchoolClass
    new: list[str] = field(default_factory=list)
    renamed: list[tuple[KnownChild, str]] = field(default_factory=list)
    moved: list[KnownChild] = field(default_factory=list)
    gone: list[KnownChild] = field(default_factory=list)


@dataclass(slots=True)
class ImportUndo:
    """The data of the undo: the moment; for each renamed child the key, the old and the new name;
    the keys of the removed children; and for each move the key of the class, the moment, and the
    key of the former class."""

    at: str
    renamed: list[tuple[str, str, str]] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    moved: list[tuple[str, str, str]] = field(default_factory=list)


def own_classes(user: User) -> list[OwnClass]:
    """The teacher's classes that are not archived."""
    classes = list(classes_of(user).filter(archived_at=None))
    teaching = Teaching.objects.filter(school_class__in=classes)
    owners = dict(teaching.filter(role=Teaching.Role.OWNER).values_list("school_class", "user"))
    theirs: dict[int, set[str]] = defaultdict(set)
    for owner, class_id in teaching.values_list("user", "school_class"):
        theirs[owner].add(str(class_id))
    names = {school_class.pk: school_class.name for school_class in classes}
    children: dict[UUID, list[KnownChild]] = defaultdict(list)
    pupils = Child.objects.filter(school_class__in=classes).order_by("name_order", "name")
    for pk, name, class_id in pupils.values_list("pk", "name", "school_class"):
        children[class_id].append(KnownChild(str(pk), name, str(class_id), names[class_id]))
    listing = []
    for school_class in classes:
        owner = owners.get(school_class.pk, 0)
        listing.append(
            OwnClass(school_class, owner == user.pk, children[school_class.pk], theirs[owner])
        )
    return listing


def class_called(name: str, classes: Iterable[OwnClass]) -> list[OwnClass]:
    """The classes of this name that the teacher owns, or else those that they co-teach."""
    matches = [c for c in classes if same(c.school_class.name) == same(name)]
    return [c for c in matches if c.is_owner] or matches


def carry_out(
    updates: Sequence[Update], by: User | None, allowed: QuerySet[SchoolClass] | None = None
) -> ImportUndo:
    """Carry out these updates and return what was done. `allowed` has the classes that may change,
    by default those of `by`. Raises `IntegrityError` if a name has just been added,
    `bounds.LimitReached`, and `Changed` if a class or a child is no longer as the page showed
    them."""
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
        # All classes are locked first, because no class can be locked after a child.
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
                    if allowed is None and not _may_move(by, before[UUID(key)], to):
                        raise Changed
                    moved_children, moment, _groups = moves.move(arrivals, to, by)
                    if moment is None or len(moved_children) < len(arrivals):
                        raise Changed
                    undo.moved.append((str(to.pk), moment.isoformat(), key))
            services.add_to_classes(
                [(update.school_class, update.new) for update in updates if update.new], by, at
            )
    return undo


def _may_move(by: User | None, origin: SchoolClass, to: SchoolClass) -> bool:
    return by is not None and classes_to_move_to(by, origin).filter(pk=to.pk).exists()


def _check_as_shown(updates: Iterable[Update]) -> Mapping[str, Child]:
    """The children of the updates by their keys, locked. Raises `Changed` if one of them is no
    longer as the page showed them."""
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


def take_back(undo_data: ImportUndo, by: User) -> tuple[int, list[str]]:
    """Undo `carry_out` as far as possible. Returns the number of children for whom it is undone,
    and the names of the new classes and the children that stay as they are."""
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
            when, to = datetime.fromisoformat(moment), class_by_key.get(key)
            if to and (origin := moves.origin_of(by, to, when)):
                count += _try(partial(moves.move_back, to, when, origin, by), to.name, names_kept)
        for key, before, after in undo_data.renamed:
            child = Child.objects.filter(pk=key, name=after, school_class__in=classes).first()
            if child:
                count += _try(partial(services.rename, child, before, by), after, names_kept)
        for child in Child.all_objects.filter(pk__in=undo_data.gone, school_class__in=classes):
            if child.removed_at:
                count += _try(partial(services.bring_back, child, by), child.name, names_kept)
        for school_class in new_classes:
            if _is_unused(school_class, by):
                count += school_class.children.count()
                erasure.erase_class(school_class, by)
            else:
                names_kept.append(school_class.name)
    return count, names_kept


def _try(act: Callable[[], object], name: str, names_kept: list[str]) -> int:
    """Run `act`, which undoes something, and return for how many children it did. If it cannot, add
    the name to `names_kept`."""
    try:
        with transaction.atomic():
            undone = act()
            return len(undone) if isinstance(undone, list) else 1
    except services.NameTaken as taken:
        name = taken.name
    except ActRefused:
        pass
    names_kept.append(name)
    return 0


def _is_unused(school_class: SchoolClass, by: User) -> bool:
    """Whether nothing has happened in this class since it was made from a list."""
    of_class = Child.all_objects.filter(school_class=school_class)
    owner = {"user": by, "role": Teaching.Role.OWNER}
    return not any(
        rows.exists()
        for rows in (
            *(getattr(school_class, of) for of in ("assignments", "check_ups", "groups")),
            school_class.invitations,
            KnownDevice.objects.filter(child__in=of_class),
            of_class.exclude(created_at=school_class.created_at),
            school_class.teachings.exclude(**owner),
        )
    )
