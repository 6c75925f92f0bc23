"""What an admin does with a class that touches single children: each with a reason or a name typed,
and in the log of the class."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from classrooms.access import AdultRequest, class_in, class_in_school_for, school_for
from classrooms.accounts.ways_in.proof import needs_proof
from classrooms.archive_guard import works_when_archived
from classrooms.audit import Page, What, audit, looked
from classrooms.classes.owners_mail import mail_erased_class
from classrooms.downloads import heavy_work
from classrooms.downloads.heavy_work import counted
from classrooms.models import Attempt, User
from classrooms.privacy import erasure
from classrooms.privacy.audit_words import REASONS
from classrooms.progress.figures.class_figures import children_of
from classrooms.progress.pages.child_page import child_page
from classrooms.reports.tables import class_table
from classrooms.schools import school_files
from classrooms.schools.forms import EraseForm, OneChildForm, ReasonForm
from classrooms.ui.spreadsheet_files import csv_response


@needs_proof
@require_http_methods(["GET", "HEAD", "POST"])
@works_when_archived
def child(request: AdultRequest, school_id: UUID, class_id: UUID) -> HttpResponse:
    """The figures of one child, once the reason is given."""
    school, school_class = class_in_school_for(request.user, school_id, class_id)
    children = children_of(school_class)
    form = OneChildForm(children, request.POST if request.method == "POST" else None)
    context = {"school": school, "of_class": school_class, "form": form}
    if form.is_valid():
        chosen, reason = form.cleaned_data["child"], form.cleaned_data["reason"]
        audit(request.user, What.LOOKED, child=chosen, for_school=True, reason=reason)
        context |= {
            "child": chosen,
            "page": child_page(chosen, children),
            "reason": REASONS[reason],
        }
        return render(request, "schools/child_figures.html", context)
    looked(request.user, Page.CLASS, school_class=school_class, for_school=True)
    return render(request, "schools/one_child.html", context)


@needs_proof
@require_POST
@works_when_archived
@counted(heavy_work.WorkKind.EXPORT, "POST")
def export_class(request: AdultRequest, school_id: UUID, class_id: UUID) -> HttpResponse:
    """The report of each child of a class as CSV, once the reason is given."""
    school_class = class_in(school_for(request.user, school_id), class_id)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose a reason first. No file was made."))
        return redirect("classrooms:school_class", school_id, class_id)
    reason = form.cleaned_data["reason"]
    audit(
        request.user,
        What.EXPORTED,
        school_class=school_class,
        for_school=True,
        file="class-csv",
        reason=reason,
    )
    head, rows = class_table.as_rows(school_class)
    return csv_response(school_class.name, head, rows)


@login_required
@require_GET
@counted(heavy_work.WorkKind.EXPORT, "GET")
def export_school(request: AdultRequest, school_id: UUID) -> HttpResponse:
    """The list of classes as CSV, with the figures that the page shows."""
    school = school_for(request.user, school_id)
    head, rows = school_files.classes_table(school)
    return csv_response(school.name, head, rows)


@needs_proof
@require_http_methods(["GET", "HEAD", "POST"])
@works_when_archived
def erase(request: AdultRequest, school_id: UUID, class_id: UUID) -> HttpResponse:
    """Erase a class for good; the page says first what will be lost."""
    school = school_for(request.user, school_id)
    school_class = class_in(school, class_id)
    form = EraseForm(school_class, request.POST if request.method == "POST" else None)
    if form.is_valid():
        teachers = list(User.objects.filter(teachings__school_class=school_class))
        erasure.erase_class(school_class, request.user, for_school=True)
        mail_erased_class(teachers)
        text = _("%(name)s and all its data have been deleted.")
        messages.success(request, text % {"name": school_class.name})
        return redirect("classrooms:school", school_id)
    context = {
        "school": school,
        "of_class": school_class,
        "form": form,
        "child_count": school_class.children.count(),
        "game_count": Attempt.objects.filter(assignment__school_class=school_class).count(),
    }
    return render(request, "schools/erase_class.html", context)
