"""A file with several classes: the upload form, then a preview of which children go where."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django import forms
from django.conf import settings
from django.http import QueryDict
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from classrooms import bounds
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
from classrooms.roster.changes import Change, Line, change_of
from classrooms.roster.import_forms import SheetPreview
from classrooms.roster.importing.import_errors import Unreadable
from classrooms.roster.importing.pupils import Pupil
from classrooms.roster.importing.reading import read_pasted
from classrooms.roster.importing.sheet import NameSheet
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


@dataclass(slots=True)
class FileClass:
    """A class of the file, and where its children go. `target`: `NEW`, `LEFT_OUT`, the id of one of
    the teacher's classes, or "" for one that must still be chosen. `elsewhere`: whose name is in
    another of these already, and which."""

    number: int
    name: str
    pupils: Sequence[Pupil]
    target: str
    own: OwnClass | None = None
    change: Change = field(default_factory=Change)
    elsewhere: Mapping[str, str] = field(default_factory=dict)
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
    def names(self) -> list[str]:
        return [pupil.name for pupil in self.pupils]

    @property
    def set_aside(self) -> list[str]:
        """The dates and numbers that stood beside names."""
        return [pupil.aside for pupil in self.pupils if pupil.aside]

    @property
    def to_mend(self) -> list[Line]:
        """The lines with a field: one that is wrong, or was, or who is in another class."""
        return [
            line
            for line in self.change.lines
            if line.problem or line.is_typed or line.name in self.elsewhere
        ]


class SeveralClasses(SheetPreview):
    """Which children of a sheet go to which class. `is_changed`: the post chose something whose
    outcome the page did not show."""

    def __init__(self, user: User, sheet: NameSheet, data: QueryDict | None = None) -> None:
        super().__init__(sheet, data)
        self.is_changed = self.sheet.columns != sheet.columns or self.sheet.grid != sheet.grid
        is_posted = data is not None and data.get("do") == "add" and not self.is_changed
        self._typed = data if is_posted and data is not None else QueryDict()
        chosen = self._typed if "language" in self._typed else None
        self.language_form = LanguageForm(chosen, initial={"language": get_language()})
        self.own = own_classes(user)
        self.classes: list[FileClass] = []
        self.problem = ""
        self.must_choose_column = self.must_choose_columns or self.sheet.columns.group is None
        if self.must_choose_column:
            return
        homes = self.sheet.homes
        taken = {str(each.school_class.pk): list(each.names) for each in self.own}
        for number, (name, _count) in enumerate(self.sheet.groups(), start=1):
            is_home = not homes or same(name) in homes
            pupils = self.sheet.pupils_in(name)
            each = FileClass(number, name, pupils, self._target(number, name, is_home))
            self._fill(each, taken)
            self.classes.append(each)
        self._look_elsewhere()
        self.problem = self._too_many(user)

    @property
    def count(self) -> int:
        """How many children are added."""
        return sum(len(each.change.new) for each in self.classes)

    @property
    def will_be(self) -> int:
        """How many children are added once every wrong name has been mended."""
        return sum(each.change.will_be for each in self.classes)

    @property
    def new_count(self) -> int:
        """How many classes are made."""
        return sum(each.is_new and bool(each.change.will_be) for each in self.classes)

    @property
    def wrong(self) -> int:
        """How many lines must be mended."""
        return sum(each.change.wrong for each in self.classes)

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
            if each.is_new and each.change.new:
                language = self.language_form.cleaned_data["language"]
                school_class = SchoolClass(name=each.name, language=language)
                to[each.number] = Addition(school_class, each.change.new)
            elif each.own and each.change.new:
                key = each.own.school_class.pk
                before = to[key].names if key in to else ()
                to[key] = Addition(each.own.school_class, [*before, *each.change.new])
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

    def _target(self, number: int, name: str, is_home: bool) -> str:
        if self._typed:
            return self._posted_target(number)
        found = class_called(name, self.own)
        if not name or (not is_home and not found):
            return LEFT_OUT
        if not found:
            return NEW
        return str(found[0].school_class.pk) if len(found) == 1 else ""

    def _posted_target(self, number: int) -> str:
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
        in_class = taken.setdefault(each.target, []) if not each.is_new else []
        each.change = change_of(
            each.pupils,
            in_class,
            lambda place, _pupil: f"name-{each.number}-{place}",
            self._typed.get,
        )
        in_class += each.change.new
        if each.change.new and len(in_class) > bounds.MOST_CHILDREN:
            each.problem = bounds.most_children()

    def _look_elsewhere(self) -> None:
        """Find who is new in a class and may be the same child as one who is in another class and
        not on its list."""
        stays = {same(name) for each in self.classes for name in each.change.there}
        for each in self.classes:
            new = {same(name): name for name in each.change.new if same(name) not in stays}
            each.elsewhere = {
                new[same(name)]: own.school_class.name
                for own in self.own
                if str(own.school_class.pk) != each.target
                for name in own.names
                if same(name) in new
            }

    def _too_many(self, user: User) -> str:
        count = sum(not each.is_left_out for each in self.classes)
        if count > MOST_CLASSES:
            text = _(
                "You can add at most %(n)d classes at once, and %(count)d are chosen. "
                "Leave out some classes."
            )
            return text % {"count": count, "n": MOST_CLASSES}
        if self.count > MOST_CHILDREN:
            text = _("You can add at most %(n)d children at once. Leave out some classes.")
            return text % {"n": MOST_CHILDREN}
        if self.new_count:
            owned = bounds.owned_by(user)
            if owned + self.new_count > bounds.MOST_CLASSES:
                return bounds.most_classes(owned)
        return ""
