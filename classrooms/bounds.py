"""How much of everything a class and a teacher may have: far more than a school needs, and so
little that every page with all of it is still answered in time.
"""

from typing import Final

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .models import Assignment, Child, Group, SchoolClass, Teaching, User

MOST_CHILDREN: Final = 500
MOST_KEPT_CHILDREN: Final = 1_000
"""Of a class, with those that were removed and are not erased yet."""
MOST_GROUPS: Final = 60
MOST_CLASSES: Final = 200
"""That a teacher owns, with those that are archived."""
MOST_ASSIGNMENTS: Final = 200
"""Of a class, of those that are not over."""


class Full(Exception):
    """There are as many as there may be. `words`: what the teacher is told."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words


def room_for_children(
    school_class: SchoolClass, count: int = 1, *, kept: int | None = None
) -> None:
    """Raises `Full` where so many more would be too many. `kept`: how many of them are not there
    as removed ones already. Ask in the transaction that adds them: the class stays locked to its
    end, as with all that is asked here."""
    SchoolClass.objects.select_for_update(no_key=True).get(pk=school_class.pk)
    if school_class.children.count() + count > MOST_CHILDREN:
        raise Full(most_children())
    more = count if kept is None else kept
    if Child.everyone.filter(school_class=school_class).count() + more > MOST_KEPT_CHILDREN:
        told = _(
            "A class keeps at most %(n)d children, removed ones too. Delete some of those for good."
        )
        raise Full(told % {"n": MOST_KEPT_CHILDREN})


def room_for_group(school_class: SchoolClass) -> None:
    """Raises `Full`."""
    SchoolClass.objects.select_for_update(no_key=True).get(pk=school_class.pk)
    if Group.objects.filter(school_class=school_class, removed_at=None).count() >= MOST_GROUPS:
        raise Full(_("A class has at most %(n)d groups. Remove one first.") % {"n": MOST_GROUPS})


def room_for_class(owner: User) -> None:
    """Raises `Full`."""
    User.objects.select_for_update(no_key=True).get(pk=owner.pk)
    owned = Teaching.objects.filter(user=owner, role=Teaching.Role.OWNER)
    if owned.count() >= MOST_CLASSES:
        told = _("You have %(n)d classes. Delete one or hand one over first.")
        raise Full(told % {"n": MOST_CLASSES})


def room_for_assignment(school_class: SchoolClass) -> None:
    """Raises `Full`."""
    SchoolClass.objects.select_for_update(no_key=True).get(pk=school_class.pk)
    not_over = Q(due_on=None) | Q(due_on__gte=school_class.today())
    mine = Assignment.objects.filter(school_class=school_class, ended_at=None)
    if mine.filter(not_over).count() >= MOST_ASSIGNMENTS:
        told = _("The class has %(n)d assignments. End some of them first.")
        raise Full(told % {"n": MOST_ASSIGNMENTS})


def most_children() -> str:
    return ngettext(
        "A class has at most %(n)d child.",
        "A class has at most %(n)d children.",
        MOST_CHILDREN,
    ) % {"n": MOST_CHILDREN}
