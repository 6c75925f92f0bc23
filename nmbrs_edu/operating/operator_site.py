"""The operator's site, `/admin/`."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.authentication import get_authentication_records
from allauth.account.decorators import secure_admin_login
from allauth.core.exceptions import ReauthenticationRequired
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from classrooms.accounts import services as accounts
from classrooms.links import internal_path
from nmbrs_edu.operating import running


class OperatorSite(admin.AdminSite):
    """Django's admin behind this site's own sign-in, with the page *State of the site*. Each page
    requires that the second step was passed in this session, in whichever way the session began."""

    def get_urls(self) -> list[Any]:
        state = path("state/", self.admin_view(require_safe(never_cache(self.state))), name="state")
        return [state, *super().get_urls()]

    def state(self, request: HttpRequest) -> HttpResponse:
        """Show which parts of the site do their work, and what to do about the others."""
        findings = running.check_all()
        context = {
            **self.each_context(request),
            "title": _("State of the site"),
            "to_do": [finding for finding in findings if not finding.is_fine],
            "fine": [finding for finding in findings if finding.is_fine],
        }
        return render(request, "admin/state.html", context)

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and has_passed_second_step(request)

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Sign in, then pass the second step. Admin pages redirect everybody who may not see them
        to this page."""
        response: HttpResponse = secure_admin_login(_redirect_to_second_step)(request)
        return response

    def admin_view(self, view: Callable[..., Any], cacheable: bool = False) -> Any:
        """Require a recent proof of identity before a change, as everywhere on the site."""

        @wraps(view)
        def with_proof(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            if request.method == "POST" and accounts.lacks_proof(request):
                raise ReauthenticationRequired
            return view(request, *args, **kwargs)

        return super().admin_view(with_proof, cacheable)

    def autocomplete_view(self, request: HttpRequest) -> HttpResponse:
        """Complete only fields of these pages. Django's view would list the rows of any model, such
        as all children's names, without a log entry."""
        field = tuple(request.GET.get(part) for part in ("app_label", "model_name", "field_name"))
        if field not in self._autocomplete_fields():
            raise PermissionDenied
        return super().autocomplete_view(request)

    def _autocomplete_fields(self) -> set[tuple[str | None, ...]]:
        """App, model and name of each field that these pages and their inlines complete."""
        pages: list[Any] = [
            options for page in self._registry.values() for options in (page, *page.inlines)
        ]
        return {
            (page.model._meta.app_label, page.model._meta.model_name, field)
            for page in pages
            for field in page.autocomplete_fields
        }

    def password_change(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> Any:
        return redirect("account_change_password")


def has_passed_second_step(request: HttpRequest) -> bool:
    """Whether a second step (code, passkey or security key) was passed in this session."""
    records = get_authentication_records(request, request.user)
    return any(record.get("method") == "mfa" for record in records)


def _redirect_to_second_step(request: HttpRequest) -> HttpResponse:
    """Redirect signed-in staff to the second step, or to the page where they can set one up; after
    it, to the page that they asked for."""
    next_path = internal_path(request, request.GET.get("next", ""))
    if not next_path or next_path == request.path:
        next_path = reverse("admin:index")
    if has_passed_second_step(request):
        return redirect(next_path)
    if is_mfa_enabled(request.user, [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]):
        return accounts.redirect_to_proof(request, next_path, "mfa_")
    text = _(
        "The operator’s pages need a second sign-in step. Set one up here, with an app or a key."
    )
    messages.info(request, text)
    return redirect("mfa_index")
