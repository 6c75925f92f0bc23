"""A teacher's classes, and the page of one."""

from typing import cast
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from .. import doing
from ..access import class_for, classes_of
from ..forms import ClassForm
from ..models import Teaching, User
from ..progress.reports import class_report


@login_required
@require_GET
def index(request: HttpRequest) -> HttpResponse:
    classes = classes_of(request.user).annotate(
        child_count=Count("children", distinct=True),
        assignment_count=Count("assignments", filter=Q(assignments__ended_at=None), distinct=True),
    )
    return render(request, "classrooms/classes.html", {"classes": classes})


@login_required
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    form = ClassForm(request.POST or None, initial={"language": get_language()})
    if request.method == "POST" and form.is_valid():
        with transaction.atomic():
            school_class = form.save()
            Teaching.objects.create(school_class=school_class, user=cast(User, request.user))
        return redirect("classrooms:children", school_class.pk)
    return render(request, "classrooms/class_form.html", {"form": form})


@login_required
@require_GET
def page(request: HttpRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    context = {
        "school_class": school_class,
        "child_count": school_class.children.count(),
        "report": class_report(school_class),
        "assignments": doing.to_be_played(school_class),
    }
    return render(request, "classrooms/class.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def edit(request: HttpRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    form = ClassForm(request.POST or None, instance=school_class)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("classrooms:class", school_class.pk)
    # A name that is not accepted must not show in the heading.
    school_class.refresh_from_db()
    context = {"form": form, "school_class": school_class}
    return render(request, "classrooms/class_form.html", context)
