"""Checks who may see, change or move what. Anything else gets a 404, as if it did not exist.

Functions for adults take a `User`, those for children a `Child`; none takes both.

- `x_for(user, …)`, `x_for_child(child, …)`: what this person may see, or 404.
- `x_in(school, …)`, `x_of(…)`: what belongs to the first argument, which the caller may see.
- `x_by_y(secret, …)`: for everyone who has the secret.
"""

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.core import signing
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone

from classrooms.child_names import name_key, plain_name
from classrooms.credentials import device_hash, read_code, token_hash
from classrooms.models import (
    Assignment,
    Attempt,
    AuditEntry,
    Child,
    GameTable,
    Group,
    Invitation,
    KnownDevice,
    Membership,
    School,
    SchoolClass,
    Teaching,
    User,
    Visitor,
)
from games.play.hooks import PlayerRequest

Adult = User | AnonymousUser
INVITATION_SALT: Final = "classrooms.invitation"
JOINING_SALT: Final = "classrooms.joining"
JOINING_LASTS: Final = timedelta(days=7)
DEMO_MADE_WITHIN: Final = timedelta(hours=1)
"""Log entries of the first hour of a demo class that have no adult were written by the command that
made it."""
NAMING_ACTS: Final = (
    AuditEntry.What.ADDED,
    AuditEntry.What.RENAMED,
    AuditEntry.What.MOVED,
    AuditEntry.What.CHANGED,
)
"""After one of these log entries, the class can contain a name that a person typed."""


class SchoolRequest(PlayerRequest):
    """A request with the attributes that the school's middleware adds.

    Two of them exist only when they are needed: `known_device_ids`, which the response writes into
    a cookie (`accounts.known_devices`), and `session_ended_of`, the id of an adult whose session
    has ended (`accounts.sessions`).
    """

    child: Child | None
    known_device_ids: list[str]
    session_ended_of: int


class AdultRequest(SchoolRequest):
    """A request behind `login_required`, `needs_proof` or `part_for_adults`."""

    user: User


class ChildRequest(SchoolRequest):
    """A request behind `for_children`."""

    child: Child


def classes_of(user: Adult) -> QuerySet[SchoolClass]:
    """The classes that this adult owns or co-teaches; for a visitor, the one that they look at."""
    if isinstance(user, Visitor):
        return SchoolClass.objects.filter(pk=user.class_id)
    if not user.is_authenticated:
        return SchoolClass.objects.none()
    return SchoolClass.objects.filter(teachings__user=user)


def other_classes_of(user: Adult, school_class: SchoolClass) -> QuerySet[SchoolClass]:
    """The adult's other classes that are not archived."""
    return classes_of(user).filter(archived_at=None).exclude(pk=school_class.pk)


def class_for(user: Adult, class_id: UUID) -> SchoolClass:
    return get_object_or_404(classes_of(user), pk=class_id)


def open_demo_class() -> SchoolClass | None:
    """The demo class. Everyone may look at it until somebody has put a name into it."""
    return SchoolClass.objects.filter(~has_typed_name(), is_demo=True, archived_at=None).first()


def has_typed_name() -> Exists:
    """Whether, according to the log, somebody has put a name into the class since it was made."""
    since = AuditEntry.objects.filter(class_id=OuterRef("pk"), what__in=NAMING_ACTS)
    return Exists(
        since.filter(Q(user__isnull=False) | Q(at__gt=OuterRef("created_at") + DEMO_MADE_WITHIN))
    )


def teaches(user: User, class_id: UUID) -> bool:
    """Whether this adult owns or co-teaches the class. The query is smaller than that of
    `class_for`."""
    return Teaching.objects.filter(user=user, school_class=class_id).exists()


def is_owner(user: Adult, school_class: SchoolClass) -> bool:
    """Whether this adult owns the class, and can still sign in."""
    owner = school_class.teachings.filter(role=Teaching.Role.OWNER, user__is_active=True)
    return owner.filter(user=user.pk).exists()


def own_class_for(user: Adult, class_id: UUID) -> SchoolClass:
    """A class that this adult owns. Co-teachers may not invite adults, archive it or erase it."""
    return get_object_or_404(classes_owned_by(user), pk=class_id)


def classes_owned_by(user: Adult) -> QuerySet[SchoolClass]:
    """The classes that this adult owns, including archived ones."""
    owned = Teaching.objects.filter(user=user.pk, role=Teaching.Role.OWNER)
    return SchoolClass.objects.filter(teachings__in=owned)


def school_for(user: Adult, school_id: UUID) -> School:
    """A school of which this adult is an admin."""
    return get_object_or_404(School, pk=school_id, memberships__in=_admin_of(user))


def _admin_of(user: Adult) -> QuerySet[Membership]:
    return Membership.objects.filter(user=user.pk, role=Membership.Role.ADMIN)


def classes_in(school: School) -> QuerySet[SchoolClass]:
    """The classes whose owners teach at the school, including archived ones."""
    owners = Teaching.objects.filter(role=Teaching.Role.OWNER, user__membership__school=school)
    return SchoolClass.objects.filter(teachings__in=owners)


def class_in(school: School, class_id: UUID) -> SchoolClass:
    return get_object_or_404(classes_in(school), pk=class_id)


def class_in_school_for(user: Adult, school_id: UUID, class_id: UUID) -> tuple[School, SchoolClass]:
    """A school of which this adult is an admin, and a class in it, in one query."""
    admins = _admin_of(user)
    owning = Teaching.objects.filter(
        role=Teaching.Role.OWNER, user__membership__school__memberships__in=admins
    ).select_related("school_class", "user__membership__school")
    teaching = get_object_or_404(owning, school_class=class_id, user__membership__school=school_id)
    return teaching.user.membership.school, teaching.school_class


def member_of(school: School, user_id: int) -> Membership:
    return get_object_or_404(school.memberships.select_related("user"), user=user_id)


def school_by_token(signed: str) -> School:
    """The school that teachers join by the link with this token. 404 if the token is forged or too
    old, if its maker is no longer an admin of the school, or if a teacher was removed from the
    school since."""
    try:
        school_id, admin_id, *removals = signing.loads(
            signed, salt=JOINING_SALT, max_age=JOINING_LASTS
        )
        school_key = UUID(school_id)
    except (signing.BadSignature, ValueError, TypeError):
        raise Http404 from None
    admins = Membership.objects.filter(
        user=admin_id, user__is_active=True, role=Membership.Role.ADMIN
    )
    return get_object_or_404(School, pk=school_key, memberships__in=admins, removals=sum(removals))


def classes_to_move_to(user: User, school_class: SchoolClass) -> QuerySet[SchoolClass]:
    """The classes to which this adult, who teaches the class, may move its children. Only classes
    that the owner of the class teaches too, so that no child is moved out of the owner's sight."""
    owner = User.objects.filter(
        teachings__school_class=school_class, teachings__role=Teaching.Role.OWNER
    )
    of_owner = Teaching.objects.filter(user__in=owner).values("school_class")
    return other_classes_of(user, school_class).filter(pk__in=of_owner)


def classes_to_link(user: User, school: School) -> QuerySet[SchoolClass]:
    """The classes of the school that this adult teaches and may link with a course of its learning
    platform."""
    return classes_of(user).filter(archived_at=None, pk__in=classes_in(school))


def class_to_move_to(user: User, school_class: SchoolClass, class_id: UUID) -> SchoolClass:
    """The class with this id, if the adult may move children to it; otherwise 404."""
    return get_object_or_404(classes_to_move_to(user, school_class), pk=class_id)


def undoable_moves(school_class: SchoolClass, at: datetime) -> QuerySet[AuditEntry]:
    """The log entries of children who were moved to the class at that moment and not moved again.
    They may be moved back, even to a class that `classes_to_move_to` does not allow."""
    moves = AuditEntry.objects.filter(
        class_id=school_class.pk, what=AuditEntry.What.MOVED, child_id__isnull=False
    )
    later = moves.filter(child_id=OuterRef("child_id"), at__gt=at)
    return moves.filter(~Exists(later), at=at, detail__has_key="origin")


def child_for(user: Adult, class_id: UUID, child_id: UUID | None) -> Child:
    """A child in one of this adult's classes, with the class. 404 also for None."""
    return _child(Child.objects.all(), user, class_id, child_id)


def _child(children: QuerySet[Child], user: Adult, class_id: UUID, child_id: UUID | None) -> Child:
    return get_object_or_404(
        children.select_related("school_class"),
        pk=child_id,
        school_class=class_id,
        school_class__in=classes_of(user),
    )


def classmate_of(child: Child, other_id: UUID) -> Child:
    """Another child in the class of `child`."""
    classmates = child.school_class.children.exclude(pk=child.pk)
    return get_object_or_404(classmates, pk=other_id)


def any_child_for(user: Adult, class_id: UUID, child_id: UUID) -> Child:
    """Like `child_for`, but including removed children."""
    return _child(Child.all_objects.all(), user, class_id, child_id)


def child_to_bring_back_for(user: Adult, class_id: UUID, child_id: UUID) -> Child:
    """Like `child_for`, but including children who can be brought back. 404 for a merged child:
    only undoing the merge brings them back."""
    return _child(Child.all_objects.filter(merge=None), user, class_id, child_id)


def assignment_for(user: Adult, class_id: UUID, assignment_id: UUID | None) -> Assignment:
    """An assignment of one of this adult's classes, with the class. 404 also for None."""
    assignments = Assignment.objects.select_related("school_class")
    return get_object_or_404(
        assignments, pk=assignment_id, school_class=class_id, school_class__in=classes_of(user)
    )


def table_for(user: Adult, class_id: UUID, table_id: UUID) -> GameTable:
    """A table of children of one of this adult's classes, with its assignment and class."""
    tables = GameTable.objects.select_related("assignment__school_class", "game")
    return get_object_or_404(
        tables,
        pk=table_id,
        assignment__school_class=class_id,
        assignment__school_class__in=classes_of(user),
    )


def group_for(user: Adult, class_id: UUID, group_id: UUID) -> Group:
    groups = Group.objects.select_related("school_class")
    return get_object_or_404(
        groups, pk=group_id, school_class=class_id, school_class__in=classes_of(user)
    )


def attempt_for_child(child: Child, game_id: UUID) -> Attempt:
    """The child's own match, with its assignment, class and game; the assignment may be over."""
    attempts = Attempt.objects.select_related("assignment__school_class", "game")
    return get_object_or_404(attempts, child=child, game=game_id)


def finished_matches() -> QuerySet[Attempt]:
    """The finished matches whose cards may all be shown. Those of one deal for a class are left out
    until that deal has ended, because others may still play its cards."""
    over = Attempt.objects.filter(game__finished_at__isnull=False)
    return over.exclude(game__has_shared_deal=True, assignment__ended_at=None)


def finished_match_of(child: Child, game_id: UUID) -> Attempt:
    matches = finished_matches().select_related("game")
    return get_object_or_404(matches, child=child, game=game_id)


def assignment_for_child(child: Child, assignment_id: UUID) -> Assignment:
    """An assignment of their class that this child has or had."""
    return get_object_or_404(assignments_given_to(child), pk=assignment_id)


def riddles_of(school_class: SchoolClass) -> QuerySet[Assignment]:
    """The riddles of a class up to today's, newest first."""
    riddles = Assignment.all_objects.filter(
        school_class=school_class, riddle_on__lte=school_class.today()
    )
    return riddles.order_by("-riddle_on")


def riddles_for_child(child: Child) -> QuerySet[Assignment]:
    """The riddles of the child's class; 404 if its children see none."""
    if not child.school_class.has_riddles:
        raise Http404
    return riddles_of(child.school_class)


def invitation_by_token(token: str) -> Invitation:
    """The invitation behind a link, for everyone who has the link. 404 if it is used, withdrawn or
    too old, if the class is gone, or if the inviter no longer owns it."""
    try:
        invitation_id = UUID(signing.loads(token, salt=INVITATION_SALT))
    except (signing.BadSignature, ValueError):
        raise Http404 from None
    inviter_owns = Teaching.objects.filter(
        school_class=OuterRef("school_class"),
        user=OuterRef("invited_by"),
        user__is_active=True,
        role=Teaching.Role.OWNER,
    )
    invitations = Invitation.objects.select_related("school_class", "invited_by")
    return get_object_or_404(
        invitations.filter(Exists(inviter_owns)),
        pk=invitation_id,
        used_at=None,
        ends_at__gt=timezone.now(),
    )


def invitation_of(school_class: SchoolClass, invitation_id: UUID) -> Invitation:
    return get_object_or_404(Invitation, pk=invitation_id, school_class=school_class, used_at=None)


def class_by_code(code: str) -> SchoolClass:
    """The class with this code, for everyone who knows the code."""
    return get_object_or_404(SchoolClass, code=read_code(code) or "", archived_at=None)


def children_at_the_door(school_class: SchoolClass, device: str) -> QuerySet[Child]:
    """The children who can be chosen on this device: all, or in a closed class only those who have
    used the device before."""
    children = school_class.children.all()
    if school_class.is_closed:
        return children.filter(known_devices__device_hash=device_hash(device))
    return children


def child_at_the_door(code: str, child_id: UUID, device: str) -> Child:
    """The child chosen on this device, in the class with this code. One statement finds both, so
    that the time does not show whether the class exists."""
    return get_object_or_404(_children_on(device, read_code(code) or ""), pk=child_id)


def child_by_name(code: str, name: str, device: str) -> Child | None:
    """The child in the class with this code whose name is spelled like the typed one, or else the
    only one with a similar name (`child_names.plain_name`). None if the class is missing or
    archived, or closed to a child who has not used this device."""
    plain = plain_name(name)
    candidates = [child for child in _children_on(device, code) if plain_name(child.name) == plain]
    exact = [child for child in candidates if name_key(child.name) == name_key(name)]
    matches = exact or candidates
    return matches[0] if len(matches) == 1 else None


def _children_on(device: str, code: str) -> QuerySet[Child]:
    """The children who may sign in on this device with the code of their class, with the class."""
    devices = KnownDevice.objects.filter(child=OuterRef("pk"), device_hash=device_hash(device))
    return Child.objects.select_related("school_class").filter(
        Q(school_class__is_closed=False) | Exists(devices),
        school_class__code=code,
        school_class__archived_at=None,
    )


def child_by_card(token: str) -> Child | None:
    """The child whose QR code has this token; None if there is none or their class is archived."""
    children = Child.objects.select_related("school_class").filter(school_class__archived_at=None)
    return children.filter(qr_code__token_hash=token_hash(token)).first()


def assignments_given_to(child: Child) -> QuerySet[Assignment]:
    """All assignments ever given to this child in their class."""
    in_group = Assignment.groups.through.objects.filter(
        assignment=OuterRef("pk"), group__children=child
    )
    by_name = Assignment.children.through.objects.filter(assignment=OuterRef("pk"), child=child)
    return Assignment.objects.filter(
        Q(is_for_everyone=True) | Exists(in_group) | Exists(by_name),
        school_class=child.school_class_id,
    )
