"""The pages on which the owner of a class, and the adult of an account, read their audit log."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, tzinfo
from itertools import groupby
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.paginator import Page, Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from classrooms.access import Adult, AdultRequest, classes_of, own_class_for
from classrooms.audit import What
from classrooms.models import AuditEntry, Child, Invitation, SchoolClass
from classrooms.privacy.words import AuditLine, KnownNames, account_sentence, class_sentence

PAGE_SIZE: Final = 50
KINDS: Final[Mapping[str, tuple[Promise, Sequence[AuditEntry.What]]]] = {
    "looks": (_("Views"), (What.LOOKED,)),
    "files": (_("Files"), (What.ASKED, What.EXPORTED)),
    "children": (
        _("Children"),
        (
            What.ADDED,
            What.RENAMED,
            What.REMOVED,
            What.BROUGHT_BACK,
            What.MOVED,
            What.MERGED,
            What.MERGE_UNDONE,
            What.SETTINGS,
            What.LIST_AGREED,
            What.ERASED,
        ),
    ),
    "signing-in": (
        _("Signing in"),
        (
            What.NEW_PICTURES,
            What.NEW_QR_CODES,
            What.CARDS_BACK,
            What.SIGNED_OUT,
            What.TRIES_CLEARED,
            What.NEW_CODE,
            What.FORMER_CODE,
            What.CLOSED,
            What.OPENED,
            What.NAMES_SHOWN,
            What.COURSE_LINKED,
            What.COURSE_UNLINKED,
            What.PERSON_LINKED,
            What.PERSON_UNLINKED,
            What.LAUNCH_REFUSED,
        ),
    ),
    "class": (_("Class"), (What.MADE, What.CHANGED, What.ARCHIVED, What.RESTORED)),
    "teachers": (
        _("Teachers"),
        (
            What.INVITED,
            What.INVITATION_ENDED,
            What.JOINED,
            What.LEFT,
            What.TEACHER_REMOVED,
            What.TEACHER_BACK,
            What.ROLE_GIVEN,
            What.HANDED_OVER,
            What.SWITCHED_ON,
            What.SWITCHED_OFF,
        ),
    ),
}
"""The kinds of entries by which the owner of a class can filter its log. All others are about an
account."""
SentenceOf = Callable[[AuditEntry, KnownNames], str]


@login_required
@require_GET
def who_looked(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Show the acts on the class, the latest first. Only children whom the reader still teaches are
    named."""
    school_class = own_class_for(request.user, class_id)
    entries = AuditEntry.objects.filter(class_id=class_id, is_part=False)
    kind = request.GET.get("show", "")
    if kind in KINDS:
        entries = entries.filter(what__in=KINDS[kind][1])
    page = Paginator(entries.select_related("user", "account"), PAGE_SIZE).get_page(
        request.GET.get("page")
    )
    names = _known_names(request.user, page)
    context = {
        "school_class": school_class,
        "page": page,
        "days": _by_day(page, names, class_sentence, ZoneInfo(school_class.time_zone)),
        "kept": settings.AUDIT_DAYS,
        "shown": kind if kind in KINDS else "",
        "choices": [("", _("All")), *((key, label) for key, (label, _whats) in KINDS.items())],
    }
    return render(request, "privacy/who_looked.html", context)


@login_required
@require_GET
def account_log(request: AdultRequest) -> HttpResponse:
    """Show what happened to one's own account, the latest first."""
    entries = AuditEntry.objects.filter(account=request.user.pk).select_related("user", "account")
    page = Paginator(entries, PAGE_SIZE).get_page(request.GET.get("page"))
    class_ids = {str(entry.class_id) for entry in page if entry.class_id}
    names = KnownNames(classes=_class_names(class_ids))
    context = {
        "page": page,
        "days": _by_day(page, names, account_sentence, timezone.get_current_timezone()),
        "kept": settings.AUDIT_DAYS,
    }
    return render(request, "privacy/account_log.html", context)


def _known_names(user: Adult, entries: Page[AuditEntry]) -> KnownNames:
    """The names in these entries that this adult may see. Only kinds of names that the entries need
    are queried."""
    child_ids = {entry.child_id for entry in entries if entry.child_id}
    details: list[dict[str, Any]] = [entry.detail for entry in entries]
    class_ids = {
        detail[direction]
        for detail in details
        for direction in ("to", "origin")
        if direction in detail
    }
    invitation_ids = {detail["invitation"] for detail in details if "invitation" in detail}
    children = Child.all_objects.filter(school_class__in=classes_of(user)).in_bulk(child_ids)
    invitations = Invitation.objects.in_bulk(invitation_ids)
    return KnownNames(
        {key: child.name for key, child in children.items()},
        _class_names(class_ids),
        {str(key): invitation.email for key, invitation in invitations.items()},
    )


def _class_names(keys: Iterable[str]) -> dict[str, str]:
    classes = SchoolClass.objects.in_bulk(keys)
    return {str(key): school_class.name for key, school_class in classes.items()}


def _by_day(
    entries: Iterable[AuditEntry], names: KnownNames, sentence_of: SentenceOf, zone: tzinfo
) -> Sequence[tuple[date, list[AuditLine]]]:
    """The entries as lines, grouped by their days in this time zone."""
    lines = [AuditLine(entry.at.astimezone(zone), sentence_of(entry, names)) for entry in entries]
    return [(day, list(of_day)) for day, of_day in groupby(lines, lambda line: line.at.date())]
