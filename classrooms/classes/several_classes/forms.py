"""A file with several classes: the upload form, then a preview of which children go where."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from django import forms
from django.conf import settings
from django.http import QueryDict
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from classrooms import bounds, child_names
from classrooms.child_names import same
from classrooms.classes.several_classes.services import (
    MOST_CHILDREN,
    MOST_CLASSES,
    Addition,
    OwnClass,
    class_called,
    own_classes,
)
from classrooms.models import SchoolClass, User
from classrooms.roster import words
from classrooms.roster.import_forms import sealed, with_chosen_columns
from classrooms.roster.importing.import_errors import Unreadable
from classrooms.roster.importing.name_sheet import (
    NameEntry,
    NameSheet,
    entries_by_class,
    read_pasted,
)
from classrooms.roster.importing.words import problem_text

NEW: Final = "new"
LEFT_OUT: Final = "out"
LONGEST_NAME: Final = SchoolClass._meta.get_field("name").max_length or 0


class PastedForm(forms.Form):
    """A list of several classes, pasted."""

    names = forms.CharField(
        label=gettext_lazy("Names, one per line, with the class beside each"),
        help_text=gettext_lazy("Copy both columns from a spreadsheet."),
        error_messages={"required": gettext_lazy("Type or paste at least one name.")},
        strip=False,
        max_length=50_000,
        widget=forms.Textarea(attrs={"rows": 8, "autocomplete": "off", "spellcheck": "false"}),
    )

    def clean_names(self) -> NameSheet:
        try:
            return read_pasted(self.cleaned_data["names"])
        except Unreadable as problem:
            raise forms.ValidationError(problem_text(problem)) from problem


class LanguageForm(forms.Form):
    """The language of the children of the new classes."""

    language = forms.ChoiceField(
        label=gettext_lazy("The children’s language"), choices=lambda: settings.LANGUAGES
    )


@dataclass(frozen=True, slots=True)
class MendedLine:
    """A line of the file, whose name can be mended in this field."""

    field: str
    number: int
    name: str
    problem: str = ""
    is_typed: bool = False

    @property
    def is_emptied(self) -> bool:
        return self.is_typed and not self.name.strip()


@dataclass(slots=True)
class FileClass:
    """A class of the file, and where its children go. `target`: `NEW`, `LEFT_OUT`, the id of one of
    the teacher's classes, or "" for one that must still be chosen."""

    number: int
    name: str
    entries: Sequence[NameEntry]
    target: str
    own: OwnClass | None = None
    new_names: list[str] = field(default_factory=list)
    there_already: list[str] = field(default_factory=list)
    lines: list[MendedLine] = field(default_factory=list)
    problem: str = ""

    @property
    def target_field(self) -> str:
        return f"target-{self.number}"

    @property
    def seen_field(self) -> str:
        """The target when the page was shown."""
        return f"seen-{self.number}"

    @property
    def is_new(self) -> bool:
        return self.target == NEW

    @property
    def is_left_out(self) -> bool:
        return self.target == LEFT_OUT

    @property
    def entry_names(self) -> list[str]:
        return [entry.name for entry in self.entries]

    @property
    def set_aside(self) -> list[str]:
        """The dates and numbers that stood beside names."""
        return [entry.aside for entry in self.entries if entry.aside]


class SeveralClasses:
    """Which children of a sheet go to which class. Nothing is stored between the requests: the
    sheet travels in the page, signed. `is_changed`: the post chose something whose outcome the page
    did not show."""

    def __init__(self, user: User, sheet: NameSheet, data: QueryDict | None = None) -> None:
        self.sheet = sheet if data is None else with_chosen_columns(sheet, data)
        self.is_changed = self.sheet.columns != sheet.columns
        is_posted = data is not None and data.get("do") == "add" and not self.is_changed
        self._typed = data if is_posted else None
        chosen = self._typed if self._typed is not None and "language" in self._typed else None
        self.language_form = LanguageForm(chosen, initial={"language": get_language()})
        self.own = own_classes(user)
        self.classes: list[FileClass] = []
        self.must_choose_column = self.sheet.columns.group is None
        if self.must_choose_column:
            self.problem = ""
            return
        found = entries_by_class(self.sheet)
        self.problem = self._too_many_classes(found)
        if self.problem:
            return
        taken = {str(each.school_class.pk): list(each.names) for each in self.own}
        for number, (name, entries) in enumerate(found, start=1):
            each = FileClass(number, name, entries, self._target(number, name))
            self._fill(each, taken)
            self.classes.append(each)
        self.problem = self._too_many(user)

    @property
    def sealed(self) -> str:
        return sealed(self.sheet)

    @property
    def count(self) -> int:
        """How many children are added."""
        return sum(len(each.new_names) for each in self.classes)

    @property
    def will_be(self) -> int:
        """How many children are added once every wrong name has been mended."""
        lines = [line for each in self.classes for line in each.lines]
        return self.count + sum(bool(line.problem and line.name.strip()) for line in lines)

    @property
    def new_count(self) -> int:
        """How many classes are made."""
        return sum(each.is_new for each in self.classes)

    @property
    def wrong(self) -> int:
        """How many lines must be mended."""
        return sum(bool(line.problem) for each in self.classes for line in each.lines)

    @property
    def is_good(self) -> bool:
        """Whether all of it can be added, just as the page has shown it."""
        return not (
            self.problem
            or self.is_changed
            or self.wrong
            or any(each.problem for each in self.classes)
            or not self.count
            or (self.new_count and not self.language_form.is_valid())
        )

    def additions(self) -> list[Addition]:
        """What is added; call it only if all of it `is_good`."""
        to: dict[Any, Addition] = {}
        for each in self.classes:
            if each.is_new:
                language = self.language_form.cleaned_data["language"]
                school_class = SchoolClass(name=each.name, language=language)
                to[each.number] = Addition(school_class, each.new_names)
            elif each.own and each.new_names:
                key = each.own.school_class.pk
                before = to[key].names if key in to else ()
                to[key] = Addition(each.own.school_class, [*before, *each.new_names])
        return list(to.values())

    def options(self) -> list[tuple[str, str]]:
        """The teacher's classes to choose from; the code tells apart two of one name."""
        names = [same(each.school_class.name) for each in self.own]
        return [
            (
                str(each.school_class.pk),
                each.school_class.name
                if names.count(same(each.school_class.name)) == 1
                else f"{each.school_class.name} ({each.school_class.spaced_code})",
            )
            for each in self.own
        ]

    def _target(self, number: int, name: str) -> str:
        if self._typed is not None:
            return self._posted_target(number)
        if not name:
            return LEFT_OUT
        found = class_called(name, self.own)
        if not found:
            return NEW
        return str(found[0].school_class.pk) if len(found) == 1 else ""

    def _posted_target(self, number: int) -> str:
        assert self._typed is not None
        target = self._typed.get(f"target-{number}", "")
        if target != self._typed.get(f"seen-{number}"):
            self.is_changed = True
        known = {NEW, LEFT_OUT, *(str(each.school_class.pk) for each in self.own)}
        return target if target in known else ""

    def _fill(self, each: FileClass, taken: dict[str, list[str]]) -> None:
        """Say what becomes of the children of this class; `taken`: the names in each own class."""
        each.own = next((own for own in self.own if str(own.school_class.pk) == each.target), None)
        if each.is_left_out:
            return
        if not each.target:
            each.problem = _("Choose where these children go.")
        if each.is_new and (not each.name or len(each.name) > LONGEST_NAME):
            text = _("A class name can have at most %(n)d characters. Choose another class.")
            each.problem = text % {"n": LONGEST_NAME}
        asked = self._asked(each)
        kept = [(line.number, line.name) for line in asked if not line.is_emptied]
        checked = child_names.check_names(kept)
        problems = {wrong.line: words.wrong_name(wrong) for wrong in checked.wrong}
        there = {same(name) for name in taken.get(each.target, ())}
        each.new_names = [name for name in checked.names if same(name) not in there]
        each.there_already = [name for name in checked.names if same(name) in there]
        each.lines = [
            line if line.is_emptied else replace(line, problem=problems.get(line.number, ""))
            for line in asked
            if line.number in problems or line.is_typed
        ]
        in_class = taken.setdefault(each.target, []) if not each.is_new else []
        in_class += each.new_names
        if each.new_names and len(in_class) > bounds.MOST_CHILDREN:
            each.problem = bounds.most_children()

    def _asked(self, each: FileClass) -> list[MendedLine]:
        """The name of each child; as typed, where it was mended. A field that was emptied by hand
        is a line left out."""
        asked = []
        for position, entry in enumerate(each.entries):
            name_field = f"name-{each.number}-{position}"
            typed = self._typed.get(name_field) if self._typed is not None else None
            if typed is None:
                asked.append(MendedLine(name_field, entry.line, entry.name))
            else:
                asked.append(MendedLine(name_field, entry.line, typed, is_typed=True))
        return asked

    @staticmethod
    def _too_many_classes(found: Sequence[object]) -> str:
        if len(found) <= MOST_CLASSES:
            return ""
        text = _(
            "There are %(count)d classes in the list. You can add at most %(n)d at once: "
            "split the list."
        )
        return text % {"count": len(found), "n": MOST_CLASSES}

    def _too_many(self, user: User) -> str:
        if self.count > MOST_CHILDREN:
            text = _("You can add at most %(n)d children at once. Leave out some classes.")
            return text % {"n": MOST_CHILDREN}
        if self.new_count:
            owned = bounds.owned_by(user)
            if owned + self.new_count > bounds.MOST_CLASSES:
                return bounds.most_classes(owned)
        return ""
