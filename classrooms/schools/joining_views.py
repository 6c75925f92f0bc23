"""Joining a school, and leaving it again."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from classrooms.access import AdultRequest, school_behind
from classrooms.accounts.ways_in import sign_up
from classrooms.models import Membership, Teaching
from classrooms.schools import services
from classrooms.ui.confirmation import ask_first, is_sure


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, joining: str) -> HttpResponse:
    """The page behind the link by which teachers join a school."""
    try:
        school = school_behind(joining)
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
        "sign_up_is_open": sign_up.is_open_to_the_invited(),
    }
    return render(request, "schools/join.html", context)


@login_required
@require_POST
def leave(request: AdultRequest) -> HttpResponse:
    """Leave one's own school; the classes that one owns go along."""
    back = redirect("classrooms:classes")
    membership = Membership.objects.select_related("school").filter(user=request.user).first()
    if membership is None:
        messages.error(request, _("You do not belong to a school."))
        return back
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
    except services.NotPossible:
        messages.error(request, _("You are the only admin. Make another teacher an admin first."))
        return back
    messages.success(request, _("You no longer belong to %(name)s.") % {"name": name})
    return back


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
