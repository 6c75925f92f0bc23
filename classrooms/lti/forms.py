"""The forms of a learning platform, and the form that says who is who in a linked course."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from classrooms.lti.courses import PersonAnswer
from classrooms.lti.models import Platform, PlatformPerson, origin_of
from classrooms.lti.outgoing import is_allowed
from classrooms.models import Child, SchoolClass
from classrooms.roster.forms import wrong_name
from classrooms.roster.importing.changes import ClassNow, KnownChild, PupilLine, change_of
from classrooms.roster.importing.pupils import Pupil

MOST_PAGES: Final = 10
MOST_ASKED: Final = 30
"""The most people about whom a page asks at once. The next page asks about the others."""
NEW: Final = "new"
NOBODY: Final = "nobody"
NOT_HTTPS: Final = gettext_lazy("Enter the whole address. It must begin with https://.")


def _check_https(url: str) -> None:
    if not is_allowed(url):
        raise ValidationError(NOT_HTTPS)


class NewPlatformForm(forms.ModelForm):
    class Meta:
        model = Platform
        fields = ("name",)
        labels = {"name": gettext_lazy("Name of the learning platform")}
        help_texts = {
            "name": gettext_lazy("Your teachers see this name, for example Moodle of our school.")
        }


class PlatformForm(forms.ModelForm):
    """The form for what the platform shows after the site was registered there."""

    pages = forms.CharField(
        label=gettext_lazy("Further addresses of its pages"),
        help_text=gettext_lazy(
            "One per line, such as https://school.example. Needed only if courses are at another "
            "address than those above."
        ),
        required=False,
        max_length=2_000,
        widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "false"}),
    )

    class Meta:
        model = Platform
        fields = (
            "name",
            "issuer",
            "client_id",
            "deployment",
            "auth_url",
            "token_url",
            "keyset_url",
            "pages",
            "sends_grades",
        )
        labels = {
            "issuer": gettext_lazy("Issuer (platform ID)"),
            "client_id": gettext_lazy("Client ID"),
            "deployment": gettext_lazy("Deployment ID"),
            "auth_url": gettext_lazy("Authentication request URL"),
            "token_url": gettext_lazy("Access token URL"),
            "keyset_url": gettext_lazy("Public keyset URL"),
            "sends_grades": gettext_lazy("Send the platform how much of an assignment is done"),
        }
        help_texts = {
            "sends_grades": gettext_lazy(
                "The share of the rounds in percent, for assignments that were linked from here. "
                "Never a level, and never a sentence about a child."
            )
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["pages"] = "\n".join(self.instance.pages)
        for name in ("issuer", "client_id", "deployment", "auth_url", "token_url", "keyset_url"):
            self.fields[name].required = True
            self.fields[name].widget.attrs |= {"autocomplete": "off", "spellcheck": "false"}
        for name in ("auth_url", "token_url", "keyset_url"):
            self.fields[name].validators.append(_check_https)

    def clean_pages(self) -> list[str]:
        origins = [origin_of(url) for url in self.cleaned_data["pages"].split()]
        if "" in origins:
            raise ValidationError(NOT_HTTPS)
        if len(origins) > MOST_PAGES:
            raise ValidationError(_("At most %(n)d addresses."), params={"n": MOST_PAGES})
        return sorted(set(origins))


@dataclass(frozen=True, slots=True)
class PersonQuestion:
    """The question who a waiting person is."""

    person: PlatformPerson
    chosen: str  # the key of a child, `NEW`, `NOBODY`, or "" until the teacher chooses
    new_name: str  # of a new child
    problem: str = ""

    @property
    def field(self) -> str:
        return f"is-{self.person.pk}"

    @property
    def label(self) -> str:
        return f"{self.person.name} {self.person.family}".strip()


class WhoForm:
    """Asks who the waiting people in the courses of a class are. Names only suggest an answer; a
    child is linked only when the teacher says so."""

    def __init__(self, school_class: SchoolClass, data: QueryDict | None = None) -> None:
        waiting = PlatformPerson.objects.filter(course__school_class=school_class)
        people = list(waiting.order_by("name", "family", "pk"))
        self.count = len(people)
        self._people = people[:MOST_ASKED]
        present = list(school_class.children.prefetch_related("platform_people"))
        self.children = [child for child in present if not child.platform_people.all()]
        self._names = [child.name for child in present]
        self._by_key = {str(child.pk): child for child in self.children}
        answers = self._suggested_answers() if data is None else self._posted_answers(data)
        self.questions = self._questions(answers, is_posted=data is not None)

    def _lines(self, places: Sequence[int], now: ClassNow) -> dict[int, PupilLine]:
        pupils = [
            Pupil(place + 1, self._people[place].name, self._people[place].family)
            for place in places
        ]
        change = change_of(pupils, now, {}, {}, wrong_name)
        return dict(zip(places, change.lines, strict=True))

    def _suggested_answers(self) -> dict[int, str]:
        """The answer for each place that names suggest: the only child whom a person can be, or
        `NEW` if nobody has such a name. Empty in doubt."""
        children = [KnownChild(str(child.pk), child.name, "", "") for child in self.children]
        names = [name for name in self._names if name not in {child.name for child in children}]
        lines = self._lines(range(len(self._people)), ClassNow(children, (), (), names))
        return {
            place: line.child.key if line.child else "" if line.could_be else NEW
            for place, line in lines.items()
        }

    def _posted_answers(self, data: QueryDict) -> dict[int, str]:
        answers = {place: data.get(f"is-{each.pk}", "") for place, each in enumerate(self._people)}
        allowed = {NEW, NOBODY, *self._by_key}
        return {place: answer if answer in allowed else "" for place, answer in answers.items()}

    def _questions(self, answers: dict[int, str], *, is_posted: bool) -> list[PersonQuestion]:
        new_places = [place for place, answer in answers.items() if answer == NEW]
        lines = self._lines(new_places, ClassNow((), (), (), self._names))
        keys = [answer for answer in answers.values() if answer in self._by_key]
        questions = []
        for place, person in enumerate(self._people):
            answer, line, problem = answers[place], lines.get(place), ""
            if answer in self._by_key and keys.count(answer) > 1:
                problem = _("Two people cannot be the same child.")
            elif line:
                problem = line.problem
            elif is_posted and not answer:
                problem = _("Choose who this is.")
            name, is_shown = line.name if line else "", is_posted or not line
            questions.append(PersonQuestion(person, answer, name, problem if is_shown else ""))
        return questions

    @property
    def is_good(self) -> bool:
        return bool(self.questions) and not any(question.problem for question in self.questions)

    def answers(self) -> list[PersonAnswer]:
        """The teacher's answers. Call it only if the form `is_good`."""
        return [
            PersonAnswer(
                question.person,
                self._by_key.get(question.chosen),
                question.new_name if question.chosen == NEW else "",
            )
            for question in self.questions
        ]


def linked_children(school_class: SchoolClass) -> list[Child]:
    """The children of the class who are linked with a platform."""
    children = school_class.children.filter(platform_people__isnull=False).distinct()
    return list(children.order_by("name_order", "name"))
