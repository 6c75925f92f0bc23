"""Closes a teacher's account, and deletes it after `ACCOUNT_KEPT_FOR`; until then a link opens it.

A class with co-teachers goes to the one who has taught it longest. A class without them is
archived, and erased with the account.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from datetime import datetime
from functools import partial
from typing import Final
from uuid import UUID

from allauth.usersessions.models import UserSession
from django.core import signing
from django.db.models import Count, Q
from django.http import Http404
from django.utils import timezone

from classrooms.access import classes_owned_by
from classrooms.audit import What, audit
from classrooms.classes import services, teacher_mail, teachers
from classrooms.links import link
from classrooms.locks import Changed, lock
from classrooms.models import AdultDevice, Child, Membership, School, SchoolClass, Teaching, User
from classrooms.privacy import erasure
from classrooms.publishing import try_act

ACCOUNT_KEPT_FOR: Final = erasure.REMOVED_KEPT_FOR
CLOSED_SALT: Final = "classrooms.closed-account"
OWNER, CO_TEACHER = Teaching.Role.OWNER, Teaching.Role.CO_TEACHER
NOBODY: Final = "nobody@school.invalid"
"""An address that cannot exist."""


class CloseRefused(Exception):
    """The account belongs to an operator, or to the last admin of a school."""


def fate_of_classes(user: User) -> Sequence[tuple[SchoolClass, User | None]]:
    """Each class that this adult owns, with its number of children as `child_count`, and its heir.
    Without an heir it is erased with the account."""
    children = Count("children", filter=Q(children__removed_at=None), distinct=True)
    classes = classes_owned_by(user).annotate(child_count=children).order_by("name")
    return [(owned, heir_of(owned, user)) for owned in classes]


def heir_of(school_class: SchoolClass, user: User) -> User | None:
    """The co-teacher who has taught the class longest; None if it has no co-teachers."""
    teachings = Teaching.objects.filter(school_class=school_class, user__is_active=True)
    first = teachings.exclude(user=user).select_related("user").order_by("pk").first()
    return first.user if first else None


def reason_not_to_close(user: User) -> str | None:
    """Why the account cannot be closed: "operator", or "admin" for the last admin of a school. None
    if it can be closed."""
    if user.is_staff or user.is_superuser:
        return "operator"
    membership = Membership.objects.filter(user=user, role=Membership.Role.ADMIN).first()
    return None if membership is None or membership.has_other_admin() else "admin"


def close(user: User) -> str:
    """Close the account, and return the token that opens it again. Raises `CloseRefused`, and
    `Changed` if it is closed already or its school or heirs have just changed."""
    school_and_heirs = _school_and_heirs(user)
    with lock(user, *school_and_heirs) as (now, *_rows), lock(*user.classes.all()):
        # While these accounts are locked, nobody can join a school or get a class.
        if not now.is_active or _school_and_heirs(user) != school_and_heirs:
            raise Changed
        if reason_not_to_close(user):
            raise CloseRefused
        user.closed_at = timezone.now()
        for school_class in classes_owned_by(user):
            _leave_owned(school_class, user)
        for school_class in SchoolClass.objects.filter(
            teachings__user=user, teachings__role=CO_TEACHER
        ):
            teachers.remove(school_class, user.pk, user)
        Membership.objects.filter(user=user).delete()
        user.is_active = False
        user.save(update_fields=("is_active", "closed_at"))
        for session in UserSession.objects.filter(user=user):
            session.end()
        AdultDevice.objects.filter(user=user).delete()
        audit(user, What.ACCOUNT_CLOSED, account=user)
        signed = token_of(user)
        teacher_mail.mail_closed_account(
            user, link("classrooms:reopen_account", signed), deletion_date(user)
        )
    return signed


def _school_and_heirs(user: User) -> set[School | User]:
    heirs = {heir for owned in classes_owned_by(user) if (heir := heir_of(owned, user))}
    return heirs | set(School.objects.filter(memberships__user=user))


def _leave_owned(school_class: SchoolClass, user: User) -> None:
    """Hand a class over to its heir, or archive it if there is none."""
    heir = heir_of(school_class, user)
    if heir is None:
        if school_class.archived_at is None:
            services.archive(school_class, user)
        return
    teachers.inherit(school_class, heir, user)
    teachers.remove(school_class, user.pk, user)
    teacher_mail.mail_inherited_class(heir, school_class)


def token_of(user: User) -> str:
    return signing.dumps([user.pk, _moment(user)], salt=CLOSED_SALT)


def _moment(user: User) -> str:
    return user.closed_at.isoformat() if user.closed_at else ""


def deletion_date(user: User) -> datetime:
    """When the closed account is deleted, or would be if it were closed now."""
    return (user.closed_at or timezone.now()) + ACCOUNT_KEPT_FOR


def account_of_token(token: str) -> User:
    """The closed account that this token opens again, or 404."""
    try:
        user_id, moment = signing.loads(token, salt=CLOSED_SALT, max_age=ACCOUNT_KEPT_FOR)
    except (signing.BadSignature, ValueError, TypeError):
        raise Http404 from None
    user = User.objects.filter(pk=user_id).first()
    if user is None or _moment(user) != moment:
        raise Http404
    return user


def reopen(user: User) -> None:
    """Open a closed account again, and restore the classes that `close` archived. Classes that have
    gone to others stay there."""
    with lock(user) as (account,):
        if account.is_active or account.closed_at is None:
            return
        for school_class in classes_owned_by(user).filter(archived_at__gte=account.closed_at):
            services.restore(school_class, user)
        User.objects.filter(pk=user.pk).update(is_active=True, closed_at=None)
        audit(user, What.ACCOUNT_REOPENED, account=user)


def delete_closed(now: datetime) -> int:
    """Delete the accounts that were closed more than `ACCOUNT_KEPT_FOR` ago, with the classes that
    nobody else teaches, and return their number. An error with one account is logged and does not
    stop the others."""
    long_ago = now - ACCOUNT_KEPT_FOR

    def delete_closed_account(user: User) -> None:
        _delete(user, long_ago)

    users = User.objects.filter(is_active=False, closed_at__lt=long_ago).order_by("pk")
    return sum(try_act(delete_closed_account, user) for user in users)


def _delete(user: User, long_ago: datetime) -> None:
    """Delete the account and its classes in several transactions, so that the work of a task that
    runs out of time is not lost. Raises `Changed` if the account is open again."""
    for school_class in classes_owned_by(user):
        if heir := heir_of(school_class, user):
            with _lock_if_still_closed(user, long_ago, heir, school_class):
                teachers.inherit(school_class, heir, None)
            continue
        for child in Child.all_objects.filter(school_class=school_class):
            with _lock_if_still_closed(user, long_ago):
                erasure.erase_child(child, None)
        with _lock_if_still_closed(user, long_ago, school_class):
            if heir_of(school_class, user):
                raise Changed
            erasure.erase_class(copy(school_class), None)
    with _lock_if_still_closed(user, long_ago, to_delete=True):
        user.delete()


def to_delete_again(was_deleted: Callable[[UUID], bool]) -> Iterator[Callable[[], object]]:
    """For each account in a restored backup that was deleted after the backup was made, a function
    that deletes it again."""
    for user in User.objects.order_by("pk"):
        if was_deleted(erasure.account_id(user)):
            yield partial(_delete_again, user)


def _delete_again(user: User) -> None:
    """Delete the account, whose own classes are erased already. The classes that it still owns had
    gone to an heir. If a class has no heir in the backup, an account without a name owns it."""
    heirs = {owned: heir_of(owned, user) for owned in classes_owned_by(user)}
    rows = [user, *filter(None, heirs.values()), *heirs]
    with lock(*rows, to_delete=True):
        for school_class, heir in heirs.items():
            if heir:
                teachers.inherit(school_class, heir, None)
            else:
                stand_in = User.objects.create_user(NOBODY, is_active=False)
                Teaching.objects.filter(school_class=school_class, user=user).update(user=stand_in)
        user.delete()


@contextmanager
def _lock_if_still_closed(
    user: User, long_ago: datetime, *rows: User | SchoolClass, to_delete: bool = False
) -> Iterator[None]:
    """Lock the account and these rows. Raises `Changed` unless the account is still due for
    deletion."""
    with lock(user, *rows, to_delete=to_delete) as (now, *_rows):
        if now.is_active or now.closed_at is None or now.closed_at >= long_ago:
            raise Changed
        yield
