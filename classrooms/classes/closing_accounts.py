"""A teacher deletes their own account: it is closed at once, and deleted with the classes that are
left after `KEPT_FOR`; until then a link opens it again.

A class with co-teachers goes to the one who has taught it longest. One without is archived, and is
erased with the account.
"""

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final
from uuid import UUID

import structlog
from allauth.usersessions.models import UserSession
from celery.exceptions import SoftTimeLimitExceeded
from django.core import signing
from django.db import transaction
from django.db.models import Count, Q
from django.http import Http404
from django.utils import timezone

from classrooms.accounts.links import link
from classrooms.audit import What, audit
from classrooms.classes import co_teachers, lifecycle, owners_mail
from classrooms.models import AdultDevice, Child, Membership, SchoolClass, Teaching, User
from classrooms.privacy import erasure

KEPT_FOR: Final = erasure.REMOVED_KEPT_FOR
CLOSED: Final = "classrooms.closed-account"
OWNER, CO_TEACHER = Teaching.Role.OWNER, Teaching.Role.CO_TEACHER
NOBODY: Final = "nobody@school.invalid"
"""The address of no account."""

log = structlog.get_logger(__name__)


class CannotClose(Exception):
    """The account is an operator's, or that of the last admin of a school."""


@dataclass(frozen=True, slots=True)
class ClassLeft:
    """What becomes of a class: it goes to `heir`, or is deleted with its children."""

    school_class: SchoolClass
    child_count: int
    heir: User | None


def classes_left(user: User) -> Sequence[ClassLeft]:
    """What becomes of each class that this adult owns."""
    children = Count("children", filter=Q(children__removed_at=None), distinct=True)
    owned = SchoolClass.objects.filter(teachings__user=user, teachings__role=OWNER)
    return [
        ClassLeft(each, each.child_count, heir_of(each, user))
        for each in owned.annotate(child_count=children).order_by("name")
    ]


def heir_of(school_class: SchoolClass, user: User) -> User | None:
    """The co-teacher who has taught the class longest."""
    others = Teaching.objects.filter(school_class=school_class, user__is_active=True)
    first = others.exclude(user=user).select_related("user").order_by("pk").first()
    return first.user if first else None


def why_not(user: User) -> str | None:
    """Which account cannot be deleted: an operator's, or the last admin's of a school."""
    if user.is_staff or user.is_superuser:
        return "operator"
    membership = Membership.objects.filter(user=user, role=Membership.Role.ADMIN).first()
    return None if membership is None or membership.has_other_admin() else "admin"


def close(user: User) -> str:
    """Close the account; returns the token that opens it again. Raises `CannotClose`."""
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if why_not(user):
            raise CannotClose
        user.closed_at = timezone.now()
        for left in classes_left(user):
            _leave_owned(left.school_class, user)
        for school_class in SchoolClass.objects.filter(
            teachings__user=user, teachings__role=CO_TEACHER
        ):
            co_teachers.remove(school_class, user.pk, user)
        Membership.objects.filter(user=user).delete()
        user.is_active = False
        user.save(update_fields=("is_active", "closed_at"))
        for session in UserSession.objects.filter(user=user):
            session.end()
        AdultDevice.objects.filter(user=user).delete()
        audit(user, What.ACCOUNT_CLOSED, account=user)
        signed = token_of(user)
        owners_mail.mail_closed_account(user, link("classrooms:reopen_account", signed), ends(user))
    return signed


def _leave_owned(school_class: SchoolClass, user: User) -> None:
    """Hand a class over to the heir, or archive it where there is none."""
    co_teachers.locked(school_class)
    heir = heir_of(school_class, user)
    if heir is None:
        if school_class.archived_at is None:
            lifecycle.archive(school_class, user)
        return
    co_teachers.hand_over(school_class, heir, user)
    co_teachers.remove(school_class, user.pk, user)
    owners_mail.mail_inherited_class(heir, school_class)


def token_of(user: User) -> str:
    return signing.dumps([user.pk, _moment(user)], salt=CLOSED)


def _moment(user: User) -> str:
    return user.closed_at.isoformat() if user.closed_at else ""


def ends(user: User) -> datetime:
    """When the closed account is deleted."""
    return (user.closed_at or timezone.now()) + KEPT_FOR


def closed_by(token: str) -> User:
    """The closed account that this token opens again; otherwise 404."""
    try:
        user_id, moment = signing.loads(token, salt=CLOSED, max_age=KEPT_FOR)
    except (signing.BadSignature, ValueError, TypeError):
        raise Http404 from None
    user = User.objects.filter(pk=user_id).first()
    if user is None or _moment(user) != moment:
        raise Http404
    return user


def reopen(user: User) -> None:
    """Undo `close`, but for the classes that went to others."""
    with transaction.atomic():
        closed = User.objects.select_for_update().get(pk=user.pk)
        if closed.is_active or closed.closed_at is None:
            return
        archived = SchoolClass.objects.filter(
            teachings__user=user, teachings__role=OWNER, archived_at__gte=closed.closed_at
        )
        for school_class in archived:
            lifecycle.restore(school_class, user)
        User.objects.filter(pk=user.pk).update(is_active=True, closed_at=None)
        audit(user, What.ACCOUNT_REOPENED, account=user)


def delete_closed(now: datetime) -> int:
    """Delete the accounts that were closed long enough ago, with the classes that nobody else
    teaches; returns how many. An error with one is logged, and does not stop the others."""
    deleted = 0
    for user in User.objects.filter(is_active=False, closed_at__lt=now - KEPT_FOR).order_by("pk"):
        try:
            _delete(user)
            deleted += 1
        except SoftTimeLimitExceeded:
            raise
        except Exception:
            log.exception("closed account not deleted", key=user.pk)
    return deleted


def _delete(user: User) -> None:
    owned = SchoolClass.objects.filter(teachings__user=user, teachings__role=OWNER)
    for school_class in owned:
        if heir := heir_of(school_class, user):
            with transaction.atomic():
                co_teachers.locked(school_class)
                co_teachers.inherit(school_class, heir)
            continue
        for child in Child.everyone.filter(school_class=school_class):
            erasure.erase_child(child)
        erasure.erase_class(copy(school_class))
    user.delete()


def to_delete_again(was_deleted: Callable[[UUID], bool]) -> Iterator[Callable[[], object]]:
    """What deletes the accounts of a restored backup that had been deleted after it."""
    for user in User.objects.order_by("pk"):
        if was_deleted(erasure.account_id(user)):
            yield partial(_delete_again, user)


def _delete_again(user: User) -> None:
    """Classes that were deleted with the account are gone already. Any other went to a teacher:
    where the backup does not know who that was, an account without a name keeps it."""
    with transaction.atomic():
        for school_class in SchoolClass.objects.filter(teachings__user=user, teachings__role=OWNER):
            co_teachers.locked(school_class)
            heir = heir_of(school_class, user)
            if heir is None:
                heir = User.objects.create_user(NOBODY, is_active=False)
                Teaching.objects.create(school_class=school_class, user=heir, role=CO_TEACHER)
            co_teachers.inherit(school_class, heir)
        user.delete()
