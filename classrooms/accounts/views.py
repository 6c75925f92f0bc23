"""Pages of an adult's account beside those of allauth."""

from typing import Any, cast
from urllib.parse import urlencode

from allauth.account import views as allauth_views
from allauth.account.internal.flows.reauthentication import resume_request
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.mfa.utils import is_mfa_enabled
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from classrooms.accounts import sessions
from classrooms.accounts.ways_in import changed_addresses, proof
from classrooms.models import User

SHOWN_AGAIN: dict[str, str] = {"google": "select_account"}
"""What a provider is told so that it asks once more; all others know `login` (OpenID Connect)."""


@login_required
@require_GET
def sign_in_again(request: HttpRequest) -> HttpResponse:
    """For whoever has neither a password nor a second step: Google or Microsoft asks again."""
    back = f"{reverse('classrooms:go_on')}?{urlencode({'next': request.GET.get('next', '')})}"
    known = SocialAccount.objects.filter(user_id=request.user.pk).values_list("provider", flat=True)
    ways = []
    for provider in get_adapter().list_providers(request):
        if provider.id in known:
            asked = f"prompt={SHOWN_AGAIN.get(provider.id, 'login')}"
            url = provider.get_login_url(request, process="redirect", next=back, auth_params=asked)
            ways.append((provider.name, url))
    return render(request, "account/sign_in_again.html", {"ways": ways})


@login_required
@require_GET
def go_on(request: HttpRequest) -> HttpResponse:
    """Back from elsewhere: on with what had to wait, if the person has shown who they are."""
    if proof.is_missing(request):
        return proof.to_way(request, request.GET.get("next", ""))
    return resume_request(request) or redirect("classrooms:account")


@login_required
@require_GET
def typed(request: HttpRequest) -> HttpResponse:
    """What was typed when the session ended, to be sent once more or not."""
    found = sessions.typed_before(request)
    if found is None:
        return redirect(settings.LOGIN_REDIRECT_URL)
    return render(request, "account/typed.html", {"typed": found})


@require_http_methods(["GET", "HEAD", "POST"])
def stop_address_change(request: HttpRequest, change: str) -> HttpResponse:
    """What the link in the mail to the old address opens. Opening it changes nothing, since
    programs that look for viruses do."""
    try:
        found = changed_addresses.change_of(change)
        if request.method != "POST":
            return render(request, "account/stop_address_change.html", {"change": found})
        choose_a_password = changed_addresses.stop(found)
    except Http404:
        return render(request, "account/stop_address_change_gone.html", status=404)
    logout(request)
    return redirect(choose_a_password)


def confirm_email(request: HttpRequest, key: str, **kwargs: Any) -> HttpResponse:
    """allauth's page, for who is signed in. Whoever opens the link has the mailbox: it confirms the
    address for their own account, even if it was sent because of a stranger's. With the link alone
    a stranger who made an account with somebody's address would be given it by that somebody."""
    found = EmailConfirmationHMAC.from_key(key)
    signs_in_first = settings.ACCOUNT_EMAIL_VERIFICATION != "mandatory"
    if found and signs_in_first and found.email_address.user_id != request.user.pk:
        same = EmailAddress.objects.filter(email=found.email_address.email, verified=False)
        own = same.filter(user=request.user.pk).first()
        if own is None:
            logout(request)
            return redirect_to_login(request.path, reverse("account_login"))
        key = EmailConfirmationHMAC(own).key
    return allauth_views.confirm_email(request, key=key, **kwargs)


@login_required
@require_GET
def account(request: HttpRequest) -> HttpResponse:
    user = cast(User, request.user)
    verified = EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True)
    context = {
        "is_verified": verified.exists(),
        "has_password": user.has_usable_password(),
        "two_steps": is_mfa_enabled(user),
    }
    return render(request, "accounts/account.html", context)
