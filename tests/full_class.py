"""A class with as much in it as the site allows. It is made without playing: the rows of one child
are copied for all the others."""

from collections.abc import Iterable
from copy import copy
from datetime import timedelta
from itertools import islice
from typing import Any, Final
from uuid import uuid4

from django.db import connection
from django.db.models import Model
from django.utils import timezone

from classrooms import bounds
from classrooms.checkups.models import ChildCheckUp
from classrooms.models import Attempt, Child, Group, Merge, SchoolClass
from classrooms.progress.models import (
    ChildAssignment,
    ChildDay,
    FactAbility,
    FactDay,
    FactMastery,
    TableDay,
    TableMastery,
)

COUNTS: Final[tuple[type[Model], ...]] = (
    TableDay,
    FactDay,
    ChildDay,
    ChildAssignment,
    TableMastery,
    FactMastery,
    FactAbility,
)
MERGES: Final = 100


def fill(school_class: SchoolClass, pattern: Child) -> None:
    """Fill the class up to every limit. All of its new children have done what `pattern` did."""
    room = bounds.MOST_CHILDREN - school_class.children.count()
    children = _make_children(school_class, "Wilhelmina-Antoinette Ååså {:03}", room)
    for model in COUNTS:
        of_pattern = model._default_manager.filter(child=pattern)
        add(copy_of(row, child=child) for row in of_pattern for child in children)
    _play(pattern, children)
    _check_up(school_class, pattern, children)
    _assign(school_class)
    _group(school_class)
    _remove(school_class)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # Otherwise PostgreSQL plans for few rows.


def add(rows: Iterable[Model]) -> list[Model]:
    """Store all of these at once."""
    objects = list(rows)
    return type(objects[0])._default_manager.bulk_create(objects, 2_000) if objects else []


def copy_of(row: Model, **other: Any) -> Any:
    """A row like this one, except for its key and these fields."""
    twin: Any = copy(row)
    twin._state = copy(row._state)
    twin._state.fields_cache = {}
    twin.pk = uuid4() if isinstance(row.pk, type(uuid4())) else None
    twin._state.adding = True
    for name, value in other.items():
        setattr(twin, name, value)
    return twin


def _make_children(school_class: SchoolClass, name: str, count: int, **other: Any) -> list[Child]:
    children = (
        Child(school_class=school_class, name=name.format(number), **other)
        for number in range(count)
    )
    return Child.all_objects.bulk_create(children)


def _play(pattern: Child, children: list[Child]) -> None:
    for attempt in Attempt.objects.filter(child=pattern).select_related("game"):
        seats = list(attempt.game.seats.all())
        games = [copy_of(attempt.game) for _ in children]
        add(games)
        add(
            copy_of(attempt, child=child, game=game)
            for child, game in zip(children, games, strict=True)
        )
        add(
            copy_of(seat, game=game, player=seat.player and child.player)
            for child, game in zip(children, games, strict=True)
            for seat in seats
        )


def _check_up(school_class: SchoolClass, pattern: Child, children: list[Child]) -> None:
    for pattern_check_up in ChildCheckUp.objects.filter(child=pattern):
        answers = list(pattern_check_up.answers.all())
        copies = add(copy_of(pattern_check_up, child=child) for child in children)
        add(copy_of(answer, child_check_up=c) for c in copies for answer in answers)
    last = school_class.check_ups.first()
    example = ChildCheckUp.objects.filter(check_up__school_class=school_class).latest("pk")
    room = bounds.MOST_CHECK_UPS - school_class.check_ups.count()
    additions = add(copy_of(last, number=last.number + 1 + number) for number in range(room))
    add(copy_of(example, child=child, check_up=c) for c in additions for child in children)


def _assign(school_class: SchoolClass) -> None:
    assignments = school_class.assignments.filter(
        ended_at=None, is_for_everyone=True, deal_seed=None
    )
    last = assignments.first()
    assert last
    now = timezone.now()
    room = bounds.MOST_ASSIGNMENTS - school_class.assignments.filter(ended_at=None).count()
    add(copy_of(last, series=None, created_at=now - timedelta(days=n)) for n in range(room))
    over = range(bounds.MOST_ASSIGNMENTS)
    add(copy_of(last, series=None, created_at=now - timedelta(n), ended_at=now) for n in over)


def _group(school_class: SchoolClass) -> None:
    room = bounds.MOST_GROUPS - school_class.groups.filter(removed_at=None).count()
    groups = Group.objects.bulk_create(
        Group(school_class=school_class, name=f"Group of the third floor {number:02}")
        for number in range(room)
    )
    children = list(school_class.children.all())
    membership = Group.children.through
    pairs = ((group, child) for child in children for group in groups)
    most = (
        bounds.MOST_MEMBERS - membership.objects.filter(group__in=school_class.groups.all()).count()
    )
    add(membership(group=group, child=child) for group, child in islice(pairs, most))


def _remove(school_class: SchoolClass) -> None:
    room = bounds.MOST_KEPT_CHILDREN - Child.all_objects.filter(school_class=school_class).count()
    now = timezone.now()
    children = _make_children(school_class, "Removed Ååså {:03}", room, removed_at=now)
    into = school_class.children.all()[:MERGES]
    add(Merge(child=child, into=twin) for child, twin in zip(children[:MERGES], into, strict=True))
