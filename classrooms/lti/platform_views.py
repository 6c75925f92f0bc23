"""The pages on which the admins of a school manage its learning platforms."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from classrooms.access import AdultRequest, school_for
from classrooms.accounts.services import needs_proof
from classrooms.links import link
from classrooms.lti import launches, platforms
from classrooms.lti.forms import NewPlatformForm, PlatformForm
from classrooms.privacy.words import REFUSED_LAUNCHES
from classrooms.ui.ask_first import ask_first, is_sure


@needs_proof
@require_http_methods(["GET", "POST"])
def platforms_of_school(request: AdultRequest, school_id: UUID) -> HttpResponse:
    school = school_for(request.user, school_id)
    form = NewPlatformForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        platform = platforms.add_platform(school, form.cleaned_data["name"], request.user)
        return redirect("classrooms:school_platform", school_id, platform.pk)
    context = {"school": school, "platforms": school.platforms.all(), "form": form}
    return render(request, "lti/platforms.html", context)


@needs_proof
@require_http_methods(["GET", "POST"])
def platform(request: AdultRequest, school_id: UUID, platform_id: UUID) -> HttpResponse:
    """Show what the admin enters at the platform, and the form for what they enter here."""
    school = school_for(request.user, school_id)
    chosen = get_object_or_404(school.platforms.select_related("school"), pk=platform_id)
    form = PlatformForm(request.POST or None, instance=chosen)
    if request.method == "POST" and form.is_valid():
        platforms.change_platform(chosen, form.cleaned_data, request.user)
        if platforms.fetch_keys(chosen):
            messages.success(request, _("Saved. The public keys of the platform were found."))
        else:
            messages.warning(
                request,
                _("Saved, but there are no usable keys at the public keyset URL. Check it."),
            )
        return redirect("classrooms:school_platform", school_id, platform_id)
    token = platforms.registration_token(chosen, request.user)
    refusals = [
        (entry.at, REFUSED_LAUNCHES.get(entry.detail.get("why", ""), ""))
        for entry in launches.recent_refusals(chosen)
    ]
    context = {
        "school": school,
        "platform": chosen,
        "form": form,
        "addresses": platforms.addresses_of(chosen),
        "registration": "" if chosen.issuer else link("classrooms:lti_register", token),
        "refused": refusals,
        "courses": chosen.courses.select_related("school_class"),
    }
    return render(request, "lti/platform.html", context)


@needs_proof
@require_POST
def remove_platform(request: AdultRequest, school_id: UUID, platform_id: UUID) -> HttpResponse:
    school = school_for(request.user, school_id)
    platform = get_object_or_404(school.platforms.select_related("school"), pk=platform_id)
    return_url = reverse("classrooms:school_platforms", args=[school_id])
    if not is_sure(request):
        lost = _(
            "Nobody comes in from %(name)s any more, and its links with classes and children are "
            "deleted. The children and their games stay. To undo this, you would have to add the "
            "platform again, and the teachers would have to link their courses again."
        )
        return ask_first(
            request,
            heading=_("Remove %(name)s") % {"name": platform.name},
            lost=lost % {"name": platform.name},
            button=_("Remove"),
            back=return_url,
        )
    platforms.remove_platform(platform, request.user)
    messages.success(request, _("%(name)s was removed.") % {"name": platform.name})
    return redirect(return_url)
