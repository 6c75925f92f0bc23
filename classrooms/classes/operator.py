"""The operator's changes to classes, schools and accounts in /admin/. The audit log shows each of
them to the teachers concerned. A change that would leave a class without an owner is refused."""

from collections.abc import Callable, Iterable
from typing import Any

from allauth.usersessions.models import UserSession
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.forms import BaseInlineFormSet
from django.forms.formsets import DELETION_FIELD_NAME
from django.utils.translation import gettext_lazy, ngettext

from classrooms.audit import What, audit
from classrooms.classes.teacher_mail import mail_operator_change
from classrooms.classes.teachers import end_invitations_of_others
from classrooms.locks import lock
from classrooms.models import AdultDevice, Membership, School, SchoolClass, Teaching, User


class OneOwner(BaseInlineFormSet):
    """The formset of the teachers of a class, exactly one of whom must own it."""

    def clean(self) -> None:
        super().clean()
        if any(self.errors):
            return
        rows = [form.cleaned_data for form in self.forms]
        kept_rows = [row for row in rows if not row.get(DELETION_FIELD_NAME)]
        owners = [row["user"] for row in kept_rows if row.get("role") == Teaching.Role.OWNER]
        if len(owners) != 1 or not owners[0].is_active:
            raise ValidationError(
                gettext_lazy(
                    "A class has exactly one owner, and the owner must be able to sign in."
                )
            )
        self.owner = owners[0]

    def save(self, commit: bool = True) -> Any:
        """Save the teachers. The former owner becomes a co-teacher first, so that the class never
        has two owners."""
        owners = Teaching.objects.filter(school_class=self.instance, role=Teaching.Role.OWNER)
        owners.exclude(user=self.owner).update(role=Teaching.Role.CO_TEACHER)
        return super().save(commit)


def change_teachers(school_class: SchoolClass, save: Callable[[], Any], by: User) -> None:
    """Call `save`, which changes who teaches the class. Log each change for the class and the
    account, and mail the former and the present owner."""
    with lock(school_class):
        changes = _role_changes(Teaching.objects.filter(school_class=school_class), save)
        for user, _before, role in changes:
            if role is None:
                _audit(by, What.TEACHER_REMOVED, school_class, user)
            else:
                _audit(by, What.ROLE_GIVEN, school_class, user, role=role)
        if changes:
            end_invitations_of_others(school_class, by, as_operator=True)
            owners = Teaching.objects.filter(school_class=school_class, role=Teaching.Role.OWNER)
            former = [user for user, before, _role in changes if before == Teaching.Role.OWNER]
            present = [teaching.user for teaching in owners.select_related("user")]
            mail_operator_change({*former, *present} - {by}, school_class)


def change_members(school: School, save: Callable[[], Any], by: User) -> None:
    """Call `save`, which changes the members of the school and their roles, and log the changes in
    the accounts of the teachers."""
    with transaction.atomic():
        for user, _before, role in _role_changes(Membership.objects.filter(school=school), save):
            what = What.SCHOOL_LEFT if role is None else What.SCHOOL_ROLE
            detail: dict[str, Any] = {} if role is None else {"role": role}
            audit(by, what, account=user, as_operator=True, school=school.name, **detail)


def _role_changes(
    rows: QuerySet[Any], save: Callable[[], Any]
) -> list[tuple[User, str | None, str | None]]:
    """Call `save`, and return the users whose roles in these rows it has changed, with the role
    before and the role now; None for no row."""
    before = dict(rows.values_list("user_id", "role"))
    save()
    after = dict(rows.values_list("user_id", "role"))
    users = User.objects.in_bulk(before.keys() | after.keys())
    roles = [(user, before.get(key), after.get(key)) for key, user in users.items()]
    return [(user, former, now) for user, former, now in roles if former != now]


def _audit(
    by: User, what: Any, school_class: SchoolClass, account: User | None, **detail: Any
) -> None:
    audit(by, what, school_class=school_class, account=account, as_operator=True, **detail)


def change_account(user: User, changed: Iterable[str], by: User) -> None:
    """Log the changed fields of the account. If it was switched on or off, its classes log that
    too."""
    entries = {
        "is_active": What.SWITCHED_ON if user.is_active else What.SWITCHED_OFF,
        "is_staff": What.STAFF if user.is_staff else What.STAFF_GONE,
        "email": What.ADDRESS,
    }
    for field in set(changed) & entries.keys():
        audit(by, entries[field], account=user, as_operator=True)
    if "is_active" in changed:
        # The operator's decision replaces that of an owner who has closed the account, so the
        # account is not deleted.
        User.objects.filter(pk=user.pk).update(closed_at=None)
        for school_class in user.classes.all():
            _audit(by, entries["is_active"], school_class, user)
            end_invitations_of_others(school_class, by, as_operator=True)


def sign_out(user: User, by: User) -> None:
    with transaction.atomic():
        for session in UserSession.objects.filter(user=user):
            session.end()
        AdultDevice.objects.filter(user=user).delete()
        audit(by, What.SESSIONS_ENDED, account=user, as_operator=True)


def delete_account(user: User, by: User) -> None:
    """Delete an account, and log that in its classes. Raises `ProtectedError` if it owns a
    class."""
    with transaction.atomic():
        for school_class in user.classes.all():
            _audit(by, What.TEACHER_REMOVED, school_class, user)
        user.delete()


def ownership_problem(user: User) -> str | None:
    """Why the account cannot be deleted, as a sentence; None if it can."""
    count = user.teachings.filter(role=Teaching.Role.OWNER).count()
    if not count:
        return None
    text = ngettext(
        "%(email)s owns %(n)d class. Hand it over or delete it first.",
        "%(email)s owns %(n)d classes. Hand them over or delete them first.",
        count,
    )
    return text % {"email": user.email, "n": count}
