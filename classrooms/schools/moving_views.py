"""Moving a class to another teacher of the school, and undoing it."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from classrooms import bounds
from classrooms.access import AdultRequest, class_in, school_for
from classrooms.accounts.ways_in.proof import needs_proof
from classrooms.archive_guard import works_when_archived
from classrooms.classes.co_teachers import NotTheirs
from classrooms.schools import services
from classrooms.ui.undo import say_done


@needs_proof
@require_POST
@works_when_archived
def move(request: AdultRequest, school_id: UUID, class_id: UUID) -> HttpResponse:
    school = school_for(request.user, school_id)
    school_class = class_in(school, class_id)
    here = redirect("classrooms:school_class", school_id, class_id)
    offered = {str(user.pk): user for user in services.owners_to_be(school, school_class)}
    to = offered.get(request.POST.get("to", ""))
    if to is None:
        messages.error(request, _("Choose the teacher who will own the class."))
        return here
    try:
        moved = services.move_class(school, school_class, to, request.user)
    except bounds.Full as full:
        messages.error(request, full.words)
        return here
    except (services.NotPossible, NotTheirs):
        messages.error(request, _("Nothing was changed. Check who teaches the class now."))
        return here
    text = _("%(name)s now owns %(class)s. The previous owner stays on as a co-teacher.")
    undo = reverse("classrooms:school_move_undo", args=[school_id, class_id, moved])
    say_done(request, text % {"name": to.named, "class": school_class.name}, undo)
    return here


@needs_proof
@require_POST
@works_when_archived
def undo(request: AdultRequest, school_id: UUID, class_id: UUID, moved: str) -> HttpResponse:
    school = school_for(request.user, school_id)
    school_class = class_in(school, class_id)
    if services.undo_move(school, moved, request.user):
        text = _("%(class)s is back with its previous owner.") % {"class": school_class.name}
        messages.success(request, text)
    else:
        messages.error(request, _("This can no longer be undone."))
    return redirect("classrooms:school_class", school_id, class_id)
