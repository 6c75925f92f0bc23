"""A teacher's classes, and the page of one."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count, Exists, OuterRef, Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from classrooms import bounds
from classrooms.access import AdultRequest, class_for, classes_of, is_owner, own_class_for
from classrooms.archive_guard import works_when_archived
from classrooms.assignments.status import number_now
from classrooms.audit import Page, looked
from classrooms.classes import lifecycle
from classrooms.classes.forms import ClassForm, NamesForm, SettingsForm
from classrooms.classes.retention import purge_days
from classrooms.http.network import client_address, is_within
from classrooms.models import Membership, SchoolClass, WrongTries
from classrooms.models.name_order import in_language
from classrooms.progress.pages.class_page import class_page
from classrooms.signin import child_sign_in
from classrooms.signin.names_shown import MOST_NETWORKS
from classrooms.ui.undo import say_done


@login_required
@require_GET
def index(request: AdultRequest) -> HttpResponse:
    mine = classes_of(request.user).annotate(
        child_count=Count("children", filter=Q(children__removed_at=None), distinct=True),
    )
    classes = sorted(mine, key=in_language)
    archived = [each for each in classes if each.archived_at]
    erased_on = purge_days(archived) if archived else {}
    assigned = number_now(classes)
    context = {
        "classes": [(each, assigned[each.pk]) for each in classes if not each.archived_at],
        "archived": [(each, erased_on[each.pk]) for each in archived],
        "membership": Membership.objects.filter(user=request.user).select_related("school").first(),
    }
    return render(request, "classes/classes.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def new(request: AdultRequest) -> HttpResponse:
    form = ClassForm(request.POST or None, initial={"language": get_language()})
    if request.method == "POST" and form.is_valid():
        school_class = form.save(commit=False)
        try:
            lifecycle.make(school_class, request.user)
        except bounds.Full as full:
            form.add_error("name", full.words)
        else:
            return redirect("classrooms:children", school_class.pk)
    return render(request, "classes/class_form.html", {"form": form})


@login_required
@require_GET
def page(request: AdultRequest, class_id: UUID) -> HttpResponse:
    # Avoids the query for wrong tries where there are none.
    tries = Exists(WrongTries.objects.filter(child__school_class=OuterRef("pk")))
    mine = classes_of(request.user).annotate(has_tries=tries)
    school_class: Any = get_object_or_404(mine, pk=class_id)
    report_page = class_page(school_class, request.GET)
    shown = (Page.CLASS, Page.MOVES) if report_page.behind else (Page.CLASS,)
    about = report_page.behind.child if report_page.behind else None
    looked(request.user, *shown, school_class=school_class, child=about)
    context = {
        "school_class": school_class,
        "is_owner": school_class.archived_at and is_owner(request.user, school_class),
        "erased_on": purge_days([school_class]).get(class_id) if school_class.archived_at else None,
        "page": report_page,
        "held": child_sign_in.held(school_class) if school_class.has_tries else [],
    }
    return render(request, "classes/class.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def edit(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    form = SettingsForm(request.POST or None, instance=school_class)
    if request.method == "POST" and form.is_valid():
        lifecycle.change(school_class, form.changed_fields, request.user)
        messages.success(request, _("Saved."))
        return redirect("classrooms:class", school_class.pk)
    # A rejected name must not show in the heading.
    school_class.refresh_from_db()
    return settings_page(request, school_class, form=form)


def settings_page(
    request: AdultRequest, school_class: SchoolClass, **forms: SettingsForm | NamesForm
) -> HttpResponse:
    """The settings of a class; `forms`: `form` or `names_form`, if it has errors."""
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
    """By `do`: a new class code, the earlier one again, or the class closed or opened."""
    school_class, user = class_for(request.user, class_id), request.user
    here = reverse("classrooms:edit_class", args=[class_id])
    match request.POST.get("do") or request.GET.get("do"):
        case "rotate":
            lifecycle.rotate_code(school_class, user)
            text = _("The class code is now %(code)s. Print the cards again.")
            undo = reverse("classrooms:class_code", args=[class_id])
            say_done(request, text % {"code": school_class.spaced_code}, f"{undo}?do=former")
        case "former":
            if lifecycle.take_code_back(school_class, user):
                text = _("The class code is %(code)s again.")
                messages.success(request, text % {"code": school_class.spaced_code})
            else:
                messages.error(request, _("There is no earlier code to go back to."))
        case "close":
            lifecycle.close(school_class, user)
            messages.success(request, _("Closed. The code no longer works on new devices."))
        case "open":
            lifecycle.open_again(school_class, user)
            messages.success(request, _("Open. The code works on every device."))
        case _nothing:
            messages.error(request, _("Nothing was changed."))
    return redirect(f"{here}#code")


@login_required
@require_POST
@works_when_archived
def restore(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = own_class_for(request.user, class_id)
    lifecycle.restore(school_class, request.user)
    messages.success(request, _("Restored. The children can play again."))
    return redirect("classrooms:class", school_class.pk)
