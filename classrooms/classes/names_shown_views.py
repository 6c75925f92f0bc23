"""The settings of a class: who, with its code, sees the names of the children."""

from copy import copy
from typing import Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from classrooms.access import AdultRequest, class_for
from classrooms.audit import What, audit
from classrooms.classes.forms import NamesForm
from classrooms.classes.views import settings_page
from classrooms.http.network import client_address
from classrooms.locks import lock
from classrooms.models import SchoolClass
from classrooms.signin import names_shown

NOT_ADDED: Final[dict[names_shown.Added, str | Promise]] = {
    "there": gettext_lazy("This network is already on the list."),
    "full": gettext_lazy("There are already four networks. Remove one first."),
    "unknown": gettext_lazy(
        "This site cannot tell which network you are on. Ask the person who runs it."
    ),
}


@login_required
@require_POST
def who_sees_names(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """By `do`: save the form, add the network of this request, or remove one."""
    school_class = class_for(request.user, class_id)
    match request.POST.get("do"):
        case "save":
            # A copy, so that the page shows the stored class whatever was typed.
            form = NamesForm(request.POST, instance=copy(school_class))
            if not form.is_valid():
                return settings_page(request, school_class, names_form=form)
            _save(request, form)
        case "add-network":
            _add_network(request, school_class)
        case "remove-network":
            _remove_network(request, school_class)
        case _nothing:
            messages.error(request, _("Nothing was changed."))
    return redirect(reverse("classrooms:edit_class", args=[class_id]) + "#names")


def _save(request: AdultRequest, form: NamesForm) -> None:
    if form.has_changed():
        with lock(form.instance):
            form.save(commit=False).save(update_fields=form.Meta.fields)
            audit(request.user, What.NAMES_SHOWN, school_class=form.instance)
    messages.success(request, _("Saved."))


def _add_network(request: AdultRequest, school_class: SchoolClass) -> None:
    with lock(school_class):
        answer = names_shown.add_network(school_class, client_address(request))
        if answer == "added":
            audit(request.user, What.NAMES_SHOWN, school_class=school_class)
    if answer == "added":
        messages.success(request, _("Added. On this network the names are listed at any time."))
    else:
        messages.error(request, str(NOT_ADDED[answer]))


def _remove_network(request: AdultRequest, school_class: SchoolClass) -> None:
    with lock(school_class):
        removed = names_shown.remove_network(school_class, request.POST.get("network", ""))
        if removed:
            audit(request.user, What.NAMES_SHOWN, school_class=school_class)
    if removed:
        messages.success(
            request, _("Removed. On that network the names are listed in school hours only.")
        )
    else:
        messages.error(request, _("Nothing was changed."))
