"""Account pages for adults, besides allauth's own."""

from typing import Any
from urllib.parse import urlencode

from allauth.account import views as allauth_views
from allauth.account.internal.flows.reauthentication import resume_request
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.mfa.utils import is_mfa_enabled
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from classrooms.access import AdultRequest
from classrooms.accounts import services, sessions
from classrooms.accounts.forms import DisplayNameForm
from classrooms.accounts.mail import is_confirmed
from classrooms.audit import What, audit
from classrooms.models import User

LOGIN_PROMPTS: dict[str, str] = {"google": "select_account"}
"""The `prompt` that makes these providers ask for the password again. The others understand the
`login` of OpenID Connect."""


@login_required
@require_GET
def sign_in_again(request: AdultRequest) -> HttpResponse:
    """Offer another sign-in with Google or Microsoft to accounts with neither a password nor a
    second step."""
    back = f"{reverse('classrooms:go_on')}?{urlencode({'next': request.GET.get('next', '')})}"
    ids = SocialAccount.objects.filter(user_id=request.user.pk).values_list("provider", flat=True)
    ways = []
    for provider in get_adapter().list_providers(request):
        if provider.id in ids:
            prompt = f"prompt={LOGIN_PROMPTS.get(provider.id, 'login')}"
            url = provider.get_login_url(request, process="redirect", next=back, auth_params=prompt)
            ways.append((provider.name, url))
    return render(request, "account/sign_in_again.html", {"ways": ways})


@login_required
@require_GET
def go_on(request: AdultRequest) -> HttpResponse:
    """Continue the request that waited for the provider's proof of identity."""
    if services.lacks_proof(request):
        return services.redirect_to_proof(request, request.GET.get("next", ""))
    return resume_request(request) or redirect("classrooms:account")


@login_required
@require_GET
def typed_fields(request: AdultRequest) -> HttpResponse:
    form = sessions.typed_form(request)
    if form is None:
        return redirect(settings.LOGIN_REDIRECT_URL)
    return render(request, "account/typed.html", {"typed": form})


@require_http_methods(["GET", "HEAD", "POST"])
def stop_address_change(request: HttpRequest, change: str) -> HttpResponse:
    """The page behind the link in the mail to the old address. Opening it changes nothing, because
    virus scanners open links too."""
    try:
        address_change = services.address_change_of(change)
        if request.method != "POST":
            return render(request, "account/stop_address_change.html", {"change": address_change})
        password_url = services.stop_change(address_change)
    except Http404:
        return render(request, "account/stop_address_change_gone.html", status=404)
    logout(request)
    return redirect(password_url)


def confirm_email(request: HttpRequest, key: str, **kwargs: Any) -> HttpResponse:
    """allauth's page, but only for signed-in users.

    The person who opens the link has access to the mailbox, so it confirms the address for their
    own account, even if a stranger's account caused the mail. If the link alone were enough, the
    owner of an address would confirm it for the stranger.
    """
    confirmation = EmailConfirmationHMAC.from_key(key)
    signs_in_first = settings.ACCOUNT_EMAIL_VERIFICATION != "mandatory"
    if confirmation and confirmation.email_address.user_id != request.user.pk:
        addresses = EmailAddress.objects.filter(email=confirmation.email_address.email)
        own_address = addresses.filter(user=request.user.pk).first() if signs_in_first else None
        if own_address:
            key = EmailConfirmationHMAC(own_address).key
        elif request.user.is_authenticated:
            # allauth would sign them out, so that anybody could sign people out by sending them a
            # link.
            text = _("This link is for another account. Sign out, then open it again.")
            messages.error(request, text)
            return redirect("classrooms:account")
        elif signs_in_first:
            return redirect_to_login(request.path, reverse("account_login"))
    return allauth_views.confirm_email(request, key=key, **kwargs)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def display_name(request: AdultRequest) -> HttpResponse:
    user = User.objects.get(pk=request.user.pk)
    form = DisplayNameForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        if form.changed_data:
            with transaction.atomic():
                user.save(update_fields=("display_name",))
                audit(user, What.NAMED, account=user)
        messages.success(request, _("Saved."))
        return redirect("classrooms:account")
    return render(request, "accounts/display_name.html", {"form": form})


@login_required
@require_GET
def account(request: AdultRequest) -> HttpResponse:
    context = {
        "is_verified": is_confirmed(request.user),
        "has_password": request.user.has_usable_password(),
        "two_steps": is_mfa_enabled(request.user),
    }
    return render(request, "accounts/account.html", context)
