"""The preview of an import: the list of names with the teacher's choices, and its changes.

Nothing is stored between requests. The page contains the signed list.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from django.core import signing
from django.http import Http404, QueryDict
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from classrooms import bounds
from classrooms.child_names import name_key
from classrooms.models import SchoolClass, User
from classrooms.roster.forms import LanguageForm, wrong_name
from classrooms.roster.import_services import ClassUpdate, OwnClass, classes_called, own_classes
from classrooms.roster.importing.changes import (
    NEW,
    Change,
    ClassNow,
    KnownChild,
    PupilLine,
    change_of,
    match,
)
from classrooms.roster.importing.grid import Row
from classrooms.roster.importing.pupils import HEADINGS, NameSheet, Pupil

SALT: Final = "classrooms.sheet"
SEALED_SECONDS: Final = 4 * 3600
LEFT_OUT: Final = "out"
MOST_CLASSES: Final = 40
MOST_CLASS_NAMES: Final = 500
"""A column with more different values than this does not contain class names."""
MOST_NEW_CHILDREN: Final = 2_000
"""The most new children that one list can add."""
MOST_KNOWN_CHILDREN: Final = 5_000
"""If a teacher has more children than this, a list does not move children between classes."""
MOST_ROWS_SHOWN: Final = 6
LONGEST_NAME: Final = SchoolClass._meta.get_field("name").max_length or 0


class ChosenList:
    """A list with the teacher's choices in a POST. It is for `school_class`, or for several classes
    if that is None."""

    def __init__(
        self,
        sheet: NameSheet,
        school_class: SchoolClass | None = None,
        data: QueryDict | None = None,
    ) -> None:
        data = QueryDict() if data is None else data
        chosen = with_choices(sheet, data)
        self.is_changed = chosen != sheet
        """Whether the columns or the encoding differ from those on the page."""
        self.sheet = with_ticked_rows(chosen, data)
        self.school_class = school_class
        has_classes = self.sheet.columns.group is not None
        self.groups: Sequence[tuple[str, int]] = self.sheet.groups() if has_classes else []
        """The classes of the list, with their numbers of pupils."""
        names = [name for name, _count in self.groups]
        target = data.get("class")
        default = names[0] if len(names) == 1 else None
        self.group = target if target in names else default
        """The one whose pupils are for `school_class`."""

    @property
    def must_choose_columns(self) -> bool:
        return not self.sheet.columns.is_sure

    @property
    def rows_to_choose_by(self) -> Sequence[Row]:
        """The rows to show beside the question about columns, those with most cells first."""
        return sorted(self.sheet.grid.rows, key=lambda row: -len(row.filled))[:MOST_ROWS_SHOWN]

    @property
    def must_choose_class_column(self) -> bool:
        has_classes = self.school_class or self.sheet.columns.group is not None
        return not has_classes or len(self.groups) > MOST_CLASS_NAMES

    @property
    def must_choose_group(self) -> bool:
        return bool(self.school_class and self.groups) and self.group is None

    @property
    def is_clear(self) -> bool:
        """Whether nothing must be chosen before the list is compared with the classes."""
        return not (
            self.must_choose_columns or self.must_choose_class_column or self.must_choose_group
        )

    @property
    def sealed(self) -> str:
        return signing.dumps(self.sheet.as_data(), salt=SALT, compress=True)

    @property
    def used_columns(self) -> list[tuple[str, str, int | None]]:
        """The columns that the teacher can choose: field, label and number."""
        name, family, group, *_others = self.sheet.columns
        return [
            ("name", _("Name"), name),
            ("family", _("Family name"), family),
            ("group", _("Class"), group),
        ]


def compare(
    user: User,
    sheet: NameSheet,
    school_class: SchoolClass | None = None,
    data: QueryDict | None = None,
) -> tuple[ChosenList, "ListChanges | None"]:
    """The list with the choices in this POST, and its changes; None while a choice is missing."""
    name_list = ChosenList(sheet, school_class, data)
    return name_list, ListChanges(user, name_list, data) if name_list.is_clear else None


@dataclass(slots=True)
class ListedClass:
    """A class of the list.

    Its children go to `target`: the key of a class, `NEW`, `LEFT_OUT`, or "" until the teacher
    chooses. The names of its form fields contain `number`. If the list has several classes, that is
    the row of the class's first pupil, so it stays the same when the teacher's checkbox adds a
    class above.
    """

    number: int
    name: str
    pupils: Sequence[Pupil]
    target: str
    shows_all: bool = False
    own_class: OwnClass | None = None
    change: Change = field(default_factory=Change)
    missing_children: Sequence[KnownChild] = ()  # in the class, but not on the list
    leaving: Sequence[KnownChild] = ()  # the missing children whom the teacher wants to remove
    problem: str = ""

    @property
    def is_changed(self) -> bool:
        return bool(self.change.new or self.change.renamed or self.change.moved or self.leaving)

    @property
    def set_aside(self) -> list[str]:
        """The dates and numbers beside the names."""
        return [pupil.extra for pupil in self.pupils if pupil.extra]

    @property
    def with_comma(self) -> Pupil | None:
        """The first pupil whose name was after a comma."""
        return next((pupil for pupil in self.pupils if pupil.with_comma), None)

    @property
    def lines_to_ask(self) -> list[PupilLine]:
        """The lines with a field: wrong and corrected lines, lines whose pupil may be a known
        child, and, if `shows_all`, lines of new children."""
        return [
            line
            for line in self.change.lines
            if line.could_be
            or line.is_wrong
            or line.is_typed
            or (self.shows_all and line.kind == "new")
        ]


class ListChanges:
    """The changes that a clear list makes in the teacher's classes. `is_changed` says whether they
    differ from those on the page that was posted."""

    def __init__(self, user: User, chosen: ChosenList, data: QueryDict | None = None) -> None:
        self.chosen = chosen
        self.is_changed = chosen.is_changed
        saves = data is not None and data.get("do") == "add" and not chosen.is_changed
        self._typed = data if data is not None and saves else QueryDict()
        language = self._typed if "language" in self._typed else None
        self.language_form = LanguageForm(language, initial={"language": get_language()})
        self.own = own_classes(user)
        self.classes = list(self._listed_classes())
        self.problem = self._too_many_classes()
        if not self.problem:
            self._compare()
            self.problem = self._too_many_new(user)

    @property
    def new_classes(self) -> list[ListedClass]:
        return [
            listed
            for listed in self.classes
            if listed.target == NEW and (listed.is_changed or listed.change.wrong)
        ]

    @property
    def wrong(self) -> int:
        """The number of lines that must be corrected."""
        return sum(listed.change.wrong for listed in self.classes)

    @property
    def does_more(self) -> bool:
        """Whether the list does more than add children to classes, or asks something."""
        return bool(self.problem) or any(
            listed.target == NEW
            or listed.problem
            or listed.missing_children
            or listed.change.renamed
            or listed.change.moved
            or any(line.could_be for line in listed.change.lines)
            for listed in self.classes
        )

    @property
    def only_adds(self) -> int:
        """The number of new children, also those whose name must be corrected, if the list does
        nothing else; else 0."""
        new = sum(len(listed.change.new) for listed in self.classes)
        return 0 if self.does_more else new + self.wrong

    @property
    def can_change(self) -> bool:
        """Whether the teacher can confirm or answer something, or add a row."""
        passed_over = self.chosen.sheet.passed.values()
        can_tick = any(row.reason != HEADINGS for rows in passed_over for row in rows)
        return can_tick or any(
            listed.is_changed or listed.missing_children or listed.problem or listed.lines_to_ask
            for listed in self.classes
        )

    @property
    def is_good(self) -> bool:
        """Whether all changes can be carried out exactly as shown."""
        is_wrong = self.problem or self.is_changed or self.wrong
        return (
            not (is_wrong or any(listed.problem for listed in self.classes))
            and any(listed.is_changed for listed in self.classes)
            and (not self.new_classes or self.language_form.is_valid())
        )

    def updates(self) -> list[ClassUpdate]:
        """The changes to carry out. Call this only if `is_good`."""
        updates: dict[Any, ClassUpdate] = {}
        for listed in self.classes:
            if not listed.is_changed:
                continue
            if listed.own_class:
                school_class = listed.own_class.school_class
            else:
                language = self.language_form.cleaned_data["language"]
                school_class = SchoolClass(name=listed.name, language=language)
            update = updates.setdefault(school_class.pk, ClassUpdate(school_class))
            update.new += listed.change.new
            update.renamed += listed.change.renamed
            update.moved += listed.change.moved
            update.gone += listed.leaving
        return list(updates.values())

    def options(self) -> list[tuple[str, str]]:
        """The keys and labels of the teacher's classes. Classes of the same name also show their
        codes."""
        count = Counter(name_key(c.school_class.name) for c in self.own)
        options = []
        for c in self.own:
            name = c.school_class.name
            label = f"{name} ({c.school_class.spaced_code})" if count[name_key(name)] > 1 else name
            options.append((c.key, label))
        return options

    def _listed_classes(self) -> Iterator[ListedClass]:
        own_class = {own_class.key: own_class for own_class in self.own}
        chosen, school_class = self.chosen, self.chosen.school_class
        if school_class:
            key = str(school_class.pk)
            if key not in own_class:
                raise Http404  # The teacher has just lost the class.
            name = chosen.group or ""
            pupils = chosen.sheet.pupils_in(name if chosen.groups else None)
            self._check_shown(1, name)
            yield ListedClass(1, name, pupils, key, shows_all=True, own_class=own_class[key])
            return
        homes = chosen.sheet.homes
        for name, _count in chosen.groups:
            pupils = chosen.sheet.pupils_in(name)
            number = pupils[0].row
            target = self._target(number, name, homes)
            self._check_shown(number, target)
            yield ListedClass(number, name, pupils, target, own_class=own_class.get(target))

    def _check_shown(self, number: int, as_shown: str) -> None:
        """Set `is_changed` if the page showed another name or target for this class."""
        if self._typed and self._typed.get(f"seen-{number}") != as_shown:
            self.is_changed = True

    def _target(self, number: int, name: str, homes: set[str]) -> str:
        target = self._typed.get(f"target-{number}")
        if target is not None:
            return target if target in (NEW, LEFT_OUT, *(c.key for c in self.own)) else ""
        match = classes_called(name, self.own)
        if not name or (homes and name_key(name) not in homes and not match):
            return LEFT_OUT
        if not match:
            return NEW
        return match[0].key if len(match) == 1 else ""

    def _compare(self) -> None:
        """Work out the changes of each class of the list."""
        targets = {listed.target for listed in self.classes if listed.own_class}
        stay = {
            child.key
            for listed in self.classes
            if listed.own_class
            for child in match(
                dict(enumerate(listed.pupils)), listed.own_class.children, allows_near=False
            )[0].values()
        }
        used: set[str] = set()
        names_taken: dict[str, list[str]] = {}
        for listed in self.classes:
            self._check_class(listed)
            if listed.target == LEFT_OUT or listed.problem:
                continue
            children = listed.own_class.children if listed.own_class else ()
            unused = [child for child in children if child.key not in used]
            elsewhere = [
                child
                for child in self._movable_to(listed)
                if child.key not in stay and child.key not in used
            ]
            names_given = names_taken.setdefault(listed.target, []) if listed.target != NEW else []
            answers = self._fields("is", listed)
            listed.change = change_of(
                listed.pupils,
                ClassNow(unused, elsewhere, targets, names_given),
                answers,
                self._fields("name", listed),
                wrong_name,
            )
            names_given += [*listed.change.new, *(child.name for child in listed.change.there)]
            used |= {line.child.key for line in listed.change.lines if line.child}
            places_asked = {line.place for line in listed.change.lines if line.could_be}
            if self._typed and not places_asked <= answers.keys():
                self.is_changed = True
        for listed in self.classes:
            self._find_missing_children(listed, used)

    def _movable_to(self, listed_class: ListedClass) -> Iterator[KnownChild]:
        """The children of other classes whom the teacher may move to this class."""
        if sum(len(c.children) for c in self.own) > MOST_KNOWN_CHILDREN:
            return
        for c in self.own:
            may_move = (
                c.is_owner if listed_class.target == NEW else listed_class.target in c.open_to
            )
            if may_move and c.key != listed_class.target:
                yield from c.children

    def _fields(self, kind: str, listed_class: ListedClass) -> dict[int, str]:
        """The texts in the fields of this kind, by the places of the pupils. The name of a field
        has the number of a row, because adding a row changes the places of the pupils below it."""
        names = ((place, f"{kind}-{pupil.row}") for place, pupil in enumerate(listed_class.pupils))
        return {place: str(self._typed[name]) for place, name in names if name in self._typed}

    def _find_missing_children(self, listed_class: ListedClass, used: set[str]) -> None:
        """Find the children of the class who are not on the list. If nobody on the list is in the
        class, it is the list of another class, and no child is missing."""
        unknown = [line for line in listed_class.change.lines if line.kind == "unknown"]
        keys_asked = {child.key for line in unknown for child in line.could_be}
        is_first = next(e for e in self.classes if e.target == listed_class.target) is listed_class
        children = listed_class.own_class.children if listed_class.own_class else ()
        if is_first and any(child.key in used for child in children):
            listed_class.missing_children = [
                child for child in children if child.key not in used | keys_asked
            ]
            ticked = self._typed.getlist(f"gone-{listed_class.number}")
            listed_class.leaving = [
                child for child in listed_class.missing_children if child.key in ticked
            ]
        count = len(children) + len(listed_class.change.new) + len(listed_class.change.moved)
        if count > bounds.MOST_CHILDREN:
            listed_class.problem = listed_class.problem or bounds.most_children_text()

    def _check_class(self, listed_class: ListedClass) -> None:
        if not listed_class.target:
            listed_class.problem = _("Choose where these children go.")
        elif listed_class.target == NEW and (
            not listed_class.name or len(listed_class.name) > LONGEST_NAME
        ):
            text = _("A class name can have at most %(n)d characters. Choose another class.")
            listed_class.problem = text % {"n": LONGEST_NAME}
        elif len(listed_class.pupils) > bounds.MOST_CHILDREN and listed_class.target != LEFT_OUT:
            listed_class.problem = bounds.most_children_text()

    def _too_many_classes(self) -> str:
        count = sum(listed.target != LEFT_OUT for listed in self.classes)
        text = _(
            "You can add at most %(n)d classes at once, and %(count)d are chosen. "
            "Leave out some classes."
        )
        return text % {"count": count, "n": MOST_CLASSES} if count > MOST_CLASSES else ""

    def _too_many_new(self, user: User) -> str:
        if sum(len(listed.change.new) for listed in self.classes) > MOST_NEW_CHILDREN:
            text = _("You can add at most %(n)d children at once. Leave out some classes.")
            return text % {"n": MOST_NEW_CHILDREN}
        if not self.new_classes:
            return ""
        owned = bounds.count_owned_classes(user)
        is_over = owned + len(self.new_classes) > bounds.MOST_CLASSES
        return bounds.most_classes_text(owned) if is_over else ""


def unseal_sheet(signed: str) -> NameSheet | None:
    """The sheet from a signed page; None if the page is too old or was not signed by the site."""
    try:
        return NameSheet.from_data(signing.loads(signed, salt=SALT, max_age=SEALED_SECONDS))
    except signing.BadSignature:
        return None


def with_choices(sheet: NameSheet, data: QueryDict) -> NameSheet:
    """The sheet with the encoding and the columns that were chosen on the page."""
    sheet = sheet.in_encoding(data.get("encoding", ""))
    if "name" not in data:
        return sheet
    before = sheet.columns
    valid = {f"{column}": column for column in range(sheet.grid.width)}
    name, family, group = (valid.get(data.get(role, "")) for role in ("name", "family", "group"))
    head = (before.head or 1) if "headed" in data else 0
    fallback = before.fallback if name == before.name else None
    columns = before._replace(name=name, family=family, group=group, head=head, fallback=fallback)
    return replace(sheet, columns=columns._replace(is_sure=True))


def with_ticked_rows(sheet: NameSheet, data: QueryDict) -> NameSheet:
    """The sheet, to which the teacher has added rows that were passed over."""
    posted = set(data.getlist("pupil"))
    if not posted:
        return sheet
    passed = (row.number for rows in sheet.passed.values() for row in rows)
    ticked = [number for number in passed if f"{number}" in posted]
    return replace(sheet, ticked=ticked) if ticked else sheet
