"""All classes of a school begin the new year together, and the undo of that."""

from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from classrooms.access import AdultRequest, classes_in, school_for
from classrooms.accounts.ways_in.proof import needs_proof
from classrooms.classes.new_year.views import Scope, begin, take_back


def scope_of(request: AdultRequest, school_id: UUID) -> Scope:
    school = school_for(request.user, school_id)
    args = [school_id]
    return Scope(
        classes_in(school),
        reverse("classrooms:school", args=args),
        school.name,
        reverse("classrooms:school_new_year_back", args=args),
        school,
    )


@needs_proof
@require_http_methods(["GET", "POST"])
def page(request: AdultRequest, school_id: UUID) -> HttpResponse:
    return begin(request, scope_of(request, school_id))


@needs_proof
@require_POST
def back(request: AdultRequest, school_id: UUID) -> HttpResponse:
    return take_back(request, scope_of(request, school_id))
