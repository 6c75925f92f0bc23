"""A teacher's list of classes, and the page of one class."""

from contextlib import suppress
from copy import copy
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.db.models import Count, Exists, OuterRef, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from classrooms import bounds
from classrooms.access import AdultRequest, class_for, classes_of, is_owner, own_class_for
from classrooms.accounts.mail import is_confirmed
from classrooms.accounts.services import needs_proof
from classrooms.assignments.status import count_playable
from classrooms.audit import Page, What, audit, log_view
from classrooms.classes import closing_accounts, services
from classrooms.classes.expiry import purge_days
from classrooms.classes.forms import ClassForm, NamesForm, SettingsForm
from classrooms.lesson.pause import paused_until
from classrooms.locks import lock
from classrooms.models import Membership, SchoolClass, Teaching, WrongTries
from classrooms.models.name_order import class_order
from classrooms.network import client_address, is_within
from classrooms.progress.class_page import class_page
from classrooms.signin import listed_names, wrong_tries
from classrooms.signin.listed_names import MOST_NETWORKS
from classrooms.ui.ask_first import is_sure
from classrooms.undo import success_with_undo
from games.marks import marked


@login_required
@require_GET
def index(request: AdultRequest) -> HttpResponse:
    mine = classes_of(request.user).annotate(
        child_count=Count("children", filter=Q(children__removed_at=None), distinct=True),
    )
    classes = sorted(mine, key=class_order)
    archived = [listed for listed in classes if listed.archived_at]
    erased_on = purge_days(archived) if archived else {}
    assigned = count_playable(classes)
    context = {
        "classes": [(listed, assigned[listed.pk]) for listed in classes if not listed.archived_at],
        "archived": [(listed, erased_on[listed.pk]) for listed in archived],
        "membership": Membership.objects.filter(user=request.user).select_related("school").first(),
    }
    return render(request, "classes/classes.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def new(request: AdultRequest) -> HttpResponse:
    usual = {"language": get_language(), "time_zone": SchoolClass().time_zone}
    form = ClassForm(request.POST or None, initial=usual)
    if not form.is_bound:
        form.fields["time_zone"].widget.attrs["data-own-zone"] = ""
    if request.method == "POST" and form.is_valid():
        school_class = form.save(commit=False)
        try:
            services.create_classes([school_class], request.user)
        except bounds.LimitReached as full:
            form.add_error("name", full.message)
        else:
            return redirect("classrooms:children", school_class.pk)
    return render(request, "classes/class_form.html", {"form": form})


@login_required
@require_GET
def page(request: AdultRequest, class_id: UUID) -> HttpResponse:
    # Only whether there are wrong tries, because most pages do not show them.
    tries = Exists(WrongTries.objects.filter(child__school_class=OuterRef("pk")))
    mine = classes_of(request.user).annotate(has_tries=tries)
    school_class: Any = get_object_or_404(mine, pk=class_id)
    report_page = class_page(school_class, request.GET)
    open_cell = report_page.open_cell
    pages = (Page.CLASS, Page.MOVES) if open_cell else (Page.CLASS,)
    child = open_cell.child if open_cell else None
    log_view(request.user, *pages, school_class=school_class, child=child)
    context = {
        "school_class": school_class,
        "is_owner": school_class.archived_at and is_owner(request.user, school_class),
        "erased_on": purge_days([school_class]).get(class_id) if school_class.archived_at else None,
        "page": report_page,
        "paused_until": paused_until(school_class),
        "locked_out": wrong_tries.tries_of_locked_out(school_class)
        if school_class.has_tries
        else [],
    }
    return render(request, "classes/class.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def edit(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    form = SettingsForm(request.POST or None, instance=school_class)
    if request.method == "POST" and form.is_valid():
        services.change(school_class, form.changed_fields, request.user)
        messages.success(request, _("Saved."))
        return redirect("classrooms:class", school_class.pk)
    # The heading must not show a name that was refused.
    school_class.refresh_from_db()
    return settings_page(request, school_class, form=form)


def settings_page(
    request: AdultRequest, school_class: SchoolClass, **forms: SettingsForm | NamesForm
) -> HttpResponse:
    """The page of a class's settings. `forms` has `form` or `names_form` if it has errors."""
    context = {
        "form": SettingsForm(instance=school_class),
        "names_form": NamesForm(instance=school_class),
        "school_class": school_class,
        "is_owner": is_owner(request.user, school_class),
        "is_in_network": is_within(client_address(request), school_class.networks),
        "most_networks": MOST_NETWORKS,
        **forms,
    }
    return render(request, "classes/class_settings.html", context)


@login_required
@require_POST
def code(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Do what the posted `do` says: make a new class code, take the earlier one back, or close or
    open the class."""
    school_class, user = class_for(request.user, class_id), request.user
    url = reverse("classrooms:edit_class", args=[class_id])
    match request.POST.get("do") or request.GET.get("do"):
        case "rotate":
            services.rotate_code(school_class, user)
            text = _("The class code is now %(code)s. Print the cards again.")
            text %= {"code": school_class.spaced_code}
            undo = reverse("classrooms:class_code", args=[class_id])
            success_with_undo(request, text, f"{undo}?do=former")
        case "former":
            if services.take_code_back(school_class, user):
                text = _("The class code is %(code)s again.")
                messages.success(request, text % {"code": school_class.spaced_code})
            else:
                messages.error(request, _("There is no earlier code to go back to."))
        case "close":
            services.set_closed(school_class, True, user)
            messages.success(request, _("Closed. The code no longer works on new devices."))
        case "open":
            services.set_closed(school_class, False, user)
            messages.success(request, _("Open. The code works on every device."))
        case _nothing:
            messages.error(request, _("Nothing was changed."))
    return redirect(f"{url}#code")


@login_required
@require_POST
@marked(allow_archived=True)
def restore(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = own_class_for(request.user, class_id)
    services.restore(school_class, request.user)
    messages.success(request, _("Restored. The children can play again."))
    return redirect("classrooms:class", school_class.pk)


# The setting for who sees the names of the children after typing the class code.

NOT_ADDED: Final[dict[listed_names.Added, str | Promise]] = {
    "there": gettext_lazy("This network is already on the list."),
    "full": gettext_lazy("There are already four networks. Remove one first."),
    "unknown": gettext_lazy(
        "This site cannot tell which network you are on. Ask the person who runs it."
    ),
}


@login_required
@require_POST
def who_sees_names(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Do what the posted `do` says: save the form, add the network of this request, or remove a
    network."""
    school_class = class_for(request.user, class_id)
    match request.POST.get("do"):
        case "save":
            # A copy: the page shows the stored class, not the typed values.
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
    answer = listed_names.add_network(school_class, client_address(request), request.user)
    if answer == "added":
        messages.success(request, _("Added. On this network the names are listed at any time."))
    else:
        messages.error(request, str(NOT_ADDED[answer]))


def _remove_network(request: AdultRequest, school_class: SchoolClass) -> None:
    network = request.POST.get("network", "")
    if listed_names.remove_network(school_class, network, request.user):
        messages.success(
            request, _("Removed. On that network the names are listed in school hours only.")
        )
    else:
        messages.error(request, _("Nothing was changed."))


# Deleting one's own account, and opening it again while it is only closed.


@needs_proof
@require_http_methods(["GET", "HEAD", "POST"])
def close_account(request: AdultRequest) -> HttpResponse:
    """Show what happens to each class. A POST closes the account."""
    user = request.user
    if request.method == "POST" and is_sure(request):
        with suppress(closing_accounts.CloseRefused):
            signed = closing_accounts.close(user)
            logout(request)
            return redirect("classrooms:reopen_account", signed)
    taught_along = SchoolClass.objects.filter(
        teachings__user=user, teachings__role=Teaching.Role.CO_TEACHER
    )
    context = {
        "reason": closing_accounts.reason_not_to_close(user),
        "classes": closing_accounts.fate_of_classes(user),
        "taught_along": taught_along,
        "days": closing_accounts.KEPT_FOR.days,
        "is_confirmed": is_confirmed(user),
    }
    return render(request, "accounts/close.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def reopen_account(request: HttpRequest, closed: str) -> HttpResponse:
    """The page behind the link that opens a closed account again. Only a POST opens the account,
    because virus scanners follow links too."""
    try:
        user = closing_accounts.account_of_token(closed)
    except Http404:
        return render(request, "accounts/closed_gone.html", status=404)
    if request.method == "POST":
        closing_accounts.reopen(user)
        return render(request, "accounts/open_again.html")
    return render(request, "accounts/closed.html", {"ends": closing_accounts.deletion_date(user)})
