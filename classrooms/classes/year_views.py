"""Pages on which one class ends its school year, or several classes begin a new one."""

from uuid import UUID

from allauth.core.exceptions import ReauthenticationRequired
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from classrooms.access import AdultRequest, class_for, classes_in, classes_owned_by, own_class_for
from classrooms.accounts.services import lacks_proof
from classrooms.audit import What, audit
from classrooms.classes import services, teachers
from classrooms.classes.forms import (
    ARCHIVE,
    CHOICES,
    ERASE,
    HAND_OVER,
    NEXT_YEAR,
    NextYearForm,
    YearEndForm,
    YearForm,
)
from classrooms.classes.teacher_views import hand_over_message, send_invitation
from classrooms.downloads.limits import WorkKind, limited
from classrooms.locks import Changed, lock
from classrooms.models import Attempt, KeptAct, School, SchoolClass, Teaching, User
from classrooms.privacy import erasure
from classrooms.reports import sheets
from classrooms.ui.spreadsheet_files import table_response
from classrooms.undo import class_of, keep_act, success_with_undo, undoes
from games.marks import marked

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
    undo = keep_act(request, "class renamed", return_url, school_class, **names)
    success_with_undo(request, _("%(before)s is now called %(name)s.") % names, undo)
    return redirect(return_url)


@undoes("class renamed")
def _take_name_back(request: AdultRequest, act: KeptAct) -> str:
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
    undo = reverse("classrooms:restore_class", args=[school_class.pk])
    success_with_undo(request, _("%(name)s is archived.") % {"name": school_class.name}, undo)
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
    undo = reverse("classrooms:undo_new_year")
    if school:
        undo = reverse("classrooms:undo_school_new_year", args=[school.pk])
    form = YearForm(classes, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_good:
        n = services.begin_year(classes, form.steps, request.user, school)
        if n:
            text = ngettext(
                "The new year has begun for %(n)d class.",
                "The new year has begun for %(n)d classes.",
                n,
            )
            success_with_undo(request, text % {"n": n}, undo)
        else:
            messages.error(request, _("Nothing was changed."))
        return redirect(above)
    context = {
        "form": form,
        "choices": CHOICES,
        "school": school,
        "above": above,
        "undo": undo,
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
