"""The operator's site, with the page *State of the site*."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from classrooms.accounts.admin_site import OperatorSite
from nmbrs_edu.operating import running


class SiteWithState(OperatorSite):
    def get_urls(self) -> list[Any]:
        state = path("state/", self.admin_view(self.state), name="state")
        return [state, *super().get_urls()]

    def state(self, request: HttpRequest) -> HttpResponse:
        """Show whether all parts of the site do their work, and what to do if one does not."""
        return _state(request, self.each_context(request))


@require_safe
@never_cache
def _state(request: HttpRequest, of_site: dict[str, Any]) -> HttpResponse:
    findings = running.all_conditions()
    context = {
        **of_site,
        "title": _("State of the site"),
        "to_do": [finding for finding in findings if not finding.fine],
        "fine": [finding for finding in findings if finding.fine],
    }
    return render(request, "admin/state.html", context)
