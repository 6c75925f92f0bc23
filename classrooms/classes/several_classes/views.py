"""A teacher makes or fills several classes from one file, and takes that back."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from classrooms import bounds
from classrooms.access import AdultRequest
from classrooms.classes.several_classes import services
from classrooms.classes.several_classes.forms import PastedForm, SeveralClasses
from classrooms.downloads import services as downloads_services
from classrooms.downloads.services import counted
from classrooms.models import SchoolClass
from classrooms.roster.import_forms import FileForm, opened
from classrooms.roster.importing.sheet import NameSheet
from classrooms.undo import say_done
from games.play.posted_values import moment
from games.screen.words import listed


@login_required
@require_http_methods(["GET", "POST"])
@counted(downloads_services.WorkKind.IMPORT, "POST")
def from_file(request: AdultRequest) -> HttpResponse:
    """A file or a pasted list is chosen, then shown, then added."""
    if "sheet" in request.POST:
        return _look_or_add(request)
    forms: dict[str, Any] = {"file_form": FileForm(), "pasted_form": PastedForm()}
    if request.method == "POST":
        name, field, form = (
            ("pasted_form", "names", PastedForm(request.POST))
            if "names" in request.POST
            else ("file_form", "file", FileForm(request.POST, request.FILES))
        )
        if form.is_valid():
            sheet: NameSheet = form.cleaned_data[field]
            if len(sheet.labels) > 1:
                return _preview(request, SeveralClasses(request.user, sheet))
            form.add_error(
                field, _("The list has only one column. Put the class beside each name.")
            )
        forms[name] = form
    return render(request, "classes/from_file.html", forms)


def _look_or_add(request: AdultRequest) -> HttpResponse:
    sheet = opened(request.POST["sheet"])
    if sheet is None:
        messages.error(
            request,
            _("That took too long, so nothing was added. Paste or upload the names again."),
        )
        return redirect("classrooms:classes_from_file")
    preview = SeveralClasses(request.user, sheet, request.POST)
    if request.POST.get("do") == "add" and preview.is_good:
        try:
            at = services.add(preview.additions(), request.user)
        except IntegrityError:
            messages.error(
                request, _("One of these names has just been added. Please check the list again.")
            )
        except bounds.LimitReached as full:
            messages.error(request, full.words)
        else:
            undo = reverse("classrooms:take_classes_back")
            say_done(request, _done(preview), f"{undo}?{urlencode({'at': at.isoformat()})}")
            return redirect("classrooms:classes")
        preview = SeveralClasses(request.user, sheet, request.POST)
    return _preview(request, preview)


def _preview(request: AdultRequest, preview: SeveralClasses) -> HttpResponse:
    return render(request, "classes/look_at_classes.html", {"preview": preview})


def _done(preview: SeveralClasses) -> str:
    n = preview.count
    added = ngettext("%(n)d child added.", "%(n)d children added.", n) % {"n": n}
    if not preview.new_count:
        return added
    n = preview.new_count
    return ngettext("%(n)d class created.", "%(n)d classes created.", n) % {"n": n} + " " + added


@login_required
@require_POST
def take_back(request: AdultRequest) -> HttpResponse:
    """Undo what was added at the moment `at`."""
    at = moment(request.GET.get("at"))
    gone, kept = services.take_back(at, request.user) if at else (0, [])
    if gone:
        text = ngettext("%(n)d child removed.", "%(n)d children removed.", gone) % {"n": gone}
        messages.success(request, text)
    if kept:
        messages.error(request, _stays(kept))
    if not gone and not kept:
        messages.error(request, _("That can no longer be undone."))
    return redirect("classrooms:classes")


def _stays(kept: list[SchoolClass]) -> str:
    names = listed([each.name for each in kept])
    return ngettext(
        "%(names)s is in use and stays as it is.",
        "%(names)s are in use and stay as they are.",
        len(kept),
    ) % {"names": names}
