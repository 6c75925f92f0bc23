"""The list of downloads on a class's page of papers, and requests for new downloads."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from classrooms.access import AdultRequest
from classrooms.downloads import services
from classrooms.downloads.forms import RequestForm
from classrooms.downloads.kinds import FileKind, kinds_to_choose, title_of
from classrooms.downloads.limits import TooOften
from classrooms.downloads.services import downloads_of
from classrooms.downloads.tasks import ask_worker
from classrooms.models import Child, SchoolClass


def redirect_to_list(class_id: UUID) -> HttpResponse:
    return redirect(list_address(class_id))


def list_address(class_id: UUID) -> str:
    return f"{reverse('classrooms:papers', args=[class_id])}#downloads"


def downloads_context(request: AdultRequest, school_class: SchoolClass) -> dict[str, Any]:
    """The downloads of a class, and the kinds that can be requested, by name and with their
    forms."""
    kinds = {
        kind.name.replace("-", "_"): (kind, RequestForm(school_class, kind=kind.name))
        for kind in kinds_to_choose()
    }
    return list_context(request, school_class) | {"kinds": kinds}


def request_file(
    request: AdultRequest,
    school_class: SchoolClass,
    kind: FileKind,
    language: str,
    child: Child | None = None,
    options: dict[str, Any] | None = None,
) -> HttpResponse:
    """Request the file, then redirect to the page that shows its progress."""
    by = request.user
    with show_limits(request):
        ask_worker(services.request_download(school_class, kind, by, language, child, options))
    return redirect_to_list(school_class.pk)


def redirect_to_downloads(request: HttpRequest, class_id: UUID) -> HttpResponse:
    """Redirect from a PDF that would take too long to the downloads."""
    text = _("With this many children, the PDF is made from this page. Choose it below.")
    messages.info(request, text)
    return redirect("classrooms:papers", class_id)


@contextmanager
def show_limits(request: HttpRequest) -> Iterator[None]:
    """Show the errors of limits as messages on the page."""
    try:
        yield
    except services.TooManyOfClass:
        messages.error(request, _("There are already too many downloads. Delete some first."))
    except services.TooManyOfTeacher:
        text = _("You have %(n)d downloads under way. Wait until one is ready.")
        messages.error(request, text % {"n": services.MOST_OF_A_TEACHER})
    except TooOften:
        messages.error(request, _("You have asked for too many downloads. Try again later."))


def list_context(request: AdultRequest, school_class: SchoolClass) -> dict[str, Any]:
    rows = downloads_of(request.user, school_class.pk).select_related("child", "asked_by")
    downloads = list(rows)
    for download in downloads:
        download.school_class = school_class
    return {
        "school_class": school_class,
        "downloads": [(download, title_of(download)) for download in downloads],
        "under_way": any(download.is_under_way for download in downloads),
    }
