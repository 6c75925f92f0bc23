"""Error pages that do not read what was posted.

Django's own views first read the CSRF token from the form, so an unreadable body sent to an unknown
URL caused an error within the error. These check no token; a form on their pages gets its own.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "400.html", status=400)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "403.html", status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "404.html", status=404)
