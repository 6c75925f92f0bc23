"""A teacher's pages about the children of a class: names, signing in, settings."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from classrooms.access import (
    AdultRequest,
    any_child_for,
    child_for,
    class_for,
    classes_to_move_to,
    is_owner,
    removed_child_for,
)
from classrooms.accounts.services import needs_proof
from classrooms.credentials import with_labels
from classrooms.locks import Changed
from classrooms.models import Child, KeptAct, SchoolClass
from classrooms.roster import services
from classrooms.roster.child_settings import save_settings, settings_table
from classrooms.roster.forms import PasteForm, RenameForm
from classrooms.roster.roster_page import roster_page
from classrooms.signin import cards, sessions, wrong_tries
from classrooms.signin import services as signin
from classrooms.undo import class_of, keep_act, success_with_undo, undoes


@login_required
@require_POST
def rename(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    """Rename a child in the list."""
    renamed = child_for(request.user, class_id, child_id)
    form = RenameForm(renamed, request.POST)
    if not form.is_valid():
        return roster_page(request, renamed.school_class, PasteForm(renamed.school_class), form)
    query = f"?{request.GET.urlencode()}" if request.GET else ""
    return_url = f"{reverse('classrooms:children', args=[class_id])}{query}"
    return _rename(request, renamed, form.cleaned_data["name"], return_url)


@login_required
@require_http_methods(["GET", "POST"])
def child(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    edited = child_for(request.user, class_id, child_id)
    form = RenameForm(edited, request.POST or None)
    if request.method == "POST" and form.is_valid():
        return_url = reverse("classrooms:child", args=[class_id, child_id])
        return _rename(request, edited, form.cleaned_data["name"], return_url)
    return child_page(request, edited, form)


RENAMED: Final = "child renamed"


def _rename(request: AdultRequest, child: Child, name: str, url: str) -> HttpResponse:
    before = services.rename(child, name, request.user)
    if before == name:
        return redirect(url)
    text = _("%(before)s is now called %(name)s.") % {"before": before, "name": name}
    data = {"child": str(child.pk), "before": before, "after": name}
    success_with_undo(request, text, keep_act(request, RENAMED, url, child.school_class, **data))
    return redirect(url)


@undoes(RENAMED)
def _rename_back(request: AdultRequest, act: KeptAct) -> str:
    child = class_of(act).children.filter(pk=act.data["child"], name=act.data["after"]).first()
    if child is None:
        raise Changed
    services.rename(child, act.data["before"], request.user)
    return _("The name is %(name)s again.") % {"name": act.data["before"]}


def child_page(request: AdultRequest, child: Child, form: RenameForm, **more: Any) -> HttpResponse:
    """The page of one child. `more` is added to its context."""
    context = {
        "school_class": child.school_class,
        "pupil": child,
        "form": form,
        "other_classes": classes_to_move_to(request.user, child.school_class),
        "is_owner": is_owner(request.user, child.school_class),
        "has_others": child.school_class.children.exclude(pk=child.pk).exists(),
        "tries": wrong_tries.tries_of(child),
        **more,
    }
    return render(request, "roster/child.html", context)


# A teacher removes, brings back or erases a child.


@login_required
@require_POST
def remove(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    child = child_for(request.user, class_id, child_id)
    services.remove(child, request.user)
    undo = reverse("classrooms:bring_child_back", args=[class_id, child_id])
    text = _("%(name)s has been removed from the class.") % {"name": child.name}
    success_with_undo(request, text, undo)
    return redirect("classrooms:children", class_id)


@login_required
@require_POST
def bring_back(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    child = removed_child_for(request.user, class_id, child_id)
    services.bring_back(child, request.user)
    messages.success(request, _("%(name)s is back.") % {"name": child.name})
    return redirect("classrooms:children", class_id)


@needs_proof
@require_http_methods(["GET", "POST"])
def erase(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    """Show what is lost if the child is erased. A POST erases them for good."""
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


# How the children of a class sign in: wrong tries, new cards, sign-out.

MESSAGES_FOR_ALL: Final[dict[str, Promise]] = {
    "card": gettext_lazy(
        "All children have new pictures and QR codes. The old cards no longer work."
    ),
    "sign-out": gettext_lazy("Everyone is signed out."),
    "lift": gettext_lazy("The wrong tries have been cleared."),
}
MESSAGES_FOR_ONE: Final[dict[str, Promise]] = {
    "card": gettext_lazy(
        "%(name)s has new pictures and a new QR code. The old card no longer works."
    ),
    "sign-out": gettext_lazy("%(name)s is signed out everywhere."),
    "lift": gettext_lazy("The wrong tries for %(name)s have been cleared."),
}
ACTIONS_WITHOUT_UNDO: Final = {
    "sign-out": sessions.sign_out_children,
    "lift": wrong_tries.clear_tries,
}


def _carry_out(
    request: AdultRequest,
    school_class: SchoolClass,
    children: Sequence[Child],
    confirmations: dict[str, str],
    new_cards: tuple[str, str],
) -> None:
    """Carry out the act of the posted button for these children, and show a message. After a
    renewal, the message has a button that undoes it and the link to the `new_cards`."""
    button, by = request.POST.get("do", ""), request.user
    if button == "card":
        renewal = str(cards.renew(children, by))
        return_url = reverse("classrooms:signing_in", args=[school_class.pk])
        undo = keep_act(request, "cards renewed", return_url, school_class, renewal=renewal)
        success_with_undo(request, confirmations[button], undo, link=new_cards)
    elif button in ACTIONS_WITHOUT_UNDO:
        ACTIONS_WITHOUT_UNDO[button](children, by)
        messages.success(request, confirmations[button])
    else:
        raise BadRequest("No such button.")


@undoes("cards renewed")
def _take_cards_back(request: AdultRequest, act: KeptAct) -> str:
    children = list(Child.all_objects.filter(school_class=class_of(act)))
    if not cards.restore_cards(children, UUID(act.data["renewal"]), request.user):
        raise Changed
    return _("Undone. The earlier cards work again.")


@login_required
@require_http_methods(["GET", "POST"])
def signing_in(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    if request.method == "POST":
        # Removed children too: the old card of a child who comes back must not work.
        children = list(Child.all_objects.filter(school_class=school_class))
        confirmations = {do: str(text) for do, text in MESSAGES_FOR_ALL.items()}
        new_cards = reverse("classrooms:cards", args=[class_id]), _("Print the new cards")
        _carry_out(request, school_class, children, confirmations, new_cards)
        return redirect("classrooms:signing_in", class_id)
    context = {
        "school_class": school_class,
        "child_count": school_class.children.count(),
        "tries": wrong_tries.children_with_many_tries(school_class),
        "wrong_names": wrong_tries.count_wrong_names(school_class),
        "most_wrong_names": signin.TRIES,
        "courses": school_class.courses.exists(),
    }
    return render(request, "roster/signing_in.html", context)


@login_required
@require_POST
def child_signing_in(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    child = child_for(request.user, class_id, child_id)
    confirmations = {do: str(text) % {"name": child.name} for do, text in MESSAGES_FOR_ONE.items()}
    new_card = cards.page_of(child), _("Print the new card")
    _carry_out(request, child.school_class, [child], confirmations, new_card)
    return redirect("classrooms:child", class_id, child_id)


@login_required
@require_POST
def child_pictures(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    """Show the child's pictures. This needs a POST, because each look is logged."""
    child = child_for(request.user, class_id, child_id)
    pictures = cards.look_up_pictures(request.user, child)
    return child_page(request, child, RenameForm(child), pictures=with_labels(pictures))


# The settings of single children of a class: untimed, larger cards, hints, short questions.


@login_required
@require_http_methods(["GET", "POST"])
def child_settings(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    if request.method == "POST":
        save_settings(school_class, request.POST, request.user)
        messages.success(request, _("Saved."))
        return redirect(request.get_full_path())
    context = {
        "school_class": school_class,
        "table": settings_table(request.GET, school_class),
        "hints": Child.Hints.choices,
    }
    return render(request, "roster/child_settings.html", context)
