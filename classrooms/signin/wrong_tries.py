"""Shows teachers the wrong tries of children, and clears them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from django.db import transaction

from classrooms.audit import What, audit_children
from classrooms.models import Child, SchoolClass, User, WrongNames, WrongTries
from classrooms.signin.services import TRIES
from classrooms.tries import CHILD_LIMITS, times_that_count


@dataclass(frozen=True, slots=True)
class Tries:
    """The numbers of wrong tries for a child in the last 24 hours."""

    child: Child
    strange: int  # on all strange devices together
    known: int  # the most on any one known device

    @property
    def is_locked_out_on_strange(self) -> bool:
        return self.strange >= TRIES

    @property
    def is_locked_out_on_known(self) -> bool:
        return self.known >= TRIES

    @property
    def is_locked_out(self) -> bool:
        return self.is_locked_out_on_strange or self.is_locked_out_on_known


FEW_TRIES: Final = 10
"""The teacher sees wrong tries only if there are more than this."""


def children_with_many_tries(school_class: SchoolClass) -> list[Tries]:
    """The children of the class with more than `FEW_TRIES` wrong tries in the last 24 hours."""
    rows = WrongTries.objects.filter(child__school_class=school_class)
    counts = _count_tries(rows.select_related("child").order_by("child__name_order"))
    return [tries for tries in counts if max(tries.strange, tries.known) > FEW_TRIES]


def count_wrong_names(school_class: SchoolClass) -> int:
    """The number of names typed in the last 24 hours that no child of the class has, up to 60. It
    is 0 if there were at most `FEW_TRIES`, because children make typing errors."""
    row = WrongNames.objects.filter(school_class=school_class).first()
    count = len(times_that_count(row.times, CHILD_LIMITS)) if row else 0
    return count if count > FEW_TRIES else 0


def tries_of(child: Child) -> Tries:
    rows = WrongTries.objects.filter(child=child).select_related("child")
    return next(iter(_count_tries(rows)), Tries(child, 0, 0))


def _count_tries(rows: Iterable[WrongTries]) -> list[Tries]:
    by_child: dict[Child, Tries] = {}
    for row in rows:
        before = by_child.get(row.child, Tries(row.child, 0, 0))
        count = len(times_that_count(row.times, CHILD_LIMITS))
        if row.device_hash == WrongTries.STRANGE:
            by_child[row.child] = Tries(row.child, count, before.known)
        else:
            by_child[row.child] = Tries(row.child, before.strange, max(before.known, count))
    return list(by_child.values())


def forget_tries(children: Iterable[Child]) -> None:
    WrongTries.objects.filter(child__in=children).delete()


def clear_tries(children: Sequence[Child], by: User | None) -> None:
    """As an adult, forget the children's wrong tries, and log that."""
    with transaction.atomic():
        forget_tries(children)
        audit_children(by, What.TRIES_CLEARED, children)
