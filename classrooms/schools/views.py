"""Pages of a school for its admins: its classes and teachers, its files, and a page for each
class."""

from typing import cast
from uuid import UUID

from allauth.core.exceptions import ReauthenticationRequired
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from classrooms import bounds
from classrooms.access import (
    AdultRequest,
    class_in,
    class_in_school_for,
    classes_owned_by,
    member_of,
    school_for,
)
from classrooms.accounts.services import lacks_proof, needs_proof
from classrooms.audit import Page, What, audit, log_view
from classrooms.classes.teacher_mail import mail_erased_class
from classrooms.classes.views import new_year_page, undo_new_year_page
from classrooms.downloads import services as downloads
from classrooms.downloads.limits import TooOften, WorkKind, limited
from classrooms.downloads.tasks import ask_worker
from classrooms.links import link
from classrooms.models import Attempt, KeptAct, Membership, User
from classrooms.privacy import erasure
from classrooms.privacy.words import REASONS
from classrooms.progress.child_page import child_page
from classrooms.progress.class_figures import children_of, figures_of
from classrooms.progress.class_map import period_of, periods_offered
from classrooms.progress.class_report import class_report
from classrooms.progress.periods import USUAL_PERIOD, first_day, label_of
from classrooms.reports import sheets
from classrooms.schools import school_files, services
from classrooms.schools.forms import EraseForm, OneChildForm, ReasonForm
from classrooms.schools.services import class_lines
from classrooms.ui.ask_first import ask_first, is_sure
from classrooms.ui.spreadsheet_files import table_response
from classrooms.undo import keep_act, success_with_undo, undoes_act
from games.marks import marked


@login_required
@require_GET
def school_page(request: AdultRequest, school_id: UUID) -> HttpResponse:
    school = school_for(request.user, school_id)
    context = {
        "school": school,
        "classes": class_lines(school),
        "teachers": services.members_of(school),
        "period": label_of(USUAL_PERIOD),
        "link": link("classrooms:join_school", services.join_token(school, request.user)),
    }
    return render(request, "schools/school.html", context)


@login_required
@require_GET
def school_class_page(request: AdultRequest, school_id: UUID, class_id: UUID) -> HttpResponse:
    """Show the figures of a class, but not of single children."""
    school = school_for(request.user, school_id)
    school_class = class_in(school, class_id)
    log_view(request.user, Page.CLASS, school_class=school_class, for_school=True)
    period = period_of(request.GET)
    figures = figures_of(school_class)
    report = class_report(figures, first_day(figures.today, period))
    context = {
        "school": school,
        "of_class": school_class,
        "owner": school_class.teachings.select_related("user").get(role="owner").user,
        "report": report,
        "tables": [cell for cell in report.totals if cell.rows.is_shown],
        "played": sum(1 for line in report.lines if line.rounds),
        "periods": periods_offered(request.GET, period),
        "period": label_of(period),
        "reason_form": ReasonForm(),
        "possible_owners": services.possible_owners(school, school_class),
    }
    return render(request, "schools/school_class.html", context)


@needs_proof
@require_POST
def change_role(request: AdultRequest, school_id: UUID, user_id: int) -> HttpResponse:
    school = school_for(request.user, school_id)
    membership = member_of(school, user_id)
    role = request.POST.get("role", "")
    if role not in Membership.Role.values:
        messages.error(request, _("Nothing was changed."))
        return redirect("classrooms:school", school_id)
    return_url = reverse("classrooms:school", args=[school_id])
    name = membership.user.name_and_address
    ends = role == Membership.Role.TEACHER and membership.role == Membership.Role.ADMIN
    if ends and membership.has_other_admin() and not is_sure(request):
        lost = _(
            "%(name)s will no longer see the other classes of %(school)s, or be able to move "
            "or delete them. Another admin can make them an admin again."
        )
        return ask_first(
            request,
            heading=_("End admin role: %(name)s") % {"name": name},
            lost=lost % {"name": name, "school": school.name},
            button=_("End admin role"),
            back=return_url,
            posted={"role": role},
        )
    try:
        services.give_role(membership, Membership.Role(role), request.user)
    except services.Impossible:
        text = _("Nothing was changed: a school needs at least one admin with a confirmed address.")
        messages.error(request, text)
        return redirect("classrooms:school", school_id)
    if role == Membership.Role.ADMIN:
        text = _("%(name)s is now an admin of the school.")
    else:
        text = _("%(name)s is no longer an admin of the school.")
    messages.success(request, text % {"name": name})
    if membership.user_id == request.user.pk and role == Membership.Role.TEACHER:
        return redirect("classrooms:classes")
    return redirect("classrooms:school", school_id)


@needs_proof
@require_POST
def remove_teacher(request: AdultRequest, school_id: UUID, user_id: int) -> HttpResponse:
    school = school_for(request.user, school_id)
    membership = member_of(school, user_id)
    user = membership.user
    return_url = reverse("classrooms:school", args=[school_id])
    heirs = services.heirs_of(membership) if classes_owned_by(user).exists() else []
    if not is_sure(request):
        lost = _(
            "%(name)s will no longer belong to %(school)s, and you will no longer be able to "
            "move classes to them. To join again, they will need a new link: those that exist now "
            "will no longer work."
        )
        return ask_first(
            request,
            heading=_("Remove %(name)s from the school") % {"name": user.name_and_address},
            lost=lost % {"name": user.name_and_address, "school": school.name},
            button=_("Remove"),
            back=return_url,
            heirs=heirs,
        )
    to = next((heir for heir in heirs if str(heir.pk) == request.POST.get("to")), None)
    try:
        services.remove_member(membership, request.user, to)
    except services.Impossible:
        text = _(
            "Nothing was changed. Choose who gets the teacher’s classes; the school must also "
            "keep one admin."
        )
        messages.error(request, text)
        return redirect(return_url)
    messages.success(
        request, _("%(name)s no longer belongs to the school.") % {"name": user.name_and_address}
    )
    return redirect("classrooms:classes" if user == request.user else return_url)


@needs_proof
@require_http_methods(["GET", "HEAD", "POST"])
def files(request: AdultRequest, school_id: UUID) -> HttpResponse:
    """Show the progress of each class's file. A POST with a reason requests all of them."""
    school = school_for(request.user, school_id)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            reason = form.cleaned_data["reason"]
            for download in school_files.request_files(school, request.user, reason):
                ask_worker(download)
        except downloads.TooManyOfClass:
            text = _("This class already has too many downloads. Its teachers can delete some.")
            messages.error(request, text)
        except TooOften:
            messages.error(request, _("You have asked for too many downloads. Try again later."))
        return redirect("classrooms:school_files", school_id)
    class_files = school_files.files_of(school)
    context = {
        "school": school,
        "files": class_files,
        "ready": sum(item.is_ready for item in class_files),
        "under_way": any(item.file is not None and item.file.is_under_way for item in class_files),
        "form": form,
    }
    return render(request, "schools/files.html", context)


@needs_proof
@require_POST
@cache_control(no_store=True, private=True)
@limited(WorkKind.EXPORT, "POST")
def download_all(request: AdultRequest, school_id: UUID) -> HttpResponse:
    """Return the zip of all files that are ready. Needs a reason."""
    school = school_for(request.user, school_id)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose a reason first. No file was made."))
        return redirect("classrooms:school_files", school_id)
    name = f"{slugify(school.name, allow_unicode=True) or 'nmbrs'}.zip"
    content = school_files.zip_of(school, request.user, form.cleaned_data["reason"])
    file = FileResponse(content, as_attachment=True, filename=name, content_type="application/zip")
    return cast(HttpResponse, file)


@needs_proof
@require_POST
@marked(allow_archived=True)
def move(request: AdultRequest, school_id: UUID, class_id: UUID) -> HttpResponse:
    school = school_for(request.user, school_id)
    school_class = class_in(school, class_id)
    class_page = redirect("classrooms:school_class", school_id, class_id)
    owners = {str(user.pk): user for user in services.possible_owners(school, school_class)}
    to = owners.get(request.POST.get("to", ""))
    if to is None:
        messages.error(request, _("Choose the teacher who will own the class."))
        return class_page
    try:
        result = services.move_class(school, school_class, to, request.user)
    except bounds.LimitReached as full:
        messages.error(request, full.message)
        return class_page
    except services.Impossible:
        messages.error(request, _("Nothing was changed. Check who teaches the class now."))
        return class_page
    text = _("%(name)s now owns %(class)s. The previous owner stays on as a co-teacher.")
    undo_url = keep_act(
        request,
        move_class_back,
        reverse("classrooms:school_class", args=[school_id, class_id]),
        school=str(school_id),
        of=str(class_id),
        moved=result,
    )
    success_with_undo(
        request, text % {"name": to.name_and_address, "class": school_class.name}, undo_url
    )
    return class_page


@undoes_act
def move_class_back(request: AdultRequest, act: KeptAct) -> str:
    if lacks_proof(request):
        raise ReauthenticationRequired
    school = school_for(request.user, act.data["school"])
    school_class = class_in(school, act.data["of"])
    services.undo_move(school, school_class, services.MovedClass(*act.data["moved"]), request.user)
    return _("%(class)s is back with its previous owner.") % {"class": school_class.name}


@needs_proof
@require_http_methods(["GET", "POST"])
def new_year(request: AdultRequest, school_id: UUID) -> HttpResponse:
    return new_year_page(request, school_for(request.user, school_id))


@needs_proof
@require_POST
def undo_new_year(request: AdultRequest, school_id: UUID) -> HttpResponse:
    return undo_new_year_page(request, school_for(request.user, school_id))


@needs_proof
@require_http_methods(["GET", "HEAD", "POST"])
@marked(allow_archived=True)
def child(request: AdultRequest, school_id: UUID, class_id: UUID) -> HttpResponse:
    """Ask for a child and a reason, then show the figures of the child."""
    school, school_class = class_in_school_for(request.user, school_id, class_id)
    children = children_of(school_class)
    form = OneChildForm(children, request.POST if request.method == "POST" else None)
    context = {"school": school, "of_class": school_class, "form": form}
    if form.is_valid():
        chosen_child = form.cleaned_data["child"]
        reason = form.cleaned_data["reason"]
        audit(request.user, What.LOOKED, child=chosen_child, for_school=True, reason=reason)
        context |= {
            "child": chosen_child,
            "page": child_page(chosen_child, children),
            "reason": REASONS[reason],
        }
        return render(request, "schools/child_figures.html", context)
    log_view(request.user, Page.CLASS, school_class=school_class, for_school=True)
    return render(request, "schools/one_child.html", context)


@needs_proof
@require_POST
@marked(allow_archived=True)
@limited(WorkKind.EXPORT, "POST")
def export_class(request: AdultRequest, school_id: UUID, class_id: UUID) -> HttpResponse:
    """Return the reports of all children of a class as a table. Needs a reason."""
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
    head, rows = sheets.class_table(school_class)
    return table_response(request, school_class.name, head, rows)


@login_required
@require_GET
@limited(WorkKind.EXPORT, "GET")
def export_school(request: AdultRequest, school_id: UUID) -> HttpResponse:
    """Return the list of classes, with the figures on the page, as a table."""
    school = school_for(request.user, school_id)
    head, rows = school_files.classes_table(school)
    return table_response(request, school.name, head, rows)


@needs_proof
@require_http_methods(["GET", "HEAD", "POST"])
@marked(allow_archived=True)
def erase(request: AdultRequest, school_id: UUID, class_id: UUID) -> HttpResponse:
    """Show what will be lost with a class. A POST with its name erases it for good."""
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
