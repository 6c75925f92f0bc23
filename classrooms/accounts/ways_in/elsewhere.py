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
    """Who comes back from elsewhere."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        return sign_up.is_open(request, leads_to=sociallogin.state.get("next") or "")

    def is_auto_signup_allowed(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        allowed = all(sign_up.may_use(each.email) for each in sociallogin.email_addresses)
        return bool(allowed and super().is_auto_signup_allowed(request, sociallogin))

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        process = sociallogin.state.get("process")
        if process == AuthProcess.REDIRECT:
            _show_again(request, sociallogin)
        elif process == AuthProcess.LOGIN and not sociallogin.is_existing:
            _not_beside_an_account(request, sociallogin)


def _show_again(request: HttpRequest, sociallogin: SocialLogin) -> None:
    """Someone who is signed in has signed in elsewhere once more, to show who they are."""
    if not request.user.is_authenticated:
        return
    if not sociallogin.is_existing or sociallogin.user != request.user:
        messages.error(request, _("That was another account than the one you are signed in with."))
        return
    said: dict[str, Any] = {"provider": sociallogin.account.provider, "reauthenticated": True}
    record_authentication(request, request.user, method="socialaccount", **said)


def _not_beside_an_account(request: HttpRequest, sociallogin: SocialLogin) -> None:
    """Whose address it is, is known on both sides: an account with a password is there already. It
    is not opened either: the two have never been connected."""
    shown = [each.email for each in sociallogin.email_addresses if each.verified]
    if EmailAddress.objects.lookup(shown).filter(verified=True).exists():
        told = _(
            "You have an account with this address. Sign in with its password, then connect the "
            "other one on the page “Your account”."
        )
        messages.info(request, told)
        raise ImmediateHttpResponse(redirect("account_login"))
