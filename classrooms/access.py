"""The one gate to every object: what is yours, or 404. What is foreign answers as what is missing.

Adults come with their `User`, children with their `Child`; no function here takes both.
"""

from typing import Final, cast
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.core import signing
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone

from classrooms.credentials.secrets import device_hash, read_code, token_hash
from classrooms.models import Assignment, Child, Group, SchoolClass
from classrooms.models.child_names import plain_name, same

from .models import Attempt, Invitation, KnownDevice, Teaching, User

Adult = User | AnonymousUser
INVITATION: Final = "classrooms.invitation"


def classes_of(user: Adult) -> QuerySet[SchoolClass]:
    """The classes that this adult owns or teaches along."""
    if not user.is_authenticated:
        return SchoolClass.objects.none()
    return SchoolClass.objects.filter(teachings__user=user)


def class_for(user: Adult, class_id: UUID) -> SchoolClass:
    return get_object_or_404(classes_of(user), pk=class_id)


def is_owner(user: Adult, school_class: SchoolClass) -> bool:
    """Whether this adult, who reaches the class, owns it."""
    owner = school_class.teachings.filter(role=Teaching.Role.OWNER)
    return user.is_authenticated and owner.filter(user=user).exists()


def own_class_for(user: Adult, class_id: UUID) -> SchoolClass:
    """A class that this adult owns: who teaches it along may not end it or let others in."""
    owned = Teaching.objects.filter(
        user=user if user.is_authenticated else None, role=Teaching.Role.OWNER
    )
    return get_object_or_404(SchoolClass, pk=class_id, teachings__in=owned)


def child_for(user: Adult, class_id: UUID, child_id: UUID) -> Child:
    """A child of a class of this adult's, with its class."""
    children = Child.objects.select_related("school_class")
    return get_object_or_404(
        children, pk=child_id, school_class=class_id, school_class__in=classes_of(user)
    )


def classmate_of(child: Child, other_id: UUID) -> Child:
    """Another child of the same class, once one may reach the first."""
    classmates = child.school_class.children.exclude(pk=child.pk)
    return get_object_or_404(classmates, pk=other_id)


def any_child_for(user: Adult, class_id: UUID, child_id: UUID) -> Child:
    """As `child_for`, but a child that was removed is found too."""
    children = Child.everyone.select_related("school_class")
    return get_object_or_404(
        children, pk=child_id, school_class=class_id, school_class__in=classes_of(user)
    )


def assignment_for(user: Adult, class_id: UUID, assignment_id: UUID) -> Assignment:
    assignments = Assignment.objects.select_related("school_class")
    return get_object_or_404(
        assignments,
        pk=assignment_id,
        school_class=class_id,
        school_class__in=classes_of(user),
    )


def group_for(user: Adult, class_id: UUID, group_id: UUID) -> Group:
    groups = Group.objects.select_related("school_class")
    return get_object_or_404(
        groups, pk=group_id, school_class=class_id, school_class__in=classes_of(user)
    )


def attempt_for_child(child: Child, game_id: UUID) -> Attempt:
    """The child's own match, with its assignment and game; also of an ended assignment."""
    attempts = Attempt.objects.select_related("assignment", "game")
    return get_object_or_404(attempts, child=child, game=game_id)


def assignment_for_child(child: Child, assignment_id: UUID) -> Assignment:
    """What is or was meant for this child in its own class."""
    return get_object_or_404(for_child(child), pk=assignment_id)


def invitation_for(token: str) -> Invitation:
    """What the link of an invitation opens, for everyone who has it; one that is used, withdrawn,
    too old, for a class that is no more or from someone who no longer owns it is missing."""
    try:
        invitation_id = UUID(signing.loads(token, salt=INVITATION))
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
    """The class that someone at the door names; everyone who knows the code may."""
    return get_object_or_404(SchoolClass, code=read_code(code) or "", archived_at=None)


def children_at_the_door(school_class: SchoolClass, device: str) -> QuerySet[Child]:
    """Who may say to be whom on this device: in a closed class only who has been in on it."""
    children = school_class.children.all()
    if school_class.is_closed:
        return children.filter(known_devices__device_hash=device_hash(device))
    return children


def child_at_the_door(code: str, child_id: UUID, device: str) -> Child:
    """The child, of the class with this code, that someone on this device says to be."""
    school_class = class_by_code(code)
    child = get_object_or_404(children_at_the_door(school_class, device), pk=child_id)
    child.school_class = school_class
    return child


def child_by_name(code: str, name: str, device: str) -> Child | None:
    """The child that someone on this device says to be, in the class with this code; one whose name
    is spelled so, else the only one whose name is like it (`child_names.plain_name`). As little is
    said of a class that is closed or archived as of one that there is not."""
    known = KnownDevice.objects.filter(child=OuterRef("pk"), device_hash=device_hash(device))
    children = Child.objects.select_related("school_class").filter(
        Q(school_class__is_closed=False) | Exists(known), school_class__archived_at=None
    )
    named = list(children.filter(school_class__code=code, plain_name=plain_name(name)))
    spelled_so = [child for child in named if same(child.name) == same(name)]
    alike = spelled_so or named
    return alike[0] if len(alike) == 1 else None


def child_by_card(token: str) -> Child | None:
    """The child whose QR code says this token."""
    children = Child.objects.select_related("school_class").filter(school_class__archived_at=None)
    return children.filter(qr_code__token_hash=token_hash(token)).first()


def signed_in_child(request: HttpRequest) -> Child:
    """The child of this request, set by the middleware; 404 where there is none."""
    child = cast(Child | None, getattr(request, "child", None))
    if child is None:
        raise Http404
    return child


def for_child(child: Child) -> QuerySet[Assignment]:
    """All that was ever meant for this child in its class."""
    in_group = Assignment.groups.through.objects.filter(
        assignment=OuterRef("pk"), group__children=child
    )
    by_name = Assignment.children.through.objects.filter(assignment=OuterRef("pk"), child=child)
    return Assignment.objects.filter(
        Q(everyone=True) | Exists(in_group) | Exists(by_name), school_class=child.school_class_id
    )
