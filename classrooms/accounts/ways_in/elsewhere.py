"""Signing in with Google or Microsoft."""

from typing import Any

from allauth.account.internal.flows.login import record_authentication
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.base.constants import AuthProcess
from django.contrib import messages
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from classrooms.accounts.ways_in import sign_up


class ElsewhereAdapter(DefaultSocialAccountAdapter):
    """Handles users who return from Google or Microsoft."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        return sign_up.is_open(request, leads_to=sociallogin.state.get("next") or "")

    def is_auto_signup_allowed(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        allowed = all(sign_up.may_use(each.email) for each in sociallogin.email_addresses)
        return bool(allowed and super().is_auto_signup_allowed(request, sociallogin))

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        process = sociallogin.state.get("process")
        if process == AuthProcess.REDIRECT:
            _reauthenticate(request, sociallogin)
        elif process == AuthProcess.LOGIN and not sociallogin.is_existing:
            _refuse_second_account(request, sociallogin)


def _reauthenticate(request: HttpRequest, sociallogin: SocialLogin) -> None:
    """A signed-in user has signed in with the provider again, to prove who they are."""
    if not request.user.is_authenticated:
        return
    if not sociallogin.is_existing or sociallogin.user != request.user:
        messages.error(request, _("That is not the account you are signed in with."))
        return
    details: dict[str, Any] = {"provider": sociallogin.account.provider, "reauthenticated": True}
    record_authentication(request, request.user, method="socialaccount", **details)


def _refuse_second_account(request: HttpRequest, sociallogin: SocialLogin) -> None:
    """The verified address already belongs to an account here. It is not signed in to, because the
    two accounts were never connected."""
    verified = [each.email for each in sociallogin.email_addresses if each.verified]
    if EmailAddress.objects.lookup(verified).filter(verified=True).exists():
        text = _(
            "There is already an account with this address. Sign in with its password, then "
            "link the other account under “Your account”."
        )
        messages.info(request, text)
        raise ImmediateHttpResponse(redirect("account_login"))
