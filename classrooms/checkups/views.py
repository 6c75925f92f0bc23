"""The check-ups of a class, for its teacher."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from classrooms import bounds
from classrooms.access import AdultRequest, class_for
from classrooms.audit import Page, looked
from classrooms.checkups import services, words
from classrooms.checkups.check_up_gate import check_up_for
from classrooms.checkups.forms import CheckUpForm
from classrooms.checkups.growth import FEWEST_CHILDREN
from classrooms.checkups.models import CheckUp
from classrooms.checkups.results import growth_tables, results_of, standings
from classrooms.ui.sortable_table import PAGE
from classrooms.ui.undo import say_done
from classrooms.undo import kept_rows
from games.coach.questions.check_up_questions import asks_all


@login_required
@require_GET
def index(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """All check-ups of a class, and what grew from one to the next."""
    school_class = class_for(request.user, class_id)
    check_ups = list(school_class.check_ups.all())
    tables, page = growth_tables(school_class, check_ups, request.GET.get(PAGE))
    if tables:
        looked(request.user, Page.CHECK_UP, school_class=school_class)
    today = school_class.today()
    listed = standings(school_class, check_ups)
    context = {
        "school_class": school_class,
        "current": [each for each in listed if not each.check_up.is_over(today)],
        "past": [each for each in listed if each.check_up.is_over(today)],
        "tables": tables,
        "page": page,
        "fewest_children": FEWEST_CHILDREN,
        "today": today,
    }
    return render(request, "checkups/check_ups.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def new(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    form = CheckUpForm(school_class, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            check_up = services.give(school_class, **form.cleaned_data)
        except bounds.Full as full:
            messages.error(request, full.words)
        else:
            text = _("Given to the class: %(title)s.") % {"title": words.title(check_up)}
            say_done(request, text, _url("withdraw_check_up", check_up))
            return redirect("classrooms:check_ups", school_class.pk)
    context = {"school_class": school_class, "form": form}
    return render(request, "checkups/new_check_up.html", context)


@login_required
@require_GET
def results(request: AdultRequest, class_id: UUID, check_up_id: UUID) -> HttpResponse:
    """Who has done it, and what came right, by child and by fact."""
    check_up = check_up_for(request.user, class_id, check_up_id)
    looked(request.user, Page.CHECK_UP, school_class=check_up.school_class)
    context = {
        "school_class": check_up.school_class,
        "check_up": check_up,
        "results": results_of(check_up),
        "is_begun": services.is_begun(check_up),
        "asks_all": asks_all(check_up.tables),
        "today": check_up.school_class.today(),
    }
    return render(request, "checkups/check_up.html", context)


@login_required
@require_POST
def close(request: AdultRequest, class_id: UUID, check_up_id: UUID) -> HttpResponse:
    check_up = check_up_for(request.user, class_id, check_up_id)
    services.close(check_up)
    text = _("Closed. The children no longer see it; their answers are kept.")
    say_done(request, text, f"{_url('reopen_check_up', check_up)}?undo=1")
    return redirect("classrooms:check_up", class_id, check_up_id)


@login_required
@require_POST
def reopen(request: AdultRequest, class_id: UUID, check_up_id: UUID) -> HttpResponse:
    """Open it again, or undo closing it (`?undo`)."""
    check_up = check_up_for(request.user, class_id, check_up_id)
    if "undo" in request.GET:
        services.undo_closing(check_up)
        messages.success(request, _("Everything is as it was before you closed it."))
    else:
        services.reopen(check_up)
        say_done(request, _("The children can see it again."), _url("close_check_up", check_up))
    return redirect("classrooms:check_up", class_id, check_up_id)


@login_required
@require_POST
def withdraw(request: AdultRequest, class_id: UUID, check_up_id: UUID) -> HttpResponse:
    """Take a check-up back; once a child has begun it, only close it."""
    check_up = check_up_for(request.user, class_id, check_up_id)
    back = reverse("classrooms:check_ups", args=[class_id])
    rows = CheckUp.objects.filter(pk=check_up.pk)
    with kept_rows.kept(request.session, check_up.school_class, back, rows) as key:
        is_gone = services.withdraw(check_up)
    text = _("Taken back, as if it had never been given.")
    if not is_gone:
        text = _("A child had already started it, so it has been closed; the answers are kept.")
    say_done(request, text, reverse("classrooms:undo", args=[class_id, key]))
    return redirect(back)


def _url(name: str, check_up: CheckUp) -> str:
    return reverse(f"classrooms:{name}", args=[check_up.school_class_id, check_up.pk])
