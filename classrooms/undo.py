"""Undoes what an adult has just done.

Many acts have an opposite with its own address: bringing back a removed child, restoring an
archived class. The message about such an act has a button that posts to the opposite. For any other
act, `keep_act` stores for an hour what its undo needs, for the adult who did it:

    undo_url = keep_act(request, restore_name, return_url, school_class, before=name)
    success_with_undo(request, text, undo_url)

    @undoes_act
    def restore_name(request: AdultRequest, act: KeptAct) -> str: ...
"""

import hashlib
import json
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.apps import apps
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core import serializers
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from classrooms import bounds
from classrooms.access import AdultRequest, class_for
from classrooms.locks import ActRefused, Changed, lock
from classrooms.models import KeptAct, SchoolClass, User

ACT_KEPT_FOR: Final = timedelta(hours=1)
MOST_KEPT: Final = 5
"""How many of an adult's latest acts can be undone."""
Data = list[dict[str, Any]]
Undo = Callable[[AdultRequest, KeptAct], str]
"""Undoes an act and returns the message to show. Raises `Changed` if that is no longer possible, or
another `ActRefused` that says why."""
_undos: Final[dict[str, Undo]] = {}
_ROOM_CHECKS: Final[Mapping[str, Callable[[SchoolClass], None]]] = {
    "classrooms.Assignment": bounds.ensure_room_for_assignment,
    "checkups.CheckUp": bounds.ensure_room_for_check_up,
    "classrooms.Group": bounds.ensure_room_for_group,
}
"""For each model, the function that raises `bounds.LimitReached` if a class has no room for another
row of it."""


def success_with_undo(
    request: HttpRequest, text: str, undo_url: str, *, link: tuple[str, str] | None = None
) -> None:
    """Show what was done, with a button that posts to `undo_url`. `link` has the URL and the name
    of a page that may come next."""
    if link:
        text = format_html('{} <a href="{}">{}</a>', text, *link)
    messages.success(request, text, extra_tags=undo_url)


def undoes_act(undo_act: Undo) -> Undo:
    """Register a function that `keep_act` may store."""
    _undos[_name_of(undo_act)] = undo_act
    return undo_act


def _name_of(undo_act: Undo) -> str:
    return f"{undo_act.__module__}.{undo_act.__name__}".removeprefix("classrooms.")


def keep_act(
    request: AdultRequest,
    undo_act: Undo,
    return_url: str,
    school_class: SchoolClass | None = None,
    *,
    key: str = "",
    **data: Any,
) -> str:
    """Store what `undo_act` needs, and return the URL that calls it. `return_url` is the page to
    show afterwards. `data` says what the act is about. Without a `school_class`, the act can also
    be undone while its class is archived."""
    key, kind = key or secrets.token_urlsafe(9), _name_of(undo_act)
    own_acts = KeptAct.objects.filter(user=request.user)
    own_acts.create(
        key=key, user=request.user, school_class=school_class, kind=kind, back=return_url, data=data
    )
    latest = own_acts.order_by("-at").values_list("pk", flat=True)[:MOST_KEPT]
    own_acts.exclude(pk__in=list(latest)).delete()
    return _undo_url(key, school_class)


@contextmanager
def keep_rows(
    request: AdultRequest, school_class: SchoolClass, return_url: str, rows: models.QuerySet[Any]
) -> Iterator[str]:
    """Store these rows of the class and their links as they are before the block runs, and yield
    the URL that restores them. `return_url` is the page to show afterwards. The class is locked, so
    that no other change counts as a part of the act."""
    key = secrets.token_urlsafe(9)
    label = rows.model._meta.label
    with lock(school_class):
        keys = list(map(str, rows.values_list("pk", flat=True)))
        before = _stored_rows(label, keys)
        yield _undo_url(key, school_class)
        after = _digest(_stored_rows(label, keys))
        data = {"model": label, "keys": keys, "before": before, "after": after}
        keep_act(request, _restore_rows, return_url, school_class, key=key, **data)


@login_required
@require_POST
def undo(request: AdultRequest, key: str, class_id: UUID | None = None) -> HttpResponse:
    school_class = class_for(request.user, class_id) if class_id else None
    page = redirect("classrooms:class", class_id) if class_id else redirect("classrooms:classes")
    try:
        act = _act_of(request.user, school_class, key)
        text = _undos[act.kind](request, act)
    except Changed:
        text = _(
            "This can no longer be undone: something has changed since, or more than an hour "
            "has passed."
        )
        messages.error(request, text)
        return page
    except ActRefused as refused:
        messages.error(request, refused.message)
        return page
    act.delete()
    if text:
        messages.success(request, text)
    return redirect(act.back)


def _undo_url(key: str, school_class: SchoolClass | None) -> str:
    if school_class:
        return reverse("classrooms:undo", args=[school_class.pk, key])
    return reverse("classrooms:undo_act", args=[key])


def _act_of(user: User, school_class: SchoolClass | None, key: str) -> KeptAct:
    """The act of this adult in this class. Raises `Changed` if it can no longer be undone."""
    since = timezone.now() - ACT_KEPT_FOR
    acts = KeptAct.objects.select_related("school_class").filter(kind__in=_undos, at__gte=since)
    act = acts.filter(key=key, user=user, school_class=school_class).first()
    if act is None:
        raise Changed
    return act


def class_of(act: KeptAct) -> SchoolClass:
    """The class of an act that has one. `undo` has checked that the adult still teaches it."""
    assert act.school_class
    return act.school_class


# Acts that changed rows of a class: the undo restores them.


@undoes_act
def _restore_rows(request: AdultRequest, act: KeptAct) -> str:
    """Restore the rows as they were before the act. Raises `Changed` if they are no longer as the
    act left them, and `bounds.LimitReached`."""
    label, keys, before = (act.data[part] for part in ("model", "keys", "before"))
    model = apps.get_model(label)
    with lock(class_of(act)) as (school_class,):
        now = _stored_rows(label, keys)
        if _digest(now) != act.data["after"]:
            raise Changed
        keys_now = {row["pk"] for row in now if row["model"] == model._meta.label_lower}
        for row in _rows(before, model):
            if str(row.pk) not in keys_now:
                _ROOM_CHECKS[label](school_class)
            row.save_base(raw=True)
        for field in model._meta.many_to_many:
            links = _rows(before, field.remote_field.through)
            _replace_links(field, keys, links, school_class)
    return _("Undone: everything is as it was before.")


def rows_as_json(rows: Any, **options: Any) -> Data:
    """The rows as JSON data, with times to the microsecond."""
    plain = serializers.serialize("python", rows, **options)
    data: Data = json.loads(json.dumps(plain, default=str))
    return data


def _stored_rows(label: str, keys: Sequence[str]) -> Data:
    """The rows with these keys that still exist, and their links."""
    model = apps.get_model(label)
    names = [field.name for field in model._meta.concrete_fields]
    rows = rows_as_json(model._base_manager.filter(pk__in=keys).order_by("pk"), fields=names)
    for field in model._meta.many_to_many:
        rows += rows_as_json(_links(field, keys).order_by("pk"))
    return rows


def _links(field: Any, keys: Sequence[str]) -> models.QuerySet[Any]:
    links: models.QuerySet[Any] = field.remote_field.through._base_manager.filter(
        **{f"{field.m2m_field_name()}__in": keys}
    )
    return links


def _rows(data: Data, model: type[models.Model]) -> list[Any]:
    part = [row for row in data if row["model"] == model._meta.label_lower]
    return [row.object for row in serializers.deserialize("python", part, ignorenonexistent=True)]


def _replace_links(
    field: Any, keys: Sequence[str], links: Sequence[Any], school_class: SchoolClass
) -> None:
    """Replace the links of the rows by these. Links to rows that were deleted or have left the
    class since are left out, because the adult may not see those rows."""
    name = field.remote_field.through._meta.get_field(field.m2m_reverse_field_name()).attname
    targets = field.related_model._base_manager.filter(
        pk__in=[getattr(link, name) for link in links], school_class=school_class
    )
    target_keys = set(targets.values_list("pk", flat=True))
    _links(field, keys).delete()
    field.remote_field.through._base_manager.bulk_create(
        link for link in links if getattr(link, name) in target_keys
    )


def _digest(data: Data) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()
