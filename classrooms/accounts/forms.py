"""allauth's forms where they would look at a password, or send a mail, as often as one asks."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import ChangePasswordForm, ResetPasswordForm
from allauth.core import context
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest

from . import passwords


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

    users: list[AbstractBaseUser]

    def clean_email(self) -> str:
        address: str = super().clean_email()
        self.users = sorted(self.users, key=lambda user: int(user.pk))[:1]
        return address

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        email: str = self.cleaned_data["email"]
        if passwords.may_mail_reset(email):
            super().save(request, **kwargs)
        return email
