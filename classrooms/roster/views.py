"""The children of a class, for their teacher."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, TypedDict
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError
from django.db.models import Count, Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST

from classrooms import bounds
from classrooms.access import AdultRequest, child_for, class_for, classes_to_move_to
from classrooms.downloads import heavy_work
from classrooms.downloads.heavy_work import counted
from classrooms.models import Child, SchoolClass
from classrooms.roster import merge_children, services
from classrooms.roster.forms import PasteForm, RenameForm
from classrooms.roster.import_forms import FileForm, ImportPreview, opened
from classrooms.roster.importing.import_errors import Unreadable
from classrooms.roster.importing.reading import read_pasted
from classrooms.signin import child_sign_in
from classrooms.ui.sortable_table import Filter, SortableColumn, SortableTable, page_of
from classrooms.ui.undo import say_done
from games.play.posted_values import moment

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations


class _Played(TypedDict):
    """What `roster_page` counts for each child."""

    match_count: int
    last_played: datetime | None


COLUMNS: Final[Sequence[SortableColumn["WithAnnotations[Child, _Played]"]]] = (
    SortableColumn("name", gettext_lazy("Name"), lambda child: child.name_order),
    SortableColumn(
        "matches",
        gettext_lazy("Games"),
        lambda child: child.match_count,
        number=True,
    ),
    SortableColumn("played", gettext_lazy("Last played"), lambda child: child.last_played),
    SortableColumn("change", gettext_lazy("Change"), hidden=True),
)
PLAYED: Final[Filter["WithAnnotations[Child, _Played]"]] = Filter(
    "show",
    # Translators: the button that filters a list
    gettext_lazy("Show"),
    (("", gettext_lazy("everyone")), ("unplayed", gettext_lazy("has not played yet"))),
    lambda child, choice: not choice or child.last_played is None,
)


@login_required
@require_http_methods(["GET", "POST"])
@counted(heavy_work.WorkKind.IMPORT, "POST")
def children(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    form = PasteForm(school_class, request.POST or None)
    if request.method == "POST" and form.is_valid():
        added = add_all(request, school_class, form.cleaned_data["names"])
        if added is not None:
            return added
    if form.has_wrong_lines:
        try:
            sheet = read_pasted(form.data["names"])
        except Unreadable:
            return roster_page(request, school_class, form)
        return preview_page(request, school_class, ImportPreview(school_class, sheet))
    return roster_page(request, school_class, form)


@login_required
@require_POST
@counted(heavy_work.WorkKind.IMPORT, "POST")
def upload(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """A file with names: a preview is shown first."""
    school_class = class_for(request.user, class_id)
    form = FileForm(request.POST, request.FILES)
    if not form.is_valid():
        return roster_page(request, school_class, PasteForm(school_class), file_form=form)
    preview = ImportPreview(school_class, form.cleaned_data["file"])
    return preview_page(request, school_class, preview)


@login_required
@require_POST
@counted(heavy_work.WorkKind.IMPORT, "POST")
def add_shown(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """The preview: shown again with other columns, or all of it added."""
    school_class = class_for(request.user, class_id)
    sheet = opened(request.POST.get("sheet", ""))
    if sheet is None:
        messages.error(
            request,
            _("That took too long, so nothing was added. Paste or upload the names again."),
        )
        return redirect("classrooms:children", class_id)
    preview = ImportPreview(school_class, sheet, request.POST)
    if request.POST.get("do") == "add" and preview.is_good:
        added = add_all(request, school_class, preview.change.new)
        if added is not None:
            return added
        preview = ImportPreview(school_class, sheet, request.POST)
    return preview_page(request, school_class, preview)


def preview_page(
    request: HttpRequest, school_class: SchoolClass, preview: ImportPreview
) -> HttpResponse:
    context = {"school_class": school_class, "preview": preview}
    return render(request, "roster/import.html", context)


def add_all(
    request: AdultRequest, school_class: SchoolClass, names: Sequence[str]
) -> HttpResponse | None:
    """Add the children, show how many with a button to undo it, and redirect to the next page. None
    where nobody was added: a name had been added meanwhile, or the class is full."""
    first = not school_class.children.exists()
    try:
        added = services.add_children(school_class, names, request.user)
    except IntegrityError:
        messages.error(
            request, _("One of these names has just been added. Please check the list again.")
        )
        return None
    except bounds.Full as full:
        messages.error(request, full.words)
        return None
    text = ngettext("%(n)d child added.", "%(n)d children added.", len(added)) % {"n": len(added)}
    at = urlencode({"at": added[0].created_at.isoformat()})
    undo = reverse("classrooms:take_children_back", args=[school_class.pk])
    say_done(request, text, f"{undo}?{at}")
    if first and not school_class.assignments.exists():
        return redirect("classrooms:assign", school_class.pk)
    return redirect("classrooms:children", school_class.pk)


def roster_page(
    request: AdultRequest,
    school_class: SchoolClass,
    form: PasteForm,
    renaming: RenameForm | None = None,
    file_form: FileForm | None = None,
) -> HttpResponse:
    """The page with the children of a class, where one name may be edited in place."""
    children_shown = list(
        school_class.children.annotate(
            match_count=Count("attempts"), last_played=Max("attempts__game__moved_at")
        )
    )
    children_shown.sort(key=lambda child: child.name_order)
    if renaming is None and (wanted := request.GET.get("edit")):
        renaming = next(
            (RenameForm(child) for child in children_shown if str(child.pk) == wanted), None
        )
    context = {
        "school_class": school_class,
        "table": SortableTable(
            request.GET, COLUMNS, children_shown, text=lambda child: child.name, filters=(PLAYED,)
        ),
        "removed": page_of(request.GET, services.removed_children(school_class), "removed"),
        "merges": page_of(request.GET, merge_children.merged_lately(school_class), "merged"),
        "form": form,
        "file_form": file_form or FileForm(),
        "renaming": renaming,
        "other_classes": classes_to_move_to(request.user, school_class) if children_shown else (),
        "all_ticked": request.GET.get("tick") == "all",
    }
    part = "#roster" if request.headers.get("HX-Request") and request.method == "GET" else ""
    return render(request, f"roster/children.html{part}", context)


@login_required
@require_POST
def take_back(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Undo an import: remove the children added at the moment `at`."""
    school_class = class_for(request.user, class_id)
    at = moment(request.GET.get("at"))
    taken = services.take_back(school_class, at, request.user) if at else 0
    text = ngettext("%(n)d child removed.", "%(n)d children removed.", taken) % {"n": taken}
    messages.success(request, text)
    return redirect("classrooms:children", class_id)


@login_required
@require_POST
def rename(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    """Rename a child, in place on the list."""
    renamed = child_for(request.user, class_id, child_id)
    form = RenameForm(renamed, request.POST)
    if not form.is_valid():
        return roster_page(request, renamed.school_class, PasteForm(renamed.school_class), form)
    services.rename(renamed, form.cleaned_data["name"], request.user)
    asked = f"?{request.GET.urlencode()}" if request.GET else ""
    return redirect(f"{reverse('classrooms:children', args=[class_id])}{asked}#child-{child_id}")


@login_required
@require_http_methods(["GET", "POST"])
def child(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    edited = child_for(request.user, class_id, child_id)
    form = RenameForm(edited, request.POST or None)
    if request.method == "POST" and form.is_valid():
        services.rename(edited, form.cleaned_data["name"], request.user)
        messages.success(request, _("Saved."))
        return redirect("classrooms:child", class_id, child_id)
    return child_page(request, edited, form)


def child_page(request: AdultRequest, child: Child, form: RenameForm, **more: Any) -> HttpResponse:
    """The page on which a child is changed."""
    context = {
        "school_class": child.school_class,
        "pupil": child,
        "form": form,
        "other_classes": classes_to_move_to(request.user, child.school_class),
        "has_others": child.school_class.children.exclude(pk=child.pk).exists(),
        "tries": child_sign_in.tries_of(child),
        **more,
    }
    return render(request, "roster/child.html", context)
