"""Upper limits for a class and a teacher. They are far above what a school needs, but low enough to
keep all pages fast."""

from collections import Counter
from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from classrooms.locks import ActRefused, ensure_locked
from classrooms.models import Assignment, Child, Group, SchoolClass, Teaching, User

MOST_CHILDREN: Final = 500
MOST_KEPT_CHILDREN: Final = 1_000
"""The most children of a class, including removed ones who are not erased yet."""
MOST_GROUPS: Final = 60
MOST_CLASSES: Final = 200
"""The most classes of an owner, archived ones included."""
MOST_MEMBERS: Final = 2_000
"""The most members of all groups of a class together, because the page of groups names each of
them."""
MOST_ASSIGNMENTS: Final = 200
"""The most open and coming assignments of a class."""
MOST_HANDS: Final = 100
"""The most hands for everybody in a class on a day."""
MOST_CHECK_UPS: Final = 40
"""The most check-ups of a class in a year, closed ones included."""


class LimitReached(ActRefused):
    """A limit is reached. Callers of these functions have locked the rows (`locks`), so that two of
    them cannot both take the last place."""


def _ensure(count: int, most: int, text: str) -> None:
    """Raise `LimitReached` with this text if a count is above the most."""
    if count > most:
        raise LimitReached(text % {"n": most})


def ensure_room_for_children(
    additions: Mapping[SchoolClass, int], *, are_removed: bool = False
) -> None:
    """Raise `LimitReached` if one of these classes has no room for this many more children. The
    class already counts them if they `are_removed` children, who are brought back."""
    ensure_locked(*additions)
    of_class = Child.all_objects.filter(school_class__in=additions).order_by()
    counts = of_class.values_list("school_class").annotate(
        present=Count("pk", filter=Q(removed_at=None)), kept=Count("pk")
    )
    count_of = {class_id: (present, total) for class_id, present, total in counts}
    for school_class, count in additions.items():
        present, total = count_of.get(school_class.pk, (0, 0))
        if present + count > MOST_CHILDREN:
            raise LimitReached(most_children_text())
        text = _(
            "A class can have at most %(n)d children, including removed ones. Delete some of "
            "those for good."
        )
        _ensure(0 if are_removed else total + count, MOST_KEPT_CHILDREN, text)


def ensure_room_for_group(school_class: SchoolClass) -> None:
    """Raise `LimitReached` if the class cannot have another group."""
    ensure_locked(school_class)
    groups = Group.objects.filter(school_class=school_class, removed_at=None).count()
    _ensure(groups + 1, MOST_GROUPS, _("A class has at most %(n)d groups. Remove one first."))


def ensure_room_for_members(group: Group, count: int) -> None:
    """Raise `LimitReached` if the groups of the class would have too many members in all with
    `count` of them in this one."""
    ensure_locked(group.school_class)
    groups = Group.objects.filter(school_class=group.school_class_id, removed_at=None)
    members_elsewhere = groups.exclude(pk=group.pk).aggregate(members=Count("children"))["members"]
    text = _("The groups of a class have at most %(n)d members in all. Choose fewer children.")
    _ensure(members_elsewhere + count, MOST_MEMBERS, text)


def ensure_room_for_class(owner: User, count: int = 1) -> None:
    """Raise `LimitReached` if this teacher cannot own `count` more classes."""
    ensure_locked(owner)
    owned = count_owned_classes(owner)
    text = _("You have %(n)d classes. Delete one or hand one over first.")
    _ensure(owned + 1, MOST_CLASSES, text)
    if owned + count > MOST_CLASSES:
        raise LimitReached(most_classes_text(owned))


def ensure_may_receive_class(user: User) -> None:
    """Raise `LimitReached` if this teacher cannot own another class. The message is for somebody
    else."""
    ensure_locked(user)
    if (owned := count_owned_classes(user)) >= MOST_CLASSES:
        text = _("%(name)s already has %(n)d classes, the most that a teacher can have.")
        raise LimitReached(text % {"name": user.name_and_address, "n": owned})


def count_owned_classes(owner: User) -> int:
    """The number of classes that this teacher owns, including archived ones."""
    return Teaching.objects.filter(user=owner, role=Teaching.Role.OWNER).count()


def most_classes_text(owned: int) -> str:
    """The message for an adult who owns this many classes and wants to add too many."""
    text = _(
        "A teacher can have at most %(most)d classes, and you already have %(n)d. Leave some out."
    )
    return text % {"most": MOST_CLASSES, "n": owned}


def ensure_room_for_assignment(*classes: SchoolClass, count: int = 1) -> None:
    """Raise `LimitReached` if one of these classes cannot have `count` more assignments."""
    ensure_locked(*classes)
    days = {school_class.pk: school_class.today() for school_class in classes}
    assignments = Assignment.objects.filter(school_class__in=days, ended_at=None)
    counts = Counter(
        key
        for key, due_on in assignments.values_list("school_class", "due_on")
        if due_on is None or due_on >= days[key]
    )
    text = _("The class has %(n)d assignments. End some of them first.")
    _ensure(max(counts.values(), default=0) + count, MOST_ASSIGNMENTS, text)


def ensure_room_for_hand(school_class: SchoolClass) -> None:
    """Raise `LimitReached` if the class was shown too many hands in the last day."""
    ensure_locked(school_class)
    day_ago = timezone.now() - timedelta(days=1)
    lately = Assignment.hands.filter(school_class=school_class, created_at__gt=day_ago)
    _ensure(lately.count() + 1, MOST_HANDS, _("A class can be shown at most %(n)d hands a day."))


def ensure_room_for_check_up(school_class: SchoolClass) -> None:
    """Raise `LimitReached` if the class had too many check-ups in the last year."""
    ensure_locked(school_class)
    year_ago = timezone.now() - timedelta(days=365)
    lately = school_class.check_ups.filter(created_at__gt=year_ago)
    _ensure(lately.count() + 1, MOST_CHECK_UPS, _("A class has at most %(n)d check-ups a year."))


def most_children_text() -> str:
    return ngettext(
        "A class has at most %(n)d child.",
        "A class has at most %(n)d children.",
        MOST_CHILDREN,
    ) % {"n": MOST_CHILDREN}
