"""The pages that say that something went wrong, without reading what was posted.

Django's own look for the form's token first, so a body that cannot be read, sent to an address that
there is not, was an error within the error. No token is checked: a form on them gets its own.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "400.html", status=400)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "403.html", status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "404.html", status=404)
