"""The answer to a form with a wrong CSRF token: usually its page stayed open while someone
signed in in another tab."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.http import HttpResponseClientRefresh

from classrooms.access import SchoolRequest


def failure(request: SchoolRequest, reason: str = "") -> HttpResponse:
    """Nothing was done. Leads back to the page with the form, which then has a token that fits."""
    if request.htmx:
        return HttpResponseClientRefresh()
    back = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure()):
        back = "/"
    return render(request, "403_csrf.html", {"back": back}, status=403)
