"""The forms of a class: its settings, its teachers, and the end of its year."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import Count, Prefetch, Q, QuerySet
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from classrooms.child_names import name_key
from classrooms.classes.services import YearStep
from classrooms.models import Invitation, SchoolClass, Teaching

_REGIONS: Final = {
    "Africa": _("Africa"),
    "America": _("America"),
    "Antarctica": _("Antarctica"),
    "Arctic": _("Arctic"),
    "Asia": _("Asia"),
    "Atlantic": _("Atlantic"),
    "Australia": _("Australia"),
    "Europe": _("Europe"),
    "Indian": _("Indian Ocean"),
    "Pacific": _("Pacific"),
}

ARCHIVE: Final = "archive"
HAND_OVER: Final = "hand-over"
ERASE: Final = "erase"
NEXT_YEAR: Final = "next-year"
LONGEST_ADDRESS: Final = Invitation._meta.get_field("email").max_length


@cache
def _zone_names() -> list[str]:
    """The names of time zones in these regions."""
    return sorted(name for name in available_timezones() if name.split("/")[0] in _REGIONS)


def time_zones() -> list[tuple[str, str]]:
    """Each time zone, with the name that is stored and the one that is shown."""
    regions = {name: _REGIONS[name.split("/")[0]] for name in _zone_names()}
    return [
        (name, " – ".join([str(region), *name.replace("_", " ").split("/")[1:]]))
        for name, region in regions.items()
    ]


def _hours(first: int, last: int) -> list[tuple[int, str]]:
    return [(hour, f"{hour}:00") for hour in range(first, last + 1)]


class ClassForm(forms.ModelForm):
    language = forms.ChoiceField(
        label=_("The children’s language"), choices=lambda: settings.LANGUAGES
    )
    time_zone = forms.ChoiceField(label=_("Time zone"), choices=time_zones, required=False)

    class Meta:
        model = SchoolClass
        fields: tuple[str, ...] = ("name", "language", "time_zone")
        labels = {"name": _("Class name")}
        widgets = {"name": forms.TextInput(attrs={"autocomplete": "off", "autofocus": True})}

    def clean_time_zone(self) -> str:
        return self.cleaned_data["time_zone"] or self.instance.time_zone


def _radios(label: Any, choices: Any, help_text: Any = "") -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label, choices=choices, widget=forms.RadioSelect, required=False, help_text=help_text
    )


class SettingsForm(ClassForm):
    """The settings of a class. `liveliness` says what moves and makes sounds in its lessons;
    riddles, tables and signs are switches. A POST that lacks one of these does not change it."""

    LIVELINESS: Final = {
        "quiet": (True, False),
        "child": (False, False),
        "sounds": (False, True),
    }
    """For each choice, the values of the class's fields `is_quiet` and `has_sounds`."""

    liveliness = _radios(
        _("Sounds and movement in the games"),
        [
            ("quiet", _("Quiet lessons: no movement and no sound")),
            ("child", _("Sounds are off at first; each child can turn them on")),
            ("sounds", _("Sounds are on; each child can turn them off")),
        ],
    )
    riddles = _radios(
        _("Riddle of the day"),
        [
            ("on", _("A new riddle each day, the same for the whole class")),
            ("off", _("No riddles, not even the earlier ones")),
        ],
    )
    tables = _radios(
        _("Classmates at one table"),
        [
            ("off", _("Only where you assign a game at tables")),
            ("on", _("In every game: children can open a table or play alone")),
        ],
    )
    signs = _radios(
        _("Signs between children"),
        [
            ("on", _("Children can send a few friendly signs, such as “Well laid!”")),
            ("off", _("No signs")),
        ],
        help_text=_("Children cannot write to each other."),
    )
    SWITCHES: Final = {
        "riddles": "has_riddles",
        "tables": "may_sit_at_tables",
        "signs": "has_signs",
    }
    """The field of the class behind each switch."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._before = self._now
        self.initial["liveliness"] = next(
            name for name, values in self.LIVELINESS.items() if values == self._before[:2]
        )
        for switch, name in self.SWITCHES.items():
            self.initial[switch] = "on" if getattr(self.instance, name) else "off"

    @property
    def shows_more(self) -> bool:
        """Whether one of the folded settings has an error or differs from those of a new class."""
        folded = (self[name] for name in ("time_zone", "riddles", "signs"))
        return any(field.errors or field.value() == "off" for field in folded)

    @property
    def _now(self) -> tuple[bool, ...]:
        return tuple(getattr(self.instance, name) for name in self._chosen)

    @property
    def _chosen(self) -> tuple[str, ...]:
        return ("is_quiet", "has_sounds", *self.SWITCHES.values())

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        lively = self.LIVELINESS.get(data.get("liveliness", ""), self._before[:2])
        self.instance.is_quiet, self.instance.has_sounds = lively
        for switch, name in self.SWITCHES.items():
            if data.get(switch):
                setattr(self.instance, name, data[switch] == "on")
        return data

    @property
    def changed_fields(self) -> list[str]:
        """The fields of the class that the POST has changed."""
        fields = zip(self._chosen, self._before, self._now, strict=True)
        return [
            *(name for name in self.changed_data if name in self.Meta.fields),
            *(name for name, before, after in fields if before != after),
        ]


class NamesForm(forms.ModelForm):
    # Translators: an hour, from which on a class is open
    school_from = forms.TypedChoiceField(label=_("From"), choices=_hours(0, 23), coerce=int)
    school_until = forms.TypedChoiceField(label=_("Until"), choices=_hours(1, 24), coerce=int)

    class Meta:
        model = SchoolClass
        fields = ("names_shown", "in_school_hours", "school_from", "school_until")
        labels = {
            "names_shown": _("Who sees the names?"),
            "in_school_hours": _("List the names from Monday to Friday, on any device"),
        }
        widgets = {"names_shown": forms.RadioSelect}

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        first, last = data.get("school_from"), data.get("school_until")
        if first is not None and last is not None and first >= last:
            self.add_error("school_until", _("Choose a time later than the first one."))
        return data


class InviteForm(forms.Form):
    email = forms.EmailField(
        label=_("A colleague’s e-mail address"),
        max_length=LONGEST_ADDRESS,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, own_address: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.own_address = own_address

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        if email.casefold() == self.own_address.casefold():
            raise forms.ValidationError(_("This is your own address."))
        return email


def next_years_name(name: str) -> str:
    """A proposal for the name of the class in the next year: each number grows by 1.

    >>> [next_years_name(name) for name in ("4A", "Groep 5", "3/4", "Foxes")]
    ['5A', 'Groep 6', '4/5', 'Foxes']
    """
    return re.sub(r"(?<![0-9])[0-9]{1,2}(?![0-9])", lambda year: f"{int(year[0]) + 1}", name)


class NextYearForm(forms.ModelForm):
    class Meta:
        model = SchoolClass
        fields = ("name",)
        labels = {"name": _("Name in the new year")}
        widgets = {"name": forms.TextInput(attrs={"autocomplete": "off"})}

    def __init__(self, school_class: SchoolClass, *args: Any, **kwargs: Any) -> None:
        initial = {"name": next_years_name(school_class.name)}
        kwargs |= {"instance": school_class, "initial": initial, "auto_id": "id_new_%s"}
        super().__init__(*args, **kwargs)
        self.name_now = school_class.name

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name == self.name_now:
            raise forms.ValidationError(_("Type a name that is different from the current one."))
        return name


class YearEndForm(forms.Form):
    what = forms.ChoiceField(
        label=_("What do you want to do with the class?"),
        choices=((ARCHIVE, _("Archive")), (HAND_OVER, _("Hand it over")), (ERASE, _("Delete it"))),
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose what to do with the class.")},
    )
    to = forms.ChoiceField(label=_("Who will take over?"), required=False)
    email = forms.EmailField(
        label=_("Or to someone new, by e-mail"),
        max_length=LONGEST_ADDRESS,
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    name = forms.CharField(
        required=False,
        label=_("To delete the class, type its name"),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, school_class: SchoolClass, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.school_class = school_class
        co_teachers = school_class.teachings.filter(role=Teaching.Role.CO_TEACHER)
        to = self.fields["to"]
        assert isinstance(to, forms.ChoiceField)
        to.choices = [
            ("", _("Choose a person")),
            *(
                (str(teaching.user_id), teaching.user.email)
                for teaching in co_teachers.select_related("user")
            ),
        ]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        action = data.get("what")
        names_one = bool(data.get("to")) != bool(data.get("email"))
        if action == HAND_OVER and not names_one and not self.errors.keys() & {"to", "email"}:
            self.add_error("email", _("Choose a co-teacher, or type one e-mail address."))
        if action == ERASE and data.get("name", "").strip() != self.school_class.name.strip():
            self.add_error("name", _("This is not the name of the class. Nothing was deleted."))
        return data


# The table of several classes, with their names in the new year.

GO_ON: Final = "go-on"
STAY: Final = "stay"
CHOICES: Final[Sequence[tuple[str, Promise]]] = (
    (GO_ON, _("New name")),
    (STAY, _("Leave as it is")),
    (ARCHIVE, _("Archive")),
)


@dataclass(slots=True)
class YearLine:
    """A class in the table, and the choice for it. `name` is the text of its field."""

    school_class: SchoolClass
    owner: str
    child_count: int
    what: str
    name: str
    problem: str = ""

    @property
    def what_field(self) -> str:
        return f"what-{self.school_class.pk}"

    @property
    def name_field(self) -> str:
        return f"name-{self.school_class.pk}"

    @property
    def step(self) -> YearStep:
        stays = self.what != GO_ON
        name = self.school_class.name if stays else self.name
        return YearStep(self.school_class.pk, name, is_archived=self.what == ARCHIVE)


class YearForm:
    """The choice for each class. Without `data`, the form proposes the next year's name for each
    class whose name has a number, and no change for the others."""

    def __init__(self, classes: QuerySet[SchoolClass], data: QueryDict | None = None) -> None:
        owners = Teaching.objects.filter(role=Teaching.Role.OWNER).select_related("user")
        children = Count("children", filter=Q(children__removed_at=None), distinct=True)
        rows = (
            classes.filter(archived_at=None)
            .annotate(child_count=children)
            .prefetch_related(Prefetch("teachings", owners, to_attr="owners"))
            .order_by("name", "created_at")
        )
        self.lines = [self._line(school_class, data) for school_class in rows]
        if data is not None:
            self._check_names()

    @staticmethod
    def _line(school_class: SchoolClass, data: QueryDict | None) -> YearLine:
        (owner,) = school_class.owners  # type: ignore[attr-defined]
        next_name = next_years_name(school_class.name)
        action = GO_ON if next_name != school_class.name else STAY
        count = school_class.child_count  # type: ignore[attr-defined]
        line = YearLine(school_class, owner.user.name_and_address, count, action, next_name)
        if data is not None:
            answer = data.get(line.what_field, STAY)
            line.what = answer if answer in dict(CHOICES) else STAY
            line.name = data.get(line.name_field, "").strip()
        return line

    @property
    def steps(self) -> list[YearStep]:
        return [line.step for line in self.lines]

    @property
    def is_good(self) -> bool:
        return not any(line.problem for line in self.lines)

    def _check_names(self) -> None:
        field = SchoolClass._meta.get_field("name").formfield()
        assert field is not None
        for line in self.lines:
            if line.what != GO_ON:
                continue
            try:
                line.name = field.clean(line.name)
            except ValidationError as problem:
                line.problem = " ".join(problem.messages)
        self._find_equal_names()

    def _find_equal_names(self) -> None:
        """Add a problem to each class that would get the name of another one, unless both have the
        same name already."""
        for line in self.lines:
            if line.what != GO_ON or line.problem:
                continue
            before = name_key(line.school_class.name)
            for other_line in self.lines:
                step = other_line.step
                is_other = (
                    other_line is not line and name_key(other_line.school_class.name) != before
                )
                if is_other and not step.is_archived and name_key(step.name) == name_key(line.name):
                    text = gettext("There would be two classes called %(name)s.")
                    line.problem = text % {"name": step.name}
