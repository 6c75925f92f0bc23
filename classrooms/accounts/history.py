"""Logs what happens to an adult's account: sign-ins, and changes to how one signs in.

No device address is stored, only the browser. Wrong passwords are logged once an hour per account,
so that nobody can fill the log, and with the same queries for an address without an account.
"""

from collections.abc import Iterable
from typing import Any

from allauth.account import signals as account
from allauth.mfa import signals as mfa
from allauth.socialaccount import signals as elsewhere
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest

from classrooms.audit import What, audit_account
from classrooms.models import User

from .backend import accounts_of
from .browsers import device_of


@receiver(user_logged_in)
def signed_in(request: HttpRequest | None, user: User, **kwargs: Any) -> None:
    audit_account(user, What.SIGNED_IN, user, device=_device(request))


@receiver(user_login_failed)
def wrong_password(credentials: dict[str, Any], **kwargs: Any) -> None:
    """Log it for the account that has confirmed the address, otherwise for the oldest."""
    typed = credentials.get("email") or credentials.get("username") or ""
    account = next(iter(accounts_of(str(typed))), None)
    audit_account(None, What.WRONG_PASSWORD, account, hourly=True)


def log_wrong_passwords(accounts: Iterable[User]) -> None:
    """A password matched another account with the same address. Only the account that has confirmed
    the address gets an entry: the others must not learn who else uses it."""
    for user in accounts:
        if getattr(user, "is_confirmed", False):
            audit_account(None, What.WRONG_PASSWORD, user, hourly=True)


@receiver(mfa.authentication_failed)
def wrong_step(user: User, **kwargs: Any) -> None:
    audit_account(None, What.WRONG_STEP, user, hourly=True)


@receiver((account.password_changed, account.password_set))
def password(user: User, **kwargs: Any) -> None:
    audit_account(user, What.PASSWORD, user)


@receiver(account.password_reset)
def new_password(user: User, **kwargs: Any) -> None:
    audit_account(user, What.NEW_PASSWORD, user)


@receiver(account.email_added)
def address_asked(user: User, **kwargs: Any) -> None:
    audit_account(user, What.ADDRESS_ASKED, user)


@receiver(account.email_changed)
def address(user: User, **kwargs: Any) -> None:
    audit_account(user, What.ADDRESS, user)


@receiver(mfa.authenticator_added)
def second_step(user: User, authenticator: Any, **kwargs: Any) -> None:
    audit_account(user, What.SECOND_STEP, user, step=str(authenticator.type))


@receiver(mfa.authenticator_removed)
def second_step_gone(user: User, authenticator: Any, **kwargs: Any) -> None:
    audit_account(user, What.SECOND_STEP_GONE, user, step=str(authenticator.type))


@receiver(mfa.authenticator_reset)
def codes(user: User, **kwargs: Any) -> None:
    audit_account(user, What.CODES, user)


@receiver(elsewhere.social_account_added)
def connected(sociallogin: Any, **kwargs: Any) -> None:
    provider = str(sociallogin.account.provider)
    audit_account(sociallogin.user, What.CONNECTED, sociallogin.user, provider=provider)


@receiver(elsewhere.social_account_removed)
def disconnected(socialaccount: Any, **kwargs: Any) -> None:
    provider = str(socialaccount.provider)
    audit_account(socialaccount.user, What.DISCONNECTED, socialaccount.user, provider=provider)


def _device(request: HttpRequest | None) -> str:
    return device_of(request.META.get("HTTP_USER_AGENT", "")) if request else ""
