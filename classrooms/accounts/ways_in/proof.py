"""Proof that it is still the same person at the computer, before what lets somebody in or cannot be
undone. Signing in is one, and so is typing the password, a code or a passkey again; it is good for
`ACCOUNT_REAUTHENTICATION_TIMEOUT` seconds."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account import app_settings
from allauth.account.internal.flows.login import get_authentication_records, record_authentication
from allauth.account.internal.flows.reauthentication import (
    get_reauthentication_flows,
    is_reauthentication_required,
)
from allauth.core.exceptions import ReauthenticationRequired
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _

View = Callable[..., HttpResponse]

SIGNED_IN = "signed in"


@receiver(user_logged_in)
def remember(request: HttpRequest, user: AbstractBaseUser, **kwargs: Any) -> None:
    """Whoever has just signed in is not asked again at once."""
    record_authentication(request, user, method=SIGNED_IN, reauthenticated=True)


def is_missing(request: HttpRequest) -> bool:
    """Whether it is too long ago that the person showed who they are."""
    try:
        return is_reauthentication_required(request, app="classrooms")
    except ReauthenticationRequired:
        return True


def needs_proof(view: View) -> View:
    """A post to the view waits until the person has shown again who they are; then it goes on with
    what was posted. Put it below `login_required`."""

    @wraps(view)
    def asked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method == "POST" and is_missing(request):
            raise ReauthenticationRequired
        return view(request, *args, **kwargs)

    return asked


def needs_proof_first(view: View) -> View:
    """The same for a page that asks for a new password, which must not be kept meanwhile: the page
    itself waits, and what was posted is forgotten."""

    @wraps(view)
    def asked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated and is_missing(request):
            return to_way(request, request.path)
        return view(request, *args, **kwargs)

    return asked


def to_way(request: HttpRequest, next_path: str, kind: str = "") -> HttpResponse:
    """To the first page on which the person can show who they are, then to `next_path`. `kind`: how
    the ways to choose from begin."""
    from allauth.account.adapter import get_adapter  # It imports this module.

    ways = get_adapter().get_reauthentication_methods(request.user)
    way = next((way["url"] for way in ways if way["id"].startswith(kind)), None)
    return redirect(f"{way or reverse('account_login')}?{urlencode({'next': next_path})}")


def is_asked_of(request: HttpRequest) -> bool:
    """Always; allauth lets everyone through who has neither a password nor a second step. They must
    have signed in elsewhere a short time ago. Raises `ReauthenticationRequired` if not."""
    user = request.user
    if user.is_authenticated and not get_reauthentication_flows(user):
        if _showed(request) >= timezone.now().timestamp() - app_settings.REAUTHENTICATION_TIMEOUT:
            return False
        raise ReauthenticationRequired
    return True


def ways_elsewhere(user: AbstractBaseUser | AnonymousUser) -> list[dict[str, Any]]:
    """The way for an account that signs in with Google or Microsoft alone."""
    if not user.is_authenticated or not SocialAccount.objects.filter(user_id=user.pk).exists():
        return []
    url = reverse("classrooms:sign_in_again")
    return [{"id": "elsewhere", "description": _("Sign in once more"), "url": url}]


def _showed(request: HttpRequest) -> float:
    """When the person last did so, in seconds."""
    records = get_authentication_records(request, request.user)
    return max((each["at"] for each in records if each.get("reauthenticated")), default=0.0)
