"""A school for its admins: its classes and teachers, and the page of one class."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from classrooms.access import AdultRequest, class_in, classes_owned_by, member_of, school_for
from classrooms.accounts.links import link
from classrooms.accounts.ways_in.proof import needs_proof
from classrooms.audit import Page, looked
from classrooms.models import Membership
from classrooms.progress.figures.periods import USUAL, label_of
from classrooms.progress.pages.class_map import period_of, periods_offered
from classrooms.schools import services
from classrooms.schools.forms import ReasonForm
from classrooms.schools.school_page import (
    class_lines,
    report_of,
    table_totals,
    teacher_lines,
)
from classrooms.ui.confirmation import ask_first, is_sure


@login_required
@require_GET
def page(request: AdultRequest, school_id: UUID) -> HttpResponse:
    school = school_for(request.user, school_id)
    context = {
        "school": school,
        "classes": class_lines(school),
        "teachers": teacher_lines(school),
        "period": label_of(USUAL),
        "link": link("classrooms:join_school", services.joining_token(school, request.user)),
    }
    return render(request, "schools/school.html", context)


@login_required
@require_GET
def of_class(request: AdultRequest, school_id: UUID, class_id: UUID) -> HttpResponse:
    """The figures of a class, none of them of a single child."""
    school = school_for(request.user, school_id)
    school_class = class_in(school, class_id)
    looked(request.user, Page.CLASS, school_class=school_class, for_school=True)
    period = period_of(request.GET)
    report = report_of(school_class, period)
    context = {
        "school": school,
        "of_class": school_class,
        "owner": school_class.teachings.select_related("user").get(role="owner").user,
        "report": report,
        "tables": table_totals(report),
        "played": sum(1 for line in report.lines if line.rounds),
        "periods": periods_offered(request.GET, period),
        "period": label_of(period),
        "reason_form": ReasonForm(),
        "owners_to_be": services.owners_to_be(school, school_class),
    }
    return render(request, "schools/school_class.html", context)


@needs_proof
@require_POST
def role(request: AdultRequest, school_id: UUID, user_id: int) -> HttpResponse:
    """Make a teacher an admin, or an admin a teacher."""
    school = school_for(request.user, school_id)
    membership = member_of(school, user_id)
    wanted = request.POST.get("role", "")
    if wanted not in Membership.Role.values:
        messages.error(request, _("Nothing was changed."))
        return redirect("classrooms:school", school_id)
    back = reverse("classrooms:school", args=[school_id])
    name = membership.user.named
    ends = wanted == Membership.Role.TEACHER and membership.role == Membership.Role.ADMIN
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
            back=back,
            posted={"role": wanted},
        )
    try:
        services.give_role(membership, Membership.Role(wanted), request.user)
    except services.NotPossible:
        text = _("Nothing was changed: a school needs at least one admin with a confirmed address.")
        messages.error(request, text)
        return redirect("classrooms:school", school_id)
    if wanted == Membership.Role.ADMIN:
        text = _("%(name)s is now an admin of the school.")
    else:
        text = _("%(name)s is no longer an admin of the school.")
    messages.success(request, text % {"name": name})
    if membership.user_id == request.user.pk and wanted == Membership.Role.TEACHER:
        return redirect("classrooms:classes")
    return redirect("classrooms:school", school_id)


@needs_proof
@require_POST
def off(request: AdultRequest, school_id: UUID, user_id: int) -> HttpResponse:
    """Take a teacher off the school."""
    school = school_for(request.user, school_id)
    membership = member_of(school, user_id)
    user, back = membership.user, reverse("classrooms:school", args=[school_id])
    heirs = services.heirs_of(membership) if classes_owned_by(user).exists() else []
    if not is_sure(request):
        lost = _(
            "%(name)s will no longer belong to %(school)s, and you will no longer be able to "
            "move classes to them. To join again, they will need a new link: those that exist now "
            "will no longer work."
        )
        return ask_first(
            request,
            heading=_("Remove %(name)s from the school") % {"name": user.named},
            lost=lost % {"name": user.named, "school": school.name},
            button=_("Remove"),
            back=back,
            heirs=heirs,
        )
    to = next((heir for heir in heirs if str(heir.pk) == request.POST.get("to")), None)
    try:
        services.take_off(membership, request.user, to)
    except services.NotPossible:
        text = _(
            "Nothing was changed. Choose who gets the teacher’s classes; the school must also "
            "keep one admin."
        )
        messages.error(request, text)
        return redirect(back)
    messages.success(request, _("%(name)s no longer belongs to the school.") % {"name": user.named})
    return redirect("classrooms:classes" if user == request.user else back)
