"""Proof that it is still the same person at the computer, needed before changes to ways of signing
in and before what cannot be undone. Signing in is proof, and so is giving the password, a code or a
passkey again. It is valid for `ACCOUNT_REAUTHENTICATION_TIMEOUT` seconds."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account import app_settings
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.authentication import get_authentication_records
from allauth.account.internal.flows.login import record_authentication
from allauth.core.exceptions import ReauthenticationRequired
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _

ViewFunction = Callable[..., HttpResponse]

SIGNED_IN = "signed in"


@receiver(user_logged_in)
def remember(request: HttpRequest, user: AbstractBaseUser, **kwargs: Any) -> None:
    """Signing in counts as proof, so nobody is asked again right away."""
    record_authentication(request, user, method=SIGNED_IN, reauthenticated=True)


def is_missing(request: HttpRequest) -> bool:
    """Whether the last proof of identity is too old."""
    try:
        return is_required(request)
    except ReauthenticationRequired:
        return True


def needs_proof(view: ViewFunction) -> ViewFunction:
    """Like `login_required`; moreover a post waits until the person has proved who they are, then
    continues with the posted data."""

    @login_required
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method == "POST" and is_missing(request):
            raise ReauthenticationRequired
        return view(request, *args, **kwargs)

    return guarded


def needs_proof_first(view: ViewFunction) -> ViewFunction:
    """The same for a page with a new password, which must not be stored meanwhile: the page itself
    waits, and posted data is dropped."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated and is_missing(request):
            return redirect_to_proof(request, request.path)
        return view(request, *args, **kwargs)

    return guarded


def redirect_to_proof(request: HttpRequest, next_path: str, kind: str = "") -> HttpResponse:
    """Redirect to the first page on which the person can prove who they are, then to `next_path`.
    `kind`: a prefix of the ids of the methods to choose from."""
    from allauth.account.adapter import get_adapter  # It imports this module.

    methods = get_adapter().get_reauthentication_methods(request.user)
    url = next((method["url"] for method in methods if method["id"].startswith(kind)), None)
    return redirect(f"{url or reverse('account_login')}?{urlencode({'next': next_path})}")


def is_required(request: HttpRequest) -> bool:
    """False after a recent proof, which spares allauth six queries for the ways to give one. An
    account with neither a password nor a second step, which allauth always lets through, must have
    signed in with its provider recently; if not, raises `ReauthenticationRequired`."""
    user = request.user
    if not user.is_authenticated:
        return True
    oldest = timezone.now().timestamp() - app_settings.REAUTHENTICATION_TIMEOUT
    if _last_proof_at(request) > oldest:
        return False
    if not DefaultAccountAdapter(request).get_reauthentication_methods(user):
        raise ReauthenticationRequired
    return True


def social_methods(user: AbstractBaseUser | AnonymousUser) -> list[dict[str, Any]]:
    """The method for an account that signs in only with Google or Microsoft."""
    if not user.is_authenticated or not SocialAccount.objects.filter(user_id=user.pk).exists():
        return []
    url = reverse("classrooms:sign_in_again")
    return [{"id": "elsewhere", "description": _("Sign in again"), "url": url}]


def _last_proof_at(request: HttpRequest) -> float:
    """When the person last proved who they are, in seconds; 0 for never."""
    records = get_authentication_records(request, request.user)
    return max((each["at"] for each in records if each.get("reauthenticated")), default=0.0)
