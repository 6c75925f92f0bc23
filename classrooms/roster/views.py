"""A teacher's pages about the children of a class: names, signing in, settings. `group_views`,
`move_views` and `merge_views` have those about groups, moves and merges."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.db.models import Count, Max
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from classrooms.access import (
    AdultRequest,
    any_child_for,
    child_for,
    child_to_bring_back_for,
    class_for,
    classes_to_move_to,
    is_owner,
)
from classrooms.accounts.services import needs_proof
from classrooms.audit import Page, log_view_of_secrets
from classrooms.credentials import decrypt_pictures, with_labels
from classrooms.locks import Changed
from classrooms.models import Child, KeptAct, Merge, SchoolClass
from classrooms.privacy.erasure import MERGE_KEPT_FOR, REMOVED_KEPT_FOR
from classrooms.roster import services, sources
from classrooms.roster.forms import (
    HINTS,
    TICKS,
    FileForm,
    PasteForm,
    RenameForm,
)
from classrooms.signin import cards, sessions, wrong_tries
from classrooms.signin import services as signin
from classrooms.ui.sortable_table import Filter, SortableColumn, SortableTable, page_of
from classrooms.undo import class_of, keep_act, success_with_undo, undoes_act


@login_required
@require_http_methods(["GET", "POST"])
def edit_child(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    child = child_for(request.user, class_id, child_id)
    form = RenameForm(child, request.POST or None)
    if request.method == "POST" and form.is_valid():
        return_url = reverse("classrooms:child", args=[class_id, child_id])
        name = form.cleaned_data["name"]
        if (before := services.rename(child, name, request.user)) != name:
            text = _("%(before)s is now called %(name)s.") % {"before": before, "name": name}
            data = {"child": str(child.pk), "before": before, "after": name}
            undo_url = keep_act(request, _rename_back, return_url, child.school_class, **data)
            success_with_undo(request, text, undo_url)
        return redirect(return_url)
    return render_child(request, child, form)


@undoes_act
def _rename_back(request: AdultRequest, act: KeptAct) -> str:
    child = class_of(act).children.filter(pk=act.data["child"], name=act.data["after"]).first()
    if child is None:
        raise Changed
    services.rename(child, act.data["before"], request.user)
    return _("The name is %(name)s again.") % {"name": act.data["before"]}


def render_child(
    request: AdultRequest, child: Child, form: RenameForm, **more: Any
) -> HttpResponse:
    """The page of one child. `more` is added to its context."""
    context = {
        "school_class": child.school_class,
        "child": child,
        "form": form,
        "other_classes": classes_to_move_to(request.user, child.school_class),
        "days": REMOVED_KEPT_FOR.days,
        "is_owner": is_owner(request.user, child.school_class),
        "has_others": child.school_class.children.exclude(pk=child.pk).exists(),
        "tries": wrong_tries.tries_of(child),
        **more,
    }
    return render(request, "roster/child.html", context)


@login_required
@require_POST
def remove(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    child = child_for(request.user, class_id, child_id)
    services.remove(child, request.user)
    undo_url = reverse("classrooms:bring_child_back", args=[class_id, child_id])
    text = _("%(name)s has been removed from the class.") % {"name": child.name}
    success_with_undo(request, text, undo_url)
    return redirect("classrooms:children", class_id)


@login_required
@require_POST
def bring_back(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    child = child_to_bring_back_for(request.user, class_id, child_id)
    services.bring_back(child, request.user)
    messages.success(request, _("%(name)s is back.") % {"name": child.name})
    return redirect("classrooms:children", class_id)


@needs_proof
@require_http_methods(["GET", "POST"])
def erase(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    """Show what is lost if the child is erased. A POST erases them for good."""
    child = any_child_for(request.user, class_id, child_id)
    if request.method == "POST":
        services.erase(child, request.user)
        messages.success(
            request, _("All data about %(name)s has been deleted.") % {"name": child.name}
        )
        return redirect("classrooms:children", class_id)
    context = {
        "school_class": child.school_class,
        "child": child,
        "game_count": child.attempts.count(),
    }
    return render(request, "roster/erase_child.html", context)


MESSAGES_FOR_ALL: Final[dict[str, Promise]] = {
    "card": gettext_lazy(
        "All children have new pictures and QR codes. The old cards no longer work."
    ),
    "sign-out": gettext_lazy("Everyone is signed out."),
    "lift": gettext_lazy("The wrong tries have been cleared."),
}
MESSAGES_FOR_ONE: Final[dict[str, Promise]] = {
    "card": gettext_lazy(
        "%(name)s has new pictures and a new QR code. The old card no longer works."
    ),
    "sign-out": gettext_lazy("%(name)s is signed out everywhere."),
    "lift": gettext_lazy("The wrong tries for %(name)s have been cleared."),
}
"""What the page says after each act on how children sign in, by its button."""
ACTIONS_WITHOUT_UNDO: Final = {
    "sign-out": sessions.sign_out_children,
    "lift": wrong_tries.clear_tries,
}


def _act_on_sign_in(
    request: AdultRequest,
    school_class: SchoolClass,
    children: Sequence[Child],
    confirmations: dict[str, str],
    new_cards: tuple[str, str],
) -> None:
    """Carry out the act of the posted button for these children, and show a message. After a
    renewal, the message has a button that undoes it and the link to the `new_cards`."""
    button, by = request.POST.get("do", ""), request.user
    if button == "card":
        renewal = str(cards.renew(children, by))
        return_url = reverse("classrooms:signing_in", args=[school_class.pk])
        undo_url = keep_act(request, take_cards_back, return_url, school_class, renewal=renewal)
        success_with_undo(request, confirmations[button], undo_url, link=new_cards)
    elif button in ACTIONS_WITHOUT_UNDO:
        ACTIONS_WITHOUT_UNDO[button](children, by)
        messages.success(request, confirmations[button])
    else:
        raise BadRequest("No such button.")


@undoes_act
def take_cards_back(request: AdultRequest, act: KeptAct) -> str:
    children = list(Child.all_objects.filter(school_class=class_of(act)))
    if not cards.restore_cards(children, UUID(act.data["renewal"]), request.user):
        raise Changed
    return _("Undone. The earlier cards work again.")


@login_required
@require_http_methods(["GET", "POST"])
def signing_in(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    if request.method == "POST":
        # Removed children too: the old card of a child who comes back must not work.
        children = list(Child.all_objects.filter(school_class=school_class))
        confirmations = {do: str(text) for do, text in MESSAGES_FOR_ALL.items()}
        new_cards = reverse("classrooms:cards", args=[class_id]), _("Print the new cards")
        _act_on_sign_in(request, school_class, children, confirmations, new_cards)
        return redirect("classrooms:signing_in", class_id)
    context = {
        "school_class": school_class,
        "child_count": school_class.children.count(),
        "tries": wrong_tries.children_with_many_tries(school_class),
        "wrong_names": wrong_tries.count_wrong_names(school_class),
        "most_wrong_names": signin.TRIES,
        "courses": school_class.courses.exists(),
    }
    return render(request, "roster/signing_in.html", context)


@login_required
@require_POST
def child_signing_in(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    child = child_for(request.user, class_id, child_id)
    confirmations = {do: str(text) % {"name": child.name} for do, text in MESSAGES_FOR_ONE.items()}
    new_card = cards.page_of(child), _("Print the new card")
    _act_on_sign_in(request, child.school_class, [child], confirmations, new_card)
    return redirect("classrooms:child", class_id, child_id)


@login_required
@require_POST
def child_pictures(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    """Show the child's pictures. This needs a POST, because each look is logged."""
    child = child_for(request.user, class_id, child_id)
    log_view_of_secrets(request.user, Page.PICTURES, [child])
    pictures = with_labels(decrypt_pictures(child.pictures_encrypted))
    return render_child(request, child, RenameForm(child), pictures=pictures)


SettingsLine = tuple[Child, Sequence[tuple[str, Promise, bool]]]
"""A child's line on the page of settings. For each checkbox: the name to post, the label, and
whether it is checked."""


def settings_table(query: QueryDict, school_class: SchoolClass) -> SortableTable[SettingsLine]:
    """The lines as a table, sorted and filtered by the query."""
    columns: list[SortableColumn[SettingsLine]] = [
        SortableColumn("name", _("Child"), lambda line: line[0].name_order),
        *(_column(field, *tick) for field, tick in TICKS.items()),
        SortableColumn(HINTS, _("Hints"), lambda line: line[0].hints),
    ]
    lines = [
        (child, [(name, label, getattr(child, field)) for field, (name, label) in TICKS.items()])
        for child in school_class.children.all()
    ]
    return SortableTable(query, columns, lines, text=lambda line: line[0].name)


def _column(field: str, name: str, label: Promise) -> SortableColumn[SettingsLine]:
    return SortableColumn(name, label, lambda line: bool(getattr(line[0], field)))


@login_required
@require_http_methods(["GET", "POST"])
def child_settings(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    if request.method == "POST":
        services.save_settings(school_class, request.POST, request.user)
        messages.success(request, _("Saved."))
        return redirect(request.get_full_path())
    context = {
        "school_class": school_class,
        "table": settings_table(request.GET, school_class),
        "hints": Child.Hints.choices,
    }
    return render(request, "roster/child_settings.html", context)


COLUMNS: Final[Sequence[SortableColumn[Any]]] = (
    SortableColumn("name", gettext_lazy("Name"), lambda child: child.name_order),
    SortableColumn("matches", gettext_lazy("Games"), lambda child: child.match_count, number=True),
    SortableColumn("played", gettext_lazy("Last played"), lambda child: child.last_played),
    SortableColumn("change", gettext_lazy("Change"), is_hidden=True),
)

FILTER: Final[Filter[Any]] = Filter(
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
    file_form: FileForm | None = None,
) -> HttpResponse:
    """The page with the children of a class."""
    children_shown = list(
        school_class.children.annotate(
            match_count=Count("attempts"), last_played=Max("attempts__game__moved_at")
        )
    )
    children_shown.sort(key=lambda child: child.name_order)
    recent_merges = Merge.objects.filter(
        child__school_class=school_class, at__gt=timezone.now() - MERGE_KEPT_FOR
    ).select_related("child", "into")
    context = {
        "school_class": school_class,
        "table": SortableTable(
            request.GET, COLUMNS, children_shown, text=lambda child: child.name, filters=(FILTER,)
        ),
        "removed": page_of(request.GET, services.removed_children(school_class), "removed"),
        "days": REMOVED_KEPT_FOR.days,
        "merges": page_of(request.GET, list(recent_merges), "merged"),
        "form": form,
        "file_form": file_form or FileForm(),
        "other_classes": classes_to_move_to(request.user, school_class) if children_shown else (),
        "all_ticked": request.GET.get("tick") == "all",
        "waiting": sources.question_count(school_class, request.user),
    }
    return render(request, "roster/children.html", context)
