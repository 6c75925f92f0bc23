"""The teachers of a school: joining it, its admins, and moving classes between its teachers.

Each change locks the school first, so that of two at once the second sees what the first has done.
"""

from typing import Final

from allauth.account.models import EmailAddress
from django.core import signing
from django.db import transaction
from django.db.models import F, QuerySet

from classrooms.access import JOINING, classes_in
from classrooms.audit import What, audit
from classrooms.classes import co_teachers
from classrooms.classes.owners_mail import mail_moved_class
from classrooms.models import Membership, School, SchoolClass, Teaching, User

MOVE: Final = "classrooms.moved-class"
Role = Membership.Role


class NotPossible(Exception):
    """The school would be left without an admin, or a teacher's classes without the school."""


def joining_token(school: School, by: User) -> str:
    """A token for a link by which teachers join the school, as long as `by` is an admin of it."""
    return signing.dumps([str(school.pk), by.pk], salt=JOINING)


def join(school: School, user: User) -> bool:
    """Let this teacher join the school; False for one who belongs to another."""
    with transaction.atomic():
        membership, is_new = Membership.objects.get_or_create(
            user=user, defaults={"school": school}
        )
        if is_new:
            audit(user, What.SCHOOL_JOINED, account=user, school=school.name)
    return membership.school_id == school.pk


def give_role(membership: Membership, role: Membership.Role, by: User) -> None:
    """Make a teacher an admin of the school, or an admin a teacher. Raises `NotPossible` for the
    last admin, and for a new one whose address is not confirmed: anybody can sign up with it."""
    with transaction.atomic():
        _locked(membership.school)
        if role == Role.TEACHER:
            _keep_an_admin(membership)
        elif not is_known(membership.user):
            raise NotPossible
        membership.role = role
        membership.save(update_fields=("role",))
        school = membership.school.name
        audit(
            by, What.SCHOOL_ROLE, account=membership.user, for_school=True, school=school, role=role
        )


def take_off(membership: Membership, by: User) -> None:
    """Take a teacher off the school. Raises `NotPossible` for the last admin, and for one who still
    owns classes of the school."""
    with transaction.atomic():
        _locked(membership.school)
        _keep_an_admin(membership)
        if Teaching.objects.filter(user=membership.user, role=Teaching.Role.OWNER).exists():
            raise NotPossible
        membership.delete()
        school = membership.school.name
        audit(by, What.SCHOOL_LEFT, account=membership.user, for_school=True, school=school)


def leave(membership: Membership) -> None:
    """A teacher leaves the school, with the classes that they own. Raises `NotPossible` for the
    last admin."""
    with transaction.atomic():
        _locked(membership.school)
        _keep_an_admin(membership)
        membership.delete()
        user = membership.user
        audit(user, What.SCHOOL_LEFT, account=user, school=membership.school.name)


def _locked(school: School) -> None:
    School.objects.select_for_update().get(pk=school.pk)


def _keep_an_admin(membership: Membership) -> None:
    if not membership.has_other_admin():
        raise NotPossible


def is_known(user: User) -> bool:
    """Whether this adult may sign in, and has confirmed the address of the account."""
    confirmed = EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True)
    return user.is_active and confirmed.exists()


def owners_to_be(school: School, school_class: SchoolClass) -> list[User]:
    """The teachers of the school to whom the class can be moved."""
    known = EmailAddress.objects.filter(verified=True, email__iexact=F("user__email"))
    return list(
        User.objects.filter(membership__school=school, is_active=True, pk__in=known.values("user"))
        .exclude(teachings__in=_ownership(school_class))
        .order_by("email")
    )


def _ownership(school_class: SchoolClass) -> QuerySet[Teaching]:
    return Teaching.objects.filter(school_class=school_class, role=Teaching.Role.OWNER)


def move_class(school: School, school_class: SchoolClass, to: User, by: User) -> str:
    """Make another teacher of the school the owner of a class; the former owner teaches it along.
    Returns a token that undoes it. Raises `NotPossible` for a teacher to whom it cannot be moved,
    and `bounds.Full`."""
    with transaction.atomic():
        _locked(school)
        co_teachers.locked(school_class)
        former = _ownership(school_class).select_related("user").get().user
        if to not in owners_to_be(school, school_class):
            raise NotPossible
        is_new = co_teachers.give_away(school_class, to, by)
        mail_moved_class([former, to], school_class)
    return signing.dumps([str(school_class.pk), former.pk, to.pk, is_new, by.pk], salt=MOVE)


def undo_move(school: School, token: str, by: User) -> bool:
    """Give a class back to its former owner: within an hour, by the admin who moved it. False if
    the class or the teachers have changed since, or the token is not right."""
    try:
        class_id, former_id, to_id, was_new, mover_id = signing.loads(
            token, salt=MOVE, max_age=co_teachers.UNDO_FOR
        )
    except (signing.BadSignature, ValueError, TypeError):
        return False
    with transaction.atomic():
        _locked(school)
        school_class = classes_in(school).filter(pk=class_id).first()
        if school_class is None or mover_id != by.pk:
            return False
        co_teachers.locked(school_class)
        former = User.objects.filter(
            pk=former_id, is_active=True, membership__school=school, classes=school_class
        ).first()
        if former is None or not _ownership(school_class).filter(user=to_id).exists():
            return False
        co_teachers.give_away(school_class, former, by)
        if was_new:
            co_teachers.remove_for_school(school_class, to_id, by)
    return True
