"""A teacher joins a school with a link from one of its admins, and leaves it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from classrooms.access import AdultRequest, school_by_token
from classrooms.accounts import services as accounts
from classrooms.models import Membership, Teaching
from classrooms.schools import services
from classrooms.ui.ask_first import ask_first, is_sure


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, joining: str) -> HttpResponse:
    """Show the page behind the link that lets teachers join a school."""
    try:
        school = school_by_token(joining)
    except Http404:
        return render(request, "schools/joining_gone.html", status=404)
    if request.method == "POST" and request.user.is_authenticated:
        if services.join(school, request.user):
            text = _("You now belong to %(name)s.") % {"name": school.name}
            messages.success(request, text)
        else:
            messages.error(
                request, _("You belong to another school. Ask its admins to remove you.")
            )
        return redirect("classrooms:classes")
    context = {
        "school": school,
        "here": request.path,
        "sign_up_is_open": accounts.is_open_to_the_invited(),
    }
    return render(request, "schools/join.html", context)


@login_required
@require_POST
def leave(request: AdultRequest) -> HttpResponse:
    return_page = redirect("classrooms:classes")
    membership = Membership.objects.select_related("school").filter(user=request.user).first()
    if membership is None:
        messages.error(request, _("You do not belong to a school."))
        return return_page
    name = membership.school.name
    if not is_sure(request):
        return ask_first(
            request,
            heading=_("Leave %(name)s") % {"name": name},
            lost=_what_leaves(membership),
            button=_("Leave the school"),
            back=reverse("classrooms:classes"),
        )
    try:
        services.leave(membership)
    except services.Impossible:
        messages.error(request, _("You are the only admin. Make another teacher an admin first."))
        return return_page
    messages.success(request, _("You no longer belong to %(name)s.") % {"name": name})
    return return_page


def _what_leaves(membership: Membership) -> str:
    text = _("You can only join again with a link from an admin of the school.")
    owned = Teaching.objects.filter(user=membership.user_id, role=Teaching.Role.OWNER).count()
    if not owned:
        return text
    classes = ngettext(
        "%(n)d class that you own leaves the school with you: the admins no longer see it.",
        "%(n)d classes that you own leave the school with you: the admins no longer see them.",
        owned,
    )
    return f"{classes % {'n': owned}} {text}"
