"""The pages on which teachers request, fetch and delete files: the list of downloads on a class's
page of papers, and its form."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from classrooms.access import AdultRequest, class_for
from classrooms.accounts.services import part_for_adults
from classrooms.audit import What, audit, log_view_of_secrets
from classrooms.downloads import services
from classrooms.downloads.kinds import (
    KINDS,
    FileKind,
    file_name,
    kind_of,
    kinds_to_choose,
    title_of,
)
from classrooms.downloads.limits import TooOften
from classrooms.downloads.services import download_for, downloads_of
from classrooms.downloads.tasks import ask_worker
from classrooms.models import Child, SchoolClass
from classrooms.ui.ask_first import ask_first, is_sure
from games.marks import marked


class RequestForm(forms.Form):
    """A request for a file. Kinds about one child need `child`. The language of the page is chosen
    first; a request without a language is for that of the class."""

    kind = forms.ChoiceField(
        choices=lambda: [(kind.name, kind.name) for kind in kinds_to_choose()],
        widget=forms.HiddenInput,
    )
    child = forms.ModelChoiceField(
        Child.objects.none(), required=False, label=gettext_lazy("Child"), empty_label=None
    )
    language = forms.ChoiceField(
        choices=lambda: settings.LANGUAGES, required=False, label=gettext_lazy("Language")
    )

    def __init__(
        self, school_class: SchoolClass, data: Mapping[str, Any] | None = None, kind: str = ""
    ) -> None:
        initial = {"kind": kind, "language": get_language()}
        super().__init__(data, initial=initial, auto_id=f"id_{kind}_%s" if kind else "id_%s")
        child = self.fields["child"]
        assert isinstance(child, forms.ModelChoiceField)
        child.queryset = school_class.children.all()
        self._language = school_class.language

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        kind = self.requested_kind
        if kind and kind.is_of_child and cleaned.get("child") is None:
            self.add_error("child", _("Choose a child."))
        if kind and not kind.is_of_child:
            cleaned["child"] = None
        cleaned["language"] = cleaned.get("language") or self._language
        return cleaned

    @property
    def requested_kind(self) -> FileKind | None:
        """The requested kind, if the form is valid."""
        return KINDS.get(self.cleaned_data.get("kind", ""))


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


@login_required
@require_http_methods(["GET", "POST"])
@marked(allow_archived=True)
def downloads(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Request a file with a POST. The page of papers shows the files."""
    school_class = class_for(request.user, class_id)
    if request.method != "POST":
        return redirect_to_list(class_id)
    form = RequestForm(school_class, request.POST)
    kind = form.requested_kind if form.is_valid() else None
    if kind is None:
        messages.error(request, _("Choose what you want to download, and for whom."))
        return redirect_to_list(class_id)
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
    audit(
        request.user,
        What.EXPORTED,
        child=file.child,
        school_class=file.school_class,
        file=file.kind,
    )
    if page := kind_of(file).secret_page:
        children = file.children.select_related("school_class")
        log_view_of_secrets(request.user, page, children)
    response = HttpResponse(content, content_type=f"application/{kind_of(file).ending}")
    response["Content-Disposition"] = str(content_disposition_header(True, file_name(file)))
    response["X-Content-Type-Options"] = "nosniff"
    return response


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
