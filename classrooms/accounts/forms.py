"""allauth's forms where they would look at a password, or send a mail, as often as one asks."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import ChangePasswordForm, ResetPasswordForm
from allauth.core import context
from django.http import HttpRequest

from classrooms.accounts.limits import passwords
from classrooms.models import User

from .backend import accounts_of


class CountedChangePasswordForm(ChangePasswordForm):
    """The present password is looked at as often as it would be at signing in."""

    def clean_oldpassword(self) -> str:
        typed = self.cleaned_data.get("oldpassword", "")
        if not passwords.check(context.request, self.user, typed):
            raise get_adapter().validation_error("enter_current_password")
        return str(typed)


class SpacedResetPasswordForm(ResetPasswordForm):
    """One mail at most, however many accounts name the address: to the one that has confirmed it,
    else the oldest. Within five minutes no second one is sent to the same address. The answer is
    the same, for a link is on its way: whoever asked for it."""

    users: list[User]

    def clean_email(self) -> str:
        address: str = super().clean_email()
        # Not allauth's choice, which may be an account that only waits for the address.
        self.users = [user for user in accounts_of(address) if user.is_active][:1]
        return address

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        email: str = self.cleaned_data["email"]
        if passwords.may_mail_reset(email):
            super().save(request, **kwargs)
        return email
