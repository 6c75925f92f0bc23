"""A teacher's list of classes, and the page of one class."""

from contextlib import suppress
from copy import copy
from typing import Any, Final
from uuid import UUID

from allauth.core.exceptions import ReauthenticationRequired
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from classrooms import bounds
from classrooms.access import (
    AdultRequest,
    class_for,
    classes_in,
    classes_of,
    classes_owned_by,
    is_owner,
    own_class_for,
)
from classrooms.accounts.mail import is_confirmed
from classrooms.accounts.services import lacks_proof, needs_proof
from classrooms.assignments.status import count_playable
from classrooms.audit import Page, What, audit, log_view
from classrooms.classes import closing_accounts, services, teachers
from classrooms.classes.expiry import purge_days
from classrooms.classes.forms import (
    ARCHIVE,
    CHOICES,
    ERASE,
    HAND_OVER,
    NEXT_YEAR,
    ClassForm,
    NamesForm,
    NextYearForm,
    SettingsForm,
    YearEndForm,
    YearForm,
)
from classrooms.classes.teacher_views import hand_over_message, send_invitation
from classrooms.downloads.limits import WorkKind, limited
from classrooms.lesson.pause import paused_until
from classrooms.locks import Changed, lock
from classrooms.models import (
    Attempt,
    KeptAct,
    Membership,
    School,
    SchoolClass,
    Teaching,
    User,
    WrongTries,
)
from classrooms.models.name_order import class_order
from classrooms.network import client_address, is_within
from classrooms.privacy import erasure
from classrooms.progress.class_page import class_page
from classrooms.reports import sheets
from classrooms.signin import listed_names, wrong_tries
from classrooms.signin.listed_names import MOST_NETWORKS
from classrooms.ui.ask_first import is_sure
from classrooms.ui.spreadsheet_files import table_response
from classrooms.undo import class_of, keep_act, success_with_undo, undoes_act
from games.marks import marked


@login_required
@require_GET
def index(request: AdultRequest) -> HttpResponse:
    mine = classes_of(request.user).annotate(
        child_count=Count("children", filter=Q(children__removed_at=None), distinct=True)
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
    has_tries = school_class.has_tries
    many_tries = wrong_tries.children_with_many_tries(school_class) if has_tries else []
    log_view(request.user, *pages, school_class=school_class, child=child)
    context = {
        "school_class": school_class,
        "is_owner": school_class.archived_at and is_owner(request.user, school_class),
        "erased_on": purge_days([school_class]).get(class_id) if school_class.archived_at else None,
        "page": report_page,
        "paused_until": paused_until(school_class),
        "locked_out": [tries for tries in many_tries if tries.is_locked_out],
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
            undo_url = reverse("classrooms:class_code", args=[class_id])
            success_with_undo(request, text, f"{undo_url}?do=former")
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
        "days": closing_accounts.ACCOUNT_KEPT_FOR.days,
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


# At the end of its year, a class goes on under another name, or is archived, handed over or erased.
# Its reports can be exported first.


@login_required
@require_http_methods(["GET", "POST"])
@marked(allow_archived=True)
def year_end(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = own_class_for(request.user, class_id)
    goes_on = request.POST.get("what") == NEXT_YEAR
    next_year = NextYearForm(school_class, request.POST if goes_on else None)
    if goes_on and not school_class.archived_at and next_year.is_valid():
        return _go_on(request, school_class, next_year.name_now)
    is_end = request.method == "POST" and not goes_on
    form = YearEndForm(school_class, request.POST if is_end else None)
    if is_end and form.is_valid():
        if form.cleaned_data["what"] != ARCHIVE and lacks_proof(request):
            raise ReauthenticationRequired
        return _end_year(request, school_class, form)
    context = {
        "school_class": school_class,
        "form": form,
        "next_year": next_year,
        "name_now": next_year.name_now,
        "child_count": school_class.children.count(),
        "assignment_count": school_class.assignments.count(),
        "game_count": Attempt.objects.filter(assignment__school_class=school_class).count(),
    }
    return render(request, "classes/year_end.html", context)


def _go_on(request: AdultRequest, school_class: SchoolClass, before: str) -> HttpResponse:
    services.change(school_class, ["name"], request.user)
    return_url = reverse("classrooms:class", args=[school_class.pk])
    names = {"before": before, "name": school_class.name}
    undo_url = keep_act(request, take_name_back, return_url, school_class, **names)
    success_with_undo(request, _("%(before)s is now called %(name)s.") % names, undo_url)
    return redirect(return_url)


@undoes_act
def take_name_back(request: AdultRequest, act: KeptAct) -> str:
    with lock(own_class_for(request.user, class_of(act).pk)) as (now,):
        if now.name != act.data["name"]:
            raise Changed
        now.name = act.data["before"]
        services.change(now, ["name"], request.user)
    return _("The class is %(name)s again.") % {"name": now.name}


def _end_year(request: AdultRequest, school_class: SchoolClass, form: YearEndForm) -> HttpResponse:
    by = request.user
    action, to = form.cleaned_data["what"], form.cleaned_data["to"]
    if action == ERASE:
        erasure.erase_class(school_class, by)
        text = _("%(name)s and all its data have been deleted.")
        messages.success(request, text % {"name": school_class.name})
        return redirect("classrooms:classes")
    if action == HAND_OVER and to:
        user = User.objects.get(pk=to)
        teachers.hand_over(school_class, user, by)
        messages.success(request, hand_over_message(user))
        return redirect("classrooms:teachers", school_class.pk)
    if action == HAND_OVER:
        send_invitation(request, school_class, form.cleaned_data["email"], Teaching.Role.OWNER)
        return redirect("classrooms:teachers", school_class.pk)
    services.archive(school_class, by)
    undo_url = reverse("classrooms:restore_class", args=[school_class.pk])
    success_with_undo(request, _("%(name)s is archived.") % {"name": school_class.name}, undo_url)
    return redirect("classrooms:classes")


@login_required
@require_GET
@limited(WorkKind.EXPORT, "GET")
def export(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Return all children's reports as a table, and log the export."""
    school_class = class_for(request.user, class_id)
    audit(request.user, What.EXPORTED, school_class=school_class, file="class-csv")
    head, rows = sheets.class_table(school_class)
    return table_response(request, school_class.name, head, rows)


@login_required
@require_http_methods(["GET", "POST"])
def new_year(request: AdultRequest) -> HttpResponse:
    return new_year_page(request)


@login_required
@require_POST
def undo_new_year(request: AdultRequest) -> HttpResponse:
    return undo_new_year_page(request)


def _scope(request: AdultRequest, school: School | None) -> tuple[QuerySet[SchoolClass], str]:
    """The classes of the school, or of this teacher, that can begin a new year, and the address of
    the page that lists them."""
    if school:
        return classes_in(school), reverse("classrooms:school", args=[school.pk])
    return classes_owned_by(request.user), reverse("classrooms:classes")


def new_year_page(request: AdultRequest, school: School | None = None) -> HttpResponse:
    classes, above = _scope(request, school)
    undo_url = reverse("classrooms:undo_new_year")
    if school:
        undo_url = reverse("classrooms:undo_school_new_year", args=[school.pk])
    form = YearForm(classes, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_good:
        n = services.begin_year(classes, form.steps, request.user, school)
        if n:
            text = ngettext(
                "The new year has begun for %(n)d class.",
                "The new year has begun for %(n)d classes.",
                n,
            )
            success_with_undo(request, text % {"n": n}, undo_url)
        else:
            messages.error(request, _("Nothing was changed."))
        return redirect(above)
    context = {
        "form": form,
        "choices": CHOICES,
        "school": school,
        "above": above,
        "undo": undo_url,
        "begun": services.year_to_undo(request.user, school),
    }
    return render(request, "classes/new_year.html", context)


def undo_new_year_page(request: AdultRequest, school: School | None = None) -> HttpResponse:
    classes, above = _scope(request, school)
    new_year = services.year_to_undo(request.user, school)
    n = services.undo_year(new_year, classes, request.user, school) if new_year else 0
    if n:
        text = ngettext(
            "%(n)d class is as it was before.", "%(n)d classes are as they were before.", n
        )
        messages.success(request, text % {"n": n})
    else:
        messages.error(request, _("That can no longer be undone."))
    return redirect(above)
