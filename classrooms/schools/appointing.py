"""What the operator does in /admin/ with the teachers of a school: logged in their accounts."""

from collections.abc import Callable
from typing import Any

from django.db import transaction

from classrooms.audit import What, audit
from classrooms.models import Membership, School, User


def appoint(school: School, save: Callable[[], Any], by: User) -> None:
    """Let `save` change who belongs to the school, and in which role."""
    with transaction.atomic():
        before = _roles(school)
        save()
        after = _roles(school)
        users = User.objects.in_bulk(before.keys() | after.keys())
        for user_id in before.keys() - after.keys():
            _write(by, What.SCHOOL_LEFT, users[user_id], school)
        for user_id, role in after.items():
            if before.get(user_id) != role:
                _write(by, What.SCHOOL_ROLE, users[user_id], school, role=role)


def _roles(school: School) -> dict[int, str]:
    return dict(Membership.objects.filter(school=school).values_list("user_id", "role"))


def _write(by: User, what: Any, account: User, school: School, **detail: Any) -> None:
    audit(by, what, account=account, as_operator=True, school=school.name, **detail)
