"""The page on which an admin has everything of the school made, and takes it along."""

from typing import cast
from uuid import UUID

from django.contrib import messages
from django.http import FileResponse, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_POST

from classrooms.access import AdultRequest, school_for
from classrooms.accounts.ways_in.proof import needs_proof
from classrooms.downloads import heavy_work, jobs
from classrooms.downloads.asking import ask_worker
from classrooms.downloads.heavy_work import counted
from classrooms.schools import school_files
from classrooms.schools.forms import ReasonForm


@needs_proof
@require_http_methods(["GET", "HEAD", "POST"])
def files(request: AdultRequest, school_id: UUID) -> HttpResponse:
    """The file of each class and how far it is; a post with a reason has all of them made."""
    school = school_for(request.user, school_id)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            for made in school_files.ask(school, request.user, form.cleaned_data["reason"]):
                ask_worker(made)
        except jobs.TooMany:
            text = _("This class already has too many downloads. Its teachers can delete some.")
            messages.error(request, text)
        except heavy_work.TooOften:
            messages.error(request, _("You have asked for too many downloads. Try again later."))
        return redirect("classrooms:school_files", school_id)
    listed = school_files.files_of(school)
    context = {
        "school": school,
        "files": listed,
        "ready": sum(each.is_ready for each in listed),
        "under_way": any(each.file is not None and each.file.is_under_way for each in listed),
        "form": form,
    }
    return render(request, "schools/files.html", context)


@needs_proof
@require_POST
@cache_control(no_store=True, private=True)
@counted(heavy_work.WorkKind.EXPORT, "POST")
def take_along(request: AdultRequest, school_id: UUID) -> HttpResponse:
    """The zip of all files that are ready, once the reason is given."""
    school = school_for(request.user, school_id)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose a reason first. No file was made."))
        return redirect("classrooms:school_files", school_id)
    name = f"{slugify(school.name, allow_unicode=True) or 'nmbrs'}.zip"
    content = school_files.zipped(school, request.user, form.cleaned_data["reason"])
    file = FileResponse(content, as_attachment=True, filename=name, content_type="application/zip")
    return cast(HttpResponse, file)
