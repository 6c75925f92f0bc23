"""Reports to print, and the weekly mail of a teacher."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from allauth.account.models import EmailAddress
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods

from classrooms.access import AdultRequest, child_for, class_for
from classrooms.audit import Page, What, audit, audit_children, log_view
from classrooms.downloads.kinds import KINDS
from classrooms.downloads.limits import WorkKind, limited
from classrooms.downloads.views import downloads_context, redirect_to_downloads, request_file
from classrooms.models import SchoolClass, Teaching
from classrooms.progress.class_map import period_of
from classrooms.progress.periods import PERIODS
from classrooms.progress.rebuild import class_is_rebuilding
from classrooms.progress.words import rebuilding
from classrooms.reports import weekly_mail as mail
from classrooms.reports.before_lesson import before_lesson as sheet_before
from classrooms.reports.certificates import NEW_WITHIN, EarnedCertificate, earned_certificates
from classrooms.reports.certificates import certificates as certificates_of
from classrooms.reports.child_paper import child_paper
from classrooms.reports.class_paper import class_paper
from classrooms.reports.pdf import certificates_pdf, children_pdf, class_pdf, lesson_pdf
from classrooms.reports.weekly_letter import letter_to
from classrooms.signin.cards import MOST_CARDS_AT_ONCE, language_of
from classrooms.ui import typesetting
from classrooms.ui.typesetting import pdf_response
from games.marks import marked
from games.play.posted_values import parse_uuid

# Reports to print: the page where they are chosen, and the PDFs. Each download is logged.

CERTIFICATE: Final = "certificate"
CERTIFICATES: Final = "certificates"
CHILD: Final = "child"


class PaperForm(forms.Form):
    """The period and the language of a report. The form is sent as a query and never fails. A
    missing or unknown value means the usual period or the language of the class."""

    period = forms.ChoiceField(
        label=gettext_lazy("Period"),
        choices=[(name, label) for name, (_days, label) in PERIODS.items()],
        initial="month",
        widget=forms.RadioSelect,
    )
    language = forms.ChoiceField(
        label=gettext_lazy("Language"),
        choices=lambda: settings.LANGUAGES,
        initial=translation.get_language,
    )


@login_required
@require_GET
def papers(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Show what can be printed and downloaded about a class."""
    school_class = class_for(request.user, class_id)
    children = list(school_class.children.all())
    context = {
        **downloads_context(request, school_class),
        "form": PaperForm(),
        "report": PaperForm(auto_id="report_%s"),
        "children": children,
        "is_large": len(children) > MOST_CARDS_AT_ONCE,
        "rebuilding": _rebuilding(school_class),
    }
    return render(request, "reports/paper/papers.html", context)


@login_required
@require_GET
@limited(WorkKind.PAPER, "GET")
def child_report(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    child = child_for(request.user, class_id, child_id)
    school_class = child.school_class
    language = language_of(request.GET, school_class)
    with typesetting.TURNS.turn(request.user.pk), translation.override(language):
        pdf = children_pdf(school_class, [child_paper(child)])
    audit(request.user, What.EXPORTED, child=child, file="child-report")
    return pdf_response(request, school_class, pdf, owner=child.name, kind="report")


@login_required
@require_GET
@limited(WorkKind.PAPER, "GET")
def class_report(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    if school_class.children.count() > MOST_CARDS_AT_ONCE:
        return redirect_to_downloads(request, class_id)
    language = language_of(request.GET, school_class)
    with typesetting.TURNS.turn(request.user.pk), translation.override(language):
        paper = class_paper(school_class, period_of(request.GET))
        pdf = class_pdf(school_class, paper)
    audit(request.user, What.EXPORTED, school_class=school_class, file="class-report")
    return pdf_response(request, school_class, pdf, owner=school_class.name, kind="class-report")


@login_required
@require_http_methods(["GET", "POST"])
@limited(WorkKind.PAPER, "POST")
@marked(allow_archived=True)
def certificates(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Show the certificates that the class and the children have earned, or only those of the child
    in the address. New certificates are selected. A post prints the selected ones."""
    school_class = class_for(request.user, class_id)
    child = None
    if CHILD in request.GET:
        child = child_for(request.user, class_id, parse_uuid(request.GET[CHILD]))
    groups = earned_certificates(school_class, child)
    if request.method == "POST":
        keys = set(request.POST.getlist(CERTIFICATE))
        chosen = [item for _name, group in groups for item in group if item.key in keys]
        if len(chosen) > MOST_CARDS_AT_ONCE:
            options = {"keys": sorted(item.key for item in chosen)}
            language = language_of(request.POST, school_class)
            kind = KINDS["certificates"]
            return request_file(request, school_class, kind, language, child, options)
        if chosen:
            return _certificates_pdf(request, school_class, chosen)
        messages.error(request, _("Choose at least one certificate."))
    owners = {earned.child for _name, group in groups for earned in group}
    everyone = () if child else school_class.children.all()
    context = {
        "school_class": school_class,
        "earned": groups,
        "new_after": school_class.today() - NEW_WITHIN,
        "without": [classmate for classmate in everyone if classmate not in owners],
        "form": PaperForm(),
        "child": child,
        "rebuilding": _rebuilding(school_class),
    }
    return render(request, "reports/paper/certificates.html", context)


def _rebuilding(school_class: SchoolClass) -> str:
    return rebuilding() if class_is_rebuilding(school_class) else ""


def _certificates_pdf(
    request: AdultRequest,
    school_class: SchoolClass,
    earned_certificates: Sequence[EarnedCertificate],
) -> HttpResponse:
    language = language_of(request.POST, school_class)
    with typesetting.TURNS.turn(request.user.pk), translation.override(language):
        pdf = certificates_pdf(school_class, certificates_of(school_class, earned_certificates))
    owners = {earned.child for earned in earned_certificates}
    children = [child for child in owners if child is not None]
    audit_children(request.user, What.EXPORTED, children, file=CERTIFICATES)
    if None in owners:  # The class as a whole earned one.
        audit(request.user, What.EXPORTED, school_class=school_class, file=CERTIFICATES)
    return pdf_response(request, school_class, pdf, owner=school_class.name, kind=CERTIFICATES)


# The sheet before a lesson.


@login_required
@require_GET
def before_lesson(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    log_view(request.user, Page.CLASS, school_class=school_class)
    sheet = sheet_before(school_class)
    context = {
        "school_class": school_class,
        "sheet": sheet,
        "rebuilding": rebuilding() if sheet.is_rebuilding else "",
    }
    return render(request, "reports/before_lesson.html", context)


@login_required
@require_GET
@limited(WorkKind.PAPER, "GET")
def before_lesson_pdf(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    with typesetting.TURNS.turn(request.user.pk):
        pdf = lesson_pdf(sheet_before(school_class))
    audit(request.user, What.EXPORTED, school_class=school_class, file="before-lesson")
    return pdf_response(request, school_class, pdf, owner=school_class.name, kind="before-lesson")


# The mail of a teacher about a class: the page to choose it, with a preview, and the page that
# stops it without signing in.


class MailForm(forms.Form):
    """When the teacher wants the mail, and how it names children."""

    days = forms.MultipleChoiceField(
        label=gettext_lazy("On the mornings of your lessons"),
        choices=[(str(number + 1), name) for number, name in WEEKDAYS.items()],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("At 7 o’clock: whom to sit with, who is away and what goes well."),
    )
    naming = forms.ChoiceField(
        label=gettext_lazy("Children in the e-mail before a lesson"),
        choices=Teaching.NamesInMail.choices,
        required=False,
        widget=forms.RadioSelect,
        help_text=gettext_lazy("An e-mail can stay in a mailbox for years."),
    )


@login_required
@require_http_methods(["GET", "POST"])
@marked(allow_archived=True)
def weekly_mail(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Show the teacher's choice about the mail, with a preview of today's. A post changes the
    choice."""
    teaching = mail.teaching_for(request.user, class_id)
    school_class, user = teaching.school_class, teaching.user
    is_confirmed = EmailAddress.objects.filter(
        user=user, email__iexact=user.email, verified=True
    ).exists()
    if request.method == "POST":
        _change_mail(request, teaching, is_confirmed=is_confirmed)
        return redirect("classrooms:weekly_mail", class_id)
    context = {
        "school_class": school_class,
        "teaching": teaching,
        "is_confirmed": is_confirmed,
        "day": WEEKDAYS[settings.WEEKLY_MAIL_DAY - 1],
        "hour": f"{settings.WEEKLY_MAIL_HOUR}:00",
        "letter": letter_to(teaching, school_class.today()),
        "form": MailForm(initial={"days": [*teaching.mail_days], "naming": teaching.mail_names}),
    }
    return render(request, "reports/weekly_mail/weekly_mail.html", context)


def _change_mail(request: HttpRequest, teaching: Teaching, *, is_confirmed: bool) -> None:
    match request.POST.get("do"):
        case "want" if is_confirmed:
            mail.start_mail(teaching)
            messages.success(request, _("From now on you will get the weekly mail."))
        case "choose":
            form = MailForm(request.POST)
            if form.is_valid():
                mail.choose_mail(teaching, form.cleaned_data["days"], form.cleaned_data["naming"])
                messages.success(request, _("Saved."))
            else:
                messages.error(request, _("Nothing was changed."))
        case "stop":
            mail.stop_mail(teaching)
            messages.success(
                request, _("Unsubscribed. You will get no more e-mails about this class.")
            )
        case _nothing:
            messages.error(request, _("Nothing was changed."))


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def stop(request: HttpRequest, stop: str) -> HttpResponse:
    """Show the page that the link in a mail opens, to anyone who has the mail.

    Opening it changes nothing, because virus scanners open links; a click stops the mail. Mail
    programs may stop it too (RFC 8058): they post without a session, and the signature says which
    mail they may stop. Only the person who stopped it can undo that, for an hour.
    """
    try:
        teaching = mail.teaching_of(stop)
    except Http404:
        return render(request, "reports/weekly_mail/stop_gone.html", status=404)
    restart = ""
    if request.method == "POST":
        if mail.may_restart(teaching, request.POST.get("again", "")):
            mail.start_mail(teaching)
        elif mail.stop_mail(teaching):
            restart = mail.restart_token(teaching)
        teaching.refresh_from_db()
    context = {
        "name": teaching.school_class.name,
        "is_wanted": teaching.mailed_since is not None,
        "is_done": request.method == "POST",
        "again": restart,
    }
    return render(request, "reports/weekly_mail/stop_weekly_mail.html", context)
