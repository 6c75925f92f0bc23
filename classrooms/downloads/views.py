"""The place where files are asked for, wait to be fetched, and end."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from classrooms.access import class_for
from classrooms.accounts.polled_parts import part_for_adults
from classrooms.archive_guard import works_when_archived
from classrooms.audit import What, audit, looked_at_secrets
from classrooms.downloads import heavy_work, jobs
from classrooms.downloads.gate import download_for, downloads_of
from classrooms.models import Child, SchoolClass, User

from .asking import ask_worker
from .forms import AskForm
from .kinds import Kind, file_name, kind_of, offered, title_of
from .models import Download


@login_required
@require_http_methods(["GET", "POST"])
@works_when_archived
def downloads(request: HttpRequest, class_id: UUID) -> HttpResponse:
    """What there is and what can be made; a post asks for it."""
    school_class = class_for(request.user, class_id)
    if request.method == "POST":
        return _ask(request, school_class)
    has_children = school_class.children.exists()
    context = _listed(request, school_class) | {
        "has_children": has_children,
        "kinds": [(kind, AskForm(school_class, kind=kind.name)) for kind in offered()],
    }
    return render(request, "downloads/downloads.html", context)


def _ask(request: HttpRequest, school_class: SchoolClass) -> HttpResponse:
    form = AskForm(school_class, request.POST)
    kind = form.wanted if form.is_valid() else None
    if kind is None:
        messages.error(request, _("Choose what you want to have, and of whom."))
        return redirect("classrooms:downloads", school_class.pk)
    asked = form.cleaned_data
    options = {"site": request.build_absolute_uri("/").rstrip("/")} if kind.shows else {}
    return have_made(request, school_class, kind, asked["language"], asked["child"], options)


def have_made(
    request: HttpRequest,
    school_class: SchoolClass,
    kind: Kind,
    language: str,
    child: Child | None = None,
    options: dict[str, Any] | None = None,
) -> HttpResponse:
    """Ask a worker for it; the answer is the page that shows how far it is."""
    by = cast(User, request.user)
    with _told(request):
        ask_worker(jobs.ask(school_class, kind, by, language, child, options))
    return redirect("classrooms:downloads", school_class.pk)


@contextmanager
def _told(request: HttpRequest) -> Iterator[None]:
    """Tell why nothing more is made just now."""
    try:
        yield
    except jobs.TooMany:
        messages.error(request, _("There are many downloads already. Delete some first."))
    except jobs.TooManyUnderWay:
        most = _("You have %(n)d downloads under way. Wait until one is ready.")
        messages.error(request, most % {"n": jobs.MOST_OF_A_TEACHER})
    except heavy_work.TooOften:
        messages.error(request, _("You asked for very many downloads. Try again later."))


@part_for_adults
@require_GET
def part(request: HttpRequest, class_id: UUID) -> HttpResponse:
    """The list alone, asked for every second as long as something is made."""
    school_class = class_for(request.user, class_id)
    return render(request, "downloads/downloads.html#part", _listed(request, school_class))


def _listed(request: HttpRequest, school_class: SchoolClass) -> dict[str, Any]:
    found = list(downloads_of(request.user, school_class.pk).select_related("child", "asked_by"))
    for each in found:
        each.school_class = school_class
    return {
        "school_class": school_class,
        "downloads": [(each, title_of(each)) for each in found],
        "under_way": any(each.is_under_way for each in found),
    }


@login_required
@require_GET
@cache_control(no_store=True, private=True)
def download(request: HttpRequest, class_id: UUID, download_id: UUID) -> HttpResponse:
    """The file; that it was taken is written down. One that is not ready leads to the list."""
    found = download_for(request.user, class_id, download_id)
    content = jobs.content_of(found)
    if content is None:
        return redirect("classrooms:downloads", class_id)
    _write_down(cast(User, request.user), found)
    response = HttpResponse(content, content_type=kind_of(found).content_type)
    response["Content-Disposition"] = str(content_disposition_header(True, file_name(found)))
    response["X-Content-Type-Options"] = "nosniff"
    return response


def _write_down(user: User, found: Download) -> None:
    """Who takes the file has exported it, and has seen what the children in it sign in with."""
    audit(
        user,
        What.EXPORTED,
        child=found.child,
        school_class=found.school_class,
        file=found.kind,
    )
    if page := kind_of(found).shows:
        looked_at_secrets(user, page, found.children.select_related("school_class"))


@login_required
@require_POST
@works_when_archived
def again(request: HttpRequest, class_id: UUID, download_id: UUID) -> HttpResponse:
    """Begin anew with what was not made."""
    found = download_for(request.user, class_id, download_id)
    with _told(request):
        if jobs.ask_again(found, cast(User, request.user)):
            ask_worker(found)
    return redirect("classrooms:downloads", class_id)


@login_required
@require_POST
@works_when_archived
def delete(request: HttpRequest, class_id: UUID, download_id: UUID) -> HttpResponse:
    """Delete the file, or end its making."""
    found = download_for(request.user, class_id, download_id)
    found.delete()
    messages.success(request, _("Deleted."))
    return redirect("classrooms:downloads", class_id)
