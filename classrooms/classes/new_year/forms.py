"""The table of classes with their names of the new year."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.core.exceptions import ValidationError
from django.db.models import Count, Prefetch, Q, QuerySet
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from classrooms.child_names import same
from classrooms.classes.forms import name_next_year
from classrooms.classes.new_year.services import Step, names_after
from classrooms.models import SchoolClass, Teaching

GO_ON: Final = "go-on"
STAY: Final = "stay"
ARCHIVE: Final = "archive"
CHOICES: Final[Sequence[tuple[str, Promise]]] = (
    (GO_ON, gettext_lazy("New name")),
    (STAY, gettext_lazy("Leave as it is")),
    (ARCHIVE, gettext_lazy("Archive")),
)


@dataclass(slots=True)
class YearLine:
    """A class, and what is chosen for it. `name`: in the field."""

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
    def step(self) -> Step:
        stays = self.what != GO_ON
        name = self.school_class.name if stays else self.name
        return Step(self.school_class.pk, name, is_archived=self.what == ARCHIVE)


class YearForm:
    """What becomes of each class. Without `data`, each class whose name has a number goes on under
    the name of the next year."""

    def __init__(self, classes: QuerySet[SchoolClass], data: QueryDict | None = None) -> None:
        owners = Teaching.objects.filter(role=Teaching.Role.OWNER).select_related("user")
        children = Count("children", filter=Q(children__removed_at=None), distinct=True)
        found = (
            classes.filter(archived_at=None)
            .annotate(child_count=children)
            .prefetch_related(Prefetch("teachings", owners, to_attr="owners"))
            .order_by("name", "created_at")
        )
        self.lines = [self._line(each, data) for each in found]
        if data is not None:
            self._check()

    @staticmethod
    def _line(each: SchoolClass, data: QueryDict | None) -> YearLine:
        (owner,) = each.owners  # type: ignore[attr-defined]
        next_name = name_next_year(each.name)
        what = GO_ON if next_name != each.name else STAY
        count = each.child_count  # type: ignore[attr-defined]
        line = YearLine(each, owner.user.named, count, what, next_name)
        if data is not None:
            asked = data.get(line.what_field, STAY)
            line.what = asked if asked in dict(CHOICES) else STAY
            line.name = data.get(line.name_field, "").strip()
        return line

    @property
    def steps(self) -> list[Step]:
        return [line.step for line in self.lines]

    @property
    def is_good(self) -> bool:
        return not any(line.problem for line in self.lines)

    def _check(self) -> None:
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
        """Two classes that were told apart by their names must still be."""
        names = names_after([line.school_class for line in self.lines], self.steps)
        for line in self.lines:
            if line.what != GO_ON or line.problem:
                continue
            before = same(line.school_class.name)
            for other in self.lines:
                after = names.get(other.school_class.pk)
                is_other = other is not line and same(other.school_class.name) != before
                if is_other and after is not None and same(after) == same(line.name):
                    text = _("There would be two classes called %(name)s.")
                    line.problem = text % {"name": after}
