"""The weekly mail of a teacher about a class: its switch, a preview, and the link that stops it
without signing in."""

from uuid import UUID

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from classrooms.access import AdultRequest
from classrooms.archive_guard import works_when_archived
from classrooms.models import Teaching
from classrooms.reports.weekly_mail import stopping
from classrooms.reports.weekly_mail.letter import letter_for


@login_required
@require_http_methods(["GET", "POST"])
@works_when_archived
def weekly_mail(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """The teacher's own switch, and a preview of the mail as of today."""
    teaching = stopping.teaching_for(request.user, class_id)
    school_class, user = teaching.school_class, teaching.user
    confirmed = EmailAddress.objects.filter(
        user=user, email__iexact=user.email, verified=True
    ).exists()
    if request.method == "POST":
        _switch(request, teaching, confirmed=confirmed)
        return redirect("classrooms:weekly_mail", class_id)
    context = {
        "school_class": school_class,
        "teaching": teaching,
        "is_confirmed": confirmed,
        "day": WEEKDAYS[settings.WEEKLY_MAIL_DAY - 1],
        "hour": f"{settings.WEEKLY_MAIL_HOUR}:00",
        "letter": letter_for(school_class, school_class.today()),
    }
    return render(request, "reports/weekly_mail/weekly_mail.html", context)


def _switch(request: HttpRequest, teaching: Teaching, *, confirmed: bool) -> None:
    match request.POST.get("do"):
        case "want" if confirmed:
            stopping.want(teaching)
            messages.success(request, _("From now on you will get the weekly mail."))
        case "stop":
            stopping.stop(teaching)
            messages.success(
                request, _("Unsubscribed. You will get no more e-mails about this class.")
            )
        case _nothing:
            messages.error(request, _("Nothing was changed."))


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def stop(request: HttpRequest, stop: str) -> HttpResponse:
    """The page of the link in a mail, for anyone who has the mail. Opening it changes nothing,
    since virus scanners open links; one click does, also in the mailbox itself (RFC 8058), which
    posts here without a session: the signature shows what may be stopped. Only who stopped the mail
    just now may undo that."""
    try:
        teaching = stopping.teaching_of(stop)
    except Http404:
        return render(request, "reports/weekly_mail/stop_gone.html", status=404)
    again = ""
    if request.method == "POST":
        if stopping.may_take_back(teaching, request.POST.get("again", "")):
            stopping.want(teaching)
        elif stopping.stop(teaching):
            again = stopping.again_token(teaching)
        teaching.refresh_from_db()
    context = {
        "name": teaching.school_class.name,
        "is_wanted": teaching.mailed_since is not None,
        "is_done": request.method == "POST",
        "again": again,
    }
    return render(request, "reports/weekly_mail/stop_weekly_mail.html", context)
