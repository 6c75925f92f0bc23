"""The page with the children of a class."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final, TypedDict

from django.db.models import Count, Max
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy

from classrooms.access import AdultRequest, classes_to_move_to
from classrooms.models import Child, SchoolClass
from classrooms.roster import merges, services, sources
from classrooms.roster.forms import PasteForm, RenameForm
from classrooms.roster.import_forms import FileForm
from classrooms.ui.sortable_table import Filter, SortableColumn, SortableTable, page_of

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations


class _Played(TypedDict):
    """The annotations that `roster_page` adds to each child."""

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
    SortableColumn("change", gettext_lazy("Change"), is_hidden=True),
)

FILTER: Final[Filter["WithAnnotations[Child, _Played]"]] = Filter(
    "show",
    # Translators: the button that filters a list
    gettext_lazy("Show"),
    (("", gettext_lazy("everyone")), ("unplayed", gettext_lazy("has not played yet"))),
    lambda child, choice: not choice or child.last_played is None,
)


def roster_page(
    request: AdultRequest,
    school_class: SchoolClass,
    form: PasteForm,
    renaming: RenameForm | None = None,
    file_form: FileForm | None = None,
) -> HttpResponse:
    """The page with the children of a class. `renaming` is the form for a name that is edited in
    the list."""
    children_shown = list(
        school_class.children.annotate(
            match_count=Count("attempts"), last_played=Max("attempts__game__moved_at")
        )
    )
    children_shown.sort(key=lambda child: child.name_order)
    if renaming is None and (key := request.GET.get("edit")):
        renaming = next(
            (RenameForm(child) for child in children_shown if str(child.pk) == key), None
        )
    context = {
        "school_class": school_class,
        "table": SortableTable(
            request.GET, COLUMNS, children_shown, text=lambda child: child.name, filters=(FILTER,)
        ),
        "removed": page_of(request.GET, services.removed_children(school_class), "removed"),
        "merges": page_of(request.GET, merges.recent_merges(school_class), "merged"),
        "form": form,
        "file_form": file_form or FileForm(),
        "renaming": renaming,
        "other_classes": classes_to_move_to(request.user, school_class) if children_shown else (),
        "all_ticked": request.GET.get("tick") == "all",
        "waiting": sources.question_count(school_class, request.user),
    }
    part = "#roster" if request.headers.get("HX-Request") and request.method == "GET" else ""
    return render(request, f"roster/children.html{part}", context)
