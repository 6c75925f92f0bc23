"""The operator's pages: for staff who have passed the second step in this very session."""

from collections.abc import Callable
from typing import Any

from allauth.account.decorators import secure_admin_login
from allauth.account.internal.flows.login import get_authentication_records
from allauth.core.exceptions import ReauthenticationRequired
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from classrooms.accounts.ways_in import proof


class OperatorSite(admin.AdminSite):
    """Django's admin site behind the site's own sign-in.

    The second step is asked for here, where the pages are, and not where one signs in: a session
    that began without it, in whatever way, opens nothing.
    """

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and has_passed_second_step(request)

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Admin pages send everyone here who may not see them."""
        response: HttpResponse = secure_admin_login(_to_second_step)(request)
        return response

    def admin_view(self, view: Callable[..., Any], cacheable: bool = False) -> Any:
        """Changes ask again who it is, as everywhere."""

        def sure(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            if request.method == "POST" and proof.is_missing(request):
                raise ReauthenticationRequired
            return view(request, *args, **kwargs)

        sure.csrf_exempt = getattr(view, "csrf_exempt", False)  # type: ignore[attr-defined]
        return super().admin_view(sure, cacheable)

    def password_change(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> Any:
        return redirect("account_change_password")


def has_passed_second_step(request: HttpRequest) -> bool:
    """Whether a code, a passkey or a key was asked for and given in this session."""
    records = get_authentication_records(request, request.user)
    return any(record.get("method") == "mfa" for record in records)


def _to_second_step(request: HttpRequest) -> HttpResponse:
    """Where staff go who are signed in: on, to the second step, or to setting one up."""
    to = request.GET.get("next", "")
    if not url_has_allowed_host_and_scheme(to, {request.get_host()}) or to == request.path:
        to = reverse("admin:index")
    if has_passed_second_step(request):
        return redirect(to)
    if is_mfa_enabled(request.user, [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]):
        return proof.to_way(request, to, "mfa_")
    told = _("The operator's pages need a second step. Set one up here: an app, or a key.")
    messages.info(request, told)
    return redirect("mfa_index")
