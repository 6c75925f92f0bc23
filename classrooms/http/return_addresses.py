"""URLs that a browser sends to be redirected to."""

from urllib.parse import urlsplit

from django.http import HttpRequest
from django.urls import Resolver404, resolve
from django.utils.http import url_has_allowed_host_and_scheme


def internal_path(request: HttpRequest, address: str) -> str | None:
    """The address if it is the path of an existing page of this site, otherwise None."""
    if not address.startswith("/"):
        return None
    if not url_has_allowed_host_and_scheme(address, {request.get_host()}, request.is_secure()):
        return None
    try:
        resolve(urlsplit(address).path)
    except Resolver404:
        return None
    return address


def is_parsable_url(text: str) -> bool:
    """Whether the text can be parsed as a URL; `//[` cannot."""
    try:
        urlsplit(text)
    except ValueError:
        return False
    return True
