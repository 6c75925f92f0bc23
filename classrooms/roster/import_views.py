"""Pages on which a teacher imports a list of names: a preview, then changes that can be undone."""

from dataclasses import asdict
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from classrooms.access import AdultRequest, class_for
from classrooms.downloads.limits import WorkKind, limited
from classrooms.locks import ActRefused, Changed
from classrooms.models import KeptAct, SchoolClass
from classrooms.roster import import_services
from classrooms.roster.forms import FileForm, PastedListForm, PasteForm
from classrooms.roster.import_preview import ChosenList, ListChanges, compare, unseal_sheet
from classrooms.roster.import_services import ClassUpdate, ImportUndo
from classrooms.roster.importing.pupils import NameSheet
from classrooms.roster.importing.reading import read_pasted
from classrooms.roster.views import roster_page
from classrooms.ui.processes import Turns
from classrooms.undo import keep_act, success_with_undo, undoes_act
from games.screen.words import listed

PREVIEWS: Final = Turns()
"""The turns to compare a list with the children of an account."""


@login_required
@require_http_methods(["GET", "POST"])
@limited(WorkKind.IMPORT, "POST")
def children(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Show the children of a class. Add posted names at once if they are clear, or else show a
    preview."""
    school_class = class_for(request.user, class_id)
    form = PasteForm(school_class, request.POST or None)
    if request.method == "POST" and form.is_valid():
        update = ClassUpdate(school_class, new=list(form.cleaned_data["names"]))
        if carried_out := _carry_out(request, [update], school_class):
            return carried_out
    if form.has_wrong_lines:
        try:
            sheet = read_pasted(form.data["names"])
        except ValidationError:
            return roster_page(request, school_class, form)
        return _preview(request, *_compare_in_turn(request, sheet, school_class))
    return roster_page(request, school_class, form)


@login_required
@require_POST
@limited(WorkKind.IMPORT, "POST")
def upload_class_list(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Show a preview of a file with names for one class. A POST from the preview changes it or
    carries it out."""
    school_class = class_for(request.user, class_id)
    if "sheet" in request.POST:
        return _preview_or_carry_out(request, school_class)
    form = FileForm(request.POST, request.FILES, user=request.user)
    if not form.is_valid():
        return roster_page(request, school_class, PasteForm(school_class), file_form=form)
    sheet: NameSheet = form.cleaned_data["file"]
    return _preview(request, *_compare_in_turn(request, sheet, school_class))


@login_required
@require_http_methods(["GET", "POST"])
@limited(WorkKind.IMPORT, "POST")
def upload_list(request: AdultRequest) -> HttpResponse:
    """Show a preview of a file or a pasted list of several classes. A POST from the preview changes
    it or carries it out."""
    if "sheet" in request.POST:
        return _preview_or_carry_out(request)
    forms: dict[str, Any] = {"file_form": FileForm(), "pasted_form": PastedListForm()}
    if request.method == "POST":
        form: FileForm | PastedListForm = FileForm(request.POST, request.FILES, user=request.user)
        kind, field = "file_form", "file"
        if "names" in request.POST:
            kind, field, form = "pasted_form", "names", PastedListForm(request.POST)
        if form.is_valid():
            sheet: NameSheet = form.cleaned_data[field]
            if sheet.grid.width > 1:
                return _preview(request, *_compare_in_turn(request, sheet))
            form.add_error(
                field, _("The list has only one column. Put the class beside each name.")
            )
        forms[kind] = form
    return render(request, "classes/from_file.html", forms)


def _preview_or_carry_out(
    request: AdultRequest, school_class: SchoolClass | None = None
) -> HttpResponse:
    sheet = unseal_sheet(request.POST["sheet"])
    if sheet is None:
        messages.error(
            request, _("That took too long, so nothing was added. Paste or upload the names again.")
        )
        if school_class is None:
            return redirect("classrooms:classes_from_file")
        return redirect("classrooms:children", school_class.pk)
    name_list, changes = _compare_in_turn(request, sheet, school_class, request.POST)
    if request.POST.get("do") == "add" and changes and changes.is_good:
        if carried_out := _carry_out(request, changes.updates(), school_class):
            return carried_out
        name_list, changes = _compare_in_turn(request, sheet, school_class, request.POST)
    return _preview(request, name_list, changes)


def _compare_in_turn(
    request: AdultRequest,
    sheet: NameSheet,
    school_class: SchoolClass | None = None,
    data: QueryDict | None = None,
) -> tuple[ChosenList, ListChanges | None]:
    with PREVIEWS.turn(request.user.pk):
        return compare(request.user, sheet, school_class, data)


def _preview(
    request: AdultRequest, chosen_list: ChosenList, changes: ListChanges | None
) -> HttpResponse:
    context = {"school_class": chosen_list.school_class, "chosen": chosen_list, "changes": changes}
    return render(request, "roster/import.html", context)


def _carry_out(
    request: AdultRequest, updates: list[ClassUpdate], school_class: SchoolClass | None
) -> HttpResponse | None:
    """Carry out the updates, show a message with a button that undoes them, and redirect to the
    next page. Return None if nothing was changed."""
    is_first = school_class is not None and not school_class.children.exists()
    new_classes = sum(update.school_class._state.adding for update in updates)
    return_url = reverse("classrooms:classes")
    if school_class:
        return_url = reverse("classrooms:children", args=[school_class.pk])
    try:
        # One transaction, so that the data of the undo keeps no name of an erased child.
        with transaction.atomic():
            undo_data = import_services.carry_out(updates, request.user)
            undo_url = keep_act(
                request, undo_list, return_url, school_class, done=asdict(undo_data)
            )
    except (IntegrityError, ActRefused) as problem:
        just_added = _("One of these names has just been added. Please check the list again.")
        messages.error(request, getattr(problem, "message", just_added))
        return None
    kinds = ("new", "renamed", "moved", "gone")
    counts = {kind: sum(len(getattr(update, kind)) for update in updates) for kind in kinds}
    text = render_to_string("roster/_carried_out.html", counts | {"new_classes": new_classes})
    success_with_undo(request, " ".join(text.split()), undo_url)
    if school_class is None:
        return redirect("classrooms:classes")
    if is_first and not school_class.assignments.exists():
        return redirect("classrooms:assign", school_class.pk)
    return redirect("classrooms:children", school_class.pk)


@undoes_act
def undo_list(request: AdultRequest, act: KeptAct) -> str:
    count, names_kept = import_services.undo_import(ImportUndo(**act.data["done"]), request.user)
    if not count and not names_kept:
        raise Changed
    if names_kept:
        text = ngettext(
            "%(names)s has been used or changed since, and stays as it is.",
            "%(names)s have been used or changed since, and stay as they are.",
            len(names_kept),
        )
        messages.error(request, text % {"names": listed(names_kept)})
    text = ngettext("Undone for %(n)d child.", "Undone for %(n)d children.", count)
    return text % {"n": count} if count else ""
