"""A teacher's pages about the children of a class: names, signing in, settings."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.db.models import Count, Max, Prefetch
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from classrooms import bounds
from classrooms.access import (
    AdultRequest,
    any_child_for,
    child_for,
    child_to_bring_back_for,
    class_for,
    class_to_move_to,
    classes_to_move_to,
    classmate_of,
    group_for,
    is_owner,
)
from classrooms.accounts.services import needs_proof
from classrooms.assignments.audience import groups_of
from classrooms.audit import Page, log_view_of_secrets
from classrooms.credentials import decrypt_pictures, with_labels
from classrooms.locks import Changed
from classrooms.models import Child, Group, KeptAct, Merge, SchoolClass
from classrooms.privacy.erasure import MERGE_KEPT_FOR, REMOVED_KEPT_FOR
from classrooms.progress.facts import secure_facts
from classrooms.progress.models import ChildDay
from classrooms.progress.rows import TableCell, table_cells
from classrooms.roster import merges, moves, services, sources
from classrooms.roster.forms import (
    FileForm,
    GroupForm,
    PasteForm,
    RenameForm,
    save_settings,
    settings_table,
)
from classrooms.signin import cards, sessions, wrong_tries
from classrooms.signin import services as signin
from classrooms.ui.sortable_table import Filter, SortableColumn, SortableTable, page_of
from classrooms.undo import class_of, keep_act, keep_rows, success_with_undo, undoes_act
from games.coach.mastery import GOOD_LEVELS
from games.play.posted_values import parse_uuid
from games.screen.words import listed


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


# A teacher removes, brings back or erases a child.


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


# How the children of a class sign in: wrong tries, new cards, sign-out.

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


# The settings of single children of a class: untimed, larger cards, hints, short questions.


@login_required
@require_http_methods(["GET", "POST"])
def child_settings(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    if request.method == "POST":
        save_settings(school_class, request.POST, request.user)
        messages.success(request, _("Saved."))
        return redirect(request.get_full_path())
    context = {
        "school_class": school_class,
        "table": settings_table(request.GET, school_class),
        "hints": Child.Hints.choices,
    }
    return render(request, "roster/child_settings.html", context)


# The page with the children of a class.


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


# The groups of a class.


@login_required
@require_GET
def groups(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    children = Prefetch("children", school_class.children.all())
    context = {
        "school_class": school_class,
        "groups": list(groups_of(school_class).prefetch_related(children)),
        "has_children": school_class.children.exists(),
    }
    return render(request, "roster/groups.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def edit_group(request: AdultRequest, class_id: UUID, group_id: UUID | None = None) -> HttpResponse:
    """Change a group of the class, or make a new one."""
    group = group_for(request.user, class_id, group_id) if group_id else None
    school_class = group.school_class if group else class_for(request.user, class_id)
    form = GroupForm(school_class, request.POST or None, instance=group)
    if request.method == "POST" and form.is_valid():
        try:
            _save_group(request, form)
        except bounds.LimitReached as full:
            form.add_error("name", full.message)
        else:
            return redirect("classrooms:child_groups", school_class.pk)
    context = {"school_class": school_class, "group": group, "form": form}
    return render(request, "roster/group_form.html", context)


def _save_group(request: AdultRequest, form: GroupForm) -> None:
    """Save the group. If children have left it, show a message with a button that undoes this."""
    group: Group = form.save(commit=False)
    members = list(form.cleaned_data["children"])
    members_before = [] if group._state.adding else list(group.children.all())
    names_left = [child.name for child in members_before if child not in members]
    if not names_left:
        services.save_group(group, members)
        return
    school_class, rows = group.school_class, Group.objects.filter(pk=group.pk)
    return_url = reverse("classrooms:child_groups", args=[school_class.pk])
    with keep_rows(request, school_class, return_url, rows) as undo_url:
        services.save_group(group, members)
    text = ngettext(
        "%(names)s is no longer in the group %(group)s.",
        "%(names)s are no longer in the group %(group)s.",
        len(names_left),
    )
    success_with_undo(request, text % {"names": listed(names_left), "group": group.name}, undo_url)


@login_required
@require_POST
def remove_group(request: AdultRequest, class_id: UUID, group_id: UUID) -> HttpResponse:
    group = group_for(request.user, class_id, group_id)
    services.remove_group(group)
    return_url = reverse("classrooms:child_groups", args=[class_id])
    undo_url = keep_act(
        request, _give_group_back, return_url, group.school_class, group=str(group_id)
    )
    text = _("%(name)s has been removed. The children keep their assignments.")
    success_with_undo(request, text % {"name": group.name}, undo_url)
    return redirect(return_url)


@undoes_act
def _give_group_back(request: AdultRequest, act: KeptAct) -> str:
    services.bring_group_back(group_for(request.user, class_of(act).pk, act.data["group"]))
    return ""


# A teacher moves children to another class, and undoes the move.


@login_required
@require_POST
def move(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    child = child_for(request.user, class_id, child_id)
    target = parse_uuid(request.POST.get("to", ""))
    if target is None or target == class_id:
        messages.error(request, _("Choose a class."))
        return redirect("classrooms:child", class_id, child_id)
    to = class_to_move_to(request.user, child.school_class, target)
    if not _move(request, class_id, [child], to):
        return redirect("classrooms:child", class_id, child_id)
    return redirect("classrooms:children", class_id)


@login_required
@require_POST
def move_several(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Show the selected children and the class to which they would move. A second POST moves
    them."""
    school_class = class_for(request.user, class_id)
    ticked = [key for text in request.POST.getlist("child") if (key := parse_uuid(text))]
    children = list(school_class.children.filter(pk__in=ticked).select_related("school_class"))
    target = parse_uuid(request.POST.get("to", ""))
    if not children:
        messages.error(request, _("Tick the children first."))
        return redirect("classrooms:children", class_id)
    if target is None or target == class_id:
        messages.error(request, _("Choose a class."))
        return redirect("classrooms:children", class_id)
    to = class_to_move_to(request.user, school_class, target)
    if request.POST.get("do") == "move" and _move(request, class_id, children, to):
        return redirect("classrooms:children", class_id)
    movable, staying = moves.split_by_name(children, to)
    room = bounds.MOST_CHILDREN - to.children.count()
    context = {
        "school_class": school_class,
        "to": to,
        "movable": movable,
        "staying": staying,
        "full": bounds.most_children_text() if len(movable) > room else "",
    }
    return render(request, "roster/move_children.html", context)


def _move(
    request: AdultRequest, class_id: UUID, children: Sequence[Child], to: SchoolClass
) -> bool:
    """Move the children, and return whether anybody has moved. A message with a button for the undo
    says who has moved; another says who has not."""
    try:
        moved_children, at, left_games = moves.move(children, to, request.user)
    except bounds.LimitReached as full:
        messages.error(request, full.message)
        return False
    staying = [child.name for child in children if child not in moved_children]
    if at is None or staying:
        text = _("%(class)s already has a child named %(name)s.")
        if len(children) == 1:
            text = _(
                "%(class)s already has a child named %(name)s. Give this child another name "
                "here, such as “%(other)s”, then move the child."
            )
        values = {"name": listed(staying), "class": to.name, "other": f"{children[0].name} B"}
        messages.error(request, text % values)
    if at is None:
        return False
    return_url = reverse("classrooms:children", args=[class_id])
    undo_url = keep_act(request, move_children_back, return_url, to, moved_at=at.isoformat())
    text, new_cards = _moved_text(moved_children, to)
    if left_games:
        stays = _("Games given by name do not go along. Give new ones in %(to)s.")
        text = f"{text} {stays % {'to': to.name}}"
    success_with_undo(request, text, undo_url, link=new_cards)
    return True


def _moved_text(children: Sequence[Child], to: SchoolClass) -> tuple[str, tuple[str, str]]:
    """The sentence about the moved children, and the link to their new cards."""
    if len(children) == 1:
        text = _("%(name)s is now in %(class)s.") % {"name": children[0].name, "class": to.name}
        return text, (cards.page_of(children[0]), _("Print the new card"))
    text = _("%(n)d children are now in %(class)s.") % {"n": len(children), "class": to.name}
    return text, (reverse("classrooms:cards", args=[to.pk]), _("Print the new cards"))


@undoes_act
def move_children_back(request: AdultRequest, act: KeptAct) -> str:
    to = class_of(act)
    at = datetime.fromisoformat(act.data["moved_at"])
    origin = moves.origin_of(request.user, to, at)
    if origin is None:
        raise Changed
    n = len(moves.move_back(to, at, origin, request.user))
    text = ngettext("%(n)d child is back in %(class)s.", "%(n)d children are back in %(class)s.", n)
    return text % {"n": n, "class": origin.name}


# A teacher chooses, compares and merges two entries of a child, and undoes it.


@needs_proof
@require_http_methods(["GET", "POST"])
def merge(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    """Merge two entries of the same child: the games of `child` become those of `into`."""
    child = child_for(request.user, class_id, child_id)
    context: dict[str, Any] = {"school_class": child.school_class, "child": child}
    query = request.POST if request.method == "POST" else request.GET
    into_key = parse_uuid(query.get("into", ""))
    if into_key is None or into_key == child_id:
        if "into" in query:
            messages.error(request, _("Choose a child."))
        others = child.school_class.children.exclude(pk=child.pk)
        return render(request, "roster/merge_child.html", context | {"others": others})
    into = classmate_of(child, into_key)
    if request.method == "POST":
        merges.merge(child, into, request.user)
        text = _(
            "%(name)s has been merged into %(into)s. The report will be up to date within a minute."
        )
        undo_url = reverse("classrooms:undo_merge", args=[class_id, child_id])
        success_with_undo(request, text % {"name": child.name, "into": into.name}, undo_url)
        return redirect("classrooms:child", class_id, into_key)
    cells = table_cells([child, into], child.school_class.today())
    entries = [_merge_side(side, cells[side.pk]) for side in (child, into)]
    context |= {"into": into, "entries": entries}
    return render(request, "roster/merge_child.html", context)


@login_required
@require_POST
def undo_merge(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    child = any_child_for(request.user, class_id, child_id)
    record = Merge.objects.filter(child=child).select_related("child__school_class", "into").first()
    if record is None:
        messages.error(request, _("That can no longer be undone."))
        return redirect("classrooms:children", class_id)
    merges.undo(record, request.user)
    text = _("%(name)s and %(into)s are two separate children again.")
    messages.success(request, text % {"name": child.name, "into": record.into.name})
    return redirect("classrooms:children", class_id)


def _merge_side(child: Child, cells: Mapping[int, TableCell]) -> dict[str, Any]:
    """What the page shows about an entry, so that the teacher recognises the child."""
    matches = child.attempts.aggregate(number=Count("pk"), last=Max("game__moved_at"))
    return {
        "child": child,
        "matches": matches["number"],
        "days": ChildDay.objects.filter(child=child).values("day").distinct().count(),
        "last_played": matches["last"],
        "tables": [cell for _table, cell in sorted(cells.items()) if cell.level in GOOD_LEVELS],
        "facts": len(secure_facts(child)),
        "devices": child.known_devices.count(),
    }
