"""A teacher removes, brings back or erases a child."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from classrooms.access import AdultRequest, any_child_for, child_for
from classrooms.accounts.ways_in.proof import needs_proof
from classrooms.models import Merge
from classrooms.roster import services
from classrooms.ui.undo import say_done


@login_required
@require_POST
def remove(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    child = child_for(request.user, class_id, child_id)
    services.remove(child, request.user)
    undo = reverse("classrooms:bring_child_back", args=[class_id, child_id])
    say_done(request, _("%(name)s has been removed from the class.") % {"name": child.name}, undo)
    return redirect("classrooms:children", class_id)


@login_required
@require_POST
def bring_back(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    child = any_child_for(request.user, class_id, child_id)
    if Merge.objects.filter(child=child).exists():
        raise Http404  # Its games are another child's: only undoing the merge brings it back.
    if services.bring_back(child, request.user):
        messages.success(request, _("%(name)s is back.") % {"name": child.name})
    else:
        text = _("There is now another %(name)s in the class. Rename that child first.")
        messages.error(request, text % {"name": child.name})
    return redirect("classrooms:children", class_id)


@needs_proof
@require_http_methods(["GET", "POST"])
def erase(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    """Erase the child for good, after a page that explains what that means."""
    child = any_child_for(request.user, class_id, child_id)
    if request.method == "POST":
        services.erase(child, request.user)
        messages.success(
            request, _("All data about %(name)s has been deleted.") % {"name": child.name}
        )
        return redirect("classrooms:children", class_id)
    context = {
        "school_class": child.school_class,
        "pupil": child,
        "game_count": child.attempts.count(),
    }
    return render(request, "roster/erase_child.html", context)
