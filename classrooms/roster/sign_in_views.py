"""How the children of a class sign in, for their teacher: wrong tries, new secrets, signing out."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from classrooms.access import AdultRequest, child_for, class_for
from classrooms.credentials.pictures import labelled
from classrooms.models import Child, SchoolClass
from classrooms.roster.forms import RenameForm
from classrooms.roster.views import child_page
from classrooms.signin import child_sign_in, login_cards
from classrooms.ui.undo import say_done
from games.play.posted_values import key

MESSAGES_FOR_ALL: Final[dict[str, Promise]] = {
    "pictures": _("All children have new pictures. Print the cards again."),
    "qr": _("All children have new QR codes. Print the cards again."),
    "sign-out": _("Everyone is signed out."),
    "lift": _("The wrong tries have been cleared."),
}
MESSAGES_FOR_ONE: Final[dict[str, Promise]] = {
    "pictures": _("%(name)s has new pictures. Print the card again."),
    "qr": _("%(name)s has a new QR code. Print the card again."),
    "sign-out": _("%(name)s is signed out everywhere."),
    "lift": _("The wrong tries for %(name)s have been cleared."),
}
RENEWALS: Final = {"pictures": login_cards.renew_pictures, "qr": login_cards.renew_qr_codes}
OTHER_ACTIONS: Final = {"sign-out": child_sign_in.sign_out_children, "lift": child_sign_in.lift}


def _carry_out(
    request: AdultRequest,
    school_class: SchoolClass,
    children: Sequence[Child],
    confirmations: dict[str, str],
) -> None:
    """Carry out the posted button for these children, with a message; a renewal can be undone."""
    asked, by = request.POST.get("do", ""), request.user
    if asked in RENEWALS:
        renewal = RENEWALS[asked](children, by)
        back = reverse("classrooms:signing_in", args=[school_class.pk])
        say_done(request, confirmations[asked], f"{back}?undo={renewal}")
    elif asked in OTHER_ACTIONS:
        OTHER_ACTIONS[asked](children, by)
        messages.success(request, confirmations[asked])
    else:
        raise BadRequest("No such button.")


def _undo(request: AdultRequest, children: Sequence[Child]) -> None:
    renewal = key(request.GET["undo"])
    if renewal is None:
        raise BadRequest("No such renewal.")
    if login_cards.take_back(children, renewal, request.user):
        messages.success(request, _("Undone. The earlier cards work again."))
    else:
        messages.error(request, _("This can no longer be undone."))


@login_required
@require_http_methods(["GET", "POST"])
def page(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    if request.method == "POST":
        # Removed ones too: a child that is brought back must not have its former card.
        children = list(Child.everyone.filter(school_class=school_class))
        if "undo" in request.GET:
            _undo(request, children)
        else:
            _carry_out(
                request,
                school_class,
                children,
                {do: str(text) for do, text in MESSAGES_FOR_ALL.items()},
            )
        return redirect("classrooms:signing_in", class_id)
    context = {
        "school_class": school_class,
        "child_count": school_class.children.count(),
        "tries": child_sign_in.many_tries(school_class),
        "wrong_names": child_sign_in.many_wrong_names(school_class),
        "most_wrong_names": child_sign_in.TRIES,
    }
    return render(request, "roster/signing_in.html", context)


@login_required
@require_POST
def child_signing_in(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    child = child_for(request.user, class_id, child_id)
    confirmations = {do: str(text) % {"name": child.name} for do, text in MESSAGES_FOR_ONE.items()}
    _carry_out(request, child.school_class, [child], confirmations)
    return redirect("classrooms:child", class_id, child_id)


@login_required
@require_POST
def child_pictures(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    """Show the pictures; a post, since each look is logged."""
    child = child_for(request.user, class_id, child_id)
    seen = login_cards.look_up_pictures(request.user, child)
    return child_page(request, child, RenameForm(child), pictures=labelled(seen))
