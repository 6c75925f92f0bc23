"""Compares the lists of a school's source with the children of the linked classes.

Two changes are safe: a new child in a class whose changes somebody has confirmed before, and
another spelling of a name. All others are questions.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext as _

from classrooms.access import classes_in
from classrooms.child_names import name_key, plain_name, tidy
from classrooms.models import Child, RosterSource, SchoolClass, SourceClass, SourcePupil
from classrooms.roster.forms import wrong_name
from classrooms.roster.importing.changes import (
    NEW,
    RENAMED,
    ClassNow,
    KnownChild,
    PupilLine,
    change_of,
    is_near,
    listed_spelling,
)
from classrooms.roster.importing.pupils import Pupil

MOST_ADDED_AUTOMATICALLY: Final = 10
"""The most new children that one night adds to a class without a question."""
LATER, OUT, NOW_CALLED, GONE = "later", "out", "rename", "gone"


def linked_classes(source: RosterSource) -> QuerySet[SchoolClass]:
    return classes_in(source.school).filter(source_class__source=source, archived_at=None)


Option = tuple[str, str]
"""A possible answer and its label. The answer is "later", "out", "new", "rename", "gone", or "is",
"renamed" or "move" with the key of a child."""


@dataclass(frozen=True, slots=True)
class ListQuestion:
    """A question about a pupil: its text, its options, the default `answer`, and the future `name`
    of the child."""

    pupil: SourcePupil
    text: str
    options: Sequence[Option]
    answer: str
    name: str = ""
    problem: str = ""

    @property
    def field(self) -> str:
        return f"pupil-{self.pupil.pk}"


@dataclass(slots=True)
class ClassChanges:
    """The changes of a class: questions, safe changes, and the pupils who certainly are children of
    the class."""

    source_class: SourceClass
    school_class: SchoolClass
    questions: list[ListQuestion] = field(default_factory=list)
    new_pupils: list[tuple[SourcePupil, str]] = field(default_factory=list)
    renamed: list[tuple[SourcePupil, Child, str]] = field(default_factory=list)
    matched: list[tuple[SourcePupil, str]] = field(default_factory=list)  # with a child's key
    seen_pupils: list[SourcePupil] = field(default_factory=list)  # whose child has the new name


@dataclass(slots=True)
class _Children:
    """The children of all classes that are compared."""

    by_class: Mapping[UUID, Mapping[UUID, Child]]
    classes: Mapping[UUID, SchoolClass]
    claims: Mapping[UUID, set[UUID]]  # by child, the classes with a pupil who is this child


def changes_of(
    source: RosterSource, only: SchoolClass | None = None, movable: Collection[UUID] | None = None
) -> list[ClassChanges]:
    """The changes of the source in its linked classes, or in one of them. `movable` has the keys of
    the classes from which children may move, by default of all linked classes."""
    pupils = SourcePupil.objects.select_related("child__school_class")
    source_classes = source.classes.filter(school_class__in=linked_classes(source))
    linked = [
        (each, each.school_class)
        for each in source_classes.select_related("school_class").prefetch_related(
            Prefetch("pupils", pupils)
        )
        if each.school_class
    ]
    claims: dict[UUID, set[UUID]] = defaultdict(set)
    for source_class, school_class in linked:
        for row in source_class.pupils.all():
            if row.is_here and row.child_id:
                claims[row.child_id].add(school_class.pk)
    classes = {school_class.pk: school_class for _source_class, school_class in linked}
    by_class: dict[UUID, dict[UUID, Child]] = defaultdict(dict)
    for child in Child.objects.filter(school_class__in=classes).order_by("name_order", "pk"):
        by_class[child.school_class_id][child.pk] = child
    children = _Children(by_class, classes, claims)
    can_move = set(classes) if movable is None else set(movable)
    return [
        _compare(source_class, school_class, children, can_move)
        for source_class, school_class in linked
        if only in (None, school_class)
    ]


def _compare(
    source_class: SourceClass,
    school_class: SchoolClass,
    children: _Children,
    movable: Collection[UUID],
) -> ClassChanges:
    changes = ClassChanges(source_class, school_class)
    rows = source_class.pupils.all()
    children_here = children.by_class.get(school_class.pk, {})
    known_keys = {row.child_id for row in rows if row.child_id in children_here and row.is_here}
    leavers: list[ListQuestion] = []
    unknown: list[SourcePupil] = []
    for row in rows:
        child = row.child
        if row.is_left_out:
            continue
        if not row.is_here:
            if child and child.pk in children_here and not children.claims[child.pk]:
                leavers.append(_gone_question(row, child))
        elif child is None:
            unknown.append(row)
        elif child.pk in children_here:
            _compare_name(changes, row, children_here[child.pk], children_here.values())
        elif child.removed_at is None and child.school_class_id not in children.claims[child.pk]:
            changes.questions.append(_move_question(row, child, movable))
    may_add = bool(source_class.agreed_at) and len(leavers) * 2 <= len(known_keys) + len(leavers)
    lines = _lines(school_class, unknown, children, movable)
    new_count = sum(line.kind == "new" and not line.could_be for line in lines)
    for row, line in zip(unknown, lines, strict=True):
        _compare_line(
            changes, row, line, children_here, may_add and new_count <= MOST_ADDED_AUTOMATICALLY
        )
    changes.questions += leavers
    return changes


def _lines(
    school_class: SchoolClass,
    unknown: Sequence[SourcePupil],
    children: _Children,
    movable: Collection[UUID],
) -> Sequence[PupilLine]:
    """Match the pupils whom no id links with a child, in the same way as those on a list from a
    file."""
    unclaimed = [
        KnownChild(str(child.pk), child.name, str(key), each.name)
        for key, each in children.classes.items()
        if each == school_class or key in movable
        for child in children.by_class.get(key, {}).values()
        if not children.claims.get(child.pk)
    ]
    here = str(school_class.pk)
    present = [child for child in unclaimed if child.class_key == here]
    elsewhere = [child for child in unclaimed if child.class_key != here]
    own_children = children.by_class.get(school_class.pk, {})
    names_taken = [child.name for key, child in own_children.items() if children.claims.get(key)]
    now = ClassNow(present, elsewhere, {here}, names_taken)
    pupils = [Pupil(place, row.name, row.family) for place, row in enumerate(unknown, start=1)]
    return change_of(pupils, now, {}, {}, wrong_name).lines


def _compare_name(
    changes: ClassChanges, row: SourcePupil, child: Child, classmates: Iterable[Child]
) -> None:
    """Compare the name on the list with that of the child. Another spelling is safe, another name
    is a question."""
    if row.name == row.known_name:
        return
    pupil = Pupil(0, row.name, row.family)
    before = Pupil(0, row.known_name, row.family)
    known_child = KnownChild(str(child.pk), child.name, "", "")
    if name_key(listed_spelling(before, known_child)) == name_key(child.name) and row.known_name:
        letters = tidy(child.name)[len(tidy(row.known_name)) :]
        name = tidy(f"{row.name}{letters}")
    else:
        name = listed_spelling(pupil, known_child)
    names = {name_key(classmate.name) for classmate in classmates if classmate.pk != child.pk}
    if name == child.name:
        changes.seen_pupils.append(row)
    elif plain_name(name) == plain_name(child.name) and name_key(name) not in names:
        changes.renamed.append((row, child, name))
    else:
        text = _("The source now says %(name)s for %(child)s.")
        rename = (NOW_CALLED, _("%(name)s, now called %(new)s") % {"name": child.name, "new": name})
        stays = (OUT, _("%(name)s, as before") % {"name": child.name})
        is_free = name_key(name) not in names
        options = [*([rename] if is_free else []), stays, _later_option()]
        sentence = text % {"name": row.name, "child": child.name}
        answer = NOW_CALLED if is_free else LATER
        changes.questions.append(ListQuestion(row, sentence, options, answer, name))


def _compare_line(
    changes: ClassChanges,
    row: SourcePupil,
    line: PupilLine,
    children_here: Mapping[UUID, Child],
    may_add: bool,
) -> None:
    if line.child and line.kind == "there" and not line.could_be:
        changes.matched.append((row, line.child.key))
        return
    full_name = tidy(f"{row.name} {row.family}")
    if line.problem:
        text = _("On the list: %(name)s. This name cannot be used.") % {"name": full_name}
        changes.questions.append(
            ListQuestion(row, text, _no_child_options(), LATER, problem=line.problem)
        )
        return
    if line.could_be:
        text = _("“%(name)s” in your list: is this a child whom the site knows already?")
        text %= {"name": full_name}
        options = [*_identity_options(line, changes.school_class), *_no_child_options()]
        values = [value for value, _label in options]
        answer = _default_answer(line)
        answer = answer if answer in values else LATER
        changes.questions.append(ListQuestion(row, text, options, answer, line.name))
        return
    plain = plain_name(row.name)
    is_alike = line.name != row.name or any(
        plain_name(child.name) == plain or is_near(plain, plain_name(child.name))
        for child in children_here.values()
    )
    if may_add and not is_alike:
        changes.new_pupils.append((row, line.name))
        return
    text = _("On the list: %(name)s")
    if is_alike:
        text = _("On the list: %(name)s. There is already a name like it.")
    text %= {"name": full_name}
    new_option = (NEW, _("a new child: %(name)s") % {"name": line.name})
    options = [new_option, *_no_child_options()]
    answer = LATER if is_alike and changes.source_class.agreed_at else NEW
    changes.questions.append(ListQuestion(row, text, options, answer, line.name))


def _identity_options(line: PupilLine, school_class: SchoolClass) -> list[Option]:
    options: list[Option] = []
    for child, name in line.choices:
        if child.class_key == str(school_class.pk):
            options.append((f"is {child.key}", _("%(name)s, as before") % {"name": child.name}))
            if name:
                label = _("%(name)s, now called %(new)s") % {"name": child.name, "new": name}
                options.append((f"renamed {child.key}", label))
        else:
            label = _("%(name)s from %(class)s, who comes here")
            values = {"name": child.name, "class": child.class_name}
            options.append((f"move {child.key}", label % values))
    return [*options, (NEW, _("another child, who is new"))]


def _default_answer(line: PupilLine) -> str:
    """The option that is chosen until somebody answers. It is never a move."""
    for child in line.could_be:
        if line.answer == child.key and line.kind == "there":
            return f"is {child.key}"
        if line.answer == child.key + RENAMED:
            return f"renamed {child.key}"
    return LATER


def _move_question(row: SourcePupil, child: Child, movable: Collection[UUID]) -> ListQuestion:
    if child.school_class_id in movable:
        values = {"name": child.name, "class": child.school_class.name}
        text = _("%(name)s is in %(class)s. The source now lists them here.") % values
        label = _("%(name)s from %(class)s, who comes here") % values
        options = [(f"move {child.pk}", label), *_no_child_options()]
    else:
        full_name = tidy(f"{row.name} {row.family}")
        text = _(
            "%(name)s is in another class of the school. An admin of the school can move them."
        )
        text %= {"name": full_name}
        options = _no_child_options()
    return ListQuestion(row, text, options, LATER)


def _gone_question(row: SourcePupil, child: Child) -> ListQuestion:
    text = _("The source no longer lists %(name)s in this class.") % {"name": child.name}
    options = [
        _later_option(),
        (OUT, _("stays in the class")),
        (GONE, _("has left: will be removed")),
    ]
    return ListQuestion(row, text, options, LATER)


def _later_option() -> Option:
    return (LATER, _("decide later"))


def _no_child_options() -> list[Option]:
    """The options for a pupil who is no child of the class."""
    return [_later_option(), (OUT, _("no child of this class: left out"))]
