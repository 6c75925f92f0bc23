"""Lets teachers join and leave a school and become its admins, and moves classes between them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from allauth.account.models import EmailAddress
from django.core import signing
from django.db.models import Count, F, Prefetch, Q, QuerySet

from classrooms.access import JOINING_SALT, classes_in, classes_owned_by
from classrooms.accounts.mail import is_confirmed, with_confirmation
from classrooms.audit import What, audit
from classrooms.bounds import ensure_may_receive_class
from classrooms.classes import teachers
from classrooms.classes.teacher_mail import mail_moved_class
from classrooms.locks import Changed, lock
from classrooms.models import Membership, School, SchoolClass, Teaching, User
from classrooms.models.name_order import class_order
from classrooms.progress.class_report import rows_of_classes
from classrooms.progress.periods import USUAL_PERIOD
from classrooms.progress.rows import RowCounts

Role = Membership.Role


class Impossible(Exception):
    """The act is impossible: the school would have no admin, or the chosen teacher cannot be an
    admin or own the classes."""


def join_token(school: School, by: User) -> str:
    """The token of a link by which teachers join the school. It works as long as `by` is an admin
    of the school and nobody is removed from it."""
    return signing.dumps([str(school.pk), by.pk, school.removals], salt=JOINING_SALT)


def join(school: School, user: User) -> bool:
    """Let this teacher join the school. Return False if they belong to another one. Raises
    `Changed` if somebody was removed from the school since it was read."""
    with lock(school, user) as (now, _user):
        if now.removals != school.removals:
            raise Changed
        membership, is_new = Membership.objects.get_or_create(
            user=user, defaults={"school": school}
        )
        if is_new:
            audit(user, What.SCHOOL_JOINED, account=user, school=school.name)
    return membership.school_id == school.pk


def give_role(membership: Membership, role: Membership.Role, by: User) -> None:
    """Make a teacher an admin of the school, or end an admin's role. Raises `Impossible` for the
    last admin, and for a new admin whose address is not confirmed, because anybody can sign up with
    any address. Raises `Changed` if `by` is no longer an admin."""
    with _lock_member(membership):
        check_admin(by, membership.school)
        if role == Role.TEACHER:
            _ensure_other_admin(membership)
        elif not (membership.user.is_active and is_confirmed(membership.user)):
            raise Impossible
        membership.role = role
        membership.save(update_fields=("role",))
        school = membership.school.name
        audit(
            by, What.SCHOOL_ROLE, account=membership.user, for_school=True, school=school, role=role
        )


def remove_member(membership: Membership, by: User, to: User | None = None) -> None:
    """Remove a teacher from the school, and invalidate its links for joining. The teacher's classes
    go to `to`, even beyond the limit in `bounds`, and the teacher no longer teaches them. Raises
    `Impossible` for the last admin, and if `to` cannot own the classes."""
    user = membership.user
    other_users = [to] if to else []
    with _lock_member(membership, *other_users), lock(*classes_owned_by(user)) as classes:
        check_admin(by, membership.school)
        _ensure_other_admin(membership)
        if classes:
            if to is None or to not in heirs_of(membership):
                raise Impossible
            for school_class in classes:
                teachers.give_away(school_class, to, by)
                teachers.remove_for_school(school_class, user.pk, by)
            mail_moved_class([user, to], classes[0])
        membership.delete()
        School.objects.filter(pk=membership.school_id).update(removals=F("removals") + 1)
        school = membership.school.name
        audit(by, What.SCHOOL_LEFT, account=user, for_school=True, school=school)


def leave(membership: Membership) -> None:
    """Let a teacher leave the school with the classes that they own. Raises `Impossible` for the
    last admin."""
    with _lock_member(membership):
        _ensure_other_admin(membership)
        membership.delete()
        user = membership.user
        audit(user, What.SCHOOL_LEFT, account=user, school=membership.school.name)


@contextmanager
def _lock_member(membership: Membership, *others: User) -> Iterator[None]:
    """Lock the school, this teacher and the others, and read the membership again. Raises `Changed`
    if the teacher has left the school."""
    with lock(membership.school, membership.user, *others):
        try:
            membership.refresh_from_db()
        except Membership.DoesNotExist:
            raise Changed from None
        yield


def check_admin(by: User, school: School) -> None:
    """Raise `Changed` if `by` is no longer an admin of the locked school."""
    if not Membership.objects.filter(school=school, user=by, role=Role.ADMIN).exists():
        raise Changed


def _ensure_other_admin(membership: Membership) -> None:
    if not membership.has_other_admin():
        raise Impossible


def possible_owners(school: School, school_class: SchoolClass) -> list[User]:
    """The teachers of the school to whom the class can be moved: those who have confirmed their
    address and do not own it."""
    return list(_possible_owners_in(school).exclude(teachings__in=_ownership(school_class)))


def heirs_of(membership: Membership) -> list[User]:
    """The other teachers of the school to whom this teacher's classes can go."""
    return list(_possible_owners_in(membership.school).exclude(pk=membership.user_id))


def _possible_owners_in(school: School) -> QuerySet[User]:
    addresses = EmailAddress.objects.filter(verified=True, email__iexact=F("user__email"))
    teachers = User.objects.filter(membership__school=school, is_active=True)
    return teachers.filter(pk__in=addresses.values("user")).order_by("email")


def _ownership(school_class: SchoolClass) -> QuerySet[Teaching]:
    return Teaching.objects.filter(school_class=school_class, role=Teaching.Role.OWNER)


class MovedClass(NamedTuple):
    """The data with which a move is undone: the former owner, the new one, and whether the new one
    had not taught the class before."""

    former_id: int
    to_id: int
    was_new: bool


def move_class(school: School, school_class: SchoolClass, to: User, by: User) -> MovedClass:
    """Make another teacher of the school the owner of a class; the former owner becomes a
    co-teacher. Raises `Impossible` if the class cannot be moved to this teacher, and
    `bounds.LimitReached`."""
    with lock(school, to, school_class):
        check_admin(by, school)
        former = _ownership(school_class).select_related("user").get().user
        if to not in possible_owners(school, school_class):
            raise Impossible
        ensure_may_receive_class(to)
        is_new = teachers.give_away(school_class, to, by)
        mail_moved_class([former, to], school_class)
    return MovedClass(former.pk, to.pk, is_new)


def undo_move(school: School, school_class: SchoolClass, move: MovedClass, by: User) -> None:
    """Give a class of the school back to its former owner. Raises `Changed` if the class, its
    teachers or the school have changed since, and `bounds.LimitReached`."""
    with lock(school, User(pk=move.former_id), school_class) as (_, former, _):
        teaches = Teaching.objects.filter(
            user=former, school_class=school_class, user__membership__school=school
        )
        check_admin(by, school)
        is_there = teaches.exists() and school_class in classes_in(school)
        if not is_there or not _ownership(school_class).filter(user=move.to_id).exists():
            raise Changed
        ensure_may_receive_class(former)
        teachers.give_away(school_class, former, by)
        if move.was_new:
            teachers.remove_for_school(school_class, move.to_id, by)


@dataclass(frozen=True, slots=True)
class ClassLine:
    """A class of the school. `rows` has the figures of all its children together, in the usual
    period."""

    school_class: SchoolClass
    owner: User
    co_teachers: Sequence[User]
    child_count: int
    rows: RowCounts


def class_lines(school: School) -> list[ClassLine]:
    """All classes of the school, archived ones last."""
    teachings = Teaching.objects.select_related("user").order_by("user__email")
    counted = classes_in(school).annotate(
        child_count=Count("children", filter=Q(children__removed_at=None), distinct=True)
    )
    classes = sorted(counted.prefetch_related(Prefetch("teachings", teachings)), key=class_order)
    rows = rows_of_classes(classes, USUAL_PERIOD)
    lines = []
    for school_class in classes:
        roles = {teaching.user: teaching.role for teaching in school_class.teachings.all()}
        (owner,) = (user for user, role in roles.items() if role == Teaching.Role.OWNER)
        co_teachers = [user for user in roles if user != owner]
        lines.append(
            ClassLine(
                school_class,
                owner,
                co_teachers,
                school_class.child_count,
                rows.get(school_class.pk, RowCounts()),
            )
        )
    return sorted(lines, key=lambda line: line.school_class.archived_at is not None)


def members_of(school: School) -> QuerySet[Any]:
    """The teachers of the school, admins first, each with `is_confirmed` (`with_confirmation`), and
    with the number of classes that they own as `owned`."""
    owned = Q(user__teachings__role=Teaching.Role.OWNER)
    members = with_confirmation(school.memberships.select_related("user"))
    return members.annotate(owned=Count("user__teachings", filter=owned)).order_by(
        "role", "user__email"
    )
