"""Pages on which a teacher says who is who in the courses of a class, and an admin of the school
manages its learning platforms."""

from dataclasses import asdict
from datetime import timedelta
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError, transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from classrooms.access import AdultRequest, child_for, class_for, school_for
from classrooms.accounts.services import needs_proof
from classrooms.audit import What
from classrooms.downloads.limits import WorkKind, limited
from classrooms.links import link
from classrooms.locks import Changed
from classrooms.lti import courses, platforms
from classrooms.lti.courses import MEMBERS, Member, PersonAnswer
from classrooms.lti.forms import NewPlatformForm, PlatformForm, WhoForm, linked_children
from classrooms.lti.models import Course
from classrooms.lti.outgoing import Unreachable
from classrooms.models import AuditEntry, SchoolClass
from classrooms.privacy.words import REFUSED_LAUNCHES
from classrooms.roster import import_services, import_views
from classrooms.roster.import_preview import ChosenList, ListChanges
from classrooms.roster.importing.columns import Columns
from classrooms.roster.importing.encodings import UnreadableFile
from classrooms.roster.importing.grid import Grid, Row
from classrooms.roster.importing.pupils import sheet_of
from classrooms.ui.ask_first import ask_first, is_sure
from classrooms.undo import keep_act, success_with_undo


@login_required
@require_http_methods(["GET", "POST"])
def class_platform(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Show the courses that are linked with a class, and the people who wait in them. A POST says
    who they are."""
    school_class = class_for(request.user, class_id)
    form = WhoForm(school_class, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_good:
        answers = form.answers()
        try:
            courses.link_people(school_class, answers, request.user)
        except IntegrityError:
            raise Changed from None
        count = sum(bool(answer.child or answer.name) for answer in answers)
        text = ngettext(
            "%(n)d child now comes in from the platform by one click.",
            "%(n)d children now come in from the platform by one click.",
            count,
        )
        messages.success(request, text % {"n": count})
        return redirect("classrooms:class_platform", class_id)
    context = {
        "school_class": school_class,
        "courses": school_class.courses.select_related("platform"),
        "form": form,
        "linked": linked_children(school_class),
    }
    return render(request, "lti/class_platform.html", context)


@login_required
@require_POST
@limited(WorkKind.IMPORT, "POST")
def members(request: AdultRequest, class_id: UUID, course_id: int) -> HttpResponse:
    """Fetch the list of a course. If nothing in it is in doubt, add the new children; otherwise
    show the preview first, as for a list from a file."""
    school_class = class_for(request.user, class_id)
    linked = school_class.courses.select_related("platform__school", "school_class")
    course = get_object_or_404(linked, pk=course_id)
    return_page = redirect("classrooms:class_platform", class_id)
    try:
        with MEMBERS.turn(request.user.pk):
            present = courses.members_of(course)
        rows = tuple(
            Row(number, (member.name, member.family)) for number, member in enumerate(present, 1)
        )
        columns = Columns(0, 1)
        sheet = sheet_of(Grid(rows, "LTI"), timezone.localdate(), columns)
    except Unreachable:
        messages.error(
            request, _("The platform did not give its list. Nothing was changed. Try again later.")
        )
        return return_page
    except UnreadableFile:
        messages.info(request, _("There are no pupils in the course. Nothing was changed."))
        return return_page
    courses.add_waiting(course, present)
    name_list = ChosenList(sheet, school_class)
    changes = ListChanges(request.user, name_list)
    if changes.does_more:
        messages.info(
            request, _("Check the list first. Then say on the page of the platform who is who.")
        )
        context = {"school_class": school_class, "chosen": name_list, "changes": changes}
        return render(request, "roster/import.html", context)
    if changes.only_adds:
        _add(request, school_class, course, changes, present)
    else:
        messages.info(request, _("Everybody on the list is in the class already."))
    return return_page


def _add(
    request: AdultRequest,
    school_class: SchoolClass,
    course: Course,
    changes: ListChanges,
    members: list[Member],
) -> None:
    """Add the new children of the list, and link each with their member of the course."""
    (listed,) = changes.classes
    new_lines = [line for line in listed.change.lines if line.kind == "new"]
    new = {line.name: members[line.number - 1] for line in new_lines}
    with transaction.atomic():
        try:
            done = import_services.carry_out(changes.updates(), request.user)
        except IntegrityError:
            raise Changed from None
        waiting = {person.subject_hash: person for person in course.waiting.all()}
        children = school_class.children.filter(name__in=new)
        answers = [
            PersonAnswer(waiting[new[child.name].subject_hash], child)
            for child in children
            if new[child.name].subject_hash in waiting
        ]
        courses.link_people(school_class, answers, request.user)
        page = reverse("classrooms:class_platform", args=[school_class.pk])
        undo_url = keep_act(request, import_views.undo_list, page, school_class, done=asdict(done))
    text = ngettext("Added %(n)d child.", "Added %(n)d children.", len(new))
    success_with_undo(request, text % {"n": len(new)}, undo_url)


@login_required
@require_POST
def unlink_course(request: AdultRequest, class_id: UUID, course_id: int) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    courses_of_class = school_class.courses.select_related("platform", "school_class")
    course = get_object_or_404(courses_of_class, pk=course_id)
    if not is_sure(request):
        lost = _(
            "Nobody comes in from this course any more. To link it again, open nmbrs from the "
            "course. The children are then known as before."
        )
        return ask_first(
            request,
            heading=_("Unlink the course %(name)s") % {"name": course},
            lost=lost,
            button=_("Unlink"),
            back=reverse("classrooms:class_platform", args=[class_id]),
            school_class=school_class,
        )
    courses.unlink_course(course, request.user)
    messages.success(request, _("The course is no longer linked."))
    return redirect("classrooms:class_platform", class_id)


@login_required
@require_POST
def unlink_child(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    child = child_for(request.user, class_id, child_id)
    if not is_sure(request):
        lost = _(
            "%(name)s can no longer come in from the platform. When they try to, you are asked "
            "again who they are. Their games stay, and their card keeps working."
        )
        return ask_first(
            request,
            heading=_("Unlink %(name)s") % {"name": child.name},
            lost=lost % {"name": child.name},
            button=_("Unlink"),
            back=reverse("classrooms:class_platform", args=[class_id]),
            school_class=child.school_class,
        )
    courses.unlink_child(child, request.user)
    messages.success(
        request, _("%(name)s is no longer linked with the platform.") % {"name": child.name}
    )
    return redirect("classrooms:class_platform", class_id)


# The admins of a school manage its learning platforms.


@needs_proof
@require_http_methods(["GET", "POST"])
def platforms_of_school(request: AdultRequest, school_id: UUID) -> HttpResponse:
    school = school_for(request.user, school_id)
    form = NewPlatformForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        platform = platforms.add_platform(school, form.cleaned_data["name"], request.user)
        return redirect("classrooms:school_platform", school_id, platform.pk)
    context = {"school": school, "platforms": school.platforms.all(), "form": form}
    return render(request, "lti/platforms.html", context)


@needs_proof
@require_http_methods(["GET", "POST"])
def platform(request: AdultRequest, school_id: UUID, platform_id: UUID) -> HttpResponse:
    """Show what the admin enters at the platform, and the form for what they enter here."""
    school = school_for(request.user, school_id)
    chosen = get_object_or_404(school.platforms.select_related("school"), pk=platform_id)
    form = PlatformForm(request.POST or None, instance=chosen)
    if request.method == "POST" and form.is_valid():
        platforms.change_platform(chosen, form.cleaned_data, request.user)
        if platforms.fetch_keys(chosen):
            messages.success(request, _("Saved. The public keys of the platform were found."))
        else:
            messages.warning(
                request,
                _("Saved, but there are no usable keys at the public keyset URL. Check it."),
            )
        return redirect("classrooms:school_platform", school_id, platform_id)
    token = platforms.registration_token(chosen, request.user)
    refusals = AuditEntry.objects.filter(
        what=What.LAUNCH_REFUSED,
        at__gt=timezone.now() - timedelta(days=14),
        detail__platform_id=str(chosen.pk),
    )
    context = {
        "school": school,
        "platform": chosen,
        "form": form,
        "addresses": platforms.addresses_of(chosen),
        "registration": "" if chosen.issuer else link("classrooms:lti_register", token),
        "refused": [
            (entry.at, REFUSED_LAUNCHES.get(entry.detail.get("why", ""), ""))
            for entry in refusals[:20]
        ],
        "courses": chosen.courses.select_related("school_class"),
    }
    return render(request, "lti/platform.html", context)


@needs_proof
@require_POST
def remove_platform(request: AdultRequest, school_id: UUID, platform_id: UUID) -> HttpResponse:
    school = school_for(request.user, school_id)
    platform = get_object_or_404(school.platforms.select_related("school"), pk=platform_id)
    return_url = reverse("classrooms:school_platforms", args=[school_id])
    if not is_sure(request):
        lost = _(
            "Nobody comes in from %(name)s any more, and its links with classes and children are "
            "deleted. The children and their games stay. To undo this, you would have to add the "
            "platform again, and the teachers would have to link their courses again."
        )
        return ask_first(
            request,
            heading=_("Remove %(name)s") % {"name": platform.name},
            lost=lost % {"name": platform.name},
            button=_("Remove"),
            back=return_url,
        )
    platforms.remove_platform(platform, request.user)
    messages.success(request, _("%(name)s was removed.") % {"name": platform.name})
    return redirect(return_url)
