"""Pages about a school's source of lists. Admins connect it and link classes. They and the teachers
of a class confirm its changes."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST

from classrooms import outgoing
from classrooms.access import AdultRequest, class_for, classes_in, school_for
from classrooms.accounts.services import needs_proof, needs_proof_first
from classrooms.audit import Page, log_view
from classrooms.child_names import name_key
from classrooms.locks import ActRefused
from classrooms.models import Connection, RosterSource, School, SchoolClass, SourceClass
from classrooms.models.name_order import class_order
from classrooms.privacy.erasure import REMOVED_KEPT_FOR
from classrooms.roster import source_changes, sources
from classrooms.roster.tasks import ask_worker
from classrooms.ui.ask_first import ask_first, is_sure


def _check_address(address: str) -> None:
    try:
        outgoing.host_of(address)
    except outgoing.NoAnswer:
        raise forms.ValidationError(
            _("Type an address that begins with https://, without a password in it.")
        ) from None


class SourceForm(forms.Form):
    """The connection with a OneRoster server. The stored secret is never shown. An empty field
    keeps it, unless the addresses change."""

    address = forms.CharField(
        label=gettext_lazy("Address of the source"),
        max_length=300,
        help_text=gettext_lazy(
            "It begins with https:// and may end with /ims/oneroster/rostering/v1p2."
        ),
        validators=[_check_address],
        widget=forms.URLInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    token_address = forms.CharField(
        label=gettext_lazy("Address where the source gives out tokens (token URL)"),
        max_length=300,
        validators=[_check_address],
        widget=forms.URLInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    client_id = forms.CharField(
        label=gettext_lazy("Client ID"),
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    client_secret = forms.CharField(
        label=gettext_lazy("Client secret"),
        max_length=500,
        required=False,
        strip=True,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )
    org = forms.CharField(
        label=gettext_lazy("ID of your school at the source (sourcedId)"),
        max_length=255,
        required=False,
        help_text=gettext_lazy("Only if the source has several schools."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, source: RosterSource | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.source = source
        if source:
            self.initial.update(source.connection._asdict())
            self.fields["client_secret"].help_text = _(
                "It is stored and never shown. Leave this empty to keep it."
            )

    def clean_address(self) -> str:
        address: str = self.cleaned_data["address"]
        if "?" in address:
            text = _("Type the address without a question mark and what comes after it.")
            raise forms.ValidationError(text)
        return address.rstrip("/")

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if self.errors or data["client_secret"]:
            return data
        if self.source is None or sources.needs_secret(self.source, self.connection):
            text = _("Type the secret that belongs to this address and this client ID.")
            self.add_error("client_secret", text)
        return data

    @property
    def connection(self) -> Connection:
        return Connection(*(self.cleaned_data[name] for name in Connection._fields))


def _source_of(school: School) -> RosterSource | None:
    return RosterSource.objects.select_related("school").filter(school=school).first()


@login_required
@needs_proof_first
@require_http_methods(["GET", "HEAD", "POST"])
def connection(request: AdultRequest, school_id: UUID) -> HttpResponse:
    school = school_for(request.user, school_id)
    source = _source_of(school)
    form = SourceForm(source, request.POST if request.method == "POST" else None)
    if form.is_valid():
        secret = form.cleaned_data["client_secret"]
        saved = sources.save_source(school, request.user, form.connection, secret)
        ask_worker(saved)
        messages.success(request, _("Saved. The source is being read; look again in a minute."))
        return redirect("classrooms:school_source", school_id)
    context = {"school": school, "source": source, "form": form}
    return render(request, "roster/source_connection.html", context)


@needs_proof
@require_http_methods(["GET", "HEAD", "POST"])
def source_page(request: AdultRequest, school_id: UUID) -> HttpResponse:
    """Show the result of the last reading and the links of the classes. A POST reads the source or
    changes the links."""
    school = school_for(request.user, school_id)
    source = _source_of(school)
    if source is None:
        if request.method == "POST":
            raise Http404
        return render(request, "roster/source.html", {"school": school})
    if request.method == "POST":
        return _change(request, source)
    compared = source_changes.changes_of(source)
    question_counts = {changes.source_class.pk: len(changes.questions) for changes in compared}
    classes = sorted(classes_in(school).filter(archived_at=None), key=class_order)
    context = {
        "school": school,
        "source": source,
        "classes": classes,
        "lines": _lines(source, classes, question_counts),
        "waiting": sum(question_counts.values()),
        "are_linked": bool(compared),
    }
    return render(request, "roster/source.html", context)


def _lines(
    source: RosterSource, classes: Sequence[SchoolClass], question_counts: Mapping[int, int]
) -> list[tuple[SourceClass, UUID | None, str]]:
    """The classes of the source, each with the key of the class chosen for it and a remark. Until
    one of them is linked, the class of the same name is chosen."""
    source_classes = list(source.classes.all())
    same_name = {name_key(school_class.name): school_class.pk for school_class in reversed(classes)}
    if any(source_class.school_class_id for source_class in source_classes):
        same_name = {}
    lines = []
    for source_class in source_classes:
        note = ""
        if source_class.school_class_id and not source_class.is_here:
            note = _("The source no longer has this class. Nothing was changed.")
        elif source_class.is_empty:
            note = _("The source now lists nobody in this class. Nothing was changed.")
        elif count := question_counts.get(source_class.pk, 0):
            text = ngettext("%(n)d change waits.", "%(n)d changes wait.", count)
            note = text % {"n": count}
        linked_key = source_class.school_class_id or same_name.pop(
            name_key(source_class.title), None
        )
        lines.append((source_class, linked_key, note))
    return lines


def _change(request: AdultRequest, source: RosterSource) -> HttpResponse:
    match request.POST.get("do"):
        case "read":
            if wait_reason := sources.reason_to_wait(source, timezone.now()):
                messages.error(request, wait_reason)
            else:
                ask_worker(source)
                messages.success(request, _("The source is being read; look again in a minute."))
        case "link":
            _link(request, source)
        case _:
            messages.error(request, _("Nothing was changed."))
    return redirect("classrooms:school_source", source.school_id)


@needs_proof
@require_POST
def end(request: AdultRequest, school_id: UUID) -> HttpResponse:
    school = school_for(request.user, school_id)
    source = get_object_or_404(RosterSource.objects.select_related("school"), school=school)
    url = reverse("classrooms:school_source", args=[school_id])
    if not is_sure(request):
        return ask_first(
            request,
            heading=_("Disconnect the source"),
            lost=_(
                "The address, the secret and the links between classes will be deleted. The "
                "classes and their children stay as they are."
            ),
            button=_("Disconnect"),
            back=url,
        )
    sources.end_source(source, request.user)
    messages.success(request, _("The source is disconnected. The children stay."))
    return redirect(url)


def _link(request: AdultRequest, source: RosterSource) -> None:
    try:
        count = sources.link_classes(source, _chosen_links(request, source))
    except ActRefused as refused:
        messages.error(request, refused.message)
        return
    if count:
        ask_worker(source)
        messages.success(request, _("Saved. The source is being read; look again in a minute."))


def _chosen_links(request: AdultRequest, source: RosterSource) -> dict[int, SchoolClass | None]:
    """The class that the admin has chosen for each class of the source; None for no link."""
    classes = {str(school_class.pk): school_class for school_class in classes_in(source.school)}
    return {
        source_class.pk: classes.get(request.POST[f"class-{source_class.pk}"])
        for source_class in source.classes.all()
        if f"class-{source_class.pk}" in request.POST
    }


@needs_proof
@require_http_methods(["GET", "HEAD", "POST"])
def school_changes(request: AdultRequest, school_id: UUID) -> HttpResponse:
    source = get_object_or_404(
        RosterSource.objects.select_related("school"), school=school_for(request.user, school_id)
    )
    address = reverse("classrooms:school_changes", args=[school_id])
    return _changes_to_confirm(request, source, address)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def class_changes(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    sources_of_class = RosterSource.objects.select_related("school")
    source = get_object_or_404(sources_of_class, classes__school_class=school_class)
    address = reverse("classrooms:class_changes", args=[class_id])
    return _changes_to_confirm(request, source, address, school_class)


def _changes_to_confirm(
    request: AdultRequest, source: RosterSource, address: str, only: SchoolClass | None = None
) -> HttpResponse:
    if request.method == "POST":
        answers = {
            name: str(value) for name, value in request.POST.items() if name.startswith("pupil-")
        }
        try:
            counts = sources.apply_answers(source, request.user, answers, only)
        except (IntegrityError, ActRefused) as problem:
            text = _("One of these names has just been added. Please check the list again.")
            messages.error(request, getattr(problem, "message", text))
        else:
            summary = " ".join(render_to_string("roster/_carried_out.html", {**counts}).split())
            messages.success(request, summary or _("Saved."))
        return redirect(address)
    movable = sources.movable_to(only, request.user) if only else None
    compared = source_changes.changes_of(source, only, movable)
    for changes in compared if only is None else ():
        log_view(request.user, Page.CLASS, school_class=changes.school_class, for_school=True)
    context = {
        "school": source.school,
        "source": source,
        "school_class": only,
        "changes": [
            changes
            for changes in compared
            if changes.questions or not changes.source_class.agreed_at
        ],
        "address": address,
        "days": REMOVED_KEPT_FOR.days,
    }
    return render(request, "roster/source_changes.html", context)
