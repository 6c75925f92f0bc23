"""Deleting one's own account, and opening it again as long as it is only closed."""

from contextlib import suppress

from django.contrib.auth import logout
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from classrooms.access import AdultRequest
from classrooms.accounts.mail import is_confirmed
from classrooms.accounts.ways_in.proof import needs_proof
from classrooms.classes import closing_accounts
from classrooms.models import SchoolClass, Teaching
from classrooms.ui.confirmation import is_sure


@needs_proof
@require_http_methods(["GET", "HEAD", "POST"])
def close(request: AdultRequest) -> HttpResponse:
    """Says what becomes of each class; the post closes the account."""
    user = request.user
    if request.method == "POST" and is_sure(request):
        with suppress(closing_accounts.CannotClose):
            signed = closing_accounts.close(user)
            logout(request)
            return redirect("classrooms:reopen_account", signed)
    taught_along = SchoolClass.objects.filter(
        teachings__user=user, teachings__role=Teaching.Role.CO_TEACHER
    )
    context = {
        "reason": closing_accounts.why_not(user),
        "classes": closing_accounts.classes_left(user),
        "taught_along": taught_along,
        "days": closing_accounts.KEPT_FOR.days,
        "is_confirmed": is_confirmed(user),
    }
    return render(request, "accounts/close.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def reopen(request: HttpRequest, closed: str) -> HttpResponse:
    """The page behind the link that opens a closed account again. Only a post does so, because
    virus scanners open links too."""
    try:
        user = closing_accounts.closed_by(closed)
    except Http404:
        return render(request, "accounts/closed_gone.html", status=404)
    if request.method == "POST":
        closing_accounts.reopen(user)
        return render(request, "accounts/open_again.html")
    return render(request, "accounts/closed.html", {"ends": closing_accounts.ends(user)})
