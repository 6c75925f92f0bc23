"""Pages on which teachers request, fetch and delete files."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from classrooms.access import AdultRequest, class_for
from classrooms.accounts.parts import part_for_adults
from classrooms.audit import What, audit, log_view_of_secrets
from classrooms.downloads import services
from classrooms.downloads.downloads_list import (
    list_address,
    list_context,
    redirect_to_list,
    request_file,
    show_limits,
)
from classrooms.downloads.forms import RequestForm
from classrooms.downloads.kinds import file_name, kind_of, title_of
from classrooms.downloads.models import Download
from classrooms.downloads.services import download_for
from classrooms.downloads.tasks import ask_worker
from classrooms.models import SchoolClass, User
from classrooms.ui.ask_first import ask_first, is_sure
from games.marks import marked


@login_required
@require_http_methods(["GET", "POST"])
@marked(allow_archived=True)
def downloads(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Request a file with a POST. The page of papers shows the files."""
    school_class = class_for(request.user, class_id)
    if request.method == "POST":
        return _request_from_form(request, school_class)
    return redirect_to_list(class_id)


def _request_from_form(request: AdultRequest, school_class: SchoolClass) -> HttpResponse:
    form = RequestForm(school_class, request.POST)
    kind = form.requested_kind if form.is_valid() else None
    if kind is None:
        messages.error(request, _("Choose what you want to download, and for whom."))
        return redirect_to_list(school_class.pk)
    cleaned = form.cleaned_data
    options = {"site": request.build_absolute_uri("/").rstrip("/")} if kind.secret_page else {}
    return request_file(request, school_class, kind, cleaned["language"], cleaned["child"], options)


@part_for_adults
@require_GET
def part(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Show only the list. The page polls it every second while a file is being made."""
    school_class = class_for(request.user, class_id)
    return render(request, "downloads/_list.html", list_context(request, school_class))


@login_required
@require_GET
@cache_control(no_store=True, private=True)
@marked(heavy=("GET",))
def download(request: AdultRequest, class_id: UUID, download_id: UUID) -> HttpResponse:
    """Send the file, and log the export. If the file is not ready, redirect to the list."""
    file = download_for(request.user, class_id, download_id)
    content = services.content_of(file)
    if content is None:
        return redirect_to_list(class_id)
    _log_fetch(request.user, file)
    response = HttpResponse(content, content_type=kind_of(file).content_type)
    response["Content-Disposition"] = str(content_disposition_header(True, file_name(file)))
    response["X-Content-Type-Options"] = "nosniff"
    return response


def _log_fetch(user: User, file: Download) -> None:
    """Log the export and, if the file contains secrets, a view of them."""
    audit(
        user,
        What.EXPORTED,
        child=file.child,
        school_class=file.school_class,
        file=file.kind,
    )
    if page := kind_of(file).secret_page:
        log_view_of_secrets(user, page, file.children.select_related("school_class"))


@login_required
@require_POST
@marked(allow_archived=True)
def retry(request: AdultRequest, class_id: UUID, download_id: UUID) -> HttpResponse:
    file = download_for(request.user, class_id, download_id)
    with show_limits(request):
        if services.retry(file, request.user):
            ask_worker(file)
    return redirect_to_list(class_id)


@login_required
@require_POST
@marked(allow_archived=True)
def delete(request: AdultRequest, class_id: UUID, download_id: UUID) -> HttpResponse:
    """Delete the file, or stop the work on it."""
    file = download_for(request.user, class_id, download_id)
    if not is_sure(request):
        lost = _(
            "“%(title)s” will be deleted for all teachers of the class. You can ask for it again."
        )
        return ask_first(
            request,
            heading=_("Delete a download"),
            lost=lost % {"title": title_of(file)},
            button=_("Delete"),
            back=list_address(class_id),
            school_class=file.school_class,
        )
    file.delete()
    messages.success(request, _("Deleted."))
    return redirect_to_list(class_id)
