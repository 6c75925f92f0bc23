"""Which facts of the times tables the children of a class know, by their quick checks."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final
from uuid import UUID

from django.db.models import Case, Count, F, FloatField, IntegerField, Q, QuerySet, Value, When
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from classrooms.checks.models import Check
from classrooms.models import Child
from classrooms.progress.figures.table_rows import STEPS
from classrooms.progress.models import FactMastery
from games.coach.facts import Fact
from games.coach.mastery import FADES_AFTER, FEWEST, Knowledge, Level, level
from games.engine.json_values import read_as

FIGURES: Final = ("recalled", "derived", "hinted", "guessed", "reached_on", "last_at")


@dataclass(frozen=True, slots=True)
class FactCell:
    """How well a child knows a fact, and how it got its answers. `since`: when it reached `level`,
    or the level it fades from."""

    child: UUID
    fact: Fact
    level: Level
    known: Knowledge
    recalled: int
    derived: int
    hinted: int
    guessed: int
    since: date
    last_at: datetime

    @property
    def evidence(self) -> int:
        return self.known.evidence

    @property
    def is_shown(self) -> bool:
        """Whether its level may be shown: from three answers on."""
        return self.evidence >= FEWEST

    @property
    def right(self) -> int:
        """Answers right without help."""
        return self.recalled + self.derived


@dataclass(frozen=True, slots=True)
class FactSum:
    """A fact in the class: how many children are at each level, of those whose level is shown."""

    fact: Fact
    levels: Mapping[Level, int]
    is_assigned: bool = False

    @property
    def children(self) -> int:
        return sum(self.levels.values())

    @property
    def knowing(self) -> int:
        """Children who are secure or fluent in it, and not fading."""
        return self.levels.get("secure", 0) + self.levels.get("fluent", 0)

    @property
    def step(self) -> int:
        """The shade from sand to green, 0 to `len(STEPS)`."""
        return sum(self.knowing >= step * self.children for step in STEPS)


def cells_of(
    children: Iterable[Child], today: date, of: Fact | None = None
) -> Mapping[UUID, Mapping[Fact, FactCell]]:
    """How well these children know each fact that they were asked, or only the fact `of`."""
    cells: dict[UUID, dict[Fact, FactCell]] = defaultdict(dict)
    stored = _stored(children)
    if of:
        stored = stored.filter(low=of[0], high=of[1])
    for child, low, high, reached, data, *figures in stored.values_list(
        "child", "low", "high", "reached", "known", *FIGURES
    ):
        known = read_as(Knowledge, data)
        shown_level = level(reached, known, today.toordinal())
        cells[child][low, high] = FactCell(child, (low, high), shown_level, known, *figures)
    return cells


def learning_of(children: Iterable[Child]) -> Mapping[UUID, Mapping[Fact, Knowledge]]:
    """The facts that these children are still learning, by child."""
    learning: dict[UUID, dict[Fact, Knowledge]] = defaultdict(dict)
    rows = _stored(children).filter(reached="learning")
    for child, low, high, data in rows.values_list("child", "low", "high", "known"):
        learning[child][low, high] = read_as(Knowledge, data)
    return learning


def levels_of(children: Iterable[Child], today: date) -> Mapping[Fact, Mapping[Level, int]]:
    """For every fact that these children were asked, how many of them are at each level. Counted by
    the database, since the facts of a class grow every week."""
    fades = Q(last__lt=today.toordinal() - FADES_AFTER * F("half_life")) & ~Q(reached="learning")
    counted = (
        _stored(children)
        .annotate(
            last=Cast(KeyTextTransform("last", "known"), IntegerField()),
            half_life=Cast(KeyTextTransform("half_life", "known"), FloatField()),
            evidence=Cast(KeyTextTransform("evidence", "known"), IntegerField()),
        )
        .annotate(level=Case(When(fades, then=Value("fading")), default="reached"))
        .values_list("low", "high", "level")
        .annotate(children_shown=Count("pk", filter=Q(evidence__gte=FEWEST)))
    )
    levels: dict[Fact, dict[Level, int]] = defaultdict(dict)
    for low, high, reached, children_shown in counted:
        of_fact = levels[low, high]
        if children_shown:
            of_fact[reached] = children_shown
    return levels


def _stored(children: Iterable[Child]) -> QuerySet[FactMastery]:
    return FactMastery.objects.filter(child__in=[child.pk for child in children])


def answers_to(children: Iterable[Child], fact: Fact) -> QuerySet[Check]:
    """The answers of these children to a fact, in either order of its factors, newest first."""
    low, high = fact
    turned = Q(first=low, second=high) | Q(first=high, second=low)
    asked = Check.objects.filter(turned, child__in=[child.pk for child in children])
    return asked.filter(kind=Check.Kind.FACT).order_by("-answered_at", "-pk")
