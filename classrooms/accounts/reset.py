"""A new password for whoever forgot theirs."""

from allauth.account.forms import ResetPasswordForm
from django.contrib.auth.base_user import AbstractBaseUser


class ResetForm(ResetPasswordForm):
    """One mail at most, however many accounts name the address: to the one that has confirmed it,
    else the oldest."""

    users: list[AbstractBaseUser]

    def clean_email(self) -> str:
        address: str = super().clean_email()
        self.users = sorted(self.users, key=lambda user: int(user.pk))[:1]
        return address
