"""The forms that take a list of names, and the preview of its changes."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from django import forms
from django.conf import settings
from django.core import signing
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, QueryDict
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from classrooms import bounds
from classrooms.child_names import same
from classrooms.models import SchoolClass, User
from classrooms.roster.forms import wrong_name
from classrooms.roster.import_services import OwnClass, Update, class_called, own_classes
from classrooms.roster.importing.changes import (
    NEW,
    Change,
    ClassNow,
    KnownChild,
    Line,
    change_of,
    match,
)
from classrooms.roster.importing.pupils import HEADINGS, NameSheet, Pupil
from classrooms.roster.importing.reading import read_file, read_pasted

SALT: Final = "classrooms.sheet"
SEALED_SECONDS: Final = 4 * 3600
LEFT_OUT: Final = "out"
MOST_CLASSES: Final = 40
MOST_CLASS_NAMES: Final = 500
"""A column with more different values than this has no classes."""
MOST_NEW_CHILDREN: Final = 2_000
"""How many new children one list can add."""
MOST_KNOWN_CHILDREN: Final = 5_000
"""With more children than this, an upload never moves children between classes."""
LONGEST_NAME: Final = SchoolClass._meta.get_field("name").max_length or 0


class FileForm(forms.Form):
    """A file with names: CSV, an Excel workbook or a OneRoster zip."""

    file = forms.FileField(
        label=gettext_lazy("An Excel file (.xlsx), a CSV file or a OneRoster zip"),
        help_text=gettext_lazy(
            "At most 500 lines and 1 MB. You will see the names before anything is saved."
        ),
        error_messages={
            "required": gettext_lazy("Choose a file."),
            "empty": gettext_lazy("This file is empty."),
            "missing": gettext_lazy("Choose a file."),
        },
        widget=forms.ClearableFileInput(
            attrs={"accept": ".xlsx,.xlsm,.xls,.ods,.csv,.txt,.tsv,.zip,text/csv"}
        ),
    )

    def __init__(self, *args: Any, user: User | None = None) -> None:
        super().__init__(*args)
        self.account = user.pk if user else 0

    def clean_file(self) -> NameSheet:
        file: UploadedFile = self.cleaned_data["file"]
        return read_file(file.read(), self.account)


class PastedListForm(forms.Form):
    """A pasted list of several classes."""

    names = forms.CharField(
        label=gettext_lazy("Names, one per line, with the class beside each"),
        help_text=gettext_lazy("Copy both columns from a spreadsheet."),
        error_messages={"required": gettext_lazy("Type or paste at least one name.")},
        strip=False,
        max_length=50_000,
        widget=forms.Textarea(attrs={"rows": 8, "autocomplete": "off", "spellcheck": "false"}),
    )

    def clean_names(self) -> NameSheet:
        return read_pasted(self.cleaned_data["names"])


class LanguageForm(forms.Form):
    """The language of the children of the new classes."""

    language = forms.ChoiceField(
        label=gettext_lazy("The children’s language"), choices=lambda: settings.LANGUAGES
    )


@dataclass(slots=True)
class ListedClass:
    """A class of the list. Its children go to `target`: the key of a class, `NEW`, `LEFT_OUT`, or
    "" until the teacher chooses. Its fields have its `number`: of several classes the row of the
    first pupil, because a tick can bring in a further class before others."""

    number: int
    name: str
    pupils: Sequence[Pupil]
    target: str
    shows_all: bool = False
    own: OwnClass | None = None
    change: Change = field(default_factory=Change)
    gone: Sequence[KnownChild] = ()  # who is in the class but not on the list
    leaving: Sequence[KnownChild] = ()  # the children of `gone` whom the teacher wants to remove
    problem: str = ""

    @property
    def is_changed(self) -> bool:
        return bool(self.change.new or self.change.renamed or self.change.moved or self.leaving)

    @property
    def set_aside(self) -> list[str]:
        """The dates and numbers beside names."""
        return [pupil.aside for pupil in self.pupils if pupil.aside]

    @property
    def with_comma(self) -> Pupil | None:
        """The first pupil whose name had a comma."""
        return next((pupil for pupil in self.pupils if pupil.with_comma), None)

    @property
    def lines_to_ask(self) -> list[Line]:
        """The lines that get a field: lines that must be or were corrected, lines whose pupil may
        be a known child, and, if the class `shows_all`, lines of new children."""
        return [
            line
            for line in self.change.lines
            if line.could_be
            or line.is_wrong
            or line.is_typed
            or (self.shows_all and line.kind == "new")
        ]


class ImportPreview:
    """What a list would change in `school_class`, or in several classes if it is None. Nothing is
    stored between requests: the page contains the signed list. `is_changed` says that the POST
    would have effects that the page has not shown."""

    def __init__(
        self,
        user: User,
        sheet: NameSheet,
        school_class: SchoolClass | None = None,
        data: QueryDict | None = None,
    ) -> None:
        data = QueryDict() if data is None else data
        self.school_class, self.sheet = school_class, as_chosen(sheet, data)
        self.is_changed = self.sheet != sheet
        self.sheet = with_ticks(self.sheet, data)
        self._typed = data if data.get("do") == "add" and not self.is_changed else QueryDict()
        chosen = self._typed if "language" in self._typed else None
        self.language_form = LanguageForm(chosen, initial={"language": get_language()})
        self.own = own_classes(user)
        if school_class and str(school_class.pk) not in {own.key for own in self.own}:
            raise Http404  # Somebody has just taken the class from this teacher.
        self.classes: list[ListedClass] = []
        self.problem = ""
        has_classes = self.sheet.columns.group is not None
        self.groups = self.sheet.groups() if has_classes else []
        known = [name for name, _count in self.groups]
        asked = data.get("class")
        self.group = asked if asked in known else known[0] if len(known) == 1 else None
        self.must_choose_columns = not self.sheet.columns.sure
        self.must_choose_class_column = (
            not (school_class or has_classes) or len(known) > MOST_CLASS_NAMES
        )
        self.must_choose_group = bool(school_class and self.groups) and self.group is None
        if self.must_choose_columns or self.must_choose_class_column or self.must_choose_group:
            return
        self._list_classes()
        self.problem = self._too_many_classes()
        if not self.problem:
            self._compare()
            self.problem = self._too_many(user)

    @property
    def sealed(self) -> str:
        return signing.dumps(self.sheet.as_data(), salt=SALT, compress=True)

    @property
    def used_columns(self) -> list[tuple[str, str, int | None]]:
        """The columns that the teacher chooses: field, label and column."""
        labels = (("name", _("Name")), ("family", _("Family name")), ("group", _("Class")))
        return [
            (*each, column) for each, column in zip(labels, self.sheet.columns[:3], strict=True)
        ]

    @property
    def new_classes(self) -> list[ListedClass]:
        return [e for e in self.classes if e.target == NEW and (e.is_changed or e.change.wrong)]

    @property
    def wrong(self) -> int:
        """How many lines must be corrected."""
        return sum(each.change.wrong for each in self.classes)

    @property
    def can_change(self) -> bool:
        """Whether there is anything to confirm."""
        can_tick = any(r.reason != HEADINGS for rows in self.sheet.passed.values() for r in rows)
        return can_tick or any(
            e.is_changed or e.gone or e.problem or e.lines_to_ask for e in self.classes
        )

    @property
    def is_good(self) -> bool:
        """Whether all changes can be carried out exactly as shown."""
        is_wrong = self.problem or self.is_changed or self.wrong
        return (
            not (is_wrong or any(each.problem for each in self.classes))
            and any(each.is_changed for each in self.classes)
            and (not self.new_classes or self.language_form.is_valid())
        )

    def updates(self) -> list[Update]:
        """The changes to carry out. Call it only if the preview `is_good`."""
        updates: dict[Any, Update] = {}
        for each in filter(lambda listed: listed.is_changed, self.classes):
            if each.own:
                school_class = each.own.school_class
            else:
                language = self.language_form.cleaned_data["language"]
                school_class = SchoolClass(name=each.name, language=language)
            update = updates.setdefault(school_class.pk, Update(school_class))
            update.new += each.change.new
            update.renamed += each.change.renamed
            update.moved += each.change.moved
            update.gone += each.leaving
        return list(updates.values())

    def options(self) -> list[tuple[str, str]]:
        """The teacher's classes to choose from. Classes with the same name also show their code."""
        count = Counter(same(own.school_class.name) for own in self.own)
        return [
            (own.key, f"{one.name} ({one.spaced_code})" if count[same(one.name)] > 1 else one.name)
            for own in self.own
            for one in [own.school_class]
        ]

    def _list_classes(self) -> None:
        by_key = {own.key: own for own in self.own}
        one, homes = self.school_class, self.sheet.homes
        names = [self.group or ""] if one else [name for name, _count in self.groups]
        for name in names:
            pupils = self.sheet.pupils_in(name if self.groups else None)
            number = 1 if one else pupils[0].row
            target = str(one.pk) if one else self._target(number, name, homes)
            seen = self._typed.get(f"seen-{number}")
            self.is_changed |= bool(self._typed) and seen != (name if one else target)
            own = by_key.get(target)
            self.classes.append(ListedClass(number, name, pupils, target, one is not None, own))

    def _target(self, number: int, name: str, homes: set[str]) -> str:
        target = self._typed.get(f"target-{number}")
        if target is not None:
            return target if target in (NEW, LEFT_OUT, *(own.key for own in self.own)) else ""
        found = class_called(name, self.own)
        if not name or (homes and same(name) not in homes and not found):
            return LEFT_OUT
        return NEW if not found else found[0].key if len(found) == 1 else ""

    def _compare(self) -> None:
        """Work out the changes of each class of the list."""
        listed = {each.target for each in self.classes if each.own}
        stay = {
            child.key
            for each in self.classes
            if each.own
            for child in _children_found(each.pupils, each.own.children)
        }
        used: set[str] = set()
        taken: dict[str, list[str]] = {}
        are_few = sum(len(own.children) for own in self.own) <= MOST_KNOWN_CHILDREN
        for each in self.classes:
            self._check_class(each)
            if each.target == LEFT_OUT or each.problem:
                continue
            here = [c for c in (each.own.children if each.own else ()) if c.key not in used]
            away = [
                child
                for own in (self.own if are_few else ())
                if own.key != each.target
                and (each.target in own.open_to or (each.target == NEW and own.is_owner))
                for child in own.children
                if child.key not in stay and child.key not in used
            ]
            others = taken.setdefault(each.target, []) if each.target != NEW else []
            answers, typed = (self._fields(kind, each) for kind in ("is", "name"))
            each.change = change_of(
                each.pupils,
                ClassNow(here, away, listed, others),
                answers,
                typed,
                lambda wrong, line: wrong_name(wrong, on_line=line),
            )
            others += [*each.change.new, *(child.name for child in each.change.there)]
            used |= {line.child.key for line in each.change.lines if line.child}
            asked = {line.place for line in each.change.lines if line.could_be}
            self.is_changed |= bool(self._typed) and not asked <= answers.keys()
        for each in self.classes:
            self._look_who_is_gone(each, used)

    def _fields(self, kind: str, each: ListedClass) -> dict[int, str]:
        """What was typed into the fields of this kind, by the places of the pupils. A field has
        the number of a row, because a tick moves the places of others."""
        names = ((place, f"{kind}-{pupil.row}") for place, pupil in enumerate(each.pupils))
        return {place: str(self._typed[name]) for place, name in names if name in self._typed}

    def _look_who_is_gone(self, each: ListedClass, used: set[str]) -> None:
        """Find who is in the class but not on the list. If nobody on the list is in the class, it
        is a list of another class, and nobody is missing."""
        unknown = [line for line in each.change.lines if line.kind == "unknown"]
        asked = {child.key for line in unknown for child in line.could_be}
        is_first = next(other for other in self.classes if other.target == each.target) is each
        there = each.own.children if each.own else ()
        if is_first and any(child.key in used for child in there):
            each.gone = [child for child in there if child.key not in used | asked]
            ticked = self._typed.getlist(f"gone-{each.number}")
            each.leaving = [child for child in each.gone if child.key in ticked]
        if len(there) + len(each.change.new) + len(each.change.moved) > bounds.MOST_CHILDREN:
            each.problem = each.problem or bounds.most_children()

    def _check_class(self, each: ListedClass) -> None:
        if not each.target:
            each.problem = _("Choose where these children go.")
        elif each.target == NEW and (not each.name or len(each.name) > LONGEST_NAME):
            text = _("A class name can have at most %(n)d characters. Choose another class.")
            each.problem = text % {"n": LONGEST_NAME}
        elif len(each.pupils) > bounds.MOST_CHILDREN and each.target != LEFT_OUT:
            each.problem = bounds.most_children()

    def _too_many_classes(self) -> str:
        count = sum(each.target != LEFT_OUT for each in self.classes)
        text = _(
            "You can add at most %(n)d classes at once, and %(count)d are chosen. "
            "Leave out some classes."
        )
        return text % {"count": count, "n": MOST_CLASSES} if count > MOST_CLASSES else ""

    def _too_many(self, user: User) -> str:
        if sum(len(each.change.new) for each in self.classes) > MOST_NEW_CHILDREN:
            text = _("You can add at most %(n)d children at once. Leave out some classes.")
            return text % {"n": MOST_NEW_CHILDREN}
        owned = bounds.owned_by(user) if self.new_classes else 0
        is_over = owned + len(self.new_classes) > bounds.MOST_CLASSES
        return bounds.most_classes(owned) if is_over and self.new_classes else ""


def _children_found(
    pupils: Sequence[Pupil], children: Sequence[KnownChild]
) -> Collection[KnownChild]:
    return match(dict(enumerate(pupils)), children, near=False)[0].values()


def opened(signed: str) -> NameSheet | None:
    """The sheet from a signed page; None if the page is too old or not ours."""
    try:
        return NameSheet.from_data(signing.loads(signed, salt=SALT, max_age=SEALED_SECONDS))
    except signing.BadSignature:
        return None


def as_chosen(sheet: NameSheet, data: QueryDict) -> NameSheet:
    """The sheet with the encoding and the columns that were chosen on the page."""
    sheet = sheet.in_encoding(data.get("encoding", ""))
    if "name" not in data:
        return sheet
    there, before = {f"{column}": column for column in range(sheet.grid.width)}, sheet.columns
    name, family, group = (there.get(data.get(role, "")) for role in ("name", "family", "group"))
    head = (before.head or 1) if "headed" in data else 0
    instead = before.instead if name == before.name else None
    columns = before._replace(name=name, family=family, group=group, head=head, instead=instead)
    return replace(sheet, columns=columns._replace(sure=True))


def with_ticks(sheet: NameSheet, data: QueryDict) -> NameSheet:
    """The sheet with the passed-over rows that the teacher has ticked as pupils."""
    said = set(data.getlist("pupil"))
    passed = (each.number for rows in sheet.passed.values() for each in rows)
    ticked = [number for number in passed if f"{number}" in said] if said else []
    return replace(sheet, ticked=ticked) if ticked else sheet
